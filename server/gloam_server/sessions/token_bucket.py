"""Token buckets: rate limits. The caller gives the time, in whole milliseconds."""

from dataclasses import dataclass


@dataclass(slots=True)
class TokenBucket:
    """Allows `burst` at once and `per_s` a second in the long run."""

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
