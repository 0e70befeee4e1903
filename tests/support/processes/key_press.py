"""A real client and a real server in one process, on the terminal that it is started on: they trace one key press.

Run as `key_press.py FOLDER [FUNCTION ...]`, a function as module:qualified.name. Once the player stands in the dungeon it writes
FOLDER/key, the bytes to type; once their step is on the screen it writes FOLDER/trace.json: the calls of those functions
in order, each with the functions of ours that were on the stack. Without functions it traces all of them.
"""

import asyncio
import json
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any, Final, cast

import msgspec
from twisted.internet import asyncioreactor

_LOOP: Final = asyncio.SelectorEventLoop()
asyncio.set_event_loop(_LOOP)
asyncioreactor.install(_LOOP)

from twisted.internet import reactor as installed  # noqa: E402  # only after it is chosen

from gloam_client.app import App  # noqa: E402
from gloam_client.net.launch_options import LaunchOptions  # noqa: E402
from gloam_client.player_store import PlayerStore  # noqa: E402
from gloam_client.screens.play import Play  # noqa: E402
from gloam_client.services.own_machine import OwnMachine  # noqa: E402
from gloam_client.state import client_events  # noqa: E402
from gloam_client.state.model import Model  # noqa: E402
from gloam_client.surface.terminal_surface import TerminalSurface  # noqa: E402
from gloam_client.terminal.terminal import Terminal  # noqa: E402
from gloam_client.user_files.address import Address  # noqa: E402
from gloam_server.app.config import resolve  # noqa: E402
from gloam_server.app.open_world import open_world  # noqa: E402
from gloam_server.app.server import Server  # noqa: E402
from gloam_server.net.reactor import Reactor  # noqa: E402
from gloam_shared.appearance import Terrain  # noqa: E402

_ARROWS: Final = {(1, 0): "\x1b[C", (-1, 0): "\x1b[D", (0, 1): "\x1b[B", (0, -1): "\x1b[A"}
_POLL_S: Final = 0.02
OURS: Final = ("gloam_client", "gloam_server", "gloam_shared")


class Trace:
    """The calls of some functions of ours in all threads, in order, each with what of ours is on its stack."""

    def __init__(self, functions: list[str]) -> None:
        self.calls: list[tuple[str, list[str]]] = []
        self.runs = False
        self._functions = set(functions)
        threading.setprofile(self._called)  # for threads that begin later
        sys.setprofile(self._called)

    def _called(self, frame: FrameType, event: str, _: Any) -> None:
        if not self.runs or event != "call":
            return
        name = _name(frame)
        if name and (name in self._functions or not self._functions):
            self.calls.append((name, list(_stack(frame))))


def _name(frame: FrameType) -> str:
    module = str(frame.f_globals.get("__name__", ""))
    return f"{module}:{frame.f_code.co_qualname}" if module.partition(".")[0] in OURS else ""


def _stack(frame: FrameType) -> Iterator[str]:
    above = frame.f_back
    while above is not None:
        if name := _name(above):
            yield name
        above = above.f_back


async def stands(app: App) -> tuple[int, int]:
    """Wait until the player stands on a level with nothing under way; return a direction in which a step is free."""
    while True:
        await asyncio.sleep(_POLL_S)
        model = app._model
        if not model.in_dungeon or model.connection.unanswered_since_ms is not None:
            continue
        if model.top.state != "play":
            app._handle(client_events.KeyPressed("ESC"))
            continue
        view = model.view
        for dx, dy in _ARROWS:
            cell = view.step((dx, dy))
            if cell is not None and view.terrain[cell] == Terrain.FLOOR:
                return dx, dy


async def step(app: App, folder: Path, trace: Trace) -> None:
    """Trace one step from the key to the screen."""
    direction = await stands(app)
    before = app._model.view.cell
    trace.runs = True
    scratch = folder / "key.new"
    scratch.write_text(_ARROWS[direction], encoding="utf-8")
    scratch.rename(folder / "key")
    while app._model.view.cell == before or app._drawing is not None:
        await asyncio.sleep(_POLL_S)
    trace.runs = False
    scratch = folder / "trace.new"
    scratch.write_text(json.dumps(trace.calls), encoding="utf-8")
    scratch.rename(folder / "trace.json")


async def play(folder: Path, port: int, trace: Trace) -> None:
    """Join the server, trace a step, and leave."""
    start = LaunchOptions("Ann", "test", b"t" * 32, folder, Address("127.0.0.1", port))
    terminal = Terminal()
    surface = TerminalSurface(terminal, unicode=True)
    app = App(
        start,
        surface,
        OwnMachine(start),
        PlayerStore(folder, folder / "options.toml"),
        Model(screens=(Play(),), name="Ann"),
    )
    terminal.open()
    try:
        app.first_paint()
        surface.begin()
        running = asyncio.ensure_future(app.run())
        await step(app, folder, trace)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    finally:
        terminal.close()


def main(folder: Path, functions: list[str]) -> None:
    """Run a server of a new world, and a client on this terminal."""
    trace = Trace(functions)
    reactor = cast(Reactor, installed)
    cast(Any, reactor).seconds = time.monotonic
    said = {"campaign": "jsrogue", "port": 0, "open": True, "seed": 1}
    config = msgspec.structs.replace(resolve(folder / "world", said, private=False), exact_seed=True)
    store, dungeon = open_world(config, int(time.time()))
    server = Server(config, store, dungeon, reactor, "test")

    def listening(_host: str, port: int, _pin: str) -> None:
        _LOOP.create_task(play(folder, port, trace)).add_done_callback(lambda _: server.ask_to_stop())

    reactor.addSystemEventTrigger("before", "shutdown", server.stop)
    reactor.callLater(0, server.start, listening)
    reactor.run(installSignalHandlers=False)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
