"""Sites of special places: a room of the level that nothing else needs, or one hewn out of solid rock and joined."""

from typing import Final

from gloam_server.rules.dice import Dice
from gloam_server.world.generation.corridors import dig_elbow, nearest
from gloam_server.world.generation.layout import Draft, Room
from gloam_server.world.generation.regions import label
from gloam_shared.appearance import Terrain
from gloam_shared.geometry import Direction

_TRIES: Final = 120
_SMALLEST: Final = (5, 4)
_SPREAD: Final = 4
"""A site is up to so many cells larger, each way."""


def find_site(draft: Draft, dice: Dice, directions: tuple[Direction, ...]) -> Room | None:
    """Return a room that neither stairs nor another place needs, hewing one where the level has none to spare.

    None when no solid rock was found in a bounded number of tries.
    """
    spare = [room for room in draft.rooms[1:-1] if room not in draft.taken]
    if spare:
        return dice.pick("site", 0, spare)
    height = len(draft.terrain) // draft.width
    for _ in range(_TRIES):
        room_width = _SMALLEST[0] + dice.roll("site width", 0, _SPREAD)
        room_height = _SMALLEST[1] + dice.roll("site height", 0, _SPREAD)
        across, down = draft.width - room_width - 3, height - room_height - 3
        if across < 1 or down < 1:
            continue
        x, y = 2 + dice.roll("site column", 0, across), 2 + dice.roll("site row", 0, down)
        room = Room(x, y, room_width, room_height)
        if _solid(draft, room):
            _hew(draft, dice, room, directions)
            return room
    return None


def wall_in(draft: Draft, room: Room) -> None:
    """Give a room doors wherever its walls are open; it stays reachable, for doors can be opened."""
    for cell in room.walls(draft.width):
        if draft.terrain[cell] == Terrain.FLOOR:
            draft.terrain[cell] = Terrain.DOOR_CLOSED


def _solid(draft: Draft, room: Room) -> bool:
    """Return whether a room and all around it is rock."""
    return all(
        draft.terrain[cell] == Terrain.WALL for cell in (*room.cells(draft.width), *room.walls(draft.width))
    )


def _hew(draft: Draft, dice: Dice, room: Room, directions: tuple[Direction, ...]) -> None:
    """Dig a room out of rock, and a corridor from it to the nearest cell of the largest region."""
    regions = label(draft.terrain, draft.width, directions)
    for cell in room.cells(draft.width):
        draft.terrain[cell] = Terrain.FLOOR
    if regions.cells:
        end = nearest(draft, list(regions.cells[regions.largest]), room.centre)
        dig_elbow(draft, room.centre, end, across_first=dice.chance("to site", 0, 50))
