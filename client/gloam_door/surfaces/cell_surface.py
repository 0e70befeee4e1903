"""The surface of a page: the cells that changed, with the styles of the player's theme, as parts of one JSON text.

The page knows no rule of the game, and no color but those that it gets here.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Final

import msgspec

from gloam_client.input.bracketed_paste import Pasted
from gloam_client.input.mouse import MouseEvent
from gloam_client.linear.line_output import LineOutput
from gloam_client.render.frame import draw
from gloam_client.screens.common.clicks import keys_by_label
from gloam_client.state.bell import awaited
from gloam_client.state.model import Model
from gloam_client.state.options import Options
from gloam_client.terminal.canvas import Canvas
from gloam_client.terminal.themes import theme_for
from gloam_door.surfaces.cell_changes import CellChanges, Part
from gloam_door.surfaces.paced_frames import PacedFrames, answer_due_s

INPUTS_MAX: Final = 64
"""The most keys that wait; more are dropped."""
_TEXT_STATES: Final = frozenset({"say", "secret", "title"})
"""The states in which letters are text: the page opens its text field."""
_TEXT_MAX: Final = 400


class CellSurface:
    """One page. `send` takes a JSON text; the door calls `taken` when the line has room again."""

    kind: Final = "browser"
    unicode = True

    def __init__(self, size: tuple[int, int], send: Callable[[str], None], *, say: bool) -> None:
        self.size = size
        self.frames = PacedFrames()
        self._send = send
        self._inputs: asyncio.Queue[str | Pasted | MouseEvent] = asyncio.Queue(INPUTS_MAX)
        self._theme = theme_for("gloam", light=False)
        self._shown: Canvas | None = None
        self._changes = CellChanges(self._theme)
        self._lines = LineOutput() if say else None
        self._told: dict[str, Part] = {}
        self._rings = False

    def use(self, options: Options) -> None:
        """Use a player's options: theme and glyphs. The next frame is whole."""
        self._theme = theme_for(options.theme, light=False)
        self.unicode = options.glyphs != "ascii"
        if options.screen_reader == "on" and self._lines is None:
            self.speak(on=True)
        self.forget()

    @property
    def lights(self) -> bool:
        """Whether the theme has light for the map."""
        return bool(self._theme.lights)

    def show(self, model: Model) -> None:
        """Send what has changed on the page."""
        self.show_drawn(model, draw(model))

    def show_drawn(self, model: Model, canvas: Canvas) -> None:
        """Send what has changed on the page, from a drawn state."""
        parts = [*self._picture(canvas), *self._facts(model, canvas), *self._spoken(model)]
        if self._rings:
            parts.append(["bell"])
            self._rings = False
        if parts:
            self.frames.sent()
            self._send(msgspec.json.encode(parts).decode())

    def accepts_frame(self, model: Model, resume: Callable[[], object]) -> bool:
        """Return whether a frame of this state can be shown now; if not, call `resume` once it can."""
        return self.frames.accepts(resume, answer_due_s(model))

    def forget(self) -> None:
        """Forget what the page shows: the next frame is whole."""
        self._shown = None
        self._changes = CellChanges(self._theme)
        self._told.clear()

    def ring(self) -> None:
        """Ring with the next frame."""
        self._rings = True

    def begin_again(self, size: tuple[int, int], send: Callable[[str], None], *, say: bool) -> None:
        """Show everything on another page of the same visitor, whose line was cut."""
        self.size, self._send = size, send
        self._lines = LineOutput() if say else None
        self.forget()
        self.frames.taken()

    def speak(self, *, on: bool) -> None:
        """Send lines of text beside the picture from now on, or no longer."""
        self._lines = LineOutput() if on else None

    def press(self, pressed: str | Pasted | MouseEvent) -> bool:
        """Take an input of the page; return whether there was room for it."""
        self.frames.asked()
        try:
            self._inputs.put_nowait(pressed)
        except asyncio.QueueFull:
            return False
        return True

    async def inputs(self) -> AsyncIterator[str | Pasted | MouseEvent]:
        """Yield names of keys, texts and actions of the mouse."""
        while True:
            yield await self._inputs.get()

    def suspend(self) -> bool:
        """Return False: a page has no shell."""
        return False

    def _picture(self, canvas: Canvas) -> list[Part]:
        """Return the cells that differ from the page's, behind the styles that the page does not know yet."""
        shown, parts, known = self._shown, [], len(self._changes.styles)
        if shown is None or (shown.width, shown.height) != (canvas.width, canvas.height):
            shown, begun = self._changes.begin(canvas)
            parts.append(begun)
        rows = self._changes.between(shown, canvas)
        self._shown = canvas
        return [*parts, *self._changes.styles[known:], *([["cells", rows]] if rows else [])]

    def _facts(self, model: Model, canvas: Canvas) -> list[Part]:
        """Return what else has changed: the keys that are valid now, the place of the map, the page's title."""
        top = model.top
        buttons = [[key, label, word] for key, label, word in _buttons(model)]
        facts: list[Part] = [
            ["keys", top.state, buttons, _TEXT_MAX if top.state in _TEXT_STATES else 0],
            ["title", _title(model)],
            ["own", _shown_link(model)],
        ]
        if canvas.map_part is not None:
            facts.append(["map", *canvas.map_part.area])
        return self._untold(facts)

    def _untold(self, facts: list[Part]) -> list[Part]:
        """Return the facts that the page does not know yet."""
        changed = [fact for fact in facts if self._told.get(fact[0]) != fact]
        self._told.update((fact[0], fact) for fact in facts)
        return changed

    def _spoken(self, model: Model) -> list[Part]:
        if self._lines is None:
            return []
        lines = [line for line in self._lines.show(model).split("\r\n") if line.strip("\b ")]
        return [["say", lines]] if lines else []


def _buttons(model: Model) -> list[tuple[str, str, str]]:
    """Return the keys of the bottom line, each with its label and word; a pair such as "Up/Down" is two."""
    known = keys_by_label(model.options.keys)
    return [
        (known[part], part, word)
        for label, word in model.top.hints(model)
        for part in ([label] if label in known else label.split("/"))
        if part in known
    ]


def _shown_link(model: Model) -> str:
    """Return the own link, while its screen is open and the server has confirmed it."""
    login = model.login
    return login.link if model.top.state == "keep name" and login.linked != "asked" else ""


def _title(model: Model) -> str:
    """Return the page's title: it says when others wait for this player."""
    if awaited(model):
        return "Your move - Gloam"
    return f"{model.name} - Gloam" if model.in_dungeon and model.name else "Gloam"
