"""All levels of a realm at once, and where new lives begin. Pure: the same campaign and seed give the same bytes."""

from dataclasses import dataclass
from typing import Final

from gloam_server.content.definitions import Campaign
from gloam_server.content.levels import LevelKind
from gloam_server.rules.dice import Dice
from gloam_server.world.generation.caves import terrain
from gloam_server.world.generation.kinds import level_kind
from gloam_server.world.generation.regions import label
from gloam_server.world.generation.repair import repair
from gloam_server.world.generation.stairs import connect
from gloam_shared.appearance import Terrain
from gloam_shared.geometry import DIRECTIONS

ATTEMPTS_MAX: Final = 16
"""How many dungeons are tried until each level has floor. With the shipped numbers the first always had."""


class NoDungeon(ValueError):
    """A campaign's numbers leave a level without any floor. Its text names the numbers to change."""


@dataclass(frozen=True, slots=True)
class LevelMap:
    """The terrain of one level at the beginning: one byte a cell, row by row. `depth` counts from 1."""

    depth: int
    kind: str
    width: int
    height: int
    terrain: bytes


def generate(campaign: Campaign, seed: int) -> tuple[LevelMap, ...]:
    """Return all levels of a realm, from depth 1 down (rules J7.3-J7.7, and the repair).

    Every walkable cell of them can be reached on foot from the arrival place, over floor and stairs. Raises NoDungeon
    when in ATTEMPTS_MAX attempts some level was without floor.
    """
    kinds = [level_kind(campaign, seed, depth) for depth in range(1, campaign.depths + 1)]
    for attempt in range(ATTEMPTS_MAX):
        levels = _dungeon(campaign, kinds, seed, attempt)
        if all(Terrain.FLOOR in level for level in levels):
            return tuple(
                LevelMap(depth, kind.key, kind.width, kind.height, bytes(level))
                for depth, (kind, level) in enumerate(zip(kinds, levels, strict=True), start=1)
            )
    raise NoDungeon(
        f"campaign {campaign.key} leaves a level without floor: raise its fill_percent or lower its region_min"
    )


def arrival_place(campaign: Campaign, seed: int, first_level: LevelMap) -> int:
    """Return the cell where new lives begin: a random plain floor cell of the first level's largest region."""
    regions = label(first_level.terrain, first_level.width, campaign.directions)
    floor = [cell for cell in regions.cells[regions.largest] if first_level.terrain[cell] == Terrain.FLOOR]
    return Dice(seed, first_level.depth, 0).pick("arrival", 0, floor)


def _dungeon(campaign: Campaign, kinds: list[LevelKind], seed: int, attempt: int) -> list[bytearray]:
    """Return the terrain of all levels with their stairs, repaired; without floor on the first, as it came."""
    levels = [bytearray(terrain(kind, seed, depth, attempt)) for depth, kind in enumerate(kinds, start=1)]
    width = kinds[0].width
    if Terrain.FLOOR not in levels[0]:
        return levels
    # Rule J7.5 counts regions eight ways, whatever way bodies may step; the repair counts as bodies step.
    regions = [label(level, width, DIRECTIONS) for level in levels]
    for at in range(len(kinds) - 1):
        dice = Dice(seed, at + 1, attempt)
        connect(dice, levels[at], levels[at + 1], (regions[at], regions[at + 1]))
    repair(Dice(seed, 0, attempt), levels, width, campaign.directions)
    return levels
