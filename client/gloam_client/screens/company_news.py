"""The server's messages about a trade or the party, for the model."""

from gloam_client.screens.party.party_requests import take_party
from gloam_client.screens.trade.start_trade import take_trade
from gloam_client.state.model import Model
from gloam_shared.protocol.messages.parties import PartyInvite, PartyState
from gloam_shared.protocol.messages.trade import TradeState


def take_company_news(model: Model, news: TradeState | PartyState | PartyInvite) -> Model:
    """Return the model after news of a trade, of the party, or of an invite."""
    return take_trade(model, news) if isinstance(news, TradeState) else take_party(model, news)
