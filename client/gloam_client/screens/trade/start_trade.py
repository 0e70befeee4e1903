"""Asking for a trade, answering a request, and what the client does when the server tells of a trade."""

from msgspec.structs import replace

from gloam_client.input import keymap
from gloam_client.screens.common.command_effects import command_effect, early_notice, message
from gloam_client.screens.common.lettered_list import Pick, Way
from gloam_client.screens.lists.item_uses import beside
from gloam_client.screens.trade.trade_screen import TradeScreen
from gloam_client.state.client_effects import SendCommand
from gloam_client.state.guidance.key_words import with_keys
from gloam_client.state.model import Model, Push, Update, add_message, apply_change
from gloam_client.state.players.trading import NOT_TRADING
from gloam_shared.protocol.commands import OfferTrade
from gloam_shared.protocol.messages.trade import TradeState
from gloam_shared.text import capitalize_name, clean, fold

_STATE = TradeScreen().state


def open_trade(model: Model) -> Update:
    """Open the trade, answer a request, or ask the player beside this one; of several the player chooses."""
    trade = model.company.trade.state
    if not model.in_dungeon:
        return early_notice()
    if trade.name:
        asked = command_effect(model, OfferTrade(trade.handle)) if trade.asked else Update()
        return asked._replace(change=Push(TradeScreen()))
    friends = beside(model)
    if not friends:
        return message(with_keys(model, "No player stands beside you to trade with; {friend} goes to one."))
    if len(friends) == 1:
        return command_effect(model, OfferTrade(friends[0].handle))
    ways = tuple(Way(clean(one.name), (SendCommand(OfferTrade(one.handle)),)) for one in friends)
    asks = command_effect(model, OfferTrade(friends[0].handle))
    can_ask = any(isinstance(each, SendCommand) for each in asks.intents)
    return Update(Push(Pick("Trade with which player?", ways))) if can_ask else asks


def trade_with(model: Model, name: str) -> Update:
    """Ask the player of this name for a trade, or open the trade with them."""
    if fold(model.company.trade.name) == fold(name) and name:
        return open_trade(model)
    for one in beside(model):
        if fold(one.name) == fold(name):
            return command_effect(model, OfferTrade(one.handle))
    return message(f"{capitalize_name(clean(name))} does not stand beside you; go there first.")


def take_trade(model: Model, state: TradeState) -> Model:
    """Return the model after a message about the trade: a request is a line, an own trade opens, one that is over closes."""
    before, key = model.company.trade.state, keymap.key_for(model.options.keys, "play", "trade")
    model = replace(
        model, company=replace(model.company, trade=model.company.trade.take(state, model.now_ms))
    )
    name = model.company.trade.name
    if not name:
        return without_trade(model)
    begins = state.name != before.name
    if state.asked and (begins or not before.asked):
        return add_message(model, f"{name} wants to trade; {key} answers.", "urgent")
    if any(screen.state == _STATE for screen in model.screens):
        return model
    if begins and model.top.state == "play":
        return apply_change(model, Push(TradeScreen()))
    if begins:
        return add_message(model, f"You trade with {name} now; {key} shows it.", "urgent")
    if state.answered and state.other_confirmed and not before.other_confirmed:
        return add_message(model, f"{name} has confirmed the trade; {key} shows it.", "urgent")
    return model


def without_trade(model: Model) -> Model:
    """Return the model without a trade and its screen, as after a cut."""
    screens = tuple(screen for screen in model.screens if screen.state != _STATE)
    return replace(model, screens=screens or model.screens, company=replace(model.company, trade=NOT_TRADING))
