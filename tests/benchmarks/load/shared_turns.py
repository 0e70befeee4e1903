"""Turns that several players of a fleet share: such a turn is due for all of them at the same moment.

A client knows only what `Pace` messages name to it. A player who acts less than 100 ms before the turn is not told that
it still waits for others, and in a crowd the names arrive up to 250 ms late. But players who waited longer know. So of
the players of one turn the latest moment counts, because none of them can know of a moment after the turn was due.
"""

from collections import deque
from collections.abc import Callable
from typing import Final, NamedTuple

TOGETHER_S: Final = 0.05
"""The longest time between the first and the last answer of one turn, and the least between two turns of a player."""


class AnsweredTurn(NamedTuple):
    """A turn that was answered to one client. Times are in seconds of the monotonic clock."""

    name: str
    at_s: float
    due_s: float
    """The earliest moment at which the turn may have been due, as far as this client knows."""
    sent_s: float
    heard: frozenset[str]
    """All players that the turn waited for, as this client knows."""


class SharedTurns:
    """The newest answers of a fleet. `note` gets each of them with its due moment as all of the turn know it."""

    def __init__(self, note: Callable[[AnsweredTurn], None]) -> None:
        self._note = note
        self._turns: deque[AnsweredTurn] = deque()
        self._waited: deque[AnsweredTurn] = deque()
        """The newest answers whose client knew that the turn waited for others: few where most play alone."""
        self._open = 0
        """The number of the newest answers that are not noted yet."""

    def add(self, turn: AnsweredTurn) -> None:
        """Add an answer, the newest of all."""
        self._turns.append(turn)
        if turn.heard:
            self._waited.append(turn)
        self._open += 1
        self.settle(turn.at_s)

    def settle(self, now_s: float) -> None:
        """Note the answers that no later one can belong to."""
        while self._open and now_s - self._turns[-self._open].at_s > TOGETHER_S:
            turn = self._turns[-self._open]
            self._open -= 1
            for newest in (self._turns, self._waited):
                while newest and turn.at_s - newest[0].at_s > TOGETHER_S:
                    newest.popleft()
            self._note(turn._replace(due_s=self._due_s(turn)))

    def _due_s(self, turn: AnsweredTurn) -> float:
        dues = [turn.due_s]
        for other in self._turns if turn.heard else self._waited:
            together = abs(other.at_s - turn.at_s) <= TOGETHER_S
            if together and (other.name in turn.heard or turn.name in other.heard):
                dues.append(other.due_s)
        return min(max(dues), turn.at_s)
