"""The player's trade as the client knows it, and since when its other side is unchanged. Pure."""

from typing import Final, NamedTuple

from gloam_shared.narration.rendering import inventory_name
from gloam_shared.protocol.messages.trade import NO_TRADE, TradeState
from gloam_shared.text import clean
from gloam_shared.view.view import InventoryItem, ItemFlag

READ_MS: Final = 1_500
"""After a change by the other player an offer cannot be confirmed for this time: it is to be read first."""
_IN_USE: Final = ItemFlag.WIELDED | ItemFlag.WORN | ItemFlag.PUT_ON


class KnownTrade(NamedTuple):
    """The trade as the server told it last; its name is "" without one."""

    state: TradeState = NO_TRADE
    changed_ms: int = -1_000_000
    """The time at which the goods that the player would get changed last."""

    @property
    def name(self) -> str:
        """The other player's name, safe to show; "" without a trade."""
        return clean(self.state.name)

    def take(self, state: TradeState, now_ms: int) -> "KnownTrade":
        """Return what is known after a message of the server."""
        begins = not self.state.name
        changed = state.gets != self.state.gets and not begins
        return KnownTrade(state, now_ms if changed else self.changed_ms)


NOT_TRADING: Final = KnownTrade()
"""No trade is known."""


def free_count(item: InventoryItem) -> int:
    """Return how many of a carried item can be offered: not what is bound or in use."""
    if item.traits & ItemFlag.BOUND:
        return 0
    return item.count - max(item.bound, bool(item.traits & _IN_USE))


def offer_words(item: InventoryItem) -> str:
    """Return an offered item as a list shows it, with what it adds to attack and defense."""
    gains = [f"{word} {n:+}" for word, n in (("Atk", item.attack), ("Def", item.defence)) if n]
    return "  ".join([clean(inventory_name(item)), *gains])


def standing_words(trade: TradeState) -> str:
    """Return as a sentence who has confirmed the offer."""
    name = clean(trade.name)
    if not trade.answered and not trade.asked:
        return f"{name} has not answered yet."
    if trade.confirmed:
        return f"You have confirmed; {name} has not yet."
    return (
        f"{name} has confirmed this offer; you have not yet."
        if trade.other_confirmed
        else "Not confirmed yet."
    )
