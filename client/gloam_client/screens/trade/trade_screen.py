"""The trade: what the player gives, what they get, and who has confirmed. The server decides; this screen shows and asks."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from string import ascii_lowercase
from typing import Final, NamedTuple

from gloam_client.input import keymap
from gloam_client.render.layout import layout
from gloam_client.screens.common.command_effects import command_effect, message
from gloam_client.screens.common.keyed_screen import KeyedScreen
from gloam_client.screens.common.window import draw_more, first_shown, move_selection, with_letters
from gloam_client.state.client_effects import SendCommand
from gloam_client.state.model import Model, Pop, Replace, Update
from gloam_client.state.players.trading import READ_MS, free_count, offer_words, standing_words
from gloam_client.terminal.canvas import MARKED, PLAIN, QUIET, TITLE, Canvas, Listing, Rect
from gloam_shared.narration.rendering import list_names, with_count
from gloam_shared.protocol.commands import ConfirmTrade, EndTrade, OfferTrade
from gloam_shared.text import clean, pad
from gloam_shared.view.view import InventoryItem

SIDE_BY_SIDE: Final = 76
"""From this width on, both sides of the trade are beside each other."""
_WIDTH_MAX: Final = 110
_GIVE: Final = "You give"
_GET: Final = "You get"


class _Row(NamedTuple):
    """An item that can be offered, how many of it are, and its words."""

    item: InventoryItem
    offered: int

    @property
    def words(self) -> str:
        """The row as it is drawn: letter, mark, and "2 of 3 rations" where only a part is offered."""
        item, free = self.item, free_count(self.item)
        name = offer_words(item)
        if 0 < self.offered < item.count:
            name = f"{self.offered} of {with_count(clean(item.name), item.count)}"
        elif free < item.count:
            name = f"{name}, {free} free"
        return f"{ascii_lowercase[item.slot]} {'+' if self.offered else '-'} {name}"


@dataclass(frozen=True, slots=True)
class TradeScreen(KeyedScreen):
    """Both sides of the offer, with one own item marked, by slot; `sent` is the player's newest offer, None before one."""

    marked: int = 0
    sent: tuple[int, ...] | None = None
    state: str = "trade"

    def on_key(self, model: Model, key: str) -> Update:
        """Offer more or less, confirm, close the screen, or end the trade."""
        rows = self._rows(model)
        at = self._place(rows)
        lettered = next((row for row in rows if ascii_lowercase[row.item.slot] == key), None)
        if lettered is not None:
            return self._toggled(model, rows, lettered)
        match keymap.intent(model.options.keys, self.state, key):
            case "up" | "down" as intent if rows:
                slot = rows[move_selection(at, len(rows), intent)].item.slot
                return Update(Replace(replace(self, marked=slot)))
            case "toggle" if rows:
                return self._toggled(model, rows, rows[at])
            case "more" | "fewer" as intent if rows:
                return self._counted(model, rows, rows[at], 1 if intent == "more" else -1)
            case "up" | "down" | "toggle" | "more" | "fewer":
                return message("You carry nothing that you could give; Enter confirms what you get.", "quiet")
            case "take":
                return self._confirmed(model)
            case "back":
                return command_effect(model, EndTrade())._replace(change=Pop())
            case "later":
                return Update(Pop())
            case other:
                return self.answer(model, other, key)

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw both sides: beside each other, or one above the other in a narrow window."""
        rows = self._rows(model)
        lines = [row.words for row in rows]
        gets = [offer_words(item) for item in model.company.trade.state.gets] or ["nothing yet"]
        area = layout(*model.surface.size, model.view.place.width).overlay
        wide = area.width >= SIDE_BY_SIDE
        wanted = max(len(lines), len(gets)) if wide else len(lines) + min(len(gets), 4) + 1
        width, height = min(area.width, _WIDTH_MAX), min(max(wanted, 4) + 5, area.height)
        box = Rect(area.x + (area.width - width) // 2, area.y + (area.height - height) // 2, width, height)
        title = f"Trade with {model.company.trade.name}"
        inside = canvas.box(box, title)
        state_words = standing_words(model.company.trade.state)
        canvas.put(inside.x + 1, inside.y + inside.height - 1, state_words, TITLE, inside.x + inside.width)
        upper, lower = _parts(inside, wide, len(gets))
        _draw_side(canvas, upper, _GET, gets)
        marked = self._place(rows) if rows else None
        first = _draw_side(canvas, lower, f"{_GIVE}: {_sum(rows)}", lines or [_no_gifts(model)], marked)
        head = (f"{_GET}: {list_names(gets)}.", f"{_GIVE}: {_sum(rows)}.")
        shown = lower._replace(y=lower.y + 1, height=min(len(lines) - first, lower.height - 1))
        canvas.listing = Listing(title, tuple(lines), marked, head, state_words, frozenset(), shown, first)

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of the trade."""
        letters = "".join(ascii_lowercase[row.item.slot] for row in self._rows(model))
        return [*with_letters(letters, "give"), *keymap.hints(model.options.keys, self.state)]

    def _offered(self, model: Model) -> Mapping[int, int]:
        """Return how many items of each slot the player offers: as last sent, until the server has answered that."""
        if self.sent is not None and model.connection.unanswered_since_ms is not None:
            return dict(zip(self.sent[::2], self.sent[1::2], strict=True))
        return {item.slot: item.count for item in model.company.trade.state.gives}

    def _rows(self, model: Model) -> list[_Row]:
        offered = self._offered(model)
        return [
            _Row(item, min(offered.get(item.slot, 0), free_count(item)))
            for item in model.view.inventory
            if free_count(item) > 0
        ]

    def _place(self, rows: list[_Row]) -> int:
        return next((at for at, row in enumerate(rows) if row.item.slot == self.marked), 0)

    def _toggled(self, model: Model, rows: list[_Row], row: _Row) -> Update:
        """Offer all of an item, or none of it."""
        return self._offer(model, rows, row, 0 if row.offered else free_count(row.item))

    def _counted(self, model: Model, rows: list[_Row], row: _Row, step: int) -> Update:
        """Offer one more or one fewer of an item."""
        count = row.offered + step
        if not 0 <= count <= free_count(row.item):
            end = (
                "You offer none of it; + offers one."
                if step < 0
                else "You offer all of it that is free; - takes one back."
            )
            return message(end, "quiet")
        return self._offer(model, rows, row, count)

    def _offer(self, model: Model, rows: list[_Row], changed: _Row, count: int) -> Update:
        """Send the whole offer, with another number of one item."""
        slot = changed.item.slot
        counts = {row.item.slot: row.offered for row in rows} | {slot: count}
        pairs = tuple(part for pair in sorted(counts.items()) if pair[1] for part in pair)
        asked = command_effect(model, OfferTrade(model.company.trade.state.handle, pairs))
        if not any(isinstance(each, SendCommand) for each in asked.intents):
            return asked
        return asked._replace(change=Replace(replace(self, marked=slot, sent=pairs)))

    def _confirmed(self, model: Model) -> Update:
        """Confirm the offer that the screen shows, if the player can have read it."""
        trade = model.company.trade.state
        if trade.confirmed:
            return message(f"You have confirmed; {model.company.trade.name} has not yet.", "quiet")
        if not (trade.gives or trade.gets):
            return message("Nothing is offered yet: there is nothing to confirm.", "quiet")
        if model.connection.unanswered_since_ms is not None:
            return message("Your offer is on its way; confirm it once it stands here.", "quiet")
        if model.now_ms - model.company.trade.changed_ms < READ_MS:
            return message(f"{model.company.trade.name} has just changed the offer: read it first.")
        return command_effect(model, ConfirmTrade(trade.handle, trade.revision))


def _sum(rows: list[_Row]) -> str:
    """Return what is offered as one phrase."""
    offered = [with_count(clean(row.item.name), row.offered) for row in rows if row.offered]
    return list_names(offered) or "nothing yet"


def _parts(inside: Rect, wide: bool, gets: int) -> tuple[Rect, Rect]:  # noqa: FBT001  # the shape of the window
    """Return where the two sides are drawn: what the player gets, and what they give."""
    height = max(inside.height - 2, 2)
    if wide:
        half = (inside.width - 1) // 2
        left = Rect(inside.x, inside.y, half, height)
        return Rect(inside.x + half + 1, inside.y, inside.width - half - 1, height), left
    upper = min(gets + 1, max(height // 2 - 1, 2))
    below_y = upper + (gets + 1 > upper)  # a row for the number of lines that are out of sight
    below = Rect(inside.x, inside.y + below_y, inside.width, height - below_y)
    return Rect(inside.x, inside.y, inside.width, upper), below


def _no_gifts(model: Model) -> str:
    """Return why no item can be given."""
    return "all of yours is bound to you" if model.view.inventory else "nothing to give"


def _draw_side(canvas: Canvas, area: Rect, title: str, lines: list[str], marked: int | None = None) -> int:
    """Draw one side under its title, scrolled to the marked line; return the first line that is shown."""
    right = area.x + area.width
    canvas.put(area.x + 1, area.y, title, TITLE, right)
    room = max(area.height - 1, 1)
    first = first_shown(len(lines), room, marked or 0)
    for row, line in enumerate(lines[first : first + room]):
        style = MARKED if first + row == marked else QUIET if line.startswith("nothing") else PLAIN
        canvas.put(area.x, area.y + 1 + row, pad(f" {line} ", area.width), style, right)
    hidden = len(lines) - first - room
    if first or hidden > 0:
        draw_more(canvas, area._replace(y=area.y + 1, height=room), first, hidden)
    return first
