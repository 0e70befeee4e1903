"""The view side's half of a player: their client, what it was sent, and what it gets next. `Clients` has them by account."""

from dataclasses import dataclass, field

from gloam_server.engine.publishing.client_view import ClientView
from gloam_server.net.conversation import Conversation
from gloam_server.views.view_cache import ViewCache
from gloam_server.world.model.events import DamageDealt
from gloam_shared.protocol.messages.chat import ChatLine
from gloam_shared.protocol.messages.trade import NO_TRADE, TradeState
from gloam_shared.view.view import Log


@dataclass(slots=True, eq=False)
class ClientState:
    """The client of one account. The log and the wounds outlive its connections."""

    account: int
    name: str
    connection: Conversation | None = None
    """The present connection of the player."""
    elsewhere: bool = False
    """Whether the player is connected to another view process."""
    unproved: bool = False
    """Whether the connection began with a resume token that the client has not yet confirmed by an acknowledgement."""
    view: ClientView | None = None
    """The newest view that was sent; None until the body is in the dungeon."""
    log: Log = field(default_factory=Log)
    """The log lines of this life."""
    needs_update: bool = False
    """Whether the view is stale."""
    party_stale_ms: int | None = None
    """The time since which the party has changed after the newest view; None if it has not."""
    has_own_news: bool = False
    """Whether the player's own last turn is not yet sent: it is sent without delay."""
    pending_chat: list[ChatLine] = field(default_factory=list)
    """Messages to send after the next view, such as a death's, which follows the view's log lines."""
    sent_trade: TradeState = NO_TRADE
    """The trade as it was sent to this connection."""
    shown: ViewCache = field(default_factory=ViewCache)
    """The newest view, of which the next one keeps what did not change."""
    wounds: tuple[DamageDealt, ...] = ()
    """The damage of the body's last turns; lost when the server restarts."""
    answered: int = 0
    """Up to this number the commands of this life are answered without a turn."""
    waiting: int = 0
    """The number of a waiting command that a newer one has overtaken; 0 without one."""
    away: bool = False
    """Whether the player is away, which their own view shows without delay."""

    @property
    def stale(self) -> bool:
        """Whether anything has changed after the newest view: on the level or in the party."""
        return self.needs_update or self.party_stale_ms is not None

    def done(self, commanded: int) -> int:
        """Return the number up to which commands are answered, if the body has carried out `commanded`.

        A level-up choice may be carried out while an older command still waits: that one is not answered yet.
        """
        done = max(commanded, self.answered)
        return min(done, self.waiting - 1) if self.waiting else done

    @property
    def is_connected(self) -> bool:
        """Whether the player has a connection, here or in another view process."""
        return self.connection is not None or self.elsewhere

    def disconnect(self) -> None:
        """Clear the state of the lost connection."""
        self.connection = None
        self.elsewhere = False
        self.view = None
        self.sent_trade = NO_TRADE
