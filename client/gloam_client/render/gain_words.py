"""The changes that a level-up choice makes in fights, in words: "kills an orc in 3 blows instead of 4".

Pure; an estimate.
"""

from typing import Final, NamedTuple

from msgspec.structs import replace

from gloam_client.state.model import Model
from gloam_shared.narration.rendering import with_article
from gloam_shared.text import clean
from gloam_shared.view.choices import GainKind, LevelGain
from gloam_shared.view.danger import blows_to_kill, foes_blow, means_of, own_blow
from gloam_shared.view.view import Creature, CreatureFlag, Spell, Stat

_RESISTANCES: Final = tuple(GainKind)[GainKind.RESIST_BLOW : GainKind.RESIST_LIGHT + 1]


class _Body(NamedTuple):
    """The player's strengths, in `parts` of a point."""

    attack: int
    defence: int
    health: int
    parts: int
    resists: tuple[int, ...]


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
    elif before.resists != after.resists:
        told.append(_told(model, GainKind.HEALTH, (before, after), unchanged=False))
    told += [_mana_words(model, amount) for kind, amount in parts if kind is GainKind.MANA]
    return "; ".join([words for words in told if words])


def _parts(gain: LevelGain) -> list[tuple[GainKind, int]]:
    """Return all gains of one choice that this client knows, each with its amount."""
    pairs = [(gain.kind, gain.amount), *zip(gain.also[::2], gain.also[1::2], strict=False)]
    return [(GainKind(kind), amount) for kind, amount in pairs if kind in list(GainKind)]


def _told(model: Model, side: GainKind, bodies: tuple[_Body, _Body], *, unchanged: bool = True) -> str:
    """Return how the blows change that a foe takes, or for health, gives: the first foe for which they change.

    If they change for none, it is the first of all, where `unchanged` numbers are worth a word.
    """
    told = [_fight_words(model, foe, side, bodies) for foe in _foes(model)]
    changed = [words for words, changes in told if changes]
    return (changed or [words for words, _ in told if unchanged] or [""])[0]


def _foes(model: Model) -> list[Creature]:
    """Return the foes to compare with: those in sight, then the last met."""
    seen = [one for one in model.view.creatures if one.marks & CreatureFlag.HOSTILE]
    names = {one.name for one in seen}
    return [*seen, *(one for one in reversed(model.fights.met) if one.name not in names)]


def _body(model: Model) -> _Body:
    """Return the player's strengths; in fractions where the formula of damage permits them."""
    parts = 100 if model.world.damage == "ratio" else 1
    attack, defence, health = (model.fact(fact) * parts for fact in (Stat.ATTACK, Stat.DEFENCE, Stat.HP_MAX))
    return _Body(attack, defence, health, parts, means_of(model.view).prowess.resists)


def _with_gain(body: _Body, kind: GainKind, amount: int) -> _Body:
    if kind in _RESISTANCES:
        of = _RESISTANCES.index(kind)
        return body._replace(
            resists=tuple(n + amount // 100 * (at == of) for at, n in enumerate(body.resists))
        )
    more = amount * body.parts // 100
    if kind is GainKind.ATTACK:
        return body._replace(attack=body.attack + more)
    if kind is GainKind.DEFENCE:
        return body._replace(defence=body.defence + more)
    return body._replace(health=body.health + more) if kind is GainKind.HEALTH else body


def _fight_words(
    model: Model, foe: Creature, kind: GainKind, bodies: tuple[_Body, _Body]
) -> tuple[str, bool]:
    """Return a foe's blows before and after a gain in words, and whether their number changes."""
    blows = [_blows(model, foe, kind, body) for body in bodies]
    name = with_article(clean(foe.name))
    if None in blows:
        return "", False
    before, after = blows
    instead = f" instead of {before}" if after != before else " as before"
    count = f"{after} blow{'' if after == 1 else 's'}{instead}"
    words = f"kills {name} in {count}" if kind is GainKind.ATTACK else f"{name} kills you in {count}"
    return words, after != before


def _blows(model: Model, foe: Creature, kind: GainKind, body: _Body) -> int | None:
    """Return how many mean blows the player needs, or for defense and health, the foe."""
    parts, damage = body.parts, model.world.damage
    means = means_of(model.view)
    means = means._replace(prowess=means.prowess._replace(resists=body.resists))
    scaled = replace(foe, attack=foe.attack * parts, defence=foe.defence * parts)
    if kind is GainKind.ATTACK:
        return blows_to_kill(own_blow(damage, means, scaled, body.attack), foe.hp_max * parts)
    return blows_to_kill(foes_blow(damage, scaled, means, body.defence), body.health)


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
