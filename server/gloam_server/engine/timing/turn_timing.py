"""Turn timing: whose turn is due, and for which players it waits. It gets the time in milliseconds and only decides.

A turn group's turn is due when one of its players has a command waiting, each member's last turn is at least 50 ms ago,
and it waits for no player. A turn waits for a held, connected player without a command, for their patience,
and longer while they choose from a list. The wait counts from the oldest waiting command.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

SPACING_MS: Final = 50
"""The least time between two turns of a player: a held key runs smoothly, 20 steps a second, and haste or a faster client
gains nothing.
"""
PATIENCE_MS: Final = 2_000
PATIENCE_CROWD_MS: Final = 1_000
CROWD: Final = 5
PATIENCE_LEAST_MS: Final = 250
THINKING_MS: Final = 10_000
"""The time after a player opened a list in which a new turn still counts them as choosing."""
CHOOSING_FACTOR: Final = 4
"""The factor of the realm's patience for a player who is choosing: 8 s."""
CHOOSING_HURT_FACTOR: Final = 6
"""The same for a player below half of their health: 12 s."""
CHOICES_MAX: Final = 2
"""The number of turns in a row that wait for a choice; then the player has to act first.

So a friend who only opens lists delays a fight by 24 s and no longer. A command alone is no action, because the player
may take it back.
"""
ALONE_MS: Final = 1_000
"""The interval at which a turn group of disconnected players takes a turn by itself."""
_LONG_AGO_MS: Final = -1_000_000


@dataclass(slots=True)
class TurnClock:
    """The timing of one player: the last turn, the start of the waiting command, and the number of missed turns."""

    connected: bool = True
    last_turn_ms: int = _LONG_AGO_MS
    waiting_since_ms: int | None = None
    missed_turns: int = 0
    thinking_until_ms: int = _LONG_AGO_MS
    cut_ms: int = _LONG_AGO_MS
    choices: int = 0
    """The number of turns that waited for their choice without result since they acted last."""

    def command_arrived(self, now_ms: int) -> None:
        """Note that a command waits; a newer one does not restart the wait."""
        if self.waiting_since_ms is None:
            self.waiting_since_ms = now_ms
        self.missed_turns = 0

    def start_choosing(self, now_ms: int) -> bool:
        """Note that the player is choosing, so that the next turn waits longer.

        Return whether that is allowed.
        """
        if self.choices >= CHOICES_MAX:
            return False
        self.thinking_until_ms = now_ms + THINKING_MS
        return True

    def is_choosing(self, since_ms: int) -> bool:
        """Return whether a turn that waits since then also waits for this player's choice."""
        return self.thinking_until_ms > since_ms

    def turn_ran(self, now_ms: int, *, acted: bool, waited_since_ms: int | None = None) -> None:
        """Note that a turn of the turn group ran.

        `waited_since_ms` is the start of its wait for this player, if any. Players that it waited for missed
        it, unless they were choosing: a choice counts for one turn. A command that could not run yet starts a
        new wait: it must not use up the others' patience for the next turn.
        """
        self.last_turn_ms = now_ms
        if acted:
            self.waiting_since_ms = None
            self.choices = 0
            self.thinking_until_ms = _LONG_AGO_MS
        elif self.waiting_since_ms is not None:
            self.waiting_since_ms = now_ms
        elif waited_since_ms is not None and self.is_choosing(waited_since_ms):
            self.choices += 1
            self.thinking_until_ms = _LONG_AGO_MS
        elif waited_since_ms is not None:
            self.missed_turns += 1

    def connection_lost(self, now_ms: int) -> None:
        """Note that the player is disconnected; the body takes its first turn by itself after a second."""
        self.connected = False
        self.cut_ms = now_ms

    def patience_ms(self, base_ms: int) -> int:
        """Return how long a turn waits for the player: halved by each miss in a row."""
        return max(min(base_ms, PATIENCE_LEAST_MS), base_ms >> min(self.missed_turns, 16))


@dataclass(frozen=True, slots=True)
class TurnStatus:
    """The state of a turn group's turn. `due`: run its turn.

    Otherwise `look_at_ms` is when to ask again (None: only when something arrives), and `waits_for` are the
    players waited for, at most until `until_ms`; `choosing` are the ones who choose. Without anything new
    the status changes at `changes_at_ms` (None: it stays).
    """

    due: bool
    look_at_ms: int | None = None
    waits_for: tuple[int, ...] = ()
    until_ms: int = 0
    choosing: tuple[int, ...] = ()
    changes_at_ms: int | None = field(default=None, compare=False)


_DUE: Final = TurnStatus(due=True)
NOTHING_DUE: Final = TurnStatus(due=False)
"""The status of a turn group in which nothing waits: only something new changes it."""


def turn_status(
    players: tuple[int, ...],
    clocks: Mapping[int, TurnClock],
    able: Callable[[int], bool],
    now_ms: int,
    *,
    held: bool,
    patience_ms: int = PATIENCE_MS,
    party_ms: int = 0,
    down: Collection[int] = (),
    hurt: Callable[[int], bool] = lambda _: False,
) -> TurnStatus:
    """Return whether the turn of a turn group with these players is due.

    `able` are the players who could act in it, `hurt` the players who are hurt, `down` the players who are down: a
    turn group of these alone takes turns by itself.

    `party_ms` is the patience of the party to which all of them belong, 0 for none: it may be longer, also in a crowd.
    """
    since_ms = waited_since_ms(clocks[number] for number in players)
    if since_ms is None:
        return _abandoned_status(players, clocks, now_ms, held=held, down=down)
    rested_ms = max([clocks[number].last_turn_ms for number in players]) + SPACING_MS
    # Most turns are in safety, and wait for no one.
    awaited = [number for number in players if _could_answer(clocks[number]) and able(number)] if held else []
    if awaited:
        choosing = sorted(number for number in awaited if clocks[number].is_choosing(since_ms))
        base_ms = max(_base(players, patience_ms), party_ms)
        limits = {number: since_ms + clocks[number].patience_ms(base_ms) for number in awaited} | {
            number: since_ms + max(choosing_ms(patience_ms, hurt=hurt(number)), CHOOSING_FACTOR * party_ms)
            for number in choosing
        }
        late = {number: until for number, until in limits.items() if until > now_ms}
        if late:
            return _waiting_status(late, choosing, rested_ms)
    return _later(rested_ms) if rested_ms > now_ms else _DUE


def _waiting_status(late: Mapping[int, int], choosing: list[int], rested_ms: int) -> TurnStatus:
    """Return the status of a turn that waits for these players, each until a time."""
    until = max(late.values())
    return TurnStatus(
        due=False,
        look_at_ms=max(until, rested_ms),
        waits_for=tuple(sorted(late)),
        until_ms=until,
        choosing=tuple(number for number in choosing if number in late),
        changes_at_ms=min(late.values()),
    )


def _later(at_ms: int) -> TurnStatus:
    return TurnStatus(due=False, look_at_ms=at_ms, changes_at_ms=at_ms)


def choosing_ms(patience_ms: int, *, hurt: bool) -> int:
    """Return how long a turn waits for a choice in a realm with this patience, for any number of players."""
    return patience_ms * (CHOOSING_HURT_FACTOR if hurt else CHOOSING_FACTOR)


def waited_since_ms(clocks: Iterable[TurnClock]) -> int | None:
    """Return since when the oldest command of a turn group waits."""
    return min(
        [clock.waiting_since_ms for clock in clocks if clock.waiting_since_ms is not None], default=None
    )


def _abandoned_status(
    players: tuple[int, ...],
    clocks: Mapping[int, TurnClock],
    now_ms: int,
    *,
    held: bool,
    down: Collection[int],
) -> TurnStatus:
    """Return the status without any command: only a held turn group of disconnected or downed players takes turns."""
    if not held or any(clocks[number].connected and number not in down for number in players):
        return NOTHING_DUE
    at_ms = max(max(clocks[number].last_turn_ms, clocks[number].cut_ms) for number in players) + ALONE_MS
    return _DUE if at_ms <= now_ms else _later(at_ms)


def _could_answer(clock: TurnClock) -> bool:
    return clock.connected and clock.waiting_since_ms is None


def _base(players: tuple[int, ...], patience_ms: int) -> int:
    return min(patience_ms, PATIENCE_CROWD_MS) if len(players) >= CROWD else patience_ms
