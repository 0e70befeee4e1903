"""Token buckets: rate limits. The caller gives the time, in whole milliseconds."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from gloam_shared import limits

_MINUTE_MS: Final = 60_000


@dataclass(slots=True)
class TokenBucket:
    """Allows a burst of `burst`, and `per_s` a second in the long run."""

    per_s: int
    burst: int
    _thousandths: int = -1
    _at_ms: int = 0

    def take(self, now_ms: int) -> bool:
        """Return whether one more event is allowed now, and count it if so."""
        if self._thousandths < 0:
            self._thousandths = self.burst * 1_000
        elapsed = max(0, now_ms - self._at_ms)
        self._thousandths = min(self.burst * 1_000, self._thousandths + elapsed * self.per_s)
        self._at_ms = max(now_ms, self._at_ms)
        if self._thousandths < 1_000:
            return False
        self._thousandths -= 1_000
        return True


@dataclass(slots=True)
class WritingAllowance:
    """The bytes that a player may write: `JOURNAL_BURST` at once, then some in a minute. Less than none is a debt."""

    left: int = limits.JOURNAL_BURST * _MINUTE_MS
    """In bytes times the milliseconds of a minute, so that no part of a byte is lost."""
    at_ms: int = 0
    told: bool = False
    """Whether the player knows that they wait."""
    waiting: deque[Callable[[], None]] = field(default_factory=deque)
    """The requests of the player that wait, the oldest first."""

    def spend(self, size: int, per_min: int, now_ms: int) -> None:
        """Note that bytes were written; between two calls the allowance grew by `per_min` a minute."""
        grown = self.left + max(0, now_ms - self.at_ms) * per_min
        self.left = min(limits.JOURNAL_BURST * _MINUTE_MS, grown) - size * _MINUTE_MS
        self.at_ms = now_ms
        self.told = self.told and self.left < limits.JOURNAL_BURST * _MINUTE_MS // 2

    def wait_ms(self, per_min: int) -> int:
        """Return how long it takes from the last call of `spend` until there is no debt."""
        return max(0, -(self.left // per_min))
