"""The queue of logins and resumes: they begin one after another, so that a crowd does not delay the players.

A login takes some milliseconds of the loop and of the writer's thread. When hundreds of players join at the same time,
after a restart or as an attack, a step would wait for many logins.

A login whose connection has closed uses no turn. A login to a full dungeon is refused at its turn, before its
account is looked up: so a crowd at a full dungeon makes no accounts and no hashes.
"""

from collections import deque
from collections.abc import Callable
from typing import Final

from gloam_server.engine.game_clock import GameClock
from gloam_server.net.reactor import DelayedCall
from gloam_shared import limits

_AT_ONCE_MAX: Final = 16
"""The most logins that a busy server begins in one turn of the reactor, to make up for those that it began too late."""


class LoginQueue:
    """Begins a login every `LOGIN_GAP_MS`, in the order of arrival; the first one immediately."""

    def __init__(self, clock: GameClock) -> None:
        self._clock = clock
        self._waiting: deque[Callable[[], bool]] = deque()
        self._next_ms = 0
        """The time at which the next login may begin."""
        self._timer: DelayedCall | None = None

    @property
    def is_full(self) -> bool:
        """Whether the limit of waiting logins is reached."""
        return len(self._waiting) >= limits.LOGINS_WAITING_MAX

    def put(self, begin: Callable[[], bool]) -> None:
        """Call `begin` when it is its turn.

        It returns False if there was nothing to begin: then the next has its turn.
        """
        self._waiting.append(begin)
        if self._timer is None:
            self._begin_due()

    def _begin_due(self) -> None:
        self._timer = None
        now_ms = self._clock.now_ms()
        late_max_ms = (_AT_ONCE_MAX - 1) * limits.LOGIN_GAP_MS if len(self._waiting) > 1 else 0
        self._next_ms = max(self._next_ms, now_ms - late_max_ms)
        try:
            while self._waiting and self._next_ms <= now_ms:
                if self._waiting.popleft()():
                    self._next_ms += limits.LOGIN_GAP_MS
        finally:  # a login that fails does not stop those after it
            if self._waiting:
                wait_ms = max(0, self._next_ms - now_ms)
                self._timer = self._clock.reactor.callLater(wait_ms / 1_000, self._begin_due)
