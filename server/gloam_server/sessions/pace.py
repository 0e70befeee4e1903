"""Pace: whose turn is due, and who is waited for. Told the time in milliseconds; decides, and does nothing.

A bubble's turn is due when one of its players has a command waiting, each member's last turn is at least 50 ms ago,
and nobody is waited for. Waited for is a held, connected player without a command, for as long as his patience runs.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

SPACING_MS: Final = 50
PATIENCE_MS: Final = 2_000
PATIENCE_CROWD_MS: Final = 1_000
CROWD: Final = 5
PATIENCE_LEAST_MS: Final = 250
THINKING_MS: Final = 10_000
ALONE_MS: Final = 1_000
"""A bubble of bodies whose players are cut off takes a turn by itself so often."""


@dataclass(slots=True)
class Clock:
    """How time stands for one player: his last turn, since when his command waits, and how often he missed."""

    connected: bool = True
    last_turn_ms: int = -1_000_000
    waiting_since_ms: int | None = None
    misses: int = 0
    thinking_until_ms: int = -1_000_000
    cut_ms: int = -1_000_000
    thought: bool = False

    def command_came(self, now_ms: int) -> None:
        """A command waits now; a newer one does not start the wait again."""
        if self.waiting_since_ms is None:
            self.waiting_since_ms = now_ms
        self.misses = 0
        self.thought = False

    def think(self, now_ms: int) -> None:
        """The player reads or chooses: no miss counts for a while. Good once, until their next command that waits."""
        if not self.thought:
            self.thought = True
            self.thinking_until_ms = now_ms + THINKING_MS

    def turn_ran(self, now_ms: int, *, acted: bool, was_waited_for: bool) -> None:
        """A turn of his bubble ran; who was waited for in vain missed it, unless he was thinking.

        A command that he could not carry out yet waits anew: it must not use up the others' patience for the next.
        """
        self.last_turn_ms = now_ms
        if acted:
            self.waiting_since_ms = None
        elif self.waiting_since_ms is not None:
            self.waiting_since_ms = now_ms
        elif was_waited_for and now_ms >= self.thinking_until_ms:
            self.misses += 1

    def line_cut(self, now_ms: int) -> None:
        """Nobody commands the body any more; the first turn that it takes by itself is a second away."""
        self.connected = False
        self.cut_ms = now_ms

    def patience_ms(self, base_ms: int) -> int:
        """Return how long he is waited for: halved by each miss in a row."""
        return max(min(base_ms, PATIENCE_LEAST_MS), base_ms >> min(self.misses, 16))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the pace says of a bubble now.

    `due`: run its turn. Otherwise `look_at_ms` is when to ask again (None: only when something comes), and
    `waits_for` are the players waited for, at most until `until_ms`.
    """

    due: bool
    look_at_ms: int | None = None
    waits_for: tuple[int, ...] = ()
    until_ms: int = 0


def judge(
    players: tuple[int, ...],
    clocks: Mapping[int, Clock],
    able: Callable[[int], bool],
    now_ms: int,
    *,
    held: bool,
    patience_ms: int = PATIENCE_MS,
) -> Verdict:
    """Return whether the turn of a bubble with these players is due. `able` tells who could act in it."""
    waiting = [since for number in players if (since := clocks[number].waiting_since_ms) is not None]
    rested_ms = max(clocks[number].last_turn_ms for number in players) + SPACING_MS
    if not waiting:
        return _judge_abandoned(players, clocks, now_ms, held=held)
    limits = {
        number: min(waiting) + clocks[number].patience_ms(_base(players, patience_ms))
        for number in players
        if held and _could_answer(clocks[number]) and able(number)
    }
    late = {number: until for number, until in limits.items() if until > now_ms}
    if late:
        until = max(late.values())
        return Verdict(
            due=False, look_at_ms=max(until, rested_ms), waits_for=tuple(sorted(late)), until_ms=until
        )
    if rested_ms > now_ms:
        return Verdict(due=False, look_at_ms=rested_ms)
    return Verdict(due=True)


def _judge_abandoned(
    players: tuple[int, ...], clocks: Mapping[int, Clock], now_ms: int, *, held: bool
) -> Verdict:
    """Nobody has a command: held bodies whose players are all cut off take a turn a second, others none."""
    if not held or any(clocks[number].connected for number in players):
        return Verdict(due=False)
    at_ms = max(max(clocks[number].last_turn_ms, clocks[number].cut_ms) for number in players) + ALONE_MS
    return Verdict(due=True) if at_ms <= now_ms else Verdict(due=False, look_at_ms=at_ms)


def _could_answer(clock: Clock) -> bool:
    return clock.connected and clock.waiting_since_ms is None


def _base(players: tuple[int, ...], patience_ms: int) -> int:
    return min(patience_ms, PATIENCE_CROWD_MS) if len(players) >= CROWD else patience_ms
