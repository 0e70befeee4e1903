"""The surface of a visitor by ssh: escape sequences for their terminal, or lines of text."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Final, NamedTuple

from gloam_client.input.mouse import MOUSE_OFF, MOUSE_ON, MouseEvent
from gloam_client.linear import spoken_screen
from gloam_client.linear.line_output import LineOutput
from gloam_client.render.frame import draw
from gloam_client.state.model import Model
from gloam_client.state.options import Options
from gloam_client.terminal.painter import Painter
from gloam_client.terminal.terminal import ENTER, LEAVE
from gloam_door.surfaces.cell_surface import INPUTS_MAX
from gloam_door.surfaces.flood_limit import FloodLimit
from gloam_door.surfaces.key_decoder import REST_S, KeyDecoder, Pressed
from gloam_door.surfaces.paced_frames import PacedFrames, answer_due_s

_BYTES_BURST: Final = 4_096
_BYTES_PER_S: Final = 2_048
"""The limit of a terminal's bytes, more than a paste and a mouse send: each takes 35 us to decode."""


class Abilities(NamedTuple):
    """The abilities of a visitor's terminal: its color depth, whether it takes UTF-8, and whether it gets lines of text."""

    depth: str
    utf8: bool
    linear: bool


def abilities_of(term: str, environment: Mapping[str, str]) -> Abilities:
    """Return what a terminal can do by its type and the variables that its ssh client sends. Unset means UTF-8."""
    locale = environment.get("LC_ALL") or environment.get("LC_CTYPE") or environment.get("LANG") or "UTF-8"
    linear = term in ("", "dumb") or bool(environment.get("GLOAM_SCREEN_READER"))
    if environment.get("NO_COLOR") or linear:
        depth = "none"
    elif environment.get("COLORTERM") in ("truecolor", "24bit") or term.endswith("-direct"):
        depth = "true"
    elif "256" in term or term.startswith(("xterm", "tmux", "screen", "alacritty", "foot", "kitty")):
        depth = "256"
    else:
        depth = "none" if term.startswith(("vt100", "vt220")) else "16"
    return Abilities(depth, "utf8" in locale.casefold().replace("-", ""), linear)


class SequenceSurface:
    """One terminal at the other end of an ssh connection; `write` sends bytes to it."""

    kind: Final = "ssh"

    def __init__(self, size: tuple[int, int], able: Abilities, write: Callable[[bytes], object]) -> None:
        self.frames = PacedFrames()
        self.unicode = able.utf8
        self._size = size
        self._able = able
        self._write = write
        self._painter = Painter(able.depth)
        self._lines = LineOutput() if able.linear else None
        self._keys = KeyDecoder()
        self._inputs: asyncio.Queue[Pressed] = asyncio.Queue(INPUTS_MAX)
        self._rest: asyncio.TimerHandle | None = None
        self._mouse = False
        self._full = False
        now_s = asyncio.get_running_loop().time()
        self._byte_limit = FloodLimit(now_s, _BYTES_BURST, _BYTES_PER_S)
        self._key_limit, self._move_limit = FloodLimit(now_s), FloodLimit(now_s)

    @property
    def size(self) -> tuple[int, int]:
        """The (columns, rows) to draw for."""
        return spoken_screen.SIZE if self._lines else self._size

    @property
    def lights(self) -> bool:
        """Whether the terminal shows light on the map."""
        return self._painter.lights

    def resize(self, columns: int, rows: int) -> None:
        """Draw for another size from now on."""
        self._size = (columns, rows)

    def begin(self) -> None:
        """Take the terminal over."""
        if self._lines is None:
            self._send(ENTER)

    def end(self, words: str) -> None:
        """Give the terminal back, with the last words."""
        self.frames.stop()
        self._send(("" if self._lines else LEAVE) + (f"{words}\r\n" if words else ""))

    def use(self, options: Options) -> None:
        """Use a player's options. The next frame is whole."""
        depth = self._able.depth if options.colours == "auto" else options.colours
        self._painter.use(depth, synchronized=False, theme=options.theme)
        self.unicode = self._able.utf8 if options.glyphs == "auto" else options.glyphs != "ascii"
        mouse = options.mouse != "off" and self._lines is None
        if mouse != self._mouse:
            self._mouse = mouse
            self._send(MOUSE_ON if mouse else MOUSE_OFF)

    def show(self, model: Model) -> None:
        """Show the state of the client: the changes of a picture, or lines of text."""
        if text := self._lines.show(model) if self._lines else self._painter.paint(draw(model)):
            self.frames.sent()
            self._send(text)
            if not self._full:
                self.frames.taken()

    def accepts_frame(self, model: Model, resume: Callable[[], object]) -> bool:
        """Return whether a frame of this state can be shown now; if not, call `resume` once it can."""
        return self.frames.accepts(resume, answer_due_s(model))

    def pause(self) -> None:
        """The connection takes nothing more: the newest frame waits."""
        self._full = True

    def resume(self) -> None:
        """The connection has room again."""
        self._full = False
        self.frames.taken()

    def forget(self) -> None:
        """Forget what is shown: the next frame is whole."""
        self._painter.forget()
        if self._lines:
            self._lines.forget()

    def ring(self) -> None:
        """Ring the terminal's bell, if the connection has room."""
        if not self._full:
            self._send("\a")

    def receive(self, data: bytes) -> None:
        """Take bytes of the terminal; those beyond the limits, and inputs beyond those that may wait, are dropped."""
        loop = asyncio.get_running_loop()
        data = data[: self._byte_limit.take(loop.time(), len(data))]
        if self._rest is not None:
            self._rest.cancel()
            self._rest = None
        self._press(self._keys.feed(data, loop.time()))
        if self._keys.waits:
            self._rest = loop.call_later(REST_S, self._no_rest)

    @property
    def is_flooded(self) -> bool:
        """Whether the terminal has sent too much for so long that the visit ends. A mouse may move as it likes."""
        now_s = asyncio.get_running_loop().time()
        return self._byte_limit.is_flood(now_s) or self._key_limit.is_flood(now_s)

    async def inputs(self) -> AsyncIterator[Pressed]:
        """Yield names of keys, pasted text and actions of the mouse."""
        while True:
            yield await self._inputs.get()

    def suspend(self) -> bool:
        """Return False: this side of the connection has no shell."""
        return False

    def _no_rest(self) -> None:
        self._rest = None
        self._press(self._keys.feed(b"", asyncio.get_running_loop().time(), final=True))

    def _press(self, pressed: list[Pressed]) -> None:
        if pressed:
            self.frames.asked()
        now_s = asyncio.get_running_loop().time()
        for each in pressed:
            moves = isinstance(each, MouseEvent) and each.action == "move"
            limit = self._move_limit if moves else self._key_limit
            if limit.takes(now_s) and self._inputs.qsize() < INPUTS_MAX:
                self._inputs.put_nowait(each)

    def _send(self, text: str) -> None:
        self._write(text.encode("utf-8" if self._able.utf8 else "ascii", errors="replace"))
