"""A page without a browser: the messages of the door's page over a real WebSocket, and the cells that it was sent."""

import json
import time
from collections.abc import Callable
from typing import Any, Final

from websockets.sync.client import ClientConnection

from support.door.cell_runs import runs_of

_PATIENCE_S: Final = 60


class PagePlayer:
    """One page. `said` are the lines of text, `bye` is the farewell, `own` is the shown own link."""

    def __init__(self, socket: ClientConnection, width: int = 100, height: int = 30, **hello: Any) -> None:
        self.socket = socket
        self.cells: list[list[str]] = []
        self.styles: dict[int, list[Any]] = {}
        self.keys: list[list[str]] = []
        self.state = self.title = self.bye = self.own = ""
        self.said: list[str] = []
        self.bytes = 0
        self.send(hello=2, size=[width, height], **hello)

    def send(self, **message: Any) -> None:
        """Send one message."""
        self.socket.send(json.dumps(message))

    def press(self, *keys: str) -> None:
        """Press keys, by their names in the key table."""
        for key in keys:
            self.send(key=key)

    def text(self) -> str:
        """Return what the page shows."""
        return "\n".join("".join(row) for row in self.cells)

    def wait_for(self, wanted: str | Callable[["PagePlayer"], bool]) -> None:
        """Wait until a text shows, or a predicate of this page is true; fail with the picture."""
        deadline = time.monotonic() + _PATIENCE_S
        while not (wanted in self.text() if isinstance(wanted, str) else wanted(self)):
            if time.monotonic() > deadline:
                raise AssertionError(f"never: {wanted!r}; now:\n{self.text()}")
            try:
                self.take(str(self.socket.recv(1)))
            except TimeoutError:
                continue

    def take(self, data: str) -> None:
        """Take parts, as the page does."""
        self.bytes += len(data)
        for name, *values in json.loads(data):
            match name:
                case "size":
                    self.cells = [[" "] * values[0] for _ in range(values[1])]
                case "style":
                    self.styles[values[0]] = values[1:]
                case "cells":
                    self._put(values[0])
                case "keys":
                    self.state, self.keys = values[0], values[1]
                case "title":
                    self.title = values[0]
                case "say":
                    self.said += values[0]
                case "own":
                    self.own = values[0]
                case "bye":
                    self.bye = values[0]

    def _put(self, rows: list[list[Any]]) -> None:
        for row, column, number, text in runs_of(rows):
            assert number in self.styles
            for at, sign in enumerate(text):
                self.cells[row][column + at] = sign


def begin(player: PagePlayer, name: str) -> None:
    """Type a name on the title, and join."""
    player.wait_for("Your name")
    player.press(*name, "ENTER")
    player.wait_for("HP ")
    player.press("ESC")
