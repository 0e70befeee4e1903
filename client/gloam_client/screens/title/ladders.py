"""From the title to a ladder: of an own world, of a server of before, or the own results in seeds of the day."""

from dataclasses import dataclass
from typing import NamedTuple

from gloam_client.input import keymap
from gloam_client.render.layout import layout
from gloam_client.screens.common.keyed_screen import MarkedScreen, PagedScreen
from gloam_client.screens.common.window import draw_pages, draw_window
from gloam_client.screens.lists.ladder import LadderScreen
from gloam_client.state.home import Home
from gloam_client.state.model import Model, Push, Update
from gloam_client.state.players.ladder import LadderOwner
from gloam_client.terminal.canvas import Canvas, Rect, fit_text, wrap_text
from gloam_client.user_files.address import BadAddress, parse_invitation
from gloam_shared.text import clean


class _Entry(NamedTuple):
    """One line: its words, the ladder, and the player's name there; no ladder for the seeds of the day."""

    words: str
    owner: LadderOwner | None
    name: str = ""


@dataclass(frozen=True, slots=True)
class LadderChoiceScreen(MarkedScreen):
    """The ladders that there are, one of them marked."""

    name: str
    marked: int = 0
    state: str = "ladder places"

    def on_key(self, model: Model, key: str) -> Update:
        """Mark a ladder and open it."""
        entries = _entries(model.home, self.name)
        match keymap.intent(model.options.keys, self.state, key):
            case "take":
                entry = entries[min(self.marked, len(entries) - 1)]
                if entry.owner is None:
                    return Update(Push(DailyScreen()))
                screen = LadderScreen(entry.name, entry.owner)
                return Update(Push(screen), screen.asks(model))
            case other:
                return self.answer_list(model, other, key, len(entries))

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the ladders."""
        canvas.fill(Rect(0, 0, canvas.width, canvas.height))
        lines = [entry.words for entry in _entries(model.home, self.name)]
        marked = min(self.marked, len(lines) - 1)
        foot = "Other servers: gloam ladder HOST in your shell." if model.surface.kind == "terminal" else ""
        draw_window(canvas, model, "Ladders", lines, marked, foot=foot)


@dataclass(frozen=True, slots=True)
class DailyScreen(PagedScreen):
    """The own results in seeds of the day, the newest first, as lines for friends."""

    first: int = 0
    state: str = "daily"

    def on_key(self, model: Model, key: str) -> Update:
        """Scroll, or go back."""
        intent = keymap.intent(model.options.keys, self.state, key)
        return self.answer_pages(model, intent, key, _result_lines(model))

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the results."""
        canvas.fill(Rect(0, 0, canvas.width, canvas.height))
        draw_pages(canvas, model, "Seeds of the day", _result_lines(model), self.first)


def _entries(home: Home, name: str) -> list[_Entry]:
    """Return the seeds of the day, the own worlds that exist, and the servers of before."""
    entries = [_Entry("Seeds of the day: your results", None)]
    for world in home.worlds:
        if world.exists:
            owner = LadderOwner(campaign=world.campaign)
            entries.append(_Entry(f"Your world: {fit_text(clean(world.campaign), 40)}", owner, name))
    for server in home.servers:
        try:
            address, _ = parse_invitation(server.address)
        except BadAddress:
            continue
        entries.append(_Entry(fit_text(clean(server.address), 48), LadderOwner(address), server.name))
    return entries


def _result_lines(model: Model) -> list[str]:
    width = layout(*model.surface.size).overlay.width - 4
    if not model.home.results:
        return [
            "You have no result yet. The seed of the day is on the title,",
            "and a new one comes at midnight (UTC).",
        ]
    words = [["", *wrap_text(clean(result.words), width)] for result in model.home.results]
    today = f"Today is {model.home.day} (UTC)." if model.home.day else ""
    return [today, *(line for lines in words for line in lines)]
