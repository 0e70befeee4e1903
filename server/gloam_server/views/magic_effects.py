"""The part of a view that tells programs about magic and level-up choices: closed lists instead of text. Pure."""

from typing import Final, get_args

from gloam_server.content.campaign import Campaign
from gloam_server.content.creatures import Gain
from gloam_server.content.spells import Effect, EffectKind, Spell
from gloam_shared.view.choices import GainKind, LevelGain
from gloam_shared.view.view import MagicEffect

_SEVERAL: Final = frozenset({"strengthen", "lay"})
"""The effects without one meaning of their own: a "strengthen" has several, and a "lay" means its surface."""
_EFFECTS: Final = {kind: MagicEffect[kind.upper()] for kind in get_args(EffectKind) if kind not in _SEVERAL}
_GAINS: Final = {gain: GainKind[gain.upper()] for gain in get_args(Gain)}


def first_effect(spell: Spell) -> MagicEffect:
    """Return the first effect of a spell."""
    if not spell.effects:
        return MagicEffect.OTHER
    effect = spell.effects[0]
    return (
        _strengthening(effect)
        if effect.does == "strengthen"
        else _EFFECTS.get(effect.does, MagicEffect.OTHER)
    )


def level_gain(campaign: Campaign, gain: Gain, amount: int) -> LevelGain:
    """Return the gain of a level-up choice, in hundredths of the sheet's numbers."""
    unit = campaign.combat.scale if gain in ("attack", "defence") else 1
    return LevelGain(_GAINS[gain], amount * 100 // unit)


def _strengthening(effect: Effect) -> MagicEffect:
    if effect.weakens:
        return MagicEffect.WEAKEN
    if effect.attack or effect.defence or effect.speed:
        return MagicEffect.STRENGTHEN
    if effect.regeneration or effect.mana_regeneration or effect.percent:
        return MagicEffect.REGENERATE
    return MagicEffect.SEE if effect.sight else MagicEffect.OTHER
