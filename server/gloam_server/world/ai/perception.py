"""Perception of a creature: foes in sight, its chosen target, its own kind. It only updates memory."""

from typing import Final

from msgspec import UNSET

from gloam_server.world.combat.hostility import is_hostile, possible_enemies
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.creature_state import LevelCell
from gloam_server.world.model.level import Level
from gloam_server.world.model.modifiers import tasks_of

_REMEMBERING: Final = frozenset({"prowl", "stalk"})


def enemies_in_sight(level: Level, creature: Creature) -> list[Creature]:
    """Return the foes in sight, the nearest first; among equals the one that it fought last, then by number.

    The standing ones are before all others (rule F127).
    """
    cell, width, reach = creature.cell, level.grid.width, level.sight.reach(creature)
    # Most foes on a crowded level are not even in the same rows: two comparisons find those.
    rows = reach * width + reach
    first, last = cell - rows, cell + rows
    y, x = divmod(cell, width)
    foes = [
        other
        for other in possible_enemies(level, creature)
        if first <= (there := other.cell) <= last
        and -reach <= there % width - x <= reach
        and -reach <= there // width - y <= reach
        and is_hostile(level, creature, other)
        and not other.hidden
    ]
    if not foes:
        return foes  # most unattended creatures have none and need not look
    seen = level.field_of_view(creature)
    found = [other for other in foes if seen[other.cell]]
    return sorted(found, key=lambda other: _threat_rank(level, creature, other)) if len(found) > 1 else found


def nearest_enemy(level: Level, creature: Creature) -> Creature | None:
    """Return the nearest foe in sight; among equals the one that it fought last, then by number."""
    foes = enemies_in_sight(level, creature)
    return foes[0] if foes else None


def current_enemy(level: Level, creature: Creature) -> Creature | None:
    """Return the chosen target in sight, and remember it and its place (rules F21, F30).

    It keeps its target while it sees it: a player who runs past a newcomer takes their hunters along. It
    changes only to an adjacent creature that attacked it since, if the target is not adjacent.
    """
    foes = enemies_in_sight(level, creature)
    if not foes:
        return None
    kept = foes[0]
    if len(foes) > 1 and kept.number != creature.ai.prey:
        kept = next((foe for foe in foes if foe.number == creature.ai.prey and foe.down is UNSET), kept)
        if foes[0] is not kept and _prefers(level, creature, kept, foes[0]):
            kept = foes[0]
    _remember(level, creature, kept)
    return kept


def last_seen_cell(level: Level, creature: Creature) -> int | None:
    """Return the cell where a creature last saw its prey, None when it remembers none on this level (rule F30)."""
    return cell_here(level, creature.ai.last_seen)


def cell_here(level: Level, remembered: LevelCell | None) -> int | None:
    """Return the cell that a creature remembers; None without one, or if it is on another level."""
    return remembered.cell if remembered is not None and remembered.partition == level.partition else None


def same_kind_nearby(level: Level, creature: Creature, within: int) -> list[Creature]:
    """Return the awake others of its kind within a distance, by number."""
    found = [
        other
        for other in level.creatures.values()
        if other.kind == creature.kind
        and other.number != creature.number
        and not other.asleep
        and level.distance(creature, other) <= within
    ]
    return sorted(found, key=lambda other: other.number)


def _threat_rank(level: Level, creature: Creature, other: Creature) -> tuple[bool, int, int, int]:
    away = level.grid.distance(creature.cell, other.cell)
    return other.down is not UNSET, away, -creature.contacts.get(other.number, -1), other.number


def _prefers(level: Level, creature: Creature, kept: Creature, other: Creature) -> bool:
    if level.distance(creature, other) > 1 or level.distance(creature, kept) <= 1:
        return False
    return creature.contacts.get(other.number, -1) > creature.contacts.get(kept.number, -1)


def _remember(level: Level, creature: Creature, prey: Creature) -> None:
    creature.ai.prey = prey.number
    if not _REMEMBERING.isdisjoint(tasks_of(level.campaign, creature)):
        creature.ai.last_seen = LevelCell(level.partition, prey.cell)
        creature.ai.trail_steps = 0
