"""The part of a view that tells programs about magic and level-up choices: closed lists instead of text. Pure."""

from typing import Final

from gloam_server.content.campaign import Campaign
from gloam_server.content.creatures import Gain
from gloam_server.content.spells import Effect, EffectKind, Spell
from gloam_shared.view.choices import GainKind, LevelGain
from gloam_shared.view.view import MagicEffect

_EFFECTS: Final[dict[EffectKind, MagicEffect]] = {
    "heal": MagicEffect.HEAL,
    "dark_sight": MagicEffect.DARK_SIGHT,
    "light_feet": MagicEffect.LIGHT_FEET,
    "mana": MagicEffect.MANA,
    "harm": MagicEffect.HARM,
    "drain": MagicEffect.DRAIN,
    "learn": MagicEffect.LEARN,
    "know": MagicEffect.KNOW,
    "feed": MagicEffect.FEED,
    "blood_to_mana": MagicEffect.BLOOD_TO_MANA,
    "blink": MagicEffect.BLINK,
    "teleport": MagicEffect.TELEPORT,
    "swap": MagicEffect.SWAP,
    "push": MagicEffect.PUSH,
    "summon": MagicEffect.SUMMON,
    "detect": MagicEffect.DETECT,
    "sleep": MagicEffect.SLEEP,
    "fear": MagicEffect.FEAR,
    "silence": MagicEffect.SILENCE,
    "cure": MagicEffect.CURE,
    "dig": MagicEffect.DIG,
    "map": MagicEffect.MAP,
    "light": MagicEffect.LIGHT,
    "reveal": MagicEffect.REVEAL,
    "lay": MagicEffect.OTHER,
}
"""The effects that have one meaning; a "strengthen" has several. An effect that is missing here is shown as OTHER."""

_GAINS: Final[dict[Gain, GainKind]] = {
    "attack": GainKind.ATTACK,
    "defence": GainKind.DEFENCE,
    "health": GainKind.HEALTH,
    "sight": GainKind.SIGHT,
    "mana": GainKind.MANA,
    "regeneration": GainKind.REGENERATION,
    "mana_regeneration": GainKind.MANA_REGENERATION,
}


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
    return LevelGain(_GAINS.get(gain, GainKind.OTHER), amount * 100 // unit)


def _strengthening(effect: Effect) -> MagicEffect:
    if effect.weakens:
        return MagicEffect.WEAKEN
    if effect.attack or effect.defence or effect.speed:
        return MagicEffect.STRENGTHEN
    if effect.regeneration or effect.mana_regeneration or effect.percent:
        return MagicEffect.REGENERATE
    return MagicEffect.SEE if effect.sight else MagicEffect.OTHER
