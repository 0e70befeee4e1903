"""The place of each part of the playing screen, for any size of terminal and any width of level. Numbers only."""

from functools import lru_cache
from typing import Final, NamedTuple

from gloam_client.terminal.canvas import Rect

SIDE_FROM: Final = 110
"""From this width on, party, neighbors and log are next to the map instead of below it."""
COLUMNS_FROM: Final = 170
"""From this width on, the log has a column of its own, from the top to the bottom."""
_MAP_MIN: Final = 80
"""The width of the map that a wide screen keeps."""
_SIDE_MIN: Final = 24
_SIDE_MAX: Final = 50
"""The widths of the side panel."""
_LOG_MAX: Final = 70


class Layout(NamedTuple):
    """The parts of the playing screen. `side` is None where there is no room for it."""

    top: Rect
    goal: Rect
    map: Rect
    log: Rect
    side: Rect | None
    status: Rect
    keys: Rect
    overlay: Rect
    """The area for lists and menus: never over the top line, the log, the status or the keys."""

    @property
    def lines(self) -> tuple[Rect, ...]:
        """The free columns between the map and the panels beside it."""
        right = self.map.x + self.map.width
        columns = {part.x - 1 for part in (self.side, self.log) if part is not None and part.x > right}
        return tuple(Rect(x, self.map.y, 1, self.map.height) for x in sorted(columns))


@lru_cache(maxsize=64)
def layout(width: int, height: int, level_width: int = 0) -> Layout:
    """Return the parts for a terminal of this size; if it is far too small they may be empty.

    Next to a level that is much narrower than the terminal there is a side panel on a narrow terminal, too.
    """
    top = Rect(0, 0, width, min(height, 1))
    keys = Rect(0, max(height - 1, 0), width, 1)
    status = Rect(0, max(height - 2, 0), width, 1)
    body = max(height - 4, 0)
    goal = Rect(0, 1, width, min(max(height - 3, 0), 1))
    if width >= SIDE_FROM:
        area, log, side = _wide(width, body)
        return Layout(top, goal, area, log, side, status, keys, area)
    lines = 3 if height < 24 else min(4 + (height - 24) // 3, 10)
    lines = min(lines, body)
    overlay = Rect(0, 2, width, body - lines)
    log = Rect(0, 2 + overlay.height, width, lines)
    area, beside = _beside(overlay, level_width)
    return Layout(top, goal, area, log, beside, status, keys, overlay)


def _wide(width: int, body: int) -> tuple[Rect, Rect, Rect]:
    """Return map, log and side panel of a wide screen; a column is free before each of the last two."""
    spare = width - _MAP_MIN
    if width < COLUMNS_FROM:
        left = width - min(max(spare, 30), _SIDE_MAX)
        people = min(max(body // 2, 6), body)
        log = Rect(left + 1, 2 + people, width - left - 1, body - people)
        return Rect(0, 2, left, body), log, Rect(left + 1, 2, width - left - 1, people)
    beside = min(spare * 2 // 5, _SIDE_MAX)
    log_width = min(spare * 2 // 5, _LOG_MAX)
    left = width - beside - log_width
    side = Rect(left + 1, 2, beside - 1, body)
    return Rect(0, 2, left, body), Rect(left + beside + 1, 2, log_width - 1, body), side


def _beside(area: Rect, level_width: int) -> tuple[Rect, Rect | None]:
    """Return the map and the side panel next to it, if the level leaves enough room."""
    room = min(area.width - level_width - 1, _SIDE_MAX) if level_width else 0
    if room < _SIDE_MIN:
        return area, None
    left = area.width - room - 1
    return area._replace(width=left), Rect(left + 1, area.y, room, area.height)
