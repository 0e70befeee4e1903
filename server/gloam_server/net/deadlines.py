"""The deadlines of all connections: one timer for any number of them, and few calls in one turn of the reactor.

Strangers who dial together are due together. If each had a timer of its own, all would be called in one turn of the
reactor, and no player would be served meanwhile.
"""

from collections.abc import Callable
from heapq import heapify, heappop, heappush
from itertools import count
from typing import Final

from gloam_server.net.reactor import DelayedCall, ReactorClock

CALLS_MAX: Final = 4
"""The most calls in one turn of the reactor. Each takes a fifth of a millisecond if it ends a connection."""
_APART_MS: Final = 10
"""The least time from one look at the clock to the next: so calls may be this much late."""
_DROPPED_MAX: Final = 64
"""The heap is cleaned when it holds this many more dropped deadlines than others."""


class Deadlines:
    """Calls that are due at a time, each with a number by which it can be dropped."""

    def __init__(self, clock: ReactorClock) -> None:
        self._clock = clock
        self._calls: dict[int, Callable[[], object]] = {}
        self._heap: list[tuple[int, int]] = []  # the times and numbers, also of dropped calls
        self._numbers = count(1)
        self._timer: DelayedCall | None = None
        self._timer_ms = 0

    def add(self, due_ms: int, call: Callable[[], object]) -> int:
        """Call at a time, once; return the number of this deadline."""
        number = next(self._numbers)
        self._calls[number] = call
        heappush(self._heap, (due_ms, number))
        if self._heap[0][1] == number:
            self._set_timer(self._now_ms())
        return number

    def drop(self, number: int) -> None:
        """Do not call; without effect when it has been called."""
        if self._calls.pop(number, None) is None:
            return
        if not self._calls:
            self._heap.clear()
            self._cancel_timer()
        elif len(self._heap) > 2 * len(self._calls) + _DROPPED_MAX:
            self._heap = [each for each in self._heap if each[1] in self._calls]
            heapify(self._heap)

    def _run(self) -> None:
        self._timer = None
        now_ms = self._now_ms()
        try:
            for _ in range(CALLS_MAX):
                self._forget_dropped()
                if not self._heap or self._heap[0][0] > now_ms:
                    break
                self._calls.pop(heappop(self._heap)[1])()
        finally:
            self._set_timer(now_ms)

    def _set_timer(self, now_ms: int) -> None:
        """Set the timer for the earliest deadline.

        A deadline that is due already has its turn after everything that waits now.
        """
        self._forget_dropped()
        if not self._heap:
            return
        due_ms = self._heap[0][0]
        if self._timer is not None and self._timer_ms <= due_ms:
            return
        self._cancel_timer()
        wait_ms = max(due_ms - now_ms, _APART_MS) if due_ms > now_ms else 0
        self._timer_ms = now_ms + wait_ms
        self._timer = self._clock.callLater(wait_ms / 1_000, self._run)

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _forget_dropped(self) -> None:
        while self._heap and self._heap[0][1] not in self._calls:
            heappop(self._heap)

    def _now_ms(self) -> int:
        return int(self._clock.seconds() * 1_000)
