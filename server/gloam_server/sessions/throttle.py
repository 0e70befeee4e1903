"""Token buckets: how often something may happen. Told the time; in whole milliseconds."""

from dataclasses import dataclass
from typing import Final

_QUIET_MS: Final = 10_000
_REMEMBERED_MAX: Final = 1_000


class Complaints:
    """Who was complained of lately: one line each in 10 s, however much there is to complain of."""

    def __init__(self) -> None:
        self._told_ms: dict[str, int] = {}

    def may_tell(self, whom: str, now_ms: int) -> bool:
        """Return whether to complain of somebody now, and note it if so."""
        if now_ms - self._told_ms.get(whom, now_ms - _QUIET_MS) < _QUIET_MS:
            return False
        if len(self._told_ms) >= _REMEMBERED_MAX:
            self._told_ms = {who: at for who, at in self._told_ms.items() if now_ms - at < _QUIET_MS}
        if len(self._told_ms) >= _REMEMBERED_MAX:
            return False
        self._told_ms[whom] = now_ms
        return True


@dataclass(slots=True)
class Bucket:
    """Allows `burst` at once and `per_s` a second in the long run."""

    per_s: int
    burst: int
    _thousandths: int = -1
    _at_ms: int = 0

    def take(self, now_ms: int) -> bool:
        """Return whether one more is allowed now, and count it if so."""
        if self._thousandths < 0:
            self._thousandths = self.burst * 1_000
        elapsed = max(0, now_ms - self._at_ms)
        self._thousandths = min(self.burst * 1_000, self._thousandths + elapsed * self.per_s)
        self._at_ms = max(now_ms, self._at_ms)
        if self._thousandths < 1_000:
            return False
        self._thousandths -= 1_000
        return True
