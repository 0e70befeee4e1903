"""A client made of bytes: it sends what a test says, and reads what arrived."""

from typing import cast

from twisted.internet.interfaces import IAddress

from gloam_server.net.connection import Connection
from gloam_server.net.networks import RelayedAddress
from gloam_shared import limits
from gloam_shared.protocol.codec import decode_from_server, encode
from gloam_shared.protocol.framing import Framer, FrameWriter
from gloam_shared.protocol.messages.login import Hello, Login
from gloam_shared.protocol.messages.play import Acknowledge, Update
from gloam_shared.protocol.registry import PROTOCOL_VERSION, FromClient, FromServer
from support.server.sim_server import SimServer
from support.server.transports import Wire, address, connect


class RawClient:
    """One line to a server, without a link at its end. Nothing is read unless a test reads."""

    def __init__(self, server: SimServer, host: str = "127.0.0.1", *, door: str = "") -> None:
        self.server = server
        self.wire = Wire()
        self.patch = 0
        self.frames = FrameWriter()
        self._framer = Framer(limits.FRAME_FROM_SERVER_MAX)
        self.connection: Connection = server.factory.buildProtocol(
            cast(IAddress, RelayedAddress(host, 50_000, 0, door=door)) if door else address(host)
        )
        connect(self.connection, self.wire)

    def say(self, *messages: FromClient) -> None:
        """Send messages."""
        self.send(b"".join(self.frames.frame(encode(message)) for message in messages))

    def send(self, data: bytes) -> None:
        """Send bytes."""
        self.connection.dataReceived(data)
        self.server.settle()

    def say_raw(self, body: bytes) -> None:
        """Send a frame round bytes that need be no message."""
        self.send(self.frames.frame(body))

    def log_in(self, name: str) -> None:
        """Greet and log in, and forget what was answered."""
        self.say(Hello(PROTOCOL_VERSION), Login(name, name.encode().ljust(limits.TOKEN_SIZE, b".")))
        self.server.pass_time(limits.LOGIN_GAP_MS)  # logins begin one after another
        came = self.heard()
        assert self.connection.player, came

    def heard(self) -> list[FromServer]:
        """Return what has arrived, and forget it."""
        data = bytes(self.wire.sent)
        self.wire.sent.clear()
        came = [decode_from_server(body) for body in self._framer.feed(data)]
        self.patch += sum(isinstance(each, Update) for each in came)
        return came

    def acknowledge(self) -> None:
        """Acknowledge the newest patch that has arrived, and forget what arrived."""
        self.heard()
        self.say(Acknowledge(self.patch))

    def of_kind(self, kind: type[FromServer]) -> list[FromServer]:
        """Return the messages of one kind among what has arrived."""
        return [message for message in self.heard() if isinstance(message, kind)]

    def codes(self) -> list[str]:
        """Return the codes of the errors and farewells that have arrived."""
        return [code for message in self.heard() if (code := getattr(message, "code", None)) is not None]

    def vanish(self) -> None:
        """The line is gone."""
        self.connection.connectionLost()
