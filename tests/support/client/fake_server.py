"""A small asyncio server that speaks the real codec, for tests of the client without the real server."""

import asyncio
import socket
import ssl
import struct
from collections.abc import Callable
from dataclasses import dataclass, field

from msgspec.structs import replace

from gloam_shared import limits
from gloam_shared.appearance import WALKABLE, Terrain
from gloam_shared.protocol.codec import decode_from_client, encode
from gloam_shared.protocol.codes import ErrorCode
from gloam_shared.protocol.commands import Move, Run, Travel
from gloam_shared.protocol.framing import ForeignProtocol, Framer, FrameWriter
from gloam_shared.protocol.messages import login
from gloam_shared.protocol.messages.chat import ChatLine, SendChat
from gloam_shared.protocol.messages.lives import NewLife
from gloam_shared.protocol.messages.play import Answer, Heartbeat, Pace, SubmitCommand, Update
from gloam_shared.protocol.registry import PROTOCOL_VERSION, FromClient, FromServer
from gloam_shared.view import patch
from gloam_shared.view.place import Place
from gloam_shared.view.view import NOWHERE, Creature, CreatureFlag, Friend, Log, LogLine, Stat, View
from support.client.loopback_server import LoopbackServer

_TERRAINS = {
    "#": Terrain.WALL,
    ".": Terrain.FLOOR,
    ">": Terrain.STAIRS_DOWN,
    "<": Terrain.STAIRS_UP,
    "~": Terrain.WATER,
    " ": Terrain.UNKNOWN,
}

LEVEL = """
################################################################################################
#..............................#.........................................................~~~~~~#
#..............................#...........................................................~~~~#
#....................................................................................>.........#
#..............................#...............................................................#
#......<.......................#...............................................................#
#..............................#...............................................................#
#..............................#...............................................................#
################.###############...............................................................#
#..............................................................................................#
#..............................................................................................#
#..............................................................................................#
#..............................................................................................#
#..............................................................................................#
#..............................................................................................#
#..............................................................................................#
#..............................................................................................#
#..............................................................................................#
#..............................................................................................#
#..............................................................................................#
#..............................................................................................#
################################################################################################
"""


def level_view(
    name: str = "Ann", drawing: str = LEVEL, at: tuple[int, int] = (10, 4), sight: int = 9
) -> View:
    """Return the view of a player who stands on a drawn level and remembers all of it."""
    rows = drawing.strip("\n").split("\n")
    width, height = max(map(len, rows)), len(rows)
    terrain = bytes(_TERRAINS[char] for row in rows for char in row.ljust(width))
    cell = at[1] * width + at[0]
    seen = bytes(
        int(abs(c % width - at[0]) <= sight and abs(c // width - at[1]) <= sight)
        for c in range(width * height)
    )
    sheet = [0] * len(Stat)
    facts = {
        Stat.HANDLE: 7,
        Stat.HP: 40,
        Stat.HP_MAX: 40,
        Stat.ATTACK: 10,
        Stat.SIGHT: sight,
        Stat.SPEED: 1_000,
        Stat.LEVEL: 1,
        Stat.NEXT_LEVEL_AT: 10,
    }
    for fact, value in facts.items():
        sheet[fact] = value
    marks = CreatureFlag.PLAYER | CreatureFlag.SELF
    return View(
        place=Place(1, width, height, "The upper caves"),
        terrain=terrain,
        sight=seen,
        creatures=(Creature(7, cell, 40, 40, 1, marks, "@", "white", name),),
        items=(),
        pile=(),
        inventory=(),
        spells=(),
        states=(),
        sheet=tuple(sheet),
        choices=(),
        party=(Friend(name, 1, 1, 4, marks),),
        log=Log(0, (LogLine("arrives", "you"),)),
    )


@dataclass
class FakeServer:
    """One dungeon for one player at a time. Change `view` and call `push`; `heard` holds what the client sent."""

    view: View = field(default_factory=level_view)
    heard: list[FromClient] = field(default_factory=list)
    done: int = 0
    silent: bool = False
    refuse: login.Bye | None = None
    asks: login.Error | login.Bye | None = None
    """The answer to a login without `key`."""
    key: str = ""
    greeting: bytes = b""
    port: int = 0
    joins: int = 0
    life: int = 1
    token: bytes = b""
    """The token that brings a player back after a cut; the next is counted on from it. b"": it always takes a login."""
    denies: ErrorCode | None = None
    """With which code a resume is refused, and with which words."""
    words: str = "Log in."
    _writer: asyncio.StreamWriter | None = None
    _frames: FrameWriter = field(default_factory=FrameWriter)
    _sent: View = NOWHERE
    _server: LoopbackServer | None = None

    async def start(self, port: int = 0, host: str = "127.0.0.1", tls: ssl.SSLContext | None = None) -> int:
        """Listen, on loopback and in plain text if nothing else is said, and return the port."""
        self._server = LoopbackServer(self._serve)
        self.port = (await self._server.start(host, port, tls)).port
        return self.port

    async def stop(self) -> None:
        """Cut the line and listen no longer."""
        self.cut()
        if self._server is not None:
            await self._server.stop()

    def cut(self) -> None:
        """Cut the line without a word."""
        if self._writer is not None:
            self._writer.transport.abort()
            self._writer = None

    def reset(self) -> None:
        """Cut the line as a system does whose program ended with bytes unread: by a reset."""
        if self._writer is not None:
            line = self._writer.get_extra_info("socket")
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.cut()

    def send(self, *messages: FromServer) -> None:
        """Send messages as they are."""
        if self._writer is not None and not self._writer.is_closing():
            self._writer.write(b"".join(self._frames.frame(encode(message)) for message in messages))

    def push(self, *, whole: bool = False) -> None:
        """Send what changed in the view since the last patch."""
        before = NOWHERE if whole else self._sent
        self.send(Update(patch.diff(before, self.view), self.done, whole))
        self._sent = self.view

    def tell(self, *lines: LogLine) -> None:
        """Put lines into the log and send them."""
        log = self.view.log
        kept = (*log.lines, *lines)
        first = log.first + max(len(kept) - limits.LOG_LINES, 0)
        self.view = replace(self.view, log=Log(first, kept[-limits.LOG_LINES :]))
        self.push()

    def change_fact(self, fact: Stat, value: int) -> None:
        """Change one number of the sheet, without sending it."""
        sheet = list(self.view.sheet)
        sheet[fact] = value
        self.view = replace(self.view, sheet=tuple(sheet))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writer, self._frames = writer, FrameWriter()
        framer = Framer(limits.FRAME_FROM_CLIENT_MAX)
        if self.greeting:
            writer.write(self.greeting)
        try:
            while data := await reader.read(65_536):
                for body in framer.feed(data):
                    self._heed(decode_from_client(body))
                await writer.drain()
        except (OSError, asyncio.CancelledError, ForeignProtocol):
            return  # the test is over, or the client is, or it tries TLS first

    def _heed(self, message: FromClient) -> None:
        self.heard.append(message)
        if self.silent:
            return
        match message:
            case login.Hello():
                self.send(login.Welcome(PROTOCOL_VERSION, "gloam", 0, 8))
            case login.AskStatus():
                self.send(login.Status(ready=True, campaign="gloam", players=1, version="0.1.0"))
                self._close()
            case login.Login(name=name, password=password, invite=invite):
                self._login(name, password or invite)
            case login.Resume(name=name, token=token):
                if self.denies or not self.token or token != self.token:
                    self.send(login.Error(self.denies or "auth", self.words))
                else:
                    self.token = bytes([self.token[0] + 1]) * limits.TOKEN_SIZE
                    self._login(name, self.key)
            case SubmitCommand(number=number, command=command):
                self._carry_out(number, command)
            case SendChat(text=text):
                self.send(ChatLine(self._name, text))
            case NewLife():
                self.life += 1
                self.send(login.Joined(self._name, self.done, self.life))
                self.push(whole=True)
            case login.Goodbye():
                self.send(login.Bye("goodbye", "Until next time."))
                self._close()
            case _:
                pass

    def _close(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    @property
    def _name(self) -> str:
        return self.view.party[0].name

    def _login(self, name: str, key: str) -> None:
        if self.asks is not None and key != self.key:
            self.send(self.asks)
            return
        if self.refuse is not None:
            self.send(self.refuse)
            self._close()
            return
        if name != self._name:
            self.view = level_view(name)
        self.joins += 1
        if self.token:
            self.send(login.ResumeToken(self.token))
        self.send(login.Joined(name, self.done, self.life))
        self.push(whole=True)
        self.send(Pace(held=False, waiting=False, plan=False), Heartbeat(1, 12))

    def _carry_out(self, number: int, command: object) -> None:
        self.done = number
        if isinstance(command, Move | Run):
            place = self.view.place
            cell = place.grid.step(self.view.cell, command.dx, command.dy)
            if cell is None or self.view.terrain[cell] not in WALKABLE:
                self.send(Answer(number, "cannot", "The rock is in the way."))
                return
            self._walk(cell)
        elif isinstance(command, Travel):
            self._walk(command.cell)
        self.push()

    def _walk(self, cell: int) -> None:
        me = self.view.fact(Stat.HANDLE)
        moved = tuple(replace(one, cell=cell) if one.handle == me else one for one in self.view.creatures)
        self.view = replace(self.view, creatures=moved)


def scene(server: FakeServer) -> None:
    """Put a friend, a rat that is after the player and a level-up choice into the view, and hold them."""
    width = server.view.place.width
    cell = server.view.cell
    server.view = replace(
        server.view,
        creatures=(
            *server.view.creatures,
            Creature(
                8, cell + 2, 3, 5, 1, CreatureFlag.HOSTILE | CreatureFlag.HOLDS_YOU, "r", "brown", "rat"
            ),
            Creature(9, cell + width, 38, 40, 2, CreatureFlag.PLAYER, "@", "cyan", "Bert"),
            Creature(11, cell - 3, 9, 9, 1, CreatureFlag.HOSTILE | CreatureFlag.ASLEEP, "b", "gray", "bat"),
        ),
        choices=("Health: +10 hit points", "Attack: +2", "Speed: +50"),
        party=(*server.view.party, Friend("Bert", 1, 2, 4, CreatureFlag.PLAYER)),
    )
    server.change_fact(Stat.POINTS, 2)
    server.tell(
        LogLine("strikes", "rat", "you", 2),
        LogLine("strikes", "rat", "you", 2),
        LogLine("strikes", "you", "rat", 3),
    )
    server.send(Pace(held=True, waiting=True, plan=False, ms=2_000, for_names=("Bert",)))


FAKES: dict[str, Callable[[FakeServer], None]] = {"scene": scene}


async def _main() -> None:
    server = FakeServer()
    print(await server.start(7399), flush=True)  # noqa: T201  # for who starts it by hand
    while True:
        await asyncio.sleep(5)
        server.send(Heartbeat(2, 12))
        if "scene" in sys.argv and server.joins and len(server.view.creatures) == 1:
            scene(server)


if __name__ == "__main__":
    import sys

    asyncio.run(_main())
