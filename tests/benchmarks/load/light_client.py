"""A light client: it walks at random and reads of each update only its number and what it answers.

It answers heartbeats and acknowledges patches as the real client does, so the server does its whole work.
"""

from collections.abc import Callable
from typing import Any, Final

import msgpack

from benchmarks.load.fleet_client import Board, FleetClient
from benchmarks.load.options import LoadOptions
from gloam_shared import limits
from gloam_shared.geometry import DIRECTIONS
from gloam_shared.protocol.codec import encode
from gloam_shared.protocol.commands import AnyCommand, Explore, Move
from gloam_shared.protocol.compression import DEFLATE, Decompressor
from gloam_shared.protocol.framing import Framer, FrameWriter
from gloam_shared.protocol.messages.lives import NewLife
from gloam_shared.protocol.messages.login import Login, Welcome, hello_of
from gloam_shared.protocol.messages.play import Acknowledge, HeartbeatReply, SubmitCommand
from gloam_shared.protocol.registry import ABILITIES, PROTOCOL_OLDEST, PROTOCOL_VERSION, FromClient

_WELCOME, _JOINED, _UPDATE, _ANSWER, _PACE = 64, 66, 67, 68, 69
_OFFERED: Final = 1 + Welcome.__struct_fields__.index("abilities")
_DIED, _HEARTBEAT, _ERROR, _BYE = 72, 73, 75, 76
_NEVER_S: Final = 1e18
_TURN_BACK: Final = 0.1


class LightClient(FleetClient):
    """Walks straight on until something is in the way, and now and then another way."""

    def __init__(self, at: int, options: LoadOptions, board: Board, now: Callable[[], float]) -> None:
        super().__init__(at, options, board, now)
        self._framer = Framer(limits.FRAME_FROM_SERVER_MAX)
        self._frames = FrameWriter()
        self._number = self._patch = self._acknowledged = self._life = 0
        self._owed_s = _NEVER_S
        self._abilities = (DEFLATE, *ABILITIES) if options.deflate else ABILITIES
        self._decompressor: Decompressor | None = None
        self._way = self.chance.choice(DIRECTIONS)

    def greet(self) -> None:
        """Say hello and log in."""
        self._say(hello_of(PROTOCOL_VERSION, "bench", PROTOCOL_OLDEST, self._abilities))
        self._say(Login(self.name, self.token))

    def receive(self, data: bytes, now_s: float) -> None:
        """Read the messages in these bytes."""
        for piece in [data] if self._decompressor is None else self._decompressor.decompress(data):
            self._framer.hold(piece)
            while (body := self._framer.next_frame()) is not None:
                message = msgpack.unpackb(body, strict_map_key=False)
                if message[0] == _UPDATE:
                    self._update(message, now_s)
                elif message[0] == _WELCOME and DEFLATE in message[_OFFERED] and self._decompressor is None:
                    self._decompressor = Decompressor()
                    self.receive(self._framer.release(), now_s)
                    return
                else:
                    self._other(message, now_s)

    def command(self, _now_s: float) -> bool:
        """Step on."""
        if self.chance.random() < _TURN_BACK:
            self._way = self.chance.choice(DIRECTIONS)
        self._submit(Move(*self._way))
        return True

    def begin_again(self) -> None:
        """Ask for the next life."""
        self._say(NewLife(self._life))

    def owed_s(self) -> float:
        """Return when an acknowledgement is due."""
        return self._owed_s

    def settle(self, now_s: float) -> None:
        """Acknowledge what no command has acknowledged in time."""
        if now_s >= self._owed_s:
            self._owed_s = _NEVER_S
            self._acknowledged = self._patch
            self._say(Acknowledge(self._patch))

    def _update(self, message: list[Any], now_s: float) -> None:
        self._patch += 1
        self.board.tally.updates += 1
        if self._owed_s == _NEVER_S:
            self._owed_s = now_s + limits.ACK_DELAY_MS / 1_000
        if len(message) > 2 and message[2] >= self._number > 0:
            self.answered(now_s, turn=True)

    def _other(self, message: list[Any], now_s: float) -> None:
        match message:
            case [tag, number, *_] if tag == _ANSWER:
                if number == self._number:
                    self._way = self.chance.choice(DIRECTIONS)
                    self.answered(now_s, turn=False)
            case [tag, *rest] if tag == _PACE:
                _, _, _, ms, names = [*rest, *(False, False, False, 0, [])[len(rest) :]][:5]
                self.paced(now_s, names=tuple(names), ms=ms)
            case [tag, number, *_] if tag == _HEARTBEAT:
                self._say(HeartbeatReply(number))
            case [tag, _, number, life, *_] if tag == _JOINED:
                self._number, self._life = max(self._number, number), life
                self.joined()
            case [tag, *_] if tag == _DIED:
                self.died(now_s)
            case [tag, code, text, *_] if tag in (_ERROR, _BYE):
                if tag == _ERROR and code == "rate":
                    self.answered(now_s, turn=False)
                else:
                    self.close(f"{code}: {text}")

    def _submit(self, command: AnyCommand) -> None:
        self._number += 1
        self._acknowledged, self._owed_s = self._patch, _NEVER_S
        self._say(SubmitCommand(self._number, self._patch, command))

    def _say(self, message: FromClient) -> None:
        self.send(self._frames.frame(encode(message)))


class StandingClient(LightClient):
    """Logs in, and then only answers heartbeats and acknowledges patches."""

    def command(self, _now_s: float) -> bool:
        """Send nothing."""
        return False


class ExploringClient(LightClient):
    """Asks to explore again and again, and waits for no answer."""

    def command(self, _now_s: float) -> bool:
        """Ask once more; it does not count as a command that is answered."""
        self._submit(Explore())
        return False
