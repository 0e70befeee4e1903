"""One visitor by browser for load tests: a WebSocket by hand, which steps to free cells only, so that each key is answered."""

import json
import re
import socket
import struct
from typing import Any, Final

from support.door.cell_runs import runs_of

WIDTH: Final = 100
HEIGHT: Final = 30
WALK: Final = {
    "UP": (-1, 0), "RIGHT": (0, 1), "DOWN": (1, 0), "LEFT": (0, -1),
    "KP_7": (-1, -1), "KP_9": (-1, 1), "KP_3": (1, 1), "KP_1": (1, -1),
}  # fmt: skip
"""The steps of each key: rows and columns."""
_FREE: Final = frozenset(".·")
_DEPTH: Final = re.compile(r"Depth +(\d+)")
_COOKIE: Final = re.compile(rb"\r\nSet-Cookie: ([^;]+);", re.IGNORECASE)
_READ_SIZE: Final = 65_536
_CLOSE: Final = 8
_PING: Final = 9


class PageVisitor:
    """Gives a name, closes the story, goes down to a depth, and then walks. Times are in seconds.

    `at` is the path of their page, and `cookie` their identity, which the door gives to one without. `takes` are the times from each key to the next message: of keys that
    are pressed before an answer, the first counts.
    """

    def __init__(self, number: int, port: int, depth: int, *, at: str = "/", cookie: str = "") -> None:
        self.number = number
        self.cookie = cookie
        self._page = at
        self.depth = depth
        self.state = ""
        self.bye = ""
        self.closed = False
        self.frames = self.bytes = self.keys = 0
        self.takes: list[float] = []
        self.here = 0
        self._pressed_s: float | None = None
        self._waiting = b""
        self._open = False
        self._cells = [[" "] * WIDTH for _ in range(HEIGHT)]
        self._ground = ""
        self._map_right = WIDTH
        self._reverse: set[int] = set()
        self._at: tuple[int, int] | None = None
        self.socket = socket.create_connection(("127.0.0.1", port), 10)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        high, low = divmod(number, 200)
        self.socket.sendall(
            (
                f"GET /play HTTP/1.1\r\nHost: localhost:{port}\r\nOrigin: http://localhost:{port}\r\nUpgrade: websocket\r\n"
                f"Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
                f"X-Forwarded-For: 198.51.{100 + high}.{low + 1}\r\n"
                + (f"Cookie: {cookie}\r\n\r\n" if cookie else "\r\n")
            ).encode()
        )
        self.socket.settimeout(0)

    @property
    def in_place(self) -> bool:
        """Whether the visitor plays on their depth."""
        return self.state == "play" and self.here == self.depth

    def hello(self) -> None:
        """Send the first message."""
        self._send({"hello": 2, "size": [WIDTH, HEIGHT], "name": f"Guest{self.number}", "at": self._page})

    def close(self) -> None:
        """Say that the page closes."""
        self._send_frame(0x88, b"\x03\xe8")

    def press(self, key: str, now_s: float) -> None:
        """Press a key."""
        self.keys += 1
        if self._pressed_s is None:
            self._pressed_s = now_s
        self._send({"key": key})

    def resize(self, columns: int) -> None:
        """Ask for a whole frame of another size, until the line is full."""
        self.keys += 1
        self._send({"size": [columns, HEIGHT]})

    def say(self, *, on: bool) -> None:
        """Ask for lines of text beside the picture, or for none."""
        self.keys += 1
        self._send({"say": on})

    def step(self, turn: int, now_s: float) -> None:
        """Press what leads to the visitor's depth, by the state of the page; there, walk."""
        match self.state:
            case "":
                return
            case "title":
                self.press("ENTER", now_s)
            case "play" if self.here < self.depth:
                self.press(">" if turn % 3 else "o", now_s)
            case "play":
                self.press(self._way(turn), now_s)
            case _:
                self.press("ESC", now_s)

    def _way(self, turn: int) -> str:
        """Return the key of a step to a free cell; the one that waits without any."""
        ways = list(WALK.items())
        first = (turn * 7 + self.number) % len(ways)
        for key, (down, right) in ways[first:] + ways[:first]:
            if self._at is not None and self._cells[self._at[0] + down][self._at[1] + right] in _FREE:
                return key
        return "."

    def read(self, now_s: float) -> None:
        """Take what has arrived."""
        try:
            data = self.socket.recv(_READ_SIZE)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self.closed = True
            return
        self._waiting += data
        if not self._open:
            head, found, rest = self._waiting.partition(b"\r\n\r\n")
            if not found:
                return
            if b" 101 " not in head:
                self.bye, self.closed = head.decode(errors="replace"), True
                return
            if given := _COOKIE.search(head):
                self.cookie = given[1].decode()
            self._open, self._waiting = True, rest
            self.hello()
        while (frame := self._frame()) is not None:
            self._take(*frame, now_s)

    def _take(self, kind: int, body: bytes, now_s: float) -> None:
        if kind == _CLOSE:
            self.closed = True
        elif kind == _PING:
            self._send_frame(0x8A, body)
        else:
            self.frames += 1
            self.bytes += len(body)
            if self._pressed_s is not None:
                self.takes.append(now_s - self._pressed_s)
                self._pressed_s = None
            self._look(json.loads(body))

    def _look(self, parts: list[list[Any]]) -> None:
        for name, *values in sorted(parts, key=lambda part: part[0] == "cells"):
            match name:
                case "keys":
                    self.state = values[0]
                case "bye":
                    self.bye = values[0]
                case "size":
                    self._ground = values[2]
                case "style" if values[2] != self._ground:
                    self._reverse.add(values[0])
                case "map":
                    self._map_right = values[0] + values[2]
                case "cells":
                    self._put(values[0])
        if self.here < self.depth and (found := _DEPTH.search("".join(self._cells[HEIGHT - 2]))):
            self.here = int(found[1])

    def _put(self, rows: list[list[Any]]) -> None:
        for row, column, style, text in runs_of(rows):
            self._cells[row][column : column + len(text)] = text
            if style in self._reverse and "@" in text and column < self._map_right:
                self._at = (row, column + text.index("@"))

    def _frame(self) -> tuple[int, bytes] | None:
        """Return the next whole message: its kind and its bytes; a server's are not masked."""
        data = self._waiting
        if len(data) < 2:
            return None
        size, at = data[1], 2
        if size == 126:
            size, at = int.from_bytes(data[2:4]), 4
        elif size == 127:
            size, at = int.from_bytes(data[2:10]), 10
        if len(data) < at + size:
            return None
        self._waiting = data[at + size :]
        return data[0] & 15, data[at : at + size]

    def _send(self, message: dict[str, Any]) -> None:
        self._send_frame(0x81, json.dumps(message).encode())

    def _send_frame(self, first: int, body: bytes) -> None:
        size = bytes((0x80 | len(body),)) if len(body) < 126 else b"\xfe" + struct.pack(">H", len(body))
        try:
            self.socket.sendall(bytes((first,)) + size + bytes(4) + body)
        except OSError:
            self.closed = True
