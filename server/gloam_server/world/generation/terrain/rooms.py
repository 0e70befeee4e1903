"""Rooms: levels of rectangles that corridors connect, in three styles. It changes only the draft."""

from dataclasses import dataclass
from typing import Final

from gloam_server.rules.dice import Dice
from gloam_server.world.generation.draft import LevelDraft, Room
from gloam_server.world.generation.terrain.corridors import dig_elbow, dig_winding, pairs_to_join
from gloam_shared.appearance import Terrain


@dataclass(frozen=True, slots=True)
class RoomStyle:
    """The placement of rooms: the number of attempts, the least and largest width and height, additional joined pairs.

    One column and row stay free at the left and top, `far_border` at the right and bottom.
    """

    attempts: int
    widths: tuple[int, int]
    heights: tuple[int, int]
    extra: int
    margin: int = 1
    far_border: int = 1
    pillars: bool = False
    winding: bool = False


ROOMS: Final = RoomStyle(attempts=30, widths=(6, 14), heights=(6, 10), extra=3, far_border=2)
"""Rule RG.1: 30 attempts, 6-14 by 6-10 cells, one free column and row at the left and top and two at the right and
bottom, a margin of 1 to others, up to 3 further pairs."""

HALLS: Final = RoomStyle(attempts=40, widths=(11, 23), heights=(7, 13), extra=4, margin=2, pillars=True)
WARREN: Final = RoomStyle(attempts=160, widths=(3, 6), heights=(2, 4), extra=8, margin=2, winding=True)


def build_rooms(draft: LevelDraft, dice: Dice, manner: RoomStyle) -> None:
    """Dig rooms into solid rock and connect them all (rule RG.1)."""
    draft.rooms = place_rooms(draft, dice, manner)
    for room in draft.rooms:
        for cell in room.cells(draft.width):
            draft.terrain[cell] = Terrain.FLOOR
        if manner.pillars:
            _raise_pillars(draft, room)
    for one, other in pairs_to_join(dice, draft.rooms, manner.extra):
        if manner.winding:
            dig_winding(draft, dice, one.centre, other.centre)
        else:
            across_first = dice.chance("elbow", 0, 50)
            dig_elbow(draft, one.centre, other.centre, across_first=across_first)


def place_rooms(draft: LevelDraft, dice: Dice, manner: RoomStyle) -> tuple[Room, ...]:
    """Return rooms that keep their distance, in the order of the draws; a room that does not fit is not retried."""
    height_of_level = len(draft.terrain) // draft.width
    rooms: list[Room] = []
    for _ in range(manner.attempts):
        width = _between(dice, "room width", manner.widths)
        height = _between(dice, "room height", manner.heights)
        room_x, room_y = draft.width - width - manner.far_border, height_of_level - height - manner.far_border
        if room_x < 1 or room_y < 1:
            continue
        room = Room(
            _between(dice, "room column", (1, room_x)), _between(dice, "room row", (1, room_y)), width, height
        )
        if not any(room.near(other, manner.margin) for other in rooms):
            rooms.append(room)
    return tuple(rooms)


def _between(dice: Dice, purpose: str, bounds: tuple[int, int]) -> int:
    least, most = bounds
    return least + dice.roll(purpose, 0, most - least + 1)


def _raise_pillars(draft: LevelDraft, room: Room) -> None:
    """Raise a pillar on every fourth cell of every third row within, never in the middle, so no cell becomes unreachable."""
    for y in range(room.y + 2, room.y + room.height - 2, 3):
        for x in range(room.x + 2, room.x + room.width - 2, 4):
            if (x, y) != room.centre:
                draft.terrain[y * draft.width + x] = Terrain.WALL
