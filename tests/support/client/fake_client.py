"""A player without a screen: the real protocol over real TCP, blocking, with a deadline on every wait.

Example:
    with FakeClient(server.port, "Anna") as anna:
        anna.wait_for(lambda: anna.sees("Bert"))
        anna.do(Move(1, 0))
"""

import select
import socket
import ssl
import time
from collections.abc import Callable
from typing import Any, Self, TypeVar

from gloam_client.net.protocol_client import CLIENT_ABILITIES, ProtocolClient
from gloam_shared.protocol.commands import AnyCommand
from gloam_shared.protocol.messages.chat import ChatLine, Spoken
from gloam_shared.protocol.messages.login import Goodbye
from gloam_shared.protocol.registry import ABILITIES, FromServer
from gloam_shared.view.view import Creature, Stat, View

M = TypeVar("M")
PATIENCE_S = 60.0


class FakeClient:
    """One connection of one player. `got` keeps every message that arrived."""

    def __init__(
        self,
        port: int,
        name: str,
        *,
        token: bytes | None = None,
        host: str = "127.0.0.1",
        tls: bool = False,
        password: str = "",
        invite: str = "",
        compressed: bool = True,
        line: socket.socket | None = None,
    ) -> None:
        """Log in, on a connection of its own or on `line`."""
        self.link = ProtocolClient(
            name,
            token or name.encode().ljust(32, b"."),
            "fake-client",
            password=password,
            invite=invite,
            abilities=CLIENT_ABILITIES if compressed else ABILITIES,
        )
        self.got: list[FromServer] = []
        self.received_bytes = 0
        self.closed = False
        self._came_s = 0.0
        self._place = (host, port)
        self._tls = tls
        self._begin(line or self._dial())

    def connect(self, port: int | None = None) -> None:
        """Dial again, perhaps another port, and resume or log in; what follows is waited for."""
        self._place = (self._place[0], port or self._place[1])
        self._begin(self._dial())

    def _dial(self) -> socket.socket:
        return socket.create_connection(self._place, timeout=PATIENCE_S)

    def _begin(self, line: socket.socket) -> None:
        self._socket = line
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self._tls:
            self._socket = _any_certificate().wrap_socket(self._socket)
        self.closed, self._heard_out = False, True
        self.link.connected(_now_ms())
        self._flush()

    def __enter__(self) -> Self:
        """Wait until the player is in the dungeon."""
        try:
            self.wait_for(lambda: self.view.place.depth > 0)
        except BaseException:
            self.hang_up()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Leave politely."""
        self.leave()

    @property
    def view(self) -> View:
        """The player's view."""
        return self.link.view

    @property
    def local_port(self) -> int:
        """The port of this machine from which the connection goes out."""
        return int(self._socket.getsockname()[1])

    def do(self, command: AnyCommand, *, answered: bool = True) -> int:
        """Send a command; wait for its answer, unless not `answered`. Returns its number."""
        number = self.link.command(command, _now_ms())
        self._flush()
        if answered:
            self.wait_for(lambda: self.link.done >= number)
        return number

    def do_timed(self, command: AnyCommand) -> float:
        """Send a command and wait for its answer; return the seconds from its bytes to the answer's bytes.

        What this client does before and after is not in them: to encode, to decode, to acknowledge.
        """
        number = self.link.command(command, _now_ms())
        data = self.link.outgoing()
        began_s = time.perf_counter()
        self._socket.sendall(data)
        self.wait_for(lambda: self.link.done >= number)
        return self._came_s - began_s

    def say(self, text: str) -> None:
        """Speak."""
        self.link.say(text)
        self._flush()

    def send(self, message: Any) -> None:
        """Send any message."""
        self.link.send(message)
        self._flush()

    def send_raw(self, data: bytes) -> None:
        """Send any bytes."""
        self._socket.sendall(data)

    def wait_for(self, condition: Callable[[], object], timeout_s: float = PATIENCE_S) -> None:
        """Read until the condition holds. Raises AssertionError when it does not in time or the line closes."""
        deadline = time.monotonic() + timeout_s
        while not condition():
            left = deadline - time.monotonic()
            assert left > 0, f"{self.link.name} waited {timeout_s} s in vain; last came {self.got[-3:]}"
            assert not self.closed, (
                f"the server closed the line of {self.link.name}; last came {self.got[-3:]}"
            )
            self.read(min(left, 0.05))

    def read(self, seconds: float) -> None:
        """Read for so long at most, or until something arrived."""
        self.link.tick(_now_ms())
        self._flush()
        held = isinstance(self._socket, ssl.SSLSocket) and self._socket.pending()
        if self.closed or not (held or select.select([self._socket], [], [], seconds)[0]):
            return
        try:
            data = self._socket.recv(65_536)
        except (ConnectionResetError, ssl.SSLError):
            data = b""
        self._came_s = time.perf_counter()
        if not data:
            self.closed = True
            return
        self.received_bytes += len(data)
        self.got += self.link.receive(data, _now_ms())
        self._flush()

    def settle(self, seconds: float = 0.3) -> None:
        """Read for so long, even if nothing arrives."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and not self.closed:
            self.read(end - time.monotonic() if end > time.monotonic() else 0)

    def of_kind(self, kind: type[M]) -> list[M]:
        """Return the messages of one kind that arrived so far."""
        return [message for message in self.got if isinstance(message, kind)]

    def chat(self) -> list[ChatLine]:
        """Return what players said so far."""
        said = [message for message in self.got if isinstance(message, ChatLine | Spoken)]
        return [ChatLine(each.name, each.text) for each in said if each.name]

    def seen(self, name: str) -> Creature | None:
        """Return a creature in sight by its name."""
        return next((creature for creature in self.view.creatures if creature.name == name), None)

    def sees(self, name: str) -> bool:
        """Return whether someone of that name is in sight."""
        return self.seen(name) is not None

    def distance_to(self, name: str) -> int:
        """Return how many steps away someone in sight is."""
        other = self.seen(name)
        assert other is not None, f"{self.link.name} does not see {name}"
        return self.view.place.grid.distance(self.view.cell, other.cell)

    def fact(self, fact: Stat) -> int:
        """Return a number of the player's own sheet."""
        return self.view.fact(fact)

    def leave(self) -> None:
        """Say goodbye and close."""
        if not self.closed:
            self.link.send(Goodbye())
            self._flush()
        self.hang_up()

    def hang_up(self) -> None:
        """Cut the line without a word."""
        self.closed = True
        self._socket.close()

    def _flush(self) -> None:
        data = self.link.outgoing()
        if data and self._heard_out and not self.closed:
            try:
                self._socket.sendall(data)
            except (BrokenPipeError, ConnectionResetError, ssl.SSLError):
                self._heard_out = False  # what the server said last may still be there to read


def _any_certificate() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def _now_ms() -> int:
    return int(time.monotonic() * 1_000)
