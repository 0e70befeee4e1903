"""When the turn of a sent command is due by the rules, as far as a client can know it.

The rules are those of server/docs/time.md: 50 ms between two turns of a player, and the patience with other players
of a held group. `Pace` messages tell of a patience of more than 100 ms; a shorter one counts as time of the server.
"""

from typing import Final

SPACING_S: Final = 0.05


class TurnWait:
    """The waiting of one client: for the answer to its newest command."""

    def __init__(self) -> None:
        self.sent_s: float | None = None
        self._turn_due_s = -1e9
        self._released_s = -1e9
        self._waits_for: set[str] = set()
        self._until_s = -1e9

    @property
    def is_waiting(self) -> bool:
        """Whether a command has no answer yet."""
        return self.sent_s is not None

    @property
    def waits_for(self) -> frozenset[str]:
        """The players that the turn waits for, by the newest `Pace`."""
        return frozenset(self._waits_for)

    def sent(self, now_s: float) -> None:
        """Note that a command was sent."""
        self.sent_s = now_s
        self._released_s = -1e9

    def pace(self, now_s: float, *, waiting: bool, names: tuple[str, ...], ms: int) -> None:
        """Take a `Pace`: the players that the turn waits for, and how long at most."""
        if waiting and names:
            self._waits_for, self._until_s = set(names), now_s + ms / 1_000
        elif self._waits_for:
            self._release(now_s)

    def acted(self, name: str, now_s: float) -> None:
        """Note that a player of the fleet sent a command: the turn waits for them no longer."""
        if name in self._waits_for:
            self._waits_for.discard(name)
            if not self._waits_for:
                self._released_s = min(now_s, self._until_s)

    def answered(self, now_s: float, *, turn: bool = True) -> tuple[float, float] | None:
        """Return the seconds from the due turn to its answer, and the seconds that passed before by the rules.

        None if the moment is unknown: the turn waited for a player who did not act here, and ran before their patience
        ended. Without a `turn` (a refusal) the next turn need not keep a distance from this moment.
        """
        assert self.sent_s is not None
        is_unknown = bool(self._waits_for) and now_s < self._until_s
        if self._waits_for:
            self._release(now_s)
        due_s = max(self.sent_s, self._turn_due_s + SPACING_S, self._released_s)
        due_s = min(due_s, now_s)
        waited_s, self.sent_s = due_s - self.sent_s, None
        if turn:
            self._turn_due_s = due_s
        return None if is_unknown else (now_s - due_s, waited_s)

    def forget(self) -> None:
        """Drop the command that waits: the server will not answer it."""
        self.sent_s = None
        self._waits_for = set()

    def _release(self, now_s: float) -> None:
        self._waits_for = set()
        self._released_s = min(now_s, self._until_s)
