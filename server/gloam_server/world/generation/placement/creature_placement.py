"""Population: the cells of the creatures of a level, and their additional levels by depth. Pure and bounded."""

from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from gloam_server.content.campaign import Campaign
from gloam_server.rules.dice import Dice
from gloam_server.world.generation.draft import PlannedCreature
from gloam_server.world.generation.level_kinds import choose_level_kinds
from gloam_shared.appearance import WALKABLE, Terrain
from gloam_shared.geometry import Grid
from gloam_shared.level_numbers import PartitionId
from gloam_shared.search import reachable

_HOMES: Final = frozenset({Terrain.FLOOR, Terrain.WATER})

_FEUD_APART: Final = 8
"""The greatest distance in cells between the first members of two groups at odds: they find each other."""

_SEARCH_MAX: Final = 400
"""The number of nearest cells around its first member in which a group stands."""


class PlacedCreature(NamedTuple):
    """A creature to be placed: its kind's key, its cell, and the levels that it has above its kind's own.

    Below 0 it is a captive, with one less of these levels: so the inputs of campaigns without captives stay as they were.
    """

    kind: str
    cell: int
    levels: int


def place_creatures(
    campaign: Campaign,
    seed: int,
    partition: PartitionId,
    width: int,
    terrain: bytes,
    creatures: tuple[PlannedCreature, ...],
    *,
    avoid: bytes | None = None,
    number: int = 0,
) -> tuple[PlacedCreature, ...]:
    """Return where the creatures of a census stand: on plain floor of their room or anywhere, groups together.

    Water creatures start in water. No cell gets two creatures, and cells with a value in `avoid` none; a creature
    without a cell is left out: nothing is retried. A group at odds stands near the one before it, if there is a cell.
    A creature with a cell of its own stands there, also on grass or in shallow water, and is placed first.
    """
    unseen = [cell for cell in range(len(terrain)) if avoid is None or not avoid[cell]]
    free = bytearray(len(terrain))
    for cell in unseen:
        free[cell] = terrain[cell] in _HOMES
    dice = Dice(seed, partition, number)
    spawns: list[PlacedCreature] = []
    grid = Grid(width, len(terrain) // width)
    foes_at: int | None = None
    for drawn in sorted(creatures, key=lambda each: each.cell is None):
        left = drawn.count
        if drawn.cell is not None:
            if avoid is None or not avoid[drawn.cell]:
                free[drawn.cell] = 0
                spawns.append(_placed(drawn, drawn.cell))
            continue
        home = Terrain.WATER if campaign.creatures[drawn.kind].lives_in_water else Terrain.FLOOR
        area = unseen if drawn.room is None else drawn.room.cells(width)
        cells = [cell for cell in area if free[cell] and terrain[cell] == home]
        if not cells:
            continue
        if drawn.at_odds and foes_at is not None:
            cells = [cell for cell in cells if grid.distance(foes_at, cell) <= _FEUD_APART] or cells
        first = dice.pick("settled", 0, cells)
        foes_at = first if drawn.at_odds else foes_at
        for cell in islice(_reachable_from(first, terrain, width, home), _SEARCH_MAX):
            if free[cell] and terrain[cell] == home:
                free[cell] = 0
                spawns.append(_placed(drawn, cell))
                left -= 1
            if not left:
                break
    return tuple(spawns)


def _placed(drawn: PlannedCreature, cell: int) -> PlacedCreature:
    return PlacedCreature(drawn.kind, cell, -1 - drawn.levels if drawn.captive else drawn.levels)


def difficulty(campaign: Campaign, seed: int, depth: int) -> int:
    """Return the levels that each monster of a depth (from 1) has above its kind's own (rule J14.14: depth - 1)."""
    return (depth - 1) * choose_level_kinds(campaign, seed, depth)[-1].levels_per_depth


def scatter_creatures(
    campaign: Campaign,
    seed: int,
    depth: int,
    terrain: bytes,
    *,
    monsters: int,
    difficulty: int,
    avoid: bytes | None = None,
    number: int = 0,
) -> tuple[PlacedCreature, ...]:
    """Return random creatures on plain floor cells, none twice (rules J14.14, J7.9, J7.12).

    All kinds that spawn are equally likely, each raised by `difficulty` levels. Stairs are never a place, nor cells
    that are not 0 in `avoid` (one byte a cell). With fewer cells than monsters, each cell gets one: nothing is
    retried. `number` is the input that asks, so that a later population of the same level differs.
    """
    cells = [
        cell
        for cell, what in enumerate(terrain)
        if what == Terrain.FLOOR and (avoid is None or not avoid[cell])
    ]
    kinds = campaign.spawnable
    if not kinds:
        return ()
    dice = Dice(seed, depth, number)
    return tuple(
        PlacedCreature(dice.pick("kind", 0, kinds).key, cell, difficulty)
        for cell in dice.shuffle("place", 0, cells, monsters)
    )


def _reachable_from(cell: int, terrain: bytes, width: int, home: Terrain) -> Iterator[int]:
    """Return the cells that are reachable from a cell on foot, or from water by swimming, the nearest first."""
    bears = WALKABLE | {home}
    found = reachable(cell, lambda there: terrain[there] in bears, Grid(width, len(terrain) // width))
    return (here for here, _ in found)
