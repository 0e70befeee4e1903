"""The end of players' connections: a cut, an expulsion, the end of the server.

The body in the dungeon belongs to the game loop.
"""

import logging
from typing import Final

from gloam_server.engine.engine import Engine
from gloam_server.engine.messages import Detached, Ended, Say
from gloam_server.engine.player import Player
from gloam_server.gateway.login.authentication import Authenticator
from gloam_server.logs import fields
from gloam_shared.protocol.codes import ByeCode
from gloam_shared.protocol.messages.play import Answer

_log: Final = logging.getLogger(__name__)


class Disconnector:
    """Ends players' connections, also of players that a fault removed."""

    def __init__(self, engine: Engine, authenticator: Authenticator) -> None:
        self._players = engine.players
        self._views = engine.views
        engine.loop.notices.expel = self.expel_after_fault
        self._authenticator = authenticator
        self._resumes = authenticator.resumes
        self._now_ms = engine.clock.now_ms

    def expel(self, player: Player, code: ByeCode, words: str) -> None:
        """Disconnect a player: the name is free immediately, however long the connection takes to close."""
        connection = player.connection
        if connection:
            self.log_out(player)
            self.disconnect(player)
            self._views.take(Ended(connection, code, words))

    def expel_after_fault(self, player: Player, words: str) -> None:
        """Disconnect a player removed by an internal error.

        Answer their waiting command, so that it is not repeated.
        """
        for number in player.turns.drop_all():
            self._views.take(Say(player.connection, Answer(number, "cannot", words, "fault")))
        self.expel(player, "fault", words)

    def disconnect(self, player: Player) -> None:
        """Note that a player is disconnected: the body leaves, or stays on guard while it is held."""
        _log.info("%s left", player.name, extra=fields("left", name=player.name))
        self._keep_resumable(player)
        player.connection, player.attached, player.abilities = 0, 0, frozenset()
        player.turns.sent_pace = None
        self._views.take(Detached(player.account))
        player.turns.turns_alone = 0
        player.turns.clock.connection_lost(self._now_ms())
        player.attendance.present.set(now=False, at_ms=self._now_ms())
        player.turns.safe_since_ms = None
        player.turns.drop_pending()

    def log_out(self, player: Player) -> None:
        """Make a player's resume token invalid: the player leaves on purpose, or is kicked."""
        self._resumes.forget_token(player.account, player.resume.token_hash)
        player.resume.token_hash = b""

    def close_all(self, code: ByeCode, words: str) -> None:
        """Notify all players that the server stops. All bodies stay where they are, for players who return."""
        for player in self._players.connected():
            self._keep_resumable(player)
            self._views.take(Ended(player.connection, code, words))

    def _keep_resumable(self, player: Player) -> None:
        self._authenticator.connection_closed(player.account, player.name)
        self._resumes.cut(player.account, player.resume.token_hash)
