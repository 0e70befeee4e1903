"""The game's clock: monotonic time for waiting, the time of day for people."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from gloam_server.net.reactor import ReactorClock, Timer


def time_of_day() -> int:
    """Return the seconds since 1970."""
    return int(time.time())


@dataclass(frozen=True, slots=True)
class GameClock:
    """The time of one running realm."""

    reactor: ReactorClock
    """The monotonic clock, which also schedules calls."""
    wall_s: Callable[[], int] = time_of_day
    """The time of day in seconds since 1970."""

    def seconds(self) -> float:
        """Return the monotonic clock's reading."""
        return self.reactor.seconds()

    def now_ms(self) -> int:
        """Return the same in whole milliseconds."""
        return int(self.reactor.seconds() * 1_000)

    def start_timer(self, delay_s: float, call: Callable[[], None]) -> Timer:
        """Call a function after a number of seconds, unless the timer is canceled before.

        The event loop's own timer does, if the reactor has it: a batch needs one, and Twisted's timers are much code to run
        for a player who waits.
        """
        timer: Timer = getattr(self.reactor, "start_timer", self.reactor.callLater)(delay_s, call)
        return timer


class WakeTimer:
    """Calls the game loop when something becomes due by time. There is at most one timer."""

    def __init__(self, clock: GameClock, wake: Callable[[], None]) -> None:
        self._clock = clock
        self._wake = wake
        self._timer: Timer | None = None
        self._at_ms = 0

    def set(self, at_ms: int | None) -> None:
        """Wake the loop at that time; with None, never. A timer that is set for the same time stays: many commands wake it."""
        now_ms = self._clock.now_ms()
        if at_ms is not None and self._timer is not None and max(at_ms, now_ms) == max(self._at_ms, now_ms):
            return
        self.cancel()
        if at_ms is not None:
            self._at_ms = at_ms
            wait_ms = max(0, at_ms - now_ms)
            self._timer = self._clock.start_timer(wait_ms / 1_000, self._fire)

    def cancel(self) -> None:
        """Cancel the timer."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None

    def _fire(self) -> None:
        self._timer = None
        self._wake()
