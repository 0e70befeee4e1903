"""Sites of special places: an unused room of the level, or a new room that is dug and connected."""

from typing import Final

from gloam_server.rules.dice import Dice
from gloam_server.world.generation.connectivity.regions import find_regions
from gloam_server.world.generation.draft import LevelDraft, Room
from gloam_server.world.generation.terrain.corridors import dig_elbow, nearest
from gloam_shared.appearance import Terrain
from gloam_shared.geometry import Direction

_TRIES: Final = 120
_SMALLEST: Final = (5, 4)
_SPREAD: Final = 4
"""The most cells by which a site is larger, in each direction."""


def find_site(
    draft: LevelDraft, dice: Dice, directions: tuple[Direction, ...], *, walled: bool = False
) -> Room | None:
    """Return a room without stairs and without another place; dig one if the level has none left.

    It is dug out of solid rock or, after a bounded number of tries, anywhere on the level;
    but a `walled` one only out of rock. None if no place is found.
    """
    spare = [room for room in draft.rooms[1:-1] if room not in draft.taken]
    if spare:
        return dice.pick("site", 0, spare)
    anywhere = None
    for _ in range(_TRIES):
        room = _somewhere(draft, dice)
        if room is None or any(room.near(other, 1) for other in draft.taken):
            continue
        if _solid(draft, room):
            _carve_site(draft, dice, room, directions)
            return room
        anywhere = anywhere or room
    if anywhere is not None and not walled:
        _carve_site(draft, dice, anywhere, directions)
        return anywhere
    return None


def enclose(draft: LevelDraft, room: Room) -> None:
    """Give a room doors at all openings of its walls; it stays reachable, for doors can be opened."""
    for cell in room.walls(draft.width):
        if draft.terrain[cell] == Terrain.FLOOR:
            draft.terrain[cell] = Terrain.DOOR_CLOSED


def _somewhere(draft: LevelDraft, dice: Dice) -> Room | None:
    """Return a random small rectangle away from the level's edge; None if the level is too small."""
    width = _SMALLEST[0] + dice.roll("site width", 0, _SPREAD)
    height = _SMALLEST[1] + dice.roll("site height", 0, _SPREAD)
    across, down = draft.width - width - 3, len(draft.terrain) // draft.width - height - 3
    if across < 1 or down < 1:
        return None
    return Room(2 + dice.roll("site column", 0, across), 2 + dice.roll("site row", 0, down), width, height)


def _solid(draft: LevelDraft, room: Room) -> bool:
    """Return whether a room and all around it is rock."""
    rows = range(room.y - 1, room.y + room.height + 1)
    starts = [row * draft.width + room.x - 1 for row in rows]
    across = room.width + 2
    return all(draft.terrain.count(Terrain.WALL, start, start + across) == across for start in starts)


def _carve_site(draft: LevelDraft, dice: Dice, room: Room, directions: tuple[Direction, ...]) -> None:
    """Dig a room out of rock, and a corridor from it to the nearest cell of the largest region."""
    regions = find_regions(draft.terrain, draft.grid, directions)
    for cell in room.cells(draft.width):
        draft.carve(*draft.grid.point(cell))
    if regions.cells:
        end = nearest(draft, list(regions.cells[regions.largest]), room.centre)
        dig_elbow(draft, room.centre, end, across_first=dice.chance("to site", 0, 50))
