"""The limit of a page's messages: a burst, then a number a second; more are dropped, and a long flood ends the visit."""

from typing import Final

BURST: Final = 60
PER_S: Final = 30
FLOOD_S: Final = 10


class FloodLimit:
    """Counts the messages of one page. Times are in seconds."""

    def __init__(self, now_s: float) -> None:
        self._room = float(BURST)
        self._then_s = now_s
        self._since_s: float | None = None

    def takes(self, now_s: float) -> bool:
        """Return whether a message of now is taken."""
        self._room = min(BURST, self._room + (now_s - self._then_s) * PER_S)
        self._then_s = now_s
        if self._room < 1:
            if self._since_s is None:
                self._since_s = now_s
            return False
        self._room -= 1
        if self._room > BURST / 2:
            self._since_s = None
        return True

    def is_flood(self, now_s: float) -> bool:
        """Return whether messages have been dropped for so long that the visit ends."""
        return self._since_s is not None and now_s - self._since_s >= FLOOD_S
