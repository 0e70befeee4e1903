"""The ladder: the lives that ended on a server, one board at a time, with the own rank above. Costs no time."""

from dataclasses import dataclass, replace

from msgspec import structs

from gloam_client.input import keymap
from gloam_client.render.layout import layout
from gloam_client.render.panels.ladder_table import ORDER_WORDS, SPAN_WORDS, day, own_line, table
from gloam_client.screens.common.command_effects import message, offline_notice
from gloam_client.screens.common.keyed_screen import KeyedScreen
from gloam_client.screens.common.window import draw_window, move_selection
from gloam_client.state.client_effects import AskBoard, ClientEffect, SendMessage
from gloam_client.state.model import Model, Push, Replace, Update
from gloam_client.state.players.ladder import HERE, LadderOwner
from gloam_client.terminal.canvas import Canvas, Rect, fit_text
from gloam_shared import limits
from gloam_shared.protocol.messages.lives import BEACONS
from gloam_shared.protocol.messages.records import ORDERS, SPANS, AskLadder, Ladder, LadderOrder, LadderSpan
from gloam_shared.text import clean

_PAGE = 8
_OLDER = "This server is older and keeps no ladder; its host can upgrade it."


@dataclass(frozen=True, slots=True)
class LadderScreen(KeyedScreen):
    """One board with a marked life; `name` is the player whose rank is shown."""

    name: str
    owner: LadderOwner = HERE
    span: LadderSpan = "all"
    order: LadderOrder = "depth"
    marked: int = 0
    state: str = "ladder"

    def on_key(self, model: Model, key: str) -> Update:
        """Change the board, move the mark, ask again, or go back."""
        match keymap.intent(model.options.keys, self.state, key):
            case "next span" | "previous span" as intent:
                spans = SPANS if self.owner == HERE else SPANS[:-1]
                by = 1 if intent == "next span" else -1
                return replace(self, span=spans[(spans.index(self.span) + by) % len(spans)]).shown(model)
            case "next order" | "previous order" as intent:
                by = 1 if intent == "next order" else -1
                orders = self._orders(model)
                order = orders[(orders.index(self.order) + by) % len(orders)]
                return replace(self, order=order).shown(model)
            case "again":
                return self.shown(model, again=True)
            case "up" | "down" | "page up" | "page down" as intent:
                return Update(Replace(replace(self, marked=self._moved(model, intent))))
            case other:
                return self.answer(model, other, key)

    def shown(self, model: Model, *, again: bool = False) -> Update:
        """Return the change to this board; it is asked for unless it is known."""
        known = self._board(model) is not None and not again
        return Update(Replace(replace(self, marked=0)), () if known else self.asks(model))

    def asks(self, model: Model) -> tuple[ClientEffect, ...]:
        """Return the effect that asks for this board."""
        party = _party(model, self.name) if self.span == "party" else ()
        question = AskLadder(self.span, self.order, self.name, party)
        if self.owner == HERE:
            return (SendMessage(question),)
        return (AskBoard(self.owner, question),)

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the choice of boards, the own rank, and the lives."""
        if self.owner != HERE:
            canvas.fill(Rect(0, 0, canvas.width, canvas.height))
        board = self._board(model)
        head = [
            _choice(SPAN_WORDS, SPANS if self.owner == HERE else SPANS[:-1], self.span),
            f"by {_choice(ORDER_WORDS, self._orders(model), self.order)}",
        ]
        title = f"Ladder of {fit_text(clean(self.owner.words), 40)}" if self.owner.words else "Ladder"
        if board is None:
            fault = clean(model.records.ladder.faults.get(self.owner, ""))
            draw_window(canvas, model, title, [fault or "Asking the server..."], head=[*head, ""])
            return
        columns, lines = table(board, layout(*model.surface.size).overlay.width - 4)
        head += [
            own_line(board, self.name),
            "",
            _columns(model, columns) if lines else "No life has ended here yet.",
        ]
        marked = min(self.marked, len(lines) - 1) if lines else None
        draw_window(canvas, model, title, lines, marked, head=head, foot=_terms(board))

    def _orders(self, model: Model) -> tuple[LadderOrder, ...]:
        """Return the orders that the server knows: by beacons only where the realm has some."""
        lit = self.owner == HERE and BEACONS in model.world.abilities
        return ORDERS if lit else tuple(order for order in ORDERS if order != "beacons")

    def _board(self, model: Model) -> Ladder | None:
        return model.records.ladder.boards.get((self.owner, self.span, self.order))

    def _moved(self, model: Model, intent: str) -> int:
        board = self._board(model)
        lives = len(board.rows) if board else 0
        if intent in ("up", "down"):
            return move_selection(self.marked, lives, intent)
        return max(0, min(self.marked + (_PAGE if intent == "page down" else -_PAGE), lives - 1))


def open_ladder(model: Model) -> Update:
    """Open the ladder of the server in play, and ask for its first board."""
    if "ladder" not in model.world.abilities:
        return message(_OLDER)
    screen = LadderScreen(model.name)
    return offline_notice(model) or Update(Push(screen), () if model.keys.repeated else screen.asks(model))


def _party(model: Model, name: str) -> tuple[str, ...]:
    """Return the names for the board of the party: none where the server knows the party, else all who play."""
    if "parties" in model.world.abilities:
        return ()
    names = dict.fromkeys((name, *(friend.name for friend in model.friends)))
    return tuple(names)[: limits.LADDER_PARTY_MAX]


def _columns(model: Model, columns: str) -> str:
    """Return the heads of the columns in one line of the window."""
    return fit_text(columns, layout(*model.surface.size).overlay.width - 4)


def _choice(words: dict[str, str], offered: tuple[str, ...], chosen: str) -> str:
    """Return the offered words in a row, the chosen one in brackets."""
    return "  ".join(f"[{words[one]}]" if one == chosen else words[one] for one in offered)


def _terms(board: Ladder) -> str:
    """Return since when lives count, and what all compared lives share."""
    since = f"Since {day(board.since_s)} (UTC). " if board.since_s else ""
    of_all = f"{len(board.dungeons)} dungeons. " if board.dungeons else ""
    return f"{since}{of_all}{fit_text(clean(board.campaign), 24)}, rules {board.rules}, content {clean(board.content)[:12]}."


def take_ladder(model: Model, board: Ladder) -> Model:
    """Return the model with a board of the server in play."""
    return structs.replace(
        model, records=structs.replace(model.records, ladder=model.records.ladder.take(HERE, board))
    )
