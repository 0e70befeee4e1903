"""The trade of one player, as they may know it: the names of what they would get are those that they know. Pure."""

from gloam_server.views.inventory import offered_items
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.trading.trades import sides, trade_of
from gloam_shared.protocol.messages.trade import NO_TRADE, TradeState


def trade_state(level: Level, viewer: Creature) -> TradeState:
    """Return the trade of a player, or the request to them; `NO_TRADE` without one."""
    trade = trade_of(level, viewer.number)
    if trade is None:
        return NO_TRADE
    mine, theirs = sides(trade, viewer.number)
    other = level.creatures[theirs.number]
    return TradeState(
        name=other.name,
        handle=level.handles[other.number],
        revision=trade.revision,
        answered=trade.answered,
        asked=not trade.answered and trade.second.number == viewer.number,
        confirmed=mine.confirmed,
        other_confirmed=theirs.confirmed,
        gives=offered_items(level, viewer, viewer, mine.items),
        gets=offered_items(level, viewer, other, theirs.items),
    )
