"""The chronicle of the realm: named creatures, events, and the best lives. Costs no time."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, takewhile

from msgspec.structs import replace

from gloam_client.input import keymap
from gloam_client.render.layout import layout
from gloam_client.screens.common.command_effects import message, offline_notice
from gloam_client.screens.common.keyed_screen import PagedScreen
from gloam_client.screens.common.window import draw_pages
from gloam_client.state.client_effects import SendMessage
from gloam_client.state.model import Model, Push, Update
from gloam_client.terminal.canvas import Canvas, wrap_text
from gloam_shared.narration.rendering import end_of_life
from gloam_shared.protocol.messages.records import AskChronicle, Chronicle, PastLife
from gloam_shared.text import clean


@dataclass(frozen=True, slots=True)
class ChronicleScreen(PagedScreen):
    """The chronicle, with its scroll position."""

    first: int = 0
    state: str = "chronicle"

    def on_key(self, model: Model, key: str) -> Update:
        """Scroll, or go back to the game."""
        intent = keymap.intent(model.options.keys, self.state, key)
        return self.answer_pages(model, intent, key, _lines(model))

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the lines over the map."""
        draw_pages(canvas, model, "Chronicle", _lines(model), self.first)

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of the chronicle."""
        return self.hints_of(model, _lines(model), "help", "back")


def open_chronicle(model: Model) -> Update:
    """Open the chronicle and request the newest one; return a message if the server does not support it.

    A held key opens and closes the chronicle many times in a second: it asks once.
    """
    if "chronicle" not in model.world.abilities:
        return message("This server is older and keeps no chronicle for you; its host can upgrade it.")
    asks = () if model.keys.repeated else (SendMessage(AskChronicle()),)
    return offline_notice(model) or Update(Push(ChronicleScreen()), asks)


def _lines(model: Model) -> list[str]:
    if model.records.chronicle is None:
        return ["Asking the server..."]
    width = layout(*model.surface.size).overlay.width - 4
    texts = list(
        chain(
            _named(model.records.chronicle), _events(model.records.chronicle), _lives(model.records.chronicle)
        )
    )
    return [line for indent, text in texts for line in _wrapped(text, width, indent)]


def _named(chronicle: Chronicle) -> Iterator[tuple[str, str]]:
    """Return the lines of the living named creatures, each with its prefix; none without such creatures."""
    if chronicle.named:
        yield from [("", "Wanted:"), *(("  ", one) for one in chronicle.named), ("", "")]


def _events(chronicle: Chronicle) -> Iterator[tuple[str, str]]:
    """Return the events, the newest first."""
    yield ("", "News, the newest first:")
    yield from (("  ", event) for event in reversed(chronicle.events))
    if not chronicle.events:
        yield ("  ", "There is no news yet.")


def _lives(chronicle: Chronicle) -> Iterator[tuple[str, str]]:
    """Return the ended lives, the best first; nothing if there are none."""
    if chronicle.lives:
        yield from [("", ""), ("", "Past lives, the greatest first:")]
    yield from ((f"{place:2}. ", _life_text(life)) for place, life in enumerate(chronicle.lives, 1))


def _wrapped(text: str, width: int, indent: str) -> list[str]:
    lines = wrap_text(clean(text), width - len(indent)) or [""]
    return [f"{indent if at == 0 else ' ' * len(indent)}{line}" for at, line in enumerate(lines)]


def _life_text(life: PastLife) -> str:
    ending = f"won by {life.by}" if life.won else end_of_life(life.by)
    turns = "1 turn" if life.turns == 1 else f"{life.turns} turns"
    return f"{life.name}, level {life.level}, reached depth {life.depth} in {turns} and {ending}."


def asks_for_wanted(before: Model, model: Model) -> tuple[SendMessage, ...]:
    """Return the request for named creatures once the player is on another depth, or reads of the end of one.

    A watcher asks for none.
    """
    moved = model.in_dungeon and model.view.place.depth != before.view.place.depth
    asks = not model.dead and "chronicle" in model.world.abilities and not model.company.watch.here
    return (SendMessage(AskChronicle()),) if asks and (moved or _has_news_of_end(before, model)) else ()


def _has_news_of_end(before: Model, model: Model) -> bool:
    """Return whether a new line of the log is the news of the end of a creature that the chronicle calls wanted."""
    entries, told = model.messages.entries, model.records.chronicle
    if told is None or not told.wanted or entries is before.messages.entries:
        return False
    known = before.messages.entries[-1:]
    new = takewhile(lambda entry: entry not in known, reversed(entries))
    news = [entry.text for entry in new if not entry.speaker]
    return any(f"{clean(one.name)}, level " in text for text in news for one in told.wanted)


def take_chronicle(model: Model, chronicle: Chronicle) -> Model:
    """Return the model with the chronicle of the realm."""
    return replace(model, records=replace(model.records, chronicle=chronicle))
