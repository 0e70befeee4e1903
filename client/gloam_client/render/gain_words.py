"""The changes that a level-up choice makes in fights, in words: "kills an orc in 3 blows instead of 4".

Pure; an estimate.
"""

from typing import Final, NamedTuple

from gloam_client.state.model import Model
from gloam_shared.narration.rendering import with_article
from gloam_shared.text import clean
from gloam_shared.view.choices import GainKind, LevelGain
from gloam_shared.view.danger import attacks_to_kill
from gloam_shared.view.view import Creature, CreatureFlag, Spell, Stat

_ADDED: Final = {GainKind.ATTACK: Stat.ATTACK, GainKind.DEFENCE: Stat.DEFENCE, GainKind.HEALTH: Stat.HP_MAX}


class _Body(NamedTuple):
    """The player's strengths, in `parts` of a point."""

    attack: int
    defence: int
    health: int
    parts: int


def gain_words(model: Model, gain: LevelGain) -> str:
    """Return what a choice's gains change against the foes in sight and the last met; "" if that is not known.

    The first foe whose number of blows changes is named, else the last met.
    """
    before = after = _body(model)
    parts = _parts(gain)
    for kind, amount in parts:
        after = _with_gain(after, kind, amount)
    kinds = {kind for kind, _ in parts}
    told = []
    if GainKind.ATTACK in kinds:
        told.append(_told(model, GainKind.ATTACK, (before, after)))
    if kinds & {GainKind.DEFENCE, GainKind.HEALTH}:
        told.append(_told(model, GainKind.HEALTH, (before, after)))
    told += [_mana_words(model, amount) for kind, amount in parts if kind is GainKind.MANA]
    return "; ".join([words for words in told if words])


def _parts(gain: LevelGain) -> list[tuple[GainKind, int]]:
    """Return all gains of one choice that this client knows, each with its amount."""
    pairs = [(gain.kind, gain.amount), *zip(gain.also[::2], gain.also[1::2], strict=False)]
    return [(GainKind(kind), amount) for kind, amount in pairs if kind in list(GainKind)]


def _told(model: Model, side: GainKind, bodies: tuple[_Body, _Body]) -> str:
    """Return how the blows change that a foe takes, or for health, gives: the first foe for which they change."""
    told = [_fight_words(model.world.damage, foe, side, bodies) for foe in _foes(model)]
    changed = [words for words, changes in told if changes]
    return (changed or [words for words, _ in told] or [""])[0]


def _foes(model: Model) -> list[Creature]:
    """Return the foes to compare with: those in sight, then the last met."""
    seen = [one for one in model.view.creatures if one.marks & CreatureFlag.HOSTILE]
    names = {one.name for one in seen}
    return [*seen, *(one for one in reversed(model.fights.met) if one.name not in names)]


def _body(model: Model) -> _Body:
    """Return the player's strengths; in fractions where the formula of damage permits them."""
    parts = 100 if model.world.damage == "ratio" else 1
    attack, defence, health = (model.fact(fact) * parts for fact in (Stat.ATTACK, Stat.DEFENCE, Stat.HP_MAX))
    return _Body(attack, defence, health, parts)


def _with_gain(body: _Body, kind: GainKind, amount: int) -> _Body:
    more = amount * body.parts // 100
    if kind is GainKind.ATTACK:
        return body._replace(attack=body.attack + more)
    if kind is GainKind.DEFENCE:
        return body._replace(defence=body.defence + more)
    return body._replace(health=body.health + more) if kind is GainKind.HEALTH else body


def _fight_words(damage: str, foe: Creature, kind: GainKind, bodies: tuple[_Body, _Body]) -> tuple[str, bool]:
    """Return a foe's blows before and after a gain in words, and whether their number changes."""
    blows = [_blows(damage, foe, kind, body) for body in bodies]
    name = with_article(clean(foe.name))
    if None in blows:
        return "", False
    before, after = blows
    instead = f" instead of {before}" if after != before else " as before"
    count = f"{after} blow{'' if after == 1 else 's'}{instead}"
    words = f"kills {name} in {count}" if kind is GainKind.ATTACK else f"{name} kills you in {count}"
    return words, after != before


def _blows(damage: str, foe: Creature, kind: GainKind, body: _Body) -> int | None:
    """Return how many mean blows the player needs, or for defense and health, the foe."""
    parts = body.parts
    if kind is GainKind.ATTACK:
        return attacks_to_kill(damage, body.attack, foe.defence * parts, foe.hp_max * parts)
    return attacks_to_kill(damage, foe.attack * parts, body.defence, body.health)


def _mana_words(model: Model, amount: int) -> str:
    """Return how many more times the dearest spell can be cast that the gain matters for."""
    before = model.fact(Stat.MANA_MAX)
    after = before + amount // 100
    spells: list[Spell] = sorted(model.view.spells, key=lambda one: (-one.cost, one.name))
    for spell in spells:
        if spell.cost > 0 and after // spell.cost != before // spell.cost:
            times = after // spell.cost
            return f"casts {clean(spell.name)} {times} time{'' if times == 1 else 's'} instead of {before // spell.cost}"
    return ""
