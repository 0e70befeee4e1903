"""The place of each part of the playing screen, for any size of terminal. Numbers only."""

from typing import Final, NamedTuple

from gloam_client.terminal.canvas import Rect

SIDE_FROM: Final = 110
"""From this width on, party, neighbours and log are next to the map instead of below it."""


class Layout(NamedTuple):
    """The parts of the playing screen. `side` is None on a narrow one."""

    top: Rect
    map: Rect
    log: Rect
    side: Rect | None
    status: Rect
    keys: Rect

    @property
    def overlay(self) -> Rect:
        """Return the area for lists and menus: never over the top line, the log, the status or the keys."""
        return self.map


def layout(width: int, height: int) -> Layout:
    """Return the parts for a terminal of this size; if it is far too small they may be empty."""
    top = Rect(0, 0, width, min(height, 1))
    keys = Rect(0, max(height - 1, 0), width, 1)
    status = Rect(0, max(height - 2, 0), width, 1)
    body = max(height - 3, 0)
    if width >= SIDE_FROM:
        side_width = min(max(width - 80, 30), 50)
        people = min(max(body // 2, 6), body)
        left = width - side_width
        side = Rect(left + 1, 1, side_width - 1, people)
        log = Rect(left + 1, 1 + people, side_width - 1, body - people)
        return Layout(top, Rect(0, 1, left, body), log, side, status, keys)
    lines = 3 if height < 24 else min(4 + (height - 24) // 3, 10)
    lines = min(lines, body)
    area = Rect(0, 1, width, body - lines)
    return Layout(top, area, Rect(0, 1 + area.height, width, lines), None, status, keys)
