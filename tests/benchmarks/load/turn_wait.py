"""The due time of the turn of a sent command by the rules, as far as a fleet can know it.

The rules are in server/docs/time.md: 50 ms between two turns of a player, and the patience with other players of a held
group. `Pace` messages name the players that a turn waits for: immediately to these players, and after 100 ms to players
who wait. A wait that no `Pace` reports to a client counts as time of the server.
"""

from typing import Final

SPACING_S: Final = 0.05
_LONG_AGO_S: Final = -1e9


class Acts:
    """The times at which each player of a fleet last sent a command, and last got an answer."""

    def __init__(self) -> None:
        self._sent_s: dict[str, float] = {}
        self._answered_s: dict[str, float] = {}

    def sent(self, name: str, now_s: float) -> None:
        """Note that a player sent a command."""
        self._sent_s[name] = now_s

    def answered(self, name: str, now_s: float, *, turn: bool) -> None:
        """Note that a player got an answer. After a refusal they have to act again."""
        self._answered_s[name] = now_s
        if not turn:
            del self._sent_s[name]

    def since(self, name: str, at_s: float) -> float | None:
        """Return when a player sent the command that was on its way at a moment, or followed it; None without one."""
        sent_s = self._sent_s.get(name)
        if sent_s is None:
            return None  # they have sent none, or were refused and have to act again
        answered_s = self._answered_s.get(name, _LONG_AGO_S)
        return sent_s if sent_s >= at_s or answered_s < sent_s or answered_s > at_s else None


class TurnWait:
    """The waiting of one client: for the answer to its newest command."""

    def __init__(self, acts: Acts) -> None:
        self.sent_s: float | None = None
        self._acts = acts
        self._turn_due_s = _LONG_AGO_S
        self._released_s = _LONG_AGO_S
        self._names: tuple[str, ...] = ()
        self.heard: set[str] = set()
        """All players that the turn waited for since the answer before, as far as this client knows."""
        self._told_s = _LONG_AGO_S
        self._until_s = _LONG_AGO_S

    @property
    def is_waiting(self) -> bool:
        """Whether a command has no answer yet."""
        return self.sent_s is not None

    def sent(self, now_s: float) -> None:
        """Note that a command was sent."""
        self.sent_s = now_s
        self._released_s = _LONG_AGO_S

    def pace(self, now_s: float, names: tuple[str, ...], ms: int) -> None:
        """Take a `Pace`: the other players that the turn waits for, and how long at most."""
        if not names and self._names:
            released_s = self._release_s(now_s)
            self._released_s = min(now_s, self._until_s) if released_s is None else released_s
        self._names, self._told_s, self._until_s = names, now_s, now_s + ms / 1_000
        self.heard.update(names)

    def answered(self, now_s: float, *, turn: bool = True) -> tuple[float, float] | None:
        """Return the seconds from the due turn to its answer, and the seconds that passed before by the rules.

        None if the moment is unknown: the turn waited for a player who did not act here, and ran before their patience
        ended. Without a `turn` (a refusal) the next turn need not keep a distance from this moment.
        """
        assert self.sent_s is not None
        released_s = self._release_s(now_s)
        due_s = max(self.sent_s, self._turn_due_s + SPACING_S, released_s or self._released_s)
        due_s = min(due_s, now_s)
        waited_s, self.sent_s = due_s - self.sent_s, None
        self._names = ()
        self.heard = set()
        if turn:
            self._turn_due_s = due_s
        return None if released_s is None else (now_s - due_s, waited_s)

    def forget(self) -> None:
        """Drop the command that waits: the server will not answer it."""
        self.sent_s = None
        self._names = ()
        self.heard = set()

    def _release_s(self, now_s: float) -> float | None:
        """Return when the last of the others acted, or their patience ended; None for an unknown moment."""
        acts = [self._acts.since(name, self._told_s) for name in self._names]
        known = [at_s for at_s in acts if at_s is not None]
        if len(known) == len(acts):
            return min(max(known, default=self._released_s), self._until_s) if acts else self._released_s
        return self._until_s if now_s >= self._until_s else None
