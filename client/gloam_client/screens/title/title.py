"""The title of bare `gloam`: a name with a default, and where to play or watch. Enter alone continues here."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from gloam_client.input import keymap
from gloam_client.render.ember import draw_ember
from gloam_client.screens.common.help import Help
from gloam_client.screens.common.text_field import EMPTY, TextField
from gloam_client.screens.common.window import move_selection
from gloam_client.screens.lists.ladder import LadderScreen
from gloam_client.screens.replays.replay_list import ReplayList
from gloam_client.screens.session.options_screen import OptionsScreen
from gloam_client.screens.title.friends import FriendsScreen
from gloam_client.screens.title.ladders import DailyScreen, LadderChoiceScreen
from gloam_client.screens.title.servers import ServersScreen, probes
from gloam_client.screens.title.worlds import WorldsScreen
from gloam_client.state.client_effects import GoTo, InviteFriends, LeaveGame, ListReplays, StartJoining
from gloam_client.state.home import Home
from gloam_client.state.model import Model, Push, Replace, Update
from gloam_client.state.players.ladder import LadderOwner
from gloam_client.terminal.canvas import (
    BRIGHT,
    MARKED,
    PLAIN,
    QUIET,
    Canvas,
    Listing,
    Rect,
    Style,
    wrap_text,
)
from gloam_client.user_files.title_news import TitleNews
from gloam_shared import limits
from gloam_shared.text import name_fault


class _Entry(NamedTuple):
    """One line of the title: its words, and what it does under a valid name."""

    words: str
    then: Callable[[Model, str], Update]


@dataclass(frozen=True, slots=True)
class Title:
    """The name as typed so far; `typed` says whether it is still the default, which the first letter replaces.

    `behind` counts its letters behind the cursor.
    """

    name: str
    typed: bool = False
    fault: str = ""
    marked: int = 0
    state: str = "title"
    behind: int = 0

    @property
    def line(self) -> TextField:
        """The name with its cursor."""
        at = len(self.name) - self.behind
        return TextField(self.name[:at], self.name[at:])

    def on_key(self, model: Model, key: str) -> Update:
        """Type a name, mark an entry, take it, or leave."""
        match keymap.intent(model.options.keys, self.state, key):
            case "begin":
                return self._take(model)
            case "up" | "down" as intent:
                return self._become(marked=move_selection(self.marked, len(_entries(model.home)), intent))
            case intent if (line := self.line.edited(intent)) is not None:
                return self._edit(line)
            case "help":
                return Update(Push(Help(self.state)))
            case "quit":
                return Update(intents=(LeaveGame(),))
        if len(key) == 1 and key.isascii() and key.isalnum():
            line = self.line if self.typed else EMPTY
            return self._edit(line.typed(key, limits.NAME_MAX))
        if len(key) == 1:
            return self._become(fault="A name is made of the letters A to Z and digits.")
        return self._become(
            fault=f"No command on {keymap.key_label(key)}. Enter takes the marked line, Esc leaves."
        )

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the name of the game, the player's name, and the entries."""
        canvas.fill(Rect(0, 0, canvas.width, canvas.height))
        lines = tuple(entry.words for entry in _entries(model.home))
        about = wrap_text("A shared dungeon, where the monsters gain experience too.", canvas.width)
        y = max((canvas.height - len(lines) - len(about) - 7) // 3, 0)
        draw_ember(canvas, y, model)
        for line in about:
            y += 1
            _center(canvas, y, line, PLAIN)
        y -= 1
        x = max((canvas.width - 51) // 2, 0)
        end = canvas.put(x, y + 3, "Your name: ", PLAIN)
        self.line.draw(canvas, end, y + 3, limits.NAME_MAX + 1)
        for row, words in enumerate(lines):
            style = MARKED if row == self.marked else PLAIN
            canvas.put(x, y + 5 + row, f"{'>' if row == self.marked else ' '} {words} ", style)
        news = _news_words(model.home.news)
        head, rows = (f"Your name: {self.name}", *([news] if news else [])), Rect(x, y + 5, 51, len(lines))
        canvas.listing = Listing("Gloam", lines, self.marked, head, self.fault, frozenset(), rows, 0)
        y += 6 + len(lines)
        _center(canvas, y, self.fault or "Enter takes the marked line.", BRIGHT if self.fault else QUIET)
        joined = model.server.address and model.surface.kind == "terminal"
        others = f"Others on this machine join with: gloam {model.server.address}" if joined else ""
        _center(canvas, y + 1, others, QUIET)
        below, told = y + 2 + bool(others), wrap_text(news, canvas.width - 2)
        for row, line in enumerate(told if below + len(told) < canvas.height else (), start=below):
            _center(canvas, row, line, QUIET)

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of the title."""
        return [*keymap.hints(model.options.keys, self.state), ("a-z", "name")]

    def _take(self, model: Model) -> Update:
        entry = _entries(model.home)[self.marked]
        fault = name_fault(self.name) if entry.then not in _NAMELESS else None
        return self._become(fault=fault) if fault else entry.then(model, self.name)

    def _edit(self, line: TextField) -> Update:
        return self._become(name=line.text, behind=len(line.after), typed=True)

    def _become(self, fault: str = "", **changes: object) -> Update:
        return Update(Replace(replace(self, fault=fault, **changes)))  # type: ignore[arg-type]  # fields of its own


def _news_words(news: TitleNews) -> str:
    """Return the newest line of the chronicle, with its realm; "" without any."""
    if not news.text:
        return ""
    where = f"at {news.address}" if news.address else f"in your world ({news.campaign or 'gloam'})"
    return f"The newest {where}: {news.text}"


def _continue_words(home: Home) -> str:
    """Return the first entry: the world that continues, or begins."""
    chosen = home.campaign or "gloam"
    there = any(world.exists for world in home.worlds if world.campaign == chosen)
    return f"Continue here ({chosen})" if there or not home.worlds else f"Play here ({chosen}, a new world)"


def _play(_: Model, name: str) -> Update:
    return Update(intents=(StartJoining(name),))


def _worlds(_: Model, name: str) -> Update:
    return Update(Push(WorldsScreen(name)))


def _friends(_: Model, name: str) -> Update:
    return Update(Push(FriendsScreen(name)), (InviteFriends(),))


def _join(model: Model, name: str) -> Update:
    return Update(Push(ServersScreen(name, watches=False)), probes(model))


def _watch(model: Model, name: str) -> Update:
    return Update(Push(ServersScreen(name, watches=True)), probes(model))


def _daily(model: Model, name: str) -> Update:
    """Begin the seed of the day, or show its result."""
    if model.home.result is not None:
        return Update(Push(DailyScreen()))
    return Update(intents=(GoTo(name, daily=model.home.day),))


def _ladder(_: Model, name: str) -> Update:
    return Update(Push(LadderChoiceScreen(name)))


def _replays(_: Model, __: str) -> Update:
    return Update(Push(ReplayList()), (ListReplays(),))


def _options(_: Model, __: str) -> Update:
    return Update(Push(OptionsScreen()))


def _quit(_: Model, __: str) -> Update:
    return Update(intents=(LeaveGame(),))


_LAST: Final = (
    _Entry("Replays of your lives", _replays),
    _Entry("Options", _options),
    _Entry("Quit", _quit),
)
_OWN: Final = (
    _Entry("Worlds: another campaign, a new world, delete one", _worlds),
    _Entry("Let friends in", _friends),
    _Entry("Join a server", _join),
    _Entry("Watch others play", _watch),
    _Entry("Seed of the day: one life, the same for everyone", _daily),
    _Entry("Ladder: the best lives", _ladder),
    *_LAST,
)
_NAMELESS: Final = frozenset({_options, _quit, _replays})


def _entries(home: Home) -> tuple[_Entry, ...]:
    """Return the lines of this title: a visitor plays, watches and ranks at one server."""
    if home.visits is None:
        return (_Entry(_continue_words(home), _play), *_OWN)
    address = home.visits

    def watch(_: Model, name: str) -> Update:
        return Update(intents=(GoTo(name, address, watches=True),))

    def ladder(model: Model, name: str) -> Update:
        screen = LadderScreen(name, LadderOwner(address))
        return Update(Push(screen), screen.asks(model))

    return (
        _Entry("Play", _play),
        _Entry("Watch others play", watch),
        _Entry("Ladder: the best lives", ladder),
        *_LAST,
    )


def _center(canvas: Canvas, y: int, text: str, style: Style) -> None:
    canvas.put(max((canvas.width - len(text)) // 2, 0), y, text, style)
