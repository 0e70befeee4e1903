"""The clients of the realm by account, and the open conversations by number."""

from operator import is_
from typing import TypeAlias

from gloam_server.engine.publishing.client_state import ClientState
from gloam_server.net.conversation import Conversation
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.transition.dungeon import Dungeon

ClientInPlay: TypeAlias = tuple[ClientState, Level, Creature]
"""The client of a player in play, their level, and their body there."""


class Clients:
    """The clients of all players known since the server started. `conversations` also has connections without a player."""

    def __init__(self, dungeon: Dungeon) -> None:
        self._dungeon = dungeon
        self._clients = {
            account: ClientState(account, life.name) for account, life in dungeon.realm.lives.items()
        }
        self.conversations: dict[int, Conversation] = {}
        self._revision = -1
        self._in_play: tuple[list[tuple[Creature, ...]], tuple[ClientInPlay, ...]] = [], ()

    def by_account(self, account: int) -> ClientState | None:
        """Return the client of an account known since the server started."""
        return self._clients.get(account)

    def get_or_add(self, account: int, name: str) -> ClientState:
        """Return the client of an account, new or known."""
        known = self._clients.get(account)
        if known is None:
            known = self._clients[account] = ClientState(account, name)
        return known

    def forget(self, account: int) -> None:
        """Forget the client of an account that was removed, or whose life goes out of memory."""
        self._clients.pop(account, None)

    def connected(self) -> list[ClientState]:
        """Return the clients with an open connection, by account."""
        return [client for _, client in sorted(self._clients.items()) if client.connection is not None]

    def in_play(self) -> tuple[ClientInPlay, ...]:
        """Return the clients of players with a body in the dungeon, by level and number, except on closed levels."""
        if self._dungeon.revision != self._revision:  # each batch asks several times
            self._revision = self._dungeon.revision
            self._find_in_play()
        return self._in_play[1]

    def _find_in_play(self) -> None:
        closed = self._dungeon.closed
        levels = [level for place, level in sorted(self._dungeon.levels.items()) if place not in closed]
        bodies = [level.players() for level in levels]
        # A level's players are the same object until one joins or leaves.
        known = self._in_play[0]
        if len(bodies) != len(known) or not all(map(is_, bodies, known)):
            standing = [
                (self.get_or_add(body.account, body.name), level, body)
                for level, here in zip(levels, bodies, strict=True)
                for body in here
            ]
            self._in_play = bodies, tuple(standing)

    def in_play_of(self, account: int) -> ClientInPlay | None:
        """Return the client of a player in play; None for a player without a body or on a closed level."""
        life = self._dungeon.realm.lives.get(account)
        if life is None or life.kept is not None or life.place in self._dungeon.closed:
            return None
        level = self._dungeon.levels[life.place]
        body = level.creatures.get(life.number)
        return None if body is None else (self._clients[account], level, body)
