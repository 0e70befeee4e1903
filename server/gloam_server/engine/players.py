"""The players of the realm: the connected ones, and those with a body in the dungeon."""

from typing import TypeAlias

from gloam_server.engine.player import Player
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.transition.dungeon import Dungeon
from gloam_shared.kept import CHECKS, Kept, KeptTable, verify

PlayerInPlay: TypeAlias = tuple[Player, Level, Creature]
"""A player in play, their level, and their body there."""


class Players:
    """All players by account: players with a life in the dungeon, and players who logged in since the start.

    Only `get_or_add` and `forget` change it.
    """

    def __init__(self, dungeon: Dungeon) -> None:
        self._dungeon = dungeon
        self._players = {account: Player(account, life.name) for account, life in dungeon.realm.lives.items()}
        self._revision = -1
        self._standing: tuple[PlayerInPlay, ...] = ()
        self._in_play = Kept[tuple[PlayerInPlay, ...]]("the bodies of these levels")
        self._on_level = KeptTable[int, dict[int, Player]]("the players of a level")

    def by_account(self, account: int) -> Player | None:
        """Return a player of an account known since the server started."""
        return self._players.get(account)

    def names(self) -> list[str]:
        """Return the names of all players known since the server started."""
        return [player.name for player in self._players.values()]

    def get_or_add(self, account: int, name: str) -> Player:
        """Return the player of an account, new or known."""
        known = self._players.get(account)
        if known is None:
            known = self._players[account] = Player(account, name)
        return known

    def forget(self, account: int) -> None:
        """Forget the player of an account that was removed, unless they are here."""
        if not self.is_in_use(account):
            self._players.pop(account, None)

    def in_play(self) -> tuple[PlayerInPlay, ...]:
        """Return the players with a body in the dungeon, by level and number, except on closed levels."""
        if self._dungeon.revision != self._revision:
            self._revision, self._standing = self._dungeon.revision, self._find_in_play()
        elif CHECKS.report is not None:  # each batch asks several times: `Kept.get` would be one more call
            self._standing = verify("the bodies in play", self._standing, self._find_in_play)
        return self._standing

    def _find_in_play(self) -> tuple[PlayerInPlay, ...]:
        closed = self._dungeon.closed
        levels = [level for place, level in sorted(self._dungeon.levels.items()) if place not in closed]
        bodies = tuple([level.players() for level in levels])
        return self._in_play.get(
            bodies,
            len(bodies),
            lambda _: tuple(
                [
                    (self._players[body.account], level, body)
                    for level, here in zip(levels, bodies, strict=True)
                    for body in here
                ]
            ),
        )

    def in_dungeon(self, account: int) -> PlayerInPlay | None:
        """Return a player with the level and the body of the player, or None if they are not in play."""
        life = self._dungeon.realm.lives.get(account)
        if life is None or life.kept is not None:
            return None
        level = self._dungeon.levels[life.place]
        body = level.creatures.get(life.number)
        if body is None:
            return None
        return self._players[account], level, body

    def in_play_of(self, account: int) -> PlayerInPlay | None:
        """Return a player in play, as `in_play` has them; None for a player without a body or on a closed level."""
        standing = self.in_dungeon(account)
        return None if standing is None or standing[1].place in self._dungeon.closed else standing

    def is_in_use(self, account: int) -> bool:
        """Return whether an account is connected, or has a body in the dungeon."""
        player = self._players.get(account)
        return (player is not None and player.connection != 0) or self.in_dungeon(account) is not None

    def on_level(self, level: Level) -> dict[int, Player]:
        """Return the players with a body on a level, by the bodies' numbers."""
        bodies = level.players()
        return self._on_level[level.place].get(
            (bodies,), True, lambda _: {body.number: self._players[body.account] for body in bodies}
        )

    def connected(self) -> list[Player]:
        """Return the players with an open connection, by account."""
        return [player for _, player in sorted(self._players.items()) if player.connection]

    def count_connected(self) -> int:
        """Return the number of players with an open connection."""
        return sum(player.connection != 0 for player in self._players.values())

    def is_anyone_connected(self) -> bool:
        """Return whether any player has an open connection."""
        return any(player.connection for player in self._players.values())

    def is_idle(self) -> bool:
        """Return whether no player is connected and no body is in play: then no timer of the world runs."""
        return not self.is_anyone_connected() and not self.in_play()
