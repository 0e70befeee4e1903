"""The real client without a terminal: its loop over real TCP, on a surface that keeps the newest frame. It starts no process."""

import asyncio
import re
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from functools import cache
from pathlib import Path
from typing import Any, Final, Self

from gloam_client.app_start import agent, begin
from gloam_client.input.bracketed_paste import Pasted
from gloam_client.input.mouse import MouseAction, MouseEvent
from gloam_client.net.launch_options import ExitStatus, LaunchOptions
from gloam_client.player_store import PlayerStore
from gloam_client.render.frame import draw
from gloam_client.services.own_machine import OwnMachine
from gloam_client.services.services import Services
from gloam_client.state.client_effects import ClientEffect
from gloam_client.state.model import Model
from gloam_client.state.options import Options
from gloam_client.state.records import SurfaceKind
from gloam_client.terminal.canvas import PLAIN, Cell, Style
from gloam_client.user_files.address import Address
from gloam_client.user_files.device_token import load_device_token
from support.processes.pty import PATIENCE_S

_KEY: Final = re.compile(r"\x1b\[[0-9;]*[A-Za-z~]|.", re.DOTALL)
_NAMED: Final = {
    "\r": "ENTER",
    "\t": "TAB",
    "\x7f": "BACKSPACE",
    "\x1b": "ESC",
    **dict(zip(("\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"), ("UP", "DOWN", "RIGHT", "LEFT"), strict=True)),
    "\x1b[F": "END",
    "\x1b[H": "HOME",
    "\x1b[3~": "DELETE",
    "\x1b[20~": "F9",
    "\x1b[21~": "F10",
}
"""The keys that are more than a sign or Ctrl with a letter, as a terminal sends them."""

Frame = tuple[tuple[Cell, ...], ...]

_FAULTS: Final[list[BaseException]] = []
"""The exceptions of callbacks, which the loop itself only reports."""


class HeadlessSurface:
    """A surface of a fixed size that shows all signs. The loop writes to it; tests read `frame`, which is replaced whole."""

    unicode = True
    lights = True

    def __init__(self, rows: int, cols: int, kind: SurfaceKind = "terminal") -> None:
        self.kind: SurfaceKind = kind
        self.size = (cols, rows)
        self.frame: Frame = ()
        self.drawn = 0
        """The number of frames that differed from the one before."""
        self.rings = 0
        self.keys: asyncio.Queue[str | Pasted | MouseEvent] = asyncio.Queue()
        self.changed = threading.Condition()

    def use(self, options: Options) -> None:
        """Use a player's options."""
        self.unicode = options.glyphs != "ascii"

    def show(self, model: Model) -> None:
        """Draw the state of the client."""
        self.keep(tuple(map(tuple, draw(model).cells)))

    def keep(self, frame: Frame) -> None:
        """Replace the frame, and wake the test that waits for a change."""
        with self.changed:
            if frame != self.frame:
                self.frame = frame
                self.drawn += 1
                self.changed.notify_all()

    def accepts_frame(self, model: Model, resume: Callable[[], object]) -> bool:  # noqa: ARG002  # a test is never behind
        """Return that the last frame was taken."""
        return True

    def forget(self) -> None:
        """Do nothing: each frame is whole."""

    def ring(self) -> None:
        """Count a ring of the bell."""
        self.rings += 1

    async def inputs(self) -> AsyncIterator[str | Pasted | MouseEvent]:
        """Yield what the test presses and pastes."""
        while True:
            yield await self.keys.get()

    def suspend(self) -> bool:
        """Return that no shell could continue it."""
        return False


class HeadlessClient:
    """A client on a surface of its own, with its files in `home`. Close it, or use it in a `with`.

    A fault in it fails the test with its traceback. All clients of a test process run on one loop in one thread.
    """

    def __init__(
        self,
        home: Path,
        server: int | Address | None,
        name: str,
        *,
        rows: int = 24,
        cols: int = 80,
        kind: SurfaceKind = "terminal",
        services: Services | None = None,
        **chosen: Any,
    ) -> None:
        """Join a server, here at a port alone, or with None the own world; `chosen` are further LaunchOptions."""
        place = Address("127.0.0.1", server) if isinstance(server, int) else server
        start = LaunchOptions(name, agent(), load_device_token(home), home, place, **chosen)
        store = PlayerStore(home, home / "options.toml")
        self._surface = HeadlessSurface(rows, cols, kind)
        services = services or OwnMachine(start)
        self._app = begin(start, self._surface, services, store, *store.load_options())
        self._seen = 0
        self._loop = _loop()
        self._ending = asyncio.run_coroutine_threadsafe(self._run(), self._loop)

    def __enter__(self) -> Self:
        """Return the running client."""
        return self

    def __exit__(self, *_: object) -> None:
        """End it, also after an error."""
        self.close()

    @property
    def rings(self) -> int:
        """The number of times that it has rung the bell."""
        return self._surface.rings

    def type(self, keys: str) -> None:
        """Press keys, in the bytes of a terminal."""
        for key in _KEY.findall(keys):
            self._put(_NAMED.get(key) or (f"CTRL_{chr(ord(key) + 64)}" if key < " " else key))

    def paste(self, text: str) -> None:
        """Paste a text."""
        self._put(Pasted(text))

    def mouse(self, action: MouseAction, x: int, y: int) -> None:
        """Use the mouse at a cell, counted from 0."""
        self._put(MouseEvent(action, x, y))

    def click(self, words: str) -> None:
        """Click the words where they show; they must show once in the row that has them lowest."""
        rows = self.screen()
        y = next(at for at in range(len(rows) - 1, -1, -1) if words in rows[at])
        self.mouse("left", rows[y].index(words) + len(words) // 2, y)

    def resize(self, rows: int, cols: int) -> None:
        """Give the surface another size."""

        async def resized() -> None:
            self._surface.size = (cols, rows)
            self._app.resize()

        self._do(resized())

    def perform(self, effect: ClientEffect) -> None:
        """Carry out an effect as a screen's, though perhaps no screen offers it."""

        async def performed() -> None:
            self._app._perform(effect)

        self._do(performed())

    def screen(self) -> list[str]:
        """Return the rows as they show now; after the end, the words of the end."""
        return ["".join(char for char, _ in row) for row in self._surface.frame]

    def text(self) -> str:
        """Return the whole screen as one text."""
        return "\n".join(self.screen())

    def cell(self, row: int, column: int) -> Style:
        """Return the style of a cell."""
        return self._surface.frame[row][column][1]

    def marked(self, char: str) -> tuple[int, int] | None:
        """Return row and column of the first reversed cell with `char`: the player's cell, for "@"."""
        for y, row in enumerate(self._surface.frame):
            for x, (shown, style) in enumerate(row):
                if shown == char and style.reverse:
                    return y, x
        return None

    def pump(self, timeout: float) -> bool:
        """Wait for up to `timeout` for another frame, and return whether there is one."""
        surface = self._surface
        with surface.changed:
            changed = surface.changed.wait_for(lambda: surface.drawn != self._seen, timeout)
            self._seen = surface.drawn
        return changed

    def wait_for(self, wanted: str | Callable[[list[str]], bool], timeout: float = PATIENCE_S) -> list[str]:
        """Wait until a text shows or a predicate of the rows is true; fail with the screen's picture."""
        deadline = time.monotonic() + timeout
        while True:
            ended = self._ending.done()
            rows = self.screen()
            if (wanted in "\n".join(rows)) if isinstance(wanted, str) else wanted(rows):
                return rows
            if ended or time.monotonic() > deadline:
                ending = self._ending.result() if ended else None
                picture = "\n".join(row.rstrip() for row in rows)
                raise AssertionError(f"never on the screen: {wanted!r}; end {ending}; now:\n{picture}")
            self.pump(0.02)  # a predicate may ask for more than the screen

    def wait_exit(self, timeout: float = PATIENCE_S) -> int:
        """Wait until the client ends, and return its exit status."""
        return self._ending.result(timeout).code

    def close(self) -> None:
        """End the client in any state."""
        self._do(self._leave())
        self._ending.result(PATIENCE_S)
        if _FAULTS:
            fault = _FAULTS[0]
            _FAULTS.clear()
            raise fault

    async def _run(self) -> ExitStatus:
        self._running = asyncio.current_task()
        self._app.first_paint()
        try:
            ending = await self._app.run()
        except asyncio.CancelledError:  # the test has closed it
            ending = ExitStatus()
        self._surface.keep(tuple(tuple((char, PLAIN) for char in row) for row in ending.text.splitlines()))
        return ending

    async def _leave(self) -> None:
        assert self._running is not None
        self._running.cancel()

    def _put(self, pressed: str | Pasted | MouseEvent) -> None:
        self._loop.call_soon_threadsafe(self._surface.keys.put_nowait, pressed)

    def _do(self, work: Coroutine[None, None, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE_S)


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """Return the loop of all clients of this process, which runs in a thread of its own."""
    loop = asyncio.new_event_loop()
    loop.set_exception_handler(_keep_fault)
    threading.Thread(target=loop.run_forever, name="headless clients", daemon=True).start()
    return loop


def _keep_fault(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Keep the exception of a callback for the test; report what is no exception."""
    if "exception" in context:
        _FAULTS.append(context["exception"])
    else:
        loop.default_exception_handler(context)
