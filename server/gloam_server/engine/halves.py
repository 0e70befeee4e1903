"""The halves of players on one side of the engine, by account, with their bodies in the dungeon: `Players` and `Clients`."""

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.transition.dungeon import Dungeon
from gloam_shared.kept import CHECKS, Kept, verify


class Named(Protocol):
    """A half of a player."""

    name: str


H = TypeVar("H", bound=Named)


class Halves(Generic[H]):
    """One half for each account with a life in the dungeon, and for each that logged in since the start."""

    def __init__(self, dungeon: Dungeon, make: Callable[[int, str], H]) -> None:
        self._dungeon = dungeon
        self._make = make
        self._halves = {account: make(account, life.name) for account, life in dungeon.realm.lives.items()}
        self._revision = -1
        self._bodies: tuple[tuple[H, Level, Creature], ...] = ()
        self._in_play = Kept[tuple[tuple[H, Level, Creature], ...]]("the bodies of these levels")

    def by_account(self, account: int) -> H | None:
        """Return the half of an account known since the server started."""
        return self._halves.get(account)

    def get_or_add(self, account: int, name: str) -> H:
        """Return the half of an account, new or known."""
        known = self._halves.get(account)
        if known is None:
            known = self._halves[account] = self._make(account, name)
        known.name = name  # a returning owner may have got another
        return known

    def in_play(self) -> tuple[tuple[H, Level, Creature], ...]:
        """Return all with a body in the dungeon, their level and body, by level and number, except on closed levels."""
        if self._dungeon.revision != self._revision:
            self._revision, self._bodies = self._dungeon.revision, self._find_in_play()
        elif CHECKS.report is not None:  # each batch asks several times: `Kept.get` would be one more call
            self._bodies = verify("the bodies in play", self._bodies, self._find_in_play)
        return self._bodies

    def _find_in_play(self) -> tuple[tuple[H, Level, Creature], ...]:
        closed = self._dungeon.closed
        levels = [
            level for partition, level in sorted(self._dungeon.levels.items()) if partition not in closed
        ]
        bodies = tuple([level.players() for level in levels])
        return self._in_play.get(
            bodies,
            len(bodies),
            lambda _: tuple(
                [
                    (self.get_or_add(body.account, body.name), level, body)
                    for level, here in zip(levels, bodies, strict=True)
                    for body in here
                ]
            ),
        )

    def in_dungeon(self, account: int) -> tuple[H, Level, Creature] | None:
        """Return the half of an account with its level and body, or None if it is not in play."""
        life = self._dungeon.realm.lives.get(account)
        if life is None or life.kept is not None:
            return None
        level = self._dungeon.levels[life.partition]
        body = level.creatures.get(life.number)
        return None if body is None else (self._halves[account], level, body)

    def in_play_of(self, account: int) -> tuple[H, Level, Creature] | None:
        """Return the same as `in_play` has it; None for an account without a body or on a closed level."""
        in_play = self.in_dungeon(account)
        return None if in_play is None or in_play[1].partition in self._dungeon.closed else in_play
