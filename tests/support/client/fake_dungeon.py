"""The fake server in a thread of its own, and the real client that connects to it, on a pseudo-terminal or without one."""

import asyncio
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

from support.client.fake_server import FakeServer
from support.client.headless_client import HeadlessClient
from support.processes.pty import PATIENCE_S, PtyTerminal

T = TypeVar("T")


class ServerThread:
    """The stand-in server on a loop of its own, so that the test may block on the terminal."""

    def __init__(self) -> None:
        self.server = FakeServer()
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self.server.start(), self.loop).result(PATIENCE_S)

    def do(self, act: Callable[[], T]) -> T:
        """Do something on the server's own loop."""

        async def acted() -> T:
            return act()

        return asyncio.run_coroutine_threadsafe(acted(), self.loop).result(PATIENCE_S)

    def wait_for(self, condition: Callable[[], object]) -> None:
        """Wait until something holds; fail when it does not in time."""
        deadline = time.monotonic() + PATIENCE_S
        while not condition():
            assert time.monotonic() < deadline, f"heard in vain: {self.server.heard[-5:]}"
            time.sleep(0.02)

    def stop(self) -> None:
        """Stop the server and its thread."""
        asyncio.run_coroutine_threadsafe(self.server.stop(), self.loop).result(PATIENCE_S)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(PATIENCE_S)
        self.loop.close()


@pytest.fixture
def dungeon() -> Iterator[ServerThread]:
    """The stand-in server. The conftest files of the folders that use it import it."""
    server = ServerThread()
    yield server
    server.stop()


def join(dungeon: ServerThread, home: Path, rows: int = 24, cols: int = 80, **chosen: Any) -> HeadlessClient:
    """Start the client as Ann, without a terminal; `chosen` are further LaunchOptions."""
    return HeadlessClient(home, dungeon.server.port, "Ann", rows=rows, cols=cols, **chosen)


def start(
    dungeon: ServerThread,
    home: Path,
    *more: str,
    env: dict[str, str] | None = None,
    rows: int = 24,
    cols: int = 80,
    answers: bool = True,
    mouse: bool = False,
    ambiguous: int = 1,
) -> PtyTerminal:
    """Start the client as Ann, on a terminal of this size."""
    argv = [sys.executable, "-m", "gloam_client", f"127.0.0.1:{dungeon.server.port}", "--name", "Ann", *more]
    return PtyTerminal(
        argv,
        {"GLOAM_HOME": str(home), **(env or {})},
        rows,
        cols,
        answers=answers,
        mouse=mouse,
        ambiguous=ambiguous,
    )
