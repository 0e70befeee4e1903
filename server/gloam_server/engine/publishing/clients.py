"""The clients of the realm by account, and the open conversations by number."""

from typing import TypeAlias

from gloam_server.engine.halves import Halves
from gloam_server.engine.publishing.client_state import ClientState
from gloam_server.net.conversation import Conversation
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.transition.dungeon import Dungeon
from gloam_shared.kept import Kept

ClientInPlay: TypeAlias = tuple[ClientState, Level, Creature]
"""The client of a player in play, their level, and their body there."""


class Clients(Halves[ClientState]):
    """The clients of all players known since the server started. `conversations` also has connections without a player."""

    def __init__(self, dungeon: Dungeon) -> None:
        super().__init__(dungeon, ClientState)
        self.conversations: dict[int, Conversation] = {}
        self._shown_here = Kept[tuple[ClientInPlay, ...]](
            "the players in play who have their views from here"
        )

    def shown_here(self) -> tuple[ClientInPlay, ...]:
        """Return those in play who have a connection and a view here: of several view processes, each has a part of all."""
        in_play = self.in_play()
        return self._shown_here.get(
            (in_play,),
            True,
            lambda _: tuple(
                [each for each in in_play if each[0].connection is not None and each[0].view is not None]
            ),
        )

    def note_connection(self) -> None:
        """Note that a client got or lost its connection, or its view."""
        self._shown_here.invalidate()

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
