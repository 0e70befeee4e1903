"""The message about a trade between two players. It needs the ability "trade"; the commands of a trade are in `commands`."""

from gloam_shared.protocol.messages.base import Count, Number, ServerMessage, Text
from gloam_shared.view.view import InventoryItem


class TradeState(ServerMessage, frozen=True, tag=101):
    """The player's trade as it is now, or with name "" that there is none; sent when it has changed.

    `name` and `handle` are the other player's. `revision` identifies the offer, for `ConfirmTrade`. `answered` is false
    while one of the two has only asked; then `asked` says that it was the other. `gives` and `gets` are what changes
    hands, each with its slot in the pack of the player who has it now, and with the count that is offered.
    """

    name: Text = ""
    handle: Count = 0
    revision: Number = 0
    answered: bool = False
    asked: bool = False
    confirmed: bool = False
    other_confirmed: bool = False
    gives: tuple[InventoryItem, ...] = ()
    gets: tuple[InventoryItem, ...] = ()


NO_TRADE = TradeState()
"""No trade."""
