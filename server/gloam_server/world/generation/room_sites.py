"""Sites of drawn rooms: a rectangle of the level, and the way in which the drawing is turned and mirrored there."""

from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gloam_server.content.places.drawn_rooms import DrawnRoom
from gloam_server.rules.dice import Dice
from gloam_server.world.generation.draft import LevelDraft, Room
from gloam_shared.appearance import Terrain

Cells: TypeAlias = NDArray[np.bool_]
Counts: TypeAlias = NDArray[np.int32]

_EDGE: Final = 2
"""The cells that stay free between a drawn room and the edge of the level: its wall, and a way around."""

_APART: Final = 1
"""The cells between two drawn rooms: a way around."""

_FROM_OTHERS: Final = 2
"""The cells between a drawn room and a special place: its wall, and a way around."""

_TOUCH: Final = 1
"""A room gives way to a drawn room from which fewer cells separate it."""


_HARDLY: Final = 12
"""A site is as good as the best one if it covers more of the level by at most one in this number of its cells."""

_NOWHERE: Final = 1 << 16
"""More cells than any site covers."""


class Turning(NamedTuple):
    """A way to turn and mirror a drawing: columns become rows, then columns and rows are counted from the other end."""

    crosswise: bool
    across: bool
    down: bool

    def place(self, x: int, y: int, width: int, height: int) -> tuple[int, int]:
        """Return where a cell of a drawing of this size lies in the turned one."""
        if self.crosswise:
            x, y, width, height = y, x, height, width
        return width - 1 - x if self.across else x, height - 1 - y if self.down else y


TURNINGS: Final = tuple(
    Turning(crosswise, across, down)
    for crosswise in (False, True)
    for across in (False, True)
    for down in (False, True)
)


class RoomSite(NamedTuple):
    """A site of a drawn room: the rectangle on the level, and how the drawing is turned."""

    room: Room
    turning: Turning


def find_room_site(draft: LevelDraft, dice: Dice, drawn: DrawnRoom) -> RoomSite | None:
    """Return one of the sites where a drawn room covers the least of the level; None if it fits nowhere.

    It keeps away from special places and from other drawn rooms, so that a way leads around it, and leaves a level with
    rooms two of them for its stairs.
    """
    turning = dice.pick("turning", 0, TURNINGS)
    for turned in (turning, turning._replace(crosswise=not turning.crosswise)):
        for room in dice.shuffle("site", 0, _best_sites(draft, drawn, crosswise=turned.crosswise)):
            if not draft.rooms or len(rooms_for_stairs(draft, room)) >= 2:
                return RoomSite(room, turned)
    return None


def rooms_for_stairs(draft: LevelDraft, site: Room) -> list[Room]:
    """Return the rooms that a drawn room at a site leaves for stairs: whole, or the part beside the site."""
    rooms = [room for room in draft.rooms if room not in draft.taken]
    parts = [room.beside(site) if room.near(site, _TOUCH) else room for room in rooms]
    return [part for part in parts if part is not None]


def _best_sites(draft: LevelDraft, drawn: DrawnRoom, *, crosswise: bool) -> list[Room]:
    """Return the rectangles for a drawn room that cover hardly more of the level than the best one, row by row."""
    width, height = drawn.grid.width, drawn.grid.height
    if crosswise:
        width, height = height, width
    if width + 2 * _EDGE > draft.width or height + 2 * _EDGE > draft.grid.height:
        return []
    terrain = np.frombuffer(bytes(draft.terrain), dtype=np.uint8).reshape(draft.grid.height, draft.width)
    covered = _sums(terrain != Terrain.WALL, width, height)
    covered[_sums(_closed_to_rooms(draft), width, height) > 0] = _NOWHERE
    least = int(covered.min())
    if least == _NOWHERE:
        return []
    rows, columns = np.nonzero(covered <= min(least + width * height // _HARDLY, _NOWHERE - 1))
    return [Room(x, y, width, height) for y, x in zip(rows.tolist(), columns.tolist(), strict=True)]


def _closed_to_rooms(draft: LevelDraft) -> Cells:
    """Return the cells that no drawn room may cover, so that a way stays around everything there."""
    closed = np.ones((draft.grid.height, draft.width), dtype=np.bool_)
    closed[_EDGE:-_EDGE, _EDGE:-_EDGE] = False
    drawn_before = [other.room for other in draft.stamped]
    stay = [other for other in draft.taken if other not in drawn_before]
    for rooms, apart in ((drawn_before, _APART), (stay, _FROM_OTHERS)):
        for x, y, width, height in rooms:
            closed[max(0, y - apart) : y + height + apart, max(0, x - apart) : x + width + apart] = True
    return closed


def _sums(cells: Cells, width: int, height: int) -> Counts:
    """Return the number of cells that are set in each rectangle of a size, by its upper left corner."""
    whole = np.pad(cells.astype(np.int32).cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
    sums: Counts = whole[height:, width:] - whole[:-height, width:]
    sums -= whole[height:, :-width] - whole[:-height, :-width]
    return sums
