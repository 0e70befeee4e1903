"""Gather time: how long others' actions wait for the next update of a player who has not acted.

In a crowd, most of the work of a server is to show each player what all others do. Each piece of work is noted. The busier
the server is, the longer the view side gathers, so that a command stays fast and others' steps arrive in fewer, larger
updates, and the longer the game loop rests between batches. An idle server shows each step immediately.
"""

from typing import Final, NamedTuple

from gloam_shared.limits import GATHER_MAX_MS, GATHER_MS

_WINDOW_MS: Final = 250
_BUSY_PERCENT: Final = 52
"""Above this share of work in a window the gather time doubles."""
_CALM_PERCENT: Final = 40
"""Below this share it becomes a quarter shorter. In between it stays."""
PARTY_FEW: Final = 16
"""The number of players up to which a change of the party is shown like any other change."""
PARTY_GATHER_MS: Final = 1_000
"""The time for which changes of a larger party are gathered, unless another change is shown in the meantime."""


class RestRule(NamedTuple):
    """The rests of a game loop after its batches, by its share of work for commands, without onlookers."""

    crowded_percent: int
    """Above this share it rests."""
    full_percent: int
    """From this share on it rests `times` as long as it worked; in between, for a part of that."""
    times: int
    longest_ms: int
    """The longest rest: a player's own command waits for it."""


IN_ONE_PROCESS: Final = RestRule(crowded_percent=40, full_percent=70, times=1, longest_ms=20)
WITH_VIEW_PROCESSES: Final = RestRule(crowded_percent=15, full_percent=30, times=2, longest_ms=30)
"""A batch of the turn process is a third of the work: each view process applies it, and looks at its creatures again."""


class RestTime:
    """The rests of one game loop: the less time there is, the longer it rests, so that the next batch takes more commands."""

    def __init__(self, rule: RestRule) -> None:
        self._rule = rule
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
            over = self._worked_us // (10 * passed_ms) - self._rule.crowded_percent
            most = self._rule.full_percent - self._rule.crowded_percent
            self._percent = min(100, max(0, 100 * over // most))
            self._window_ms, self._worked_us = now_ms, 0

    def begin(self, now_ms: int) -> None:
        """Rest after the batch whose work was noted since the last call: not while there is time."""
        worked_us, self._batch_us = self._batch_us, 0
        rest_ms = self._rule.times * worked_us * self._percent // 100_000
        self.earliest_ms = now_ms + min(self._rule.longest_ms, rest_ms)


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
