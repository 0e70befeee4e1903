"""Inputs to a door: messages of pages, bytes of ssh, and heads of HTTP requests, whole and broken.

A message is the page's own or refused; keys have names, pastes are bounded; a head leads to a page or to none.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Generator
from pathlib import Path
from typing import Any, Final

from websockets.exceptions import WebSocketException
from websockets.http11 import Request
from websockets.streams import StreamReader

from gloam_client.input.bracketed_paste import Pasted
from gloam_client.input.mouse import MouseEvent
from gloam_client.net.tls_connect import ConnectFailed, TrustedStream
from gloam_client.user_files.address import Address
from gloam_door.identity import SECRET_SIZE, cookie_text
from gloam_door.replays import Replays
from gloam_door.surfaces.key_decoder import KeyDecoder
from gloam_door.upstream import Visitor
from gloam_door.web import page_messages
from gloam_door.web.pages import Page, page_at
from gloam_door.web.realm_pages import RealmPages
from gloam_door.web.server import COOKIE, cookie_in
from support.fuzz.rounds import Faults
from support.simulation.randomness import Chance

_READER: Final = Visitor("web", "127.0.0.1")
_PLACE: Final = Address("localhost")
_ODD: Final[tuple[Any, ...]] = (
    None, True, -1, 0, 10**30, 1e308, "", "\x1b[2J", "\u202e", "a" * 5_000, [], {}, [[[[[[]]]]]], {"key": {"key": "UP"}},
)  # fmt: skip
_PIECES: Final = (
    b"\x1b", b"[", b"O", b"<", b"0;1;1M", b"\x1b[200~", b"\x1b[201~", b"\x1b[A", b"\x1b[1;5C", b"\xff", b"\xf0\x9f", b"~", b"q",
    b"\x1b[<35;1;1M", b"\x1b]0;t\x07", b"\x1b[?1;2c", b"\x00", b"\x9b", b"\xc3\xa9", b"\x1b[" + b"9" * 100,
)  # fmt: skip
_PATHS: Final = (
    "/", "/play", "/page.js", "/ladder", "/ladder/all/depth", "/news", "/life/abc", "/replay/abc", "/replay/abc.cast", "/watch/Anna", "/..", "//",
    "/%00", "/replay/../x", "?", "*", "http://x/",
)  # fmt: skip


class Away:
    """A game server that never answers."""

    async def dial(self, visitor: Visitor, reader: asyncio.StreamReader | None = None) -> TrustedStream:  # noqa: ARG002
        """Refuse."""
        raise ConnectFailed(f"away for {visitor.host}")


class DoorRound:
    """One round: a page, a terminal, and readers of pages."""

    def __init__(self, chance: Chance, _at: int, faults: Faults) -> None:
        self.chance = chance
        self.shown = ""
        self.tally: Counter[str] = Counter()
        self._faults = faults
        self._keys = KeyDecoder()
        self._now_s = 0.0
        replays = Replays(Path("/nonexistent"), Away(), _PLACE)
        self._pages = RealmPages(Away(), _PLACE, replays)
        self._replays = replays
        self._loop = asyncio.new_event_loop()

    def step(self) -> None:
        """Send one more input."""
        match self.chance.randrange(3):
            case 0:
                self._message()
            case 1:
                self._bytes()
            case _:
                self._head()

    def end(self) -> None:
        """Close what was open."""
        self._keys.feed(b"", self._now_s, final=True)
        self._replays.close()
        self._loop.close()
        self._faults.check()

    def _message(self) -> None:
        """Send a text as a page's message."""
        text = self.shown = self._broken(json.dumps(self._object()))
        read = self.chance.choice((page_messages.read_hello, page_messages.read_message))
        data: str | bytes = text if self.chance.random() < 0.95 else text.encode(errors="replace")
        try:
            message: Any = read(data)
        except (page_messages.BadMessage, page_messages.OtherPage):
            self.tally["messages refused"] += 1
            return
        self.tally["messages taken"] += 1
        if isinstance(message, page_messages.Key):
            assert len(message.name) <= 20
        if isinstance(message, page_messages.Text):
            assert 0 < len(message.text) <= 800

    def _object(self) -> dict[str, Any]:
        chance = self.chance
        made: dict[str, Any] = chance.choice(
            (
                {
                    "hello": chance.randrange(1, 4),
                    "size": [100, 30],
                    "say": True,
                    "name": "Ann",
                    "invite": "x",
                    "at": "/",
                },
                {"key": chance.choice(("UP", "q", "KP_1", "CTRL_R", "\x1b", "F99"))},
                {"text": "some text"},
                {"mouse": ["left", chance.randrange(-9, 300), 3]},
                {"size": [chance.randrange(300), 30]},
                {"say": True},
            )
        )
        if chance.random() < 0.5:
            made[chance.choice((*made, "more", "key"))] = chance.choice(_ODD)
        return made

    def _bytes(self) -> None:
        """Send bytes as a terminal; what they mean is a key with a name, a paste or the mouse."""
        chance = self.chance
        data = b"".join(chance.choice(_PIECES) for _ in range(chance.randrange(6)))
        if chance.random() < 0.3:
            data += chance.randbytes(chance.randrange(40))
        self.shown = data.hex()
        self._now_s += chance.random()
        for pressed in self._keys.feed(data, self._now_s, final=chance.random() < 0.2):
            self.tally["keys"] += 1
            assert isinstance(pressed, str | Pasted | MouseEvent), pressed
            assert isinstance(pressed, Pasted | MouseEvent) or (pressed and "\x1b" not in pressed), repr(
                pressed
            )
        self.tally["bytes of ssh"] += len(data)

    def _head(self) -> None:
        """Send a request."""
        chance = self.chance
        cookie = chance.choice(
            (cookie_text(chance.randbytes(SECRET_SIZE)), "x", "=" * 43, "\u00e9" * 43, '"' * 50)
        )
        lines = [
            f"{chance.choice(('GET', 'POST', 'HEAD', ''))} {chance.choice(_PATHS)} HTTP/1.1",
            "Host: x",
            f"Cookie: {COOKIE}={cookie}; a=b",
            f"X-Forwarded-For: {chance.choice(('1.2.3.4', '::1', 'x', '1,2,,'))}",
            *chance.choice(((), ("Origin: null",), ("A" * 9_000 + ": x",), ("Content-Length: 10",))),
        ]
        head = self.shown = self._broken("\r\n".join(lines) + "\r\n\r\n")
        reader = StreamReader()
        reader.feed_data(head.encode("latin-1", errors="replace"))
        reader.feed_eof()
        try:
            request = _finish(Request.parse(reader.read_line))
        except (EOFError, ValueError, NotImplementedError, WebSocketException):
            self.tally["heads refused"] += 1
            return
        self.tally["heads taken"] += 1
        secret = cookie_in(request.headers)
        assert secret is None or len(secret) == SECRET_SIZE
        page = page_at(request.path) or self._loop.run_until_complete(self._pages.at(request.path, _READER))
        assert isinstance(page, Page)
        assert page.status in (200, 404, 503)

    def _broken(self, text: str) -> str:
        """Return a text, sometimes with a part missing, doubled or exchanged."""
        chance = self.chance
        if chance.random() < 0.5 or not text:
            return text
        at, to = sorted(chance.randrange(len(text) + 1) for _ in range(2))
        part = chance.choice(
            ("", text[at:to] * 2, "\0", "\x7f", "{", '"', "\\ud800", "\r\n", "[" * 2_000, "\xff")
        )
        return text[:at] + part + text[to:]


def _finish(parsing: Generator[None, None, Request]) -> Request:
    """Return what a parser makes of data that is there already."""
    try:
        next(parsing)
    except StopIteration as done:
        request: Request = done.value
        return request
    raise EOFError
