"""Finishing: the exit, doors, darkness and traps of a level whose regions are connected. It changes only the draft."""

from itertools import islice
from typing import Final

from gloam_server.content.campaign import Campaign
from gloam_server.rules.dice import Dice
from gloam_server.world.generation.draft import LevelDraft, Room
from gloam_shared.appearance import Terrain
from gloam_shared.search import reachable

_DENSE: Final = 80
"""The percentage of the cells of a patch that have its surface."""

_CLEAR_CELLS: Final = 4
"""The distance from the place where lives begin within which no surface lies."""


def add_exit(draft: LevelDraft, dice: Dice, *, but: int) -> None:
    """Put the way out of the dungeon on a random floor cell, not on `but` (rule TG.2)."""
    floor = [cell for cell in draft.floor() if cell != but]
    if floor:
        draft.terrain[dice.pick("exit", 0, floor)] = Terrain.EXIT


def add_doors(draft: LevelDraft, dice: Dice) -> None:
    """Put a closed door in `doors_percent` of the entrances of rooms: floor in a room's wall, with wall at both sides."""
    if not draft.kind.doors_percent:
        return
    for room in draft.rooms:
        for cell in room.walls(draft.width):
            if _is_entrance(draft, room, cell) and dice.chance("door", cell, draft.kind.doors_percent):
                draft.terrain[cell] = Terrain.DOOR_CLOSED


def shut_gates(campaign: Campaign, draft: LevelDraft) -> None:
    """Let each gate be wall: until then all of the level is one, so that ways and stairs are built as without gates."""
    for device in draft.devices:
        if campaign.devices[device.kind].mechanism == "gate":
            draft.terrain[device.cell] = Terrain.WALL


def choose_darkness(draft: LevelDraft, dice: Dice) -> bytes:
    """Return which cells are unlit, one byte a cell, 1 without light of its own.

    Each room is lit in `lit_percent` of the cases, and so are all cells outside rooms. Cells of drawn rooms whose light is
    given have that.
    """
    lit_percent = draft.kind.lit_percent
    size = len(draft.terrain)
    dark = bytearray(size if dice.chance("lit", 0, lit_percent) else b"\1" * size)
    for number, room in enumerate(draft.rooms, start=1):
        unlit = not dice.chance("lit", number, lit_percent)
        for cell in (*room.cells(draft.width), *room.walls(draft.width)):
            dark[cell] = unlit
    for cell, lit in draft.lights.items():
        dark[cell] = not lit
    return bytes(dark)


def draw_traps(draft: LevelDraft, dice: Dice, *, but: int) -> tuple[tuple[int, str], ...]:
    """Return the cells and spells of hidden traps: on plain floor, not on the cell `but` nor adjacent to it.

    The traps of drawn rooms are among them.
    """
    spared = {but + dy * draft.width + dx for dx in (-1, 0, 1) for dy in (-1, 0, 1)} if but >= 0 else set()
    floor = [cell for cell in draft.floor() if cell not in spared]
    if not draft.kind.springs:
        return tuple(sorted(draft.traps))
    cells = sorted(dice.shuffle("traps", 0, floor, draft.kind.traps))
    drawn = [(cell, dice.pick("spring", 0, draft.kind.springs)) for cell in cells]
    return tuple(sorted((*drawn, *draft.traps)))


def draw_surfaces(draft: LevelDraft, dice: Dice, *, but: int) -> tuple[tuple[int, str], ...]:
    """Return the cells of the patches of surfaces, each with its key: on plain floor, some steps away from the cell `but`.

    The surfaces of drawn rooms are among them.
    """
    taken: dict[int, str] = dict(draft.grounds)
    if not draft.kind.surfaces:
        return tuple(sorted(taken.items()))
    open_ = [cell for cell in draft.floor() if _is_far(draft, cell, but)]
    for number, patches in enumerate(draft.kind.surfaces):
        for _ in range(patches.patches):
            free = [cell for cell in open_ if cell not in taken]
            if free and dice.chance("patch", number, patches.percent):
                start = dice.pick("patch of", number, free)
                near = [
                    cell
                    for cell, _ in islice(reachable(start, set(free).__contains__, draft.grid), patches.cells)
                ]
                taken |= {cell: patches.surface for cell in near if dice.chance("cell", cell, _DENSE)}
    return tuple(sorted(taken.items()))


def _is_far(draft: LevelDraft, cell: int, but: int) -> bool:
    return but < 0 or draft.grid.distance(cell, but) > _CLEAR_CELLS


def _is_entrance(draft: LevelDraft, room: Room, cell: int) -> bool:
    """Return whether a cell of a room's wall is a gap one cell wide."""
    if draft.terrain[cell] != Terrain.FLOOR:
        return False
    x, y = draft.grid.point(cell)
    in_row = y in (room.y - 1, room.y + room.height)
    if in_row and x in (room.x - 1, room.x + room.width):
        return False
    sides = (cell - 1, cell + 1) if in_row else (cell - draft.width, cell + draft.width)
    return all(draft.terrain[side] in (Terrain.WALL, Terrain.DOOR_CLOSED) for side in sides)
