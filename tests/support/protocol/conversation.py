"""A conversation recorded from the real server under a manual clock; as a program it writes shared/conversation.txt.

Lines that begin with `>` are frames from the client and those with `<` from the server, in hex; `=` lines are the parts of
the view that the frame before them changed, as JSON; `-` is the end of a connection. All else is for the reader.
"""

import json
import sys
from pathlib import Path
from typing import Any, Final

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from gloam_client.net.protocol_client import ProtocolClient
from gloam_shared import limits
from gloam_shared.appearance import TERRAIN_LOOKS, Terrain
from gloam_shared.geometry import DIRECTIONS
from gloam_shared.protocol.codec import decode_from_client, decode_from_server
from gloam_shared.protocol.commands import Explore, Fight, PickUp, Stop, Wait, Wield
from gloam_shared.protocol.framing import Framer, FrameWriter
from gloam_shared.protocol.messages.login import Goodbye
from gloam_shared.protocol.messages.play import Update
from gloam_shared.protocol.messages.records import AskMapMemory
from gloam_shared.protocol.registry import ABILITIES, FromClient, FromServer
from gloam_shared.view.view import View
from support.content.campaigns import arena
from support.server.sim_server import SimClient, SimServer
from support.server.transports import Wire

FILE: Final = Path(__file__).parents[3] / "shared" / "conversation.txt"
SEED: Final = 3
_WIDTH: Final = 110
_HEAD: Final = """\
A conversation with a Gloam server, from Hello to Bye, for those who write a client. See PROTOCOL.md.

`>` is a frame from the client and `<` one from the server, in hex; a line that is indented goes on with the same frame.
The comment above a frame is what it says. `=` names a part of the view that the frame before it has changed, and tells all
of that part as JSON: lists as PROTOCOL.md gives them, maps as rows of two hex digits a cell. `-` is the end of a connection;
the next frame begins a new one. `make protocol` records this file again; a test replays it.
"""


class Transcript:
    """The recorded lines, and the last view."""

    def __init__(self) -> None:
        self.lines = [f"# {line}".rstrip() for line in _HEAD.splitlines()]
        self._recorded: dict[str, Any] = {}

    def remark(self, words: str) -> None:
        """Write a sentence for the reader."""
        self.lines += ["", f"# {words}"]

    def frame(self, direction: str, message: FromClient | FromServer, data: bytes) -> None:
        """Write a frame."""
        fields = [f"{name} {_shown(getattr(message, name))}" for name in message.__struct_fields__]
        said = f"{type(message).__name__} {', '.join(fields)}".strip()
        self.lines += ["", f"# {said if len(said) <= _WIDTH else said[: _WIDTH - 4] + ' ...'}"]
        digits = data.hex(" ")
        for at in range(0, len(digits), 3 * 32):
            self.lines.append(f"{direction if not at else ' '} {digits[at : at + 3 * 32].strip()}")

    def view(self, view: View) -> None:
        """Write the parts of a view that have changed since the last call."""
        for name, value in parts(view).items():
            if self._recorded.get(name) != value:
                self._recorded[name] = value
                self.lines.append(f"= {name} {json.dumps(value, ensure_ascii=False)}")

    def map(self, view: View) -> None:
        """Draw a view for the reader."""
        width = view.place.width
        drawn = [TERRAIN_LOOKS[Terrain(each)].ascii for each in view.terrain]
        for creature in view.creatures:
            drawn[creature.cell] = creature.glyph
        self.lines += [
            f"#   {''.join(drawn[at : at + width])}".rstrip() for at in range(0, len(drawn), width)
        ]

    def end_of_connection(self) -> None:
        """Write that a connection is over."""
        self.lines += ["", "-"]

    def written(self) -> str:
        """Return the whole text."""
        return "\n".join(self.lines) + "\n"


def parts(view: View) -> dict[str, Any]:
    """Return the parts of a view as JSON holds them."""
    record: dict[str, Any] = json.loads(
        json.dumps(msgspec.to_builtins(view, builtin_types=(bytes,)), default=bytes.hex)
    )
    row = 2 * view.place.width
    for name in ("terrain", "sight"):
        record[name] = [record[name][at : at + row] for at in range(0, len(record[name]), row or 1)]
    return record


def _shown(value: Any) -> str:
    built = msgspec.to_builtins(value, builtin_types=(bytes,))
    return json.dumps(built, ensure_ascii=False, default=bytes.hex)


class WrittenLink(ProtocolClient):
    """A link that writes down every frame, and the view after each update."""

    def __init__(self, name: str, token: bytes, transcript: Transcript) -> None:
        super().__init__(name, token, "conversation", abilities=ABILITIES)
        self._transcript = transcript

    def connected(self, now_ms: int) -> None:
        """Begin on a new connection."""
        self._framers = Framer(limits.FRAME_FROM_CLIENT_MAX), Framer(limits.FRAME_FROM_SERVER_MAX)
        self._writers = FrameWriter(), FrameWriter()
        super().connected(now_ms)

    def outgoing(self) -> bytes:
        """Take what is to be sent now, and write it down."""
        data = super().outgoing()
        for body in self._framers[0].feed(data):
            self._transcript.frame(">", decode_from_client(body), self._writers[0].frame(body))
        return data

    def receive(self, data: bytes, now_ms: int) -> list[FromServer]:
        """Take bytes, frame by frame."""
        came: list[FromServer] = []
        for body in self._framers[1].feed(data):
            message = decode_from_server(body)
            framed = self._writers[1].frame(body)
            self._transcript.frame("<", message, framed)
            came += super().receive(framed, now_ms)
            if isinstance(message, Update):
                self._transcript.view(self.view)
                if message.whole:
                    self._transcript.map(self.view)
        return came


class WrittenClient(SimClient):
    """A player whose conversation is written down."""

    def __init__(self, server: SimServer, name: str, transcript: Transcript) -> None:
        self.server = server
        self.link = WrittenLink(name, name.encode().ljust(limits.TOKEN_SIZE, b"."), transcript)
        self.got = []
        self.reading = True
        self._host = "127.0.0.1"
        self._transcript = transcript
        server.clients.append(self)
        self.dial()
        server.advance(60)

    def cut(self) -> None:
        """The line breaks."""
        if self.up:
            self._transcript.end_of_connection()
        super().cut()


def record() -> str:
    """Let Anna play a while, and return everything that was said."""
    server = SimServer(arena(), SEED)
    tokens = iter(range(1, 100))
    server.host._resumes._draw = lambda: bytes([next(tokens)]) * limits.TOKEN_SIZE
    written = Transcript()
    written.remark("Anna connects and logs in. Her name is new.")
    anna = WrittenClient(server, "anna", written)
    _explore_and_fight(server, anna, written)
    _take_and_talk(server, anna, written)
    _lose_the_line(server, anna, written)
    _die_and_begin_again(server, anna, written)
    written.remark("She leaves.")
    anna.send(Goodbye())
    return written.written()


def _explore_and_fight(server: SimServer, anna: WrittenClient, written: Transcript) -> None:
    written.remark("She explores: one command, many steps.")
    anna.command(Explore())
    server.advance(230)
    written.remark("A rat comes into view. She stops before the plan does.")
    rat = server.put("rat", _far(server, anna))
    anna.command(Stop())
    server.advance(300)
    written.remark("She fights until it is dead.")
    for _ in range(20):
        anna.command(Fight())
        server.advance(200)
        if rat.number not in server.level_of(anna).creatures:
            return
    raise AssertionError("the rat lives")


def _take_and_talk(server: SimServer, anna: WrittenClient, written: Transcript) -> None:
    lies = next(iter(anna.view.items))
    written.remark("She walks to what the rat left behind and picks it up.")
    server.walk(anna, lies.cell)
    anna.command(PickUp())
    server.advance(60)
    written.remark("She speaks, asks what she remembers of this level, and tries what cannot be done.")
    anna.link.say("Good morning!")
    anna.send(AskMapMemory(1))
    anna.command(Wield())
    server.advance(5_000)


def _lose_the_line(server: SimServer, anna: WrittenClient, written: Transcript) -> None:
    written.remark(
        "Her connection is cut before the answer to her command comes: she resumes and sends it again."
    )
    anna.reading = False
    anna.command(Wait())
    server.advance(60)
    anna.cut()
    anna.wire, anna.reading = Wire(), True
    server.advance(1_000)
    anna.dial()
    server.advance(100)


def _die_and_begin_again(server: SimServer, anna: WrittenClient, written: Transcript) -> None:
    written.remark("An ogre kills her. She begins another life.")
    server.put("ogre", _beside(server, anna))
    while anna.view.sheet[1]:
        anna.command(Wait())
        server.advance(200)
    anna.begin_again()
    server.advance(100)


def _beside(server: SimServer, anna: WrittenClient) -> int:
    """Return a free cell beside her."""
    level = server.level_of(anna)
    around = (level.grid.step(anna.view.cell, *way) for way in DIRECTIONS)
    return next(cell for cell in around if cell is not None and level.is_free(cell))


def _far(server: SimServer, anna: WrittenClient) -> int:
    """Return a free cell in her sight, two steps or more away."""
    reached = server.ground(anna)
    return next(cell for cell in reached[12:] if anna.view.sight[cell])


if __name__ == "__main__":
    FILE.write_text(record(), encoding="utf-8")
