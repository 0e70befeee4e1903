"""Gather time: how long others' actions wait for the next update of a player who has not acted.

In a crowd, most of the work of a server is to show each player what all others do. Each piece of work is noted. The busier
the server is, the longer the view side gathers, so that a command stays fast and others' steps arrive in fewer, larger
updates, and the longer the game loop rests between batches. An idle server shows each step immediately.
"""

from typing import Final

from gloam_shared.limits import GATHER_MAX_MS, GATHER_MS

_WINDOW_MS: Final = 250
_BUSY_PERCENT: Final = 52
"""Above this share of work in a window the gather time doubles."""
_CALM_PERCENT: Final = 40
"""Below this share it becomes a quarter shorter. In between it stays."""
_CROWDED_PERCENT: Final = 40
"""Above this share of work for commands, without onlookers, the loop rests after each batch."""
_FULL_PERCENT: Final = 70
"""From this share on it rests as long as it worked; in between, for a part of that."""

REST_MAX_MS: Final = 20
"""The longest rest after a batch: a player's own command waits for it."""

PARTY_FEW: Final = 16
"""The number of players up to which a change of the party is shown like any other change."""
PARTY_GATHER_MS: Final = 1_000
"""The time for which changes of a larger party are gathered, unless another change is shown in the meantime."""


class RestTime:
    """The rests of one game loop: the less time there is, the longer it rests, so that the next batch takes more commands."""

    def __init__(self) -> None:
        self.earliest_ms = 0
        """The end of the rest: no batch begins before it."""
        self._window_ms = 0
        self._worked_us = 0
        self._batch_us = 0
        self._percent = 0

    def note(self, worked_us: int, now_ms: int) -> None:
        """Note a piece of work for commands that ended now. At the end of a window the rest follows the share of work."""
        self._worked_us += worked_us
        self._batch_us += worked_us
        passed_ms = now_ms - self._window_ms
        if passed_ms >= _WINDOW_MS:
            over = self._worked_us // (10 * passed_ms) - _CROWDED_PERCENT
            self._percent = min(100, max(0, 100 * over // (_FULL_PERCENT - _CROWDED_PERCENT)))
            self._window_ms, self._worked_us = now_ms, 0

    def begin(self, now_ms: int) -> None:
        """Rest after the batch whose work was noted since the last call: not while there is time, at most as long as it worked."""
        worked_us, self._batch_us = self._batch_us, 0
        self.earliest_ms = now_ms + min(REST_MAX_MS, worked_us * self._percent // 100_000)


class GatherTime:
    """The gather time of the view side, `GATHER_MS` to `GATHER_MAX_MS`."""

    def __init__(self) -> None:
        self.ms = GATHER_MS
        self._window_ms = 0
        self._worked_us = 0

    def note(self, worked_us: int, now_ms: int) -> None:
        """Note work of either side that ended now. At the end of a window the time follows the share of work."""
        passed_ms = now_ms - self._window_ms
        self._worked_us += worked_us
        if passed_ms < _WINDOW_MS:
            return
        percent = self._worked_us // (10 * passed_ms)
        if percent > _BUSY_PERCENT:
            self.ms = min(GATHER_MAX_MS, 2 * self.ms)
        elif percent < _CALM_PERCENT:
            self.ms = max(GATHER_MS, self.ms * 3 // 4)
        self._window_ms, self._worked_us = now_ms, 0


def party_gather_ms(players: int) -> int:
    """Return how long changes of the party alone are gathered for one update, with this number of players.

    Among many there is always one whose health or level has changed, on levels that a viewer does not see.
    """
    return PARTY_GATHER_MS if players > PARTY_FEW else 0
