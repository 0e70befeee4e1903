"""Stairs between two levels: at cells that caves share, else at a cell of each level. It changes only its arguments."""

from typing import Final

from gloam_server.content.levels import LevelKind
from gloam_server.rules.dice import Dice
from gloam_server.world.generation.connectivity.regions import Regions
from gloam_server.world.generation.draft import LevelDraft
from gloam_shared.appearance import Terrain

_REGIONS_MAX: Final = 1 << 16
"""More than the regions of any level, because it is the number of its cells."""

_CAVES: Final = ("caves", "old_caves")


def aligned_regions(above: LevelKind, below: LevelKind) -> bool:
    """Return whether stairs between two kinds of level join the same cell of both: caves of one size do."""
    same_size = (above.width, above.height) == (below.width, below.height)
    return same_size and above.generator in _CAVES and below.generator in _CAVES


def connect(
    dice: Dice,
    above: bytearray,
    below: bytearray,
    regions: tuple[Regions, Regions],
    share: int = 0,
    kept: frozenset[int] = frozenset(),
) -> None:
    """Give each pair of regions that lie above each other one staircase, at a random floor cell of both (rule J7.7).

    With a `share` there is another one while the pair's common cells, divided by the staircases made, are more than
    that (rule TG.2). `regions` belong to the two levels. A cell that already holds stairs is no floor, so no cell
    gets two; a pair with stairs on all its common cells gets none. No staircase stands on a cell of `kept`.
    """
    shared: dict[tuple[int, int], list[int]] = {}
    for cell in overlap(above, below):
        if cell in kept:
            continue
        shared.setdefault((regions[0].of[cell], regions[1].of[cell]), []).append(cell)
    for (upper, lower), cells in shared.items():
        pair = upper * _REGIONS_MAX + lower
        if not share:
            build_stairs(above, below, dice.pick("stairs", pair, cells))
            continue
        for made, cell in enumerate(dice.shuffle("stairs", pair, cells, 1 + len(cells) // share)):
            if made and len(cells) // made <= share:
                break
            build_stairs(above, below, cell)


def overlap(above: bytearray, below: bytearray) -> list[int]:
    """Return the cells that are plain floor on both levels, rising."""
    floor = Terrain.FLOOR
    return [
        cell
        for cell, (high, low) in enumerate(zip(above, below, strict=True))
        if high == floor and low == floor
    ]


def build_stairs(above: bytearray, below: bytearray, cell: int) -> None:
    """Build one staircase: down from the level above, up from the one below, at the same cell."""
    above[cell] = Terrain.STAIRS_DOWN
    below[cell] = Terrain.STAIRS_UP


def build_unaligned_stairs(above: LevelDraft, below: LevelDraft, upper: int, lower: int) -> None:
    """Build one staircase that joins a cell of the level above to another cell of the one below (rule F03)."""
    above.terrain[upper] = Terrain.STAIRS_DOWN
    below.terrain[lower] = Terrain.STAIRS_UP
    above.links[upper], below.links[lower] = lower, upper


def connect_unaligned(
    dice: Dice, above: LevelDraft, below: LevelDraft, regions: tuple[Regions, Regions]
) -> None:
    """Join two levels by one staircase: down in the middle of the last room, up in the middle of the first (rule RG.1).

    A level without rooms has its stairs on a random floor cell of its largest region.
    """
    upper = _middle(above, last=True) or _anywhere(dice, above, regions[0], "stairs down")
    lower = _middle(below, last=False) or _anywhere(dice, below, regions[1], "stairs up")
    if upper is not None and lower is not None:
        build_unaligned_stairs(above, below, upper, lower)


def _middle(draft: LevelDraft, *, last: bool) -> int | None:
    """Return the middle cell of the last or the first room, if it is plain floor; it is never the level's first cell."""
    if not draft.rooms:
        return None
    x, y = draft.rooms[-1 if last else 0].centre
    cell = y * draft.width + x
    return cell if draft.terrain[cell] == Terrain.FLOOR else None


def _anywhere(dice: Dice, draft: LevelDraft, regions: Regions, purpose: str) -> int | None:
    floor = [
        cell
        for cell in regions.cells[regions.largest]
        if draft.terrain[cell] == Terrain.FLOOR and cell not in draft.kept
    ]
    return dice.pick(purpose, 0, floor) if floor else None
