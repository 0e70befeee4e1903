"""The surface of the terminal that the program was started on: drawn frames, or lines of text."""

from collections.abc import AsyncIterator, Callable
from typing import Final

from gloam_client.input.bracketed_paste import Pasted
from gloam_client.input.mouse import MouseEvent
from gloam_client.linear import spoken_screen
from gloam_client.linear.line_output import LineOutput
from gloam_client.render.frame import draw
from gloam_client.state.model import Model
from gloam_client.state.options import Options
from gloam_client.terminal.painter import Painter
from gloam_client.terminal.terminal import Capabilities, Terminal, speaks_utf8
from gloam_shared.text import count_ambiguous


class TerminalSurface:
    """One terminal. `unicode` says whether its locale and its font have more than ASCII."""

    kind: Final = "terminal"

    def __init__(self, terminal: Terminal, *, unicode: bool) -> None:
        self._terminal = terminal
        self._locale_unicode = unicode
        self._able = Capabilities("none", synchronized=False)
        self._painter = Painter("none")
        self._lines = LineOutput() if terminal.linear else None
        self.unicode = unicode

    @property
    def size(self) -> tuple[int, int]:
        """The (columns, rows) to draw for."""
        return spoken_screen.SIZE if self._lines else self._terminal.size

    @property
    def lights(self) -> bool:
        """Whether the terminal shows light on the map."""
        return self._painter.lights

    def begin(self) -> None:
        """Ask the terminal what it can do. It blocks until the terminal has answered, or for a second."""
        self._able = self._terminal.probe()
        count_ambiguous(self._able.ambiguous)

    def use(self, options: Options) -> None:
        """Use a player's options; lines of text begin now, the drawn screen returns at the next start."""
        able = self._able
        if options.screen_reader == "on" and self._lines is None:
            self._terminal.become_linear()
            self._lines = LineOutput()
        self._terminal.use_mouse(on=options.mouse == "on" or (options.mouse == "auto" and able.mouse))
        depth = options.colours
        if depth == "auto":
            depth = "none" if self._terminal.no_color else able.depth
        self._painter.use(depth, synchronized=able.synchronized, light=able.light, theme=options.theme)
        self._terminal.utf8 = speaks_utf8() or options.glyphs in ("cp437", "unicode")
        wanted = self._locale_unicode if options.glyphs == "auto" else options.glyphs != "ascii"
        self.unicode = wanted and able.ambiguous == 1

    def show(self, model: Model) -> None:
        """Show the state of the client: the changes of a picture, or lines of text."""
        if text := self._lines.show(model) if self._lines else self._painter.paint(draw(model)):
            self._terminal.write(text)

    def accepts_frame(self, model: Model, resume: Callable[[], object]) -> bool:  # noqa: ARG002  # a terminal shows all
        """Return whether the terminal has taken the last frame; if not, call `resume` once it has."""
        if self._terminal.blocked:
            self._terminal.when_taken(resume)
            return False
        return True

    def forget(self) -> None:
        """Forget what is shown: the next frame is whole."""
        self._painter.forget()
        if self._lines:
            self._lines.forget()

    def ring(self) -> None:
        """Ring the terminal's bell."""
        self._terminal.write("\a")

    def inputs(self) -> AsyncIterator[str | Pasted | MouseEvent]:
        """Yield names of keys, pasted text and actions of the mouse, until the terminal is lost."""
        return self._terminal.keys()

    def suspend(self) -> bool:
        """Give the terminal back until the shell continues this job; the next frame is whole."""
        self._terminal.suspend()
        self._painter.forget()
        return True
