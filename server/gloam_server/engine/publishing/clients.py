"""The clients of the realm by account, and the open conversations by number."""

from typing import TypeAlias

from gloam_server.engine.halves import Halves
from gloam_server.engine.publishing.client_state import ClientState
from gloam_server.net.conversation import Conversation
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.transition.dungeon import Dungeon

ClientInPlay: TypeAlias = tuple[ClientState, Level, Creature]
"""The client of a player in play, their level, and their body there."""


class Clients(Halves[ClientState]):
    """The clients of all players known since the server started. `conversations` also has connections without a player."""

    def __init__(self, dungeon: Dungeon) -> None:
        super().__init__(dungeon, ClientState)
        self.conversations: dict[int, Conversation] = {}

    def forget(self, account: int) -> None:
        """Forget the client of an account that was removed, or whose life goes out of memory."""
        self._halves.pop(account, None)

    def count_connected(self) -> int:
        """Return the number of players with a connection, here or in another view process."""
        return sum(client.is_connected for client in self._halves.values())

    def all(self) -> list[ClientState]:
        """Return the clients of all players known since the server started."""
        return list(self._halves.values())

    def connected(self) -> list[ClientState]:
        """Return the clients with an open connection here, by account."""
        return [client for _, client in sorted(self._halves.items()) if client.connection is not None]
