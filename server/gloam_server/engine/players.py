"""The players of the realm: the connected ones, and those with a body in the dungeon."""

from typing import TypeAlias

from gloam_server.engine.halves import Halves
from gloam_server.engine.player import Player
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.transition.dungeon import Dungeon
from gloam_shared.kept import KeptTable

PlayerInPlay: TypeAlias = tuple[Player, Level, Creature]
"""A player in play, their level, and their body there."""


class Players(Halves[Player]):
    """All players by account. Only `get_or_add` and `forget` change it."""

    def __init__(self, dungeon: Dungeon) -> None:
        super().__init__(dungeon, Player)
        self._on_level = KeptTable[int, dict[int, Player]]("the players of a level")

    def names(self) -> list[str]:
        """Return the names of all players known since the server started."""
        return [player.name for player in self._halves.values()]

    def forget(self, account: int) -> None:
        """Forget the player of an account that was removed, unless they are here."""
        if not self.is_in_use(account):
            self._halves.pop(account, None)

    def is_in_use(self, account: int) -> bool:
        """Return whether an account is connected, or has a body in the dungeon."""
        player = self._halves.get(account)
        return (player is not None and player.connection != 0) or self.in_dungeon(account) is not None

    def on_level(self, level: Level) -> dict[int, Player]:
        """Return the players with a body on a level, by the bodies' numbers."""
        bodies = level.players()
        return self._on_level[level.partition].get(
            (bodies,), True, lambda _: {body.number: self._halves[body.account] for body in bodies}
        )

    def connected(self) -> list[Player]:
        """Return the players with an open connection, by account."""
        return [player for _, player in sorted(self._halves.items()) if player.connection]

    def count_connected(self) -> int:
        """Return the number of players with an open connection."""
        return sum(player.connection != 0 for player in self._halves.values())

    def is_anyone_connected(self) -> bool:
        """Return whether any player has an open connection."""
        return any(player.connection for player in self._halves.values())

    def is_idle(self) -> bool:
        """Return whether no player is connected and no body is in play: then no timer of the world runs."""
        return not self.is_anyone_connected() and not self.in_play()
