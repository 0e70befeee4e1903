"""The queue of logins and resumes: they begin one after another, so that a crowd does not delay the players.

A login takes some milliseconds of the loop and of the writer's thread. When hundreds of players join at the same time,
after a restart or as an attack, a step would wait for many logins. A resume takes less: its body is there mostly, and it
shares its transaction with others.

A login whose connection has closed uses no turn. A login to a full dungeon is refused at its turn, before its
account is looked up: so a crowd at a full dungeon makes no accounts and no hashes.
"""

from collections import deque
from collections.abc import Callable
from typing import Final

from gloam_server.engine.game_clock import GameClock
from gloam_server.net.reactor import DelayedCall
from gloam_shared import limits

_LATE_MAX_MS: Final = 15 * limits.LOGIN_GAP_MS
"""The longest delay that a busy server makes up for in one turn of the reactor: 16 logins, or 38 resumes."""


class LoginQueue:
    """Begins what arrives in its order, each a gap after the one before; the first one immediately."""

    def __init__(self, clock: GameClock) -> None:
        self._clock = clock
        self._waiting: deque[tuple[Callable[[], bool], int]] = deque()
        self._next_ms = 0
        """The time at which the next login may begin."""
        self._timer: DelayedCall | None = None

    @property
    def is_full(self) -> bool:
        """Whether the limit of waiting logins is reached."""
        return len(self._waiting) >= limits.LOGINS_WAITING_MAX

    def put(self, begin: Callable[[], bool], gap_ms: int = limits.LOGIN_GAP_MS) -> None:
        """Call `begin` when it is its turn; the next one begins `gap_ms` after it.

        It returns False if there was nothing to begin: then the next has its turn.
        """
        self._waiting.append((begin, gap_ms))
        if self._timer is None:
            self._begin_due()

    def _begin_due(self) -> None:
        self._timer = None
        now_ms = self._clock.now_ms()
        late_max_ms = _LATE_MAX_MS if len(self._waiting) > 1 else 0
        self._next_ms = max(self._next_ms, now_ms - late_max_ms)
        try:
            while self._waiting and self._next_ms <= now_ms:
                begin, gap_ms = self._waiting.popleft()
                if begin():
                    self._next_ms += gap_ms
        finally:  # a login that fails does not stop those after it
            if self._waiting:
                wait_ms = max(0, self._next_ms - now_ms)
                self._timer = self._clock.reactor.callLater(wait_ms / 1_000, self._begin_due)
