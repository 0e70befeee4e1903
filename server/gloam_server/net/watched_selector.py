"""The selector of the server's event loop: it measures how long the reactor is busy, serves strangers last, and knows rest."""

import time
from collections.abc import Callable
from selectors import DefaultSelector, SelectorKey
from typing import Final

LAST_MS: Final = 10
"""The longest time that new connections wait while there is other work."""


class WatchedSelector(DefaultSelector):
    """Calls `busy` with the seconds from the end of one wait to the start of the next.

    No connection is read and no timer runs in that time. It costs two readings of the clock, and no timer of its own.
    `rest` is called before each wait in which there is nothing else to do. Its time counts as busy.
    """

    def __init__(
        self,
        busy: Callable[[float], None],
        now_s: Callable[[], float] = time.monotonic,
        *,
        rest: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__()
        self._busy: Final = busy
        self._rest: Final = rest
        self._now_s: Final = now_s
        self._woke_s: float | None = None
        self._last: int | None = None
        self._waits_since_s: float | None = None

    def serve_last(self, descriptor: int) -> None:
        """Report this descriptor, a listening socket, only while there is no other work, or after `LAST_MS`."""
        self._last = descriptor

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        """Wait for a socket, as the base does. The event loop waits for no time if it has other work."""
        ready = super().select(0)
        is_resting = not ready and timeout != 0
        if is_resting:
            self._rest()
        if self._woke_s is not None:
            self._busy(self._now_s() - self._woke_s)
        if is_resting:
            ready = super().select(timeout)
        self._woke_s = self._now_s()
        at = next((at for at, (key, _) in enumerate(ready) if key.fd == self._last), None)
        if at is not None and self._is_put_off(self._woke_s, busy=len(ready) > 1 or timeout == 0):
            del ready[at]  # it stays ready
        return ready

    def _is_put_off(self, now_s: float, *, busy: bool) -> bool:
        since_s = self._waits_since_s
        if not busy or (since_s is not None and now_s - since_s >= LAST_MS / 1_000):
            self._waits_since_s = None
            return False
        if since_s is None:
            self._waits_since_s = now_s
        return True
