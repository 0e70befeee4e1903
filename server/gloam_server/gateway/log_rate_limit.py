"""The rate limit of the log: one record for each address in 10 s, for any number of refusals.

The caller gives the time. Memory is bounded: addresses beyond the bound share one line.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

WINDOW_MS: Final = 10_000
ADDRESSES_MAX: Final = 256
OTHERS: Final = "other addresses"
"""The number of addresses with their own records; others share one until one of these is quiet for a window."""


@dataclass(slots=True)
class LogWindow:
    """The refusals of one address since its last record: the count of each reason, and the first frame."""

    since_ms: int
    reasons: Counter[str] = field(default_factory=Counter)
    frame: str = ""


class LogRateLimiter:
    """Collects refusals by address and returns at most one record for each in a window."""

    def __init__(self) -> None:
        self._open: dict[str, LogWindow] = {}
        self._swept_ms = -WINDOW_MS

    def __len__(self) -> int:
        """Return the number of addresses in memory."""
        return len(self._open)

    def record(self, address: str, reason: str, frame: str, now_ms: int) -> tuple[str, LogWindow] | None:
        """Take a refusal; return the record to log now: the first of an address that was quiet."""
        if address not in self._open and len(self._open) >= ADDRESSES_MAX and not self._make_room(now_ms):
            address = OTHERS
        known = self._open.get(address)
        if known is not None:
            known.reasons[reason] += 1
            known.frame = known.frame or frame
            return None
        self._open[address] = LogWindow(now_ms)
        return address, LogWindow(now_ms, Counter({reason: 1}), frame)

    def due(self, now_ms: int) -> list[tuple[str, LogWindow]]:
        """Return the held-back records that are due; forget addresses that were quiet for a window."""
        windows = []
        for address, complaint in list(self._open.items()):
            if now_ms - complaint.since_ms < WINDOW_MS:
                continue
            if complaint.reasons:
                windows.append((address, complaint))
                self._open[address] = LogWindow(now_ms)
            else:
                del self._open[address]
        return windows

    def take_rest(self) -> list[tuple[str, LogWindow]]:
        """Return all held-back records, and clear the memory, because the server stops."""
        windows = [(address, each) for address, each in self._open.items() if each.reasons]
        self._open.clear()
        return windows

    def _make_room(self, now_ms: int) -> bool:
        """Forget addresses that were quiet for a window.

        Search only once in a window, to keep the cost low.
        """
        if now_ms - self._swept_ms >= WINDOW_MS:
            self._swept_ms = now_ms
            self._open = {
                address: each
                for address, each in self._open.items()
                if each.reasons or now_ms - each.since_ms < WINDOW_MS
            }
        return len(self._open) < ADDRESSES_MAX

    def look_at_ms(self) -> int | None:
        """Return when a held-back record is due; None without one."""
        return min((each.since_ms + WINDOW_MS for each in self._open.values() if each.reasons), default=None)
