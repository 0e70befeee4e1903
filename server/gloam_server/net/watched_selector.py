"""The selector of the server's event loop, which measures how long the reactor is busy between two waits."""

import time
from collections.abc import Callable
from selectors import DefaultSelector, SelectorKey
from typing import Final


class WatchedSelector(DefaultSelector):
    """Calls `busy` with the seconds from the end of one wait to the start of the next.

    No connection is read and no timer runs in that time. It costs two readings of the clock, and no timer of its own.
    """

    def __init__(self, busy: Callable[[float], None], now_s: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._busy: Final = busy
        self._now_s: Final = now_s
        self._woke_s: float | None = None

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        """Wait for a socket, as the base does."""
        if self._woke_s is not None:
            self._busy(self._now_s() - self._woke_s)
        ready = super().select(timeout)
        self._woke_s = self._now_s()
        return ready
