"""Messages to players about faults: a closed level, and why a player was removed."""

from collections.abc import Callable
from typing import Final

from gloam_server.engine.faults.fault_isolation import FaultReport
from gloam_server.engine.messages import SayAll, Unshowable, Views
from gloam_server.engine.player import Player
from gloam_server.engine.players import Players
from gloam_shared.protocol.messages.chat import ChatLine

_VIEW_FAILED: Final = (
    "A fault in the server keeps it from showing you the dungeon. Your body is looked after as after a cut: "
    "join again. The host has a report."
)


class FaultNotices:
    """Notifies players of faults. The gateway sets `expel`, which ends a player's connection with a message."""

    def __init__(self, players: Players, views: Views) -> None:
        self._players = players
        self._views = views
        self.expel: Callable[[Player, str], None] = lambda *_: None

    def publish(self, faults: FaultReport) -> None:
        """Send messages to the players that a fault removed, and to all players of levels that it closed."""
        for line in faults.lines:
            self._views.take(SayAll(ChatLine("", line)))
        for removed in faults.casualties:
            player = self._players.by_account(removed.account)
            if player is not None:
                self.expel(player, removed.words)

    def expel_unshowable(self, message: Unshowable) -> None:
        """Disconnect a player whose views cannot be made; the body stays in place."""
        player = self._players.by_account(message.account)
        if player is not None:
            self.expel(player, _VIEW_FAILED)
