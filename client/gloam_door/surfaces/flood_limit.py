"""The limit of what a visitor sends: a burst, then a number a second; more is dropped, and a long flood ends the visit."""

from typing import Final

BURST: Final = 60
PER_S: Final = 30
FLOOD_S: Final = 10


class FloodLimit:
    """Counts the messages, keys or bytes of one visitor. Times are in seconds."""

    def __init__(self, now_s: float, burst: int = BURST, per_s: int = PER_S) -> None:
        self._burst = burst
        self._per_s = per_s
        self._room = float(burst)
        self._then_s = now_s
        self._since_s: float | None = None

    def takes(self, now_s: float) -> bool:
        """Return whether a message of now is taken."""
        return self.take(now_s, 1) == 1

    def take(self, now_s: float, count: int) -> int:
        """Return how many of `count` are taken now; the others are dropped."""
        self._room = min(self._burst, self._room + (now_s - self._then_s) * self._per_s)
        self._then_s = now_s
        taken = min(count, int(self._room))
        self._room -= taken
        if taken < count:
            if self._since_s is None:
                self._since_s = now_s
        elif self._room > self._burst / 2:
            self._since_s = None
        return taken

    def is_flood(self, now_s: float) -> bool:
        """Return whether some have been dropped for so long that the visit ends."""
        return self._since_s is not None and now_s - self._since_s >= FLOOD_S
