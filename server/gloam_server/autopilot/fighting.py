"""The fighting plan: which foe, and whether to strike, shoot, throw or cast, by the estimate of danger. Pure."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from gloam_server.autopilot import pathfinding
from gloam_server.autopilot.assessment import is_badly_hurt
from gloam_server.content.campaign_schema import Damage
from gloam_shared import limits
from gloam_shared.appearance import TRANSPARENT
from gloam_shared.bitboard import bits_of
from gloam_shared.narration.rendering import capital, with_article, with_definite_article
from gloam_shared.protocol.commands import ActionCommand, Cast, Fire, Throw
from gloam_shared.view.danger import (
    Means,
    could_take_half,
    health_lost,
    is_deadly,
    means_of,
    own_blow,
    own_shot,
    own_throw,
    spell_harm,
)
from gloam_shared.view.view import Creature, CreatureFlag, Spell, Stat, View

_HOSTILE, _HOLDS_YOU = int(CreatureFlag.HOSTILE), int(CreatureFlag.HOLDS_YOU)
_ASLEEP, _SELF, _PLAYER = int(CreatureFlag.ASLEEP), int(CreatureFlag.SELF), int(CreatureFlag.PLAYER)
_CAST_AT: Final = 150
"""The health, in thousandths of the present one, that a fight must cost before it is worth mana."""


class _Attack(NamedTuple):
    """One way to hurt a foe now: the command and its mean damage, in hundredths."""

    command: ActionCommand
    mean: int


def next_blow(view: View, damage: Damage) -> ActionCommand | str:
    """Return the best attack at the nearest foe, else a step towards it; a sentence if there is neither."""
    foe = _target(view)
    if foe is None:
        return "There is no foe in sight."
    grid = view.place.grid
    best = _best_attack(view, foe, damage)
    if best is not None:
        return best.command
    way = pathfinding.first_step(view, 1 << foe.cell, foe.cell, over_traps=False)
    if way is None:  # the ground under it is not known
        beside = bits_of(grid.neighbors(foe.cell, view.place.directions))
        way = pathfinding.first_step(view, beside, over_traps=False)
    return way or f"You see no way to {with_definite_article(foe.name)}."


def is_too_hurt_to_fight(view: View, damage: Damage) -> bool:
    """Return whether the player is badly hurt, and the next blow should not end the danger."""
    if not is_badly_hurt(view):
        return False
    foe = _target(view)
    best = None if foe is None else _best_attack(view, foe, damage)
    if foe is None or best is None or best.mean < foe.hp * 100:
        return True
    others = [one for one in view.creatures if one.marks & _HOLDS_YOU and one is not foe]
    return could_take_half(others, view, damage)


def _target(view: View) -> Creature | None:
    """Return the foe that the fighting plan turns to: the nearest hunter; those that are harmless or asleep come after."""
    grid = view.place.grid
    return min(
        (foe for foe in view.creatures if foe.marks & _HOSTILE),
        key=lambda each: (
            not each.marks & _HOLDS_YOU,
            grid.distance(view.cell, each.cell),
            each.hp,
            each.handle,
        ),
        default=None,
    )


def _best_attack(view: View, foe: Creature, damage: Damage) -> _Attack | None:
    attacks = _attacks(view, foe, damage, means_of(view))
    return max(attacks, key=lambda attack: attack.mean, default=None)


def reason_to_leave(view: View, damage: Damage) -> str:
    """Return why leaving is better than fighting the hunters of the player, as a sentence; "" if it is not.

    It is better where the fight is deadly and no hunter is faster than the player.
    """
    hunters = [one for one in view.creatures if one.marks & _HOLDS_YOU]
    faster = any(one.menace and one.menace.speed > view.fact(Stat.SPEED) for one in hunters)
    if faster or not hunters:
        return ""
    if not is_deadly(hunters, view, damage):
        return ""
    name = capital(with_article(hunters[0].name)) if len(hunters) == 1 else "This fight"
    return f"{name} is deadly: leaving is better. Fight again to fight all the same."


def _attacks(view: View, foe: Creature, damage: Damage, means: Means) -> Iterator[_Attack]:
    """Yield the attacks at a foe from here. No attack counts for more than the health that the foe has."""
    away = view.place.grid.distance(view.cell, foe.cell)
    blow = pathfinding.one_step(view, foe.cell)
    plain = 0
    if blow is not None:
        plain = min(own_blow(damage, means, foe) * (100 + means.prowess.pace) // 100, foe.hp * 100)
        yield _Attack(blow, plain)
    flies = bool(view.sight[foe.cell]) and _is_clear(view, foe.cell)
    if flies and means.reach >= away:
        shot = min(own_shot(damage, means, foe), foe.hp * 100)
        plain = max(plain, shot)
        yield _Attack(Fire(foe.cell), shot)
    elif flies and means.prowess.length >= away > 1:  # a blow of a weapon that reaches (rule F113)
        plain = min(own_blow(damage, means, foe), foe.hp * 100)
        yield _Attack(Fire(foe.cell), plain)
    awake = bool(foe.marks & _HOLDS_YOU)
    if flies and awake and 2 <= away <= limits.THROW_CELLS:
        yield from (
            _Attack(Throw(item.slot, foe.cell), min(own_throw(damage, attack, foe), foe.hp * 100))
            for attack, item in means.missiles
        )
    costly = awake and _is_costly(view, damage)
    if costly or (awake and blow is None and not plain):
        spells = [spell for spell in view.spells if spell.damage and spell.cost <= view.fact(Stat.MANA)]
        usable = sorted((each for each in spells if _can_aim(view, each, foe)), key=lambda each: each.cost)
        for spell in usable if costly else usable[:1]:  # the first of equal harm is the cheapest
            yield _Attack(Cast(spell.key, foe.cell), min(spell_harm(spell, foe), foe.hp) * 100)


def _is_costly(view: View, damage: Damage) -> bool:
    """Return whether the fight with all who hunt the player is worth mana."""
    hunters = [one for one in view.creatures if one.marks & _HOLDS_YOU]
    return bool(hunters) and health_lost(hunters, view, damage) >= _CAST_AT


def _can_aim(view: View, spell: Spell, foe: Creature) -> bool:
    """Return whether a spell reaches a foe in sight, and neither the player nor a friend."""
    grid = view.place.grid
    if spell.target == "self" or not view.sight[foe.cell]:
        return False
    if not grid.is_within(spell.range, view.cell, foe.cell):  # a circle, unlike the range of shots
        return False
    return not spell.radius or not any(
        grid.distance(one.cell, foe.cell) <= spell.radius
        for one in view.creatures
        if one.marks & (_SELF | _PLAYER) and not one.marks & _HOSTILE
    )


def _is_clear(view: View, cell: int) -> bool:
    """Return whether no wall is on the line to a cell: what is thrown at a corner falls at the thrower's feet."""
    way = view.place.grid.line(view.cell, cell, lambda passed: view.terrain[passed] in TRANSPARENT)
    return all(view.terrain[passed] in TRANSPARENT for passed in way)
