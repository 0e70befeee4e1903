"""The carrier of the link: whole messages in order from any slices, and a cut for other bytes."""

import stat
from pathlib import Path
from typing import Any

import pytest
from twisted.internet.task import Clock

from gloam_server.link.link_messages import LinkError
from gloam_server.link.link_socket import SOCKET_FILE, LinkConnection, listen_for_views
from support.server.transports import Wire


class Taken:
    """A receiver that keeps its messages; "bad" is none."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        self.is_lost = False

    def receive(self, body: bytes) -> None:
        if body == b"bad":
            raise LinkError("That is no message.")
        self.bodies.append(body)

    def lost(self) -> None:
        self.is_lost = True


class ReportingWire(Wire):
    """A wire that reports its end to its protocol."""

    def __init__(self, protocol: Any) -> None:
        super().__init__()
        self._protocol = protocol

    def loseConnection(self) -> None:  # noqa: N802  # Twisted's name
        """Close it."""
        super().loseConnection()
        self._protocol.connectionLost()

    def abortConnection(self) -> None:  # noqa: N802  # Twisted's name
        """Cut it."""
        super().abortConnection()
        self._protocol.connectionLost()


def connected(size_max: int = 100) -> tuple[Any, Taken, ReportingWire]:
    taken = Taken()
    connection: Any = LinkConnection(lambda _: taken, size_max)
    wire = ReportingWire(connection)
    connection.makeConnection(wire)
    return connection, taken, wire


def framed(*bodies: bytes) -> bytes:
    return b"".join(len(body).to_bytes(4, "big") + body for body in bodies)


@pytest.mark.parametrize("size", [1, 3, 7, 100])
def test_any_slices_give_the_same_messages(size: int) -> None:
    connection, taken, _ = connected()
    stream = framed(b"first", b"", b"third" * 10)
    for at in range(0, len(stream), size):
        connection.dataReceived(stream[at : at + size])
    assert taken.bodies == [b"first", b"", b"third" * 10]


def test_what_one_end_sends_the_other_takes() -> None:
    sender, _, wire = connected()
    receiver, taken, _ = connected()
    sender.send(b"one")
    sender.send(b"")
    receiver.dataReceived(wire.sent)
    assert taken.bodies == [b"one", b""]


def test_a_half_message_is_none() -> None:
    connection, taken, wire = connected()
    connection.dataReceived(framed(b"whole", b"torn apart")[:-3])
    wire.loseConnection()
    assert (taken.bodies, taken.is_lost) == ([b"whole"], True)


def test_too_long_a_message_is_refused_unread(caplog: pytest.LogCaptureFixture) -> None:
    connection, taken, wire = connected(size_max=100)
    connection.dataReceived(framed(b"x" * 100) + (101).to_bytes(4, "big"))
    assert taken.bodies == [b"x" * 100]
    assert taken.is_lost
    assert wire.closed
    assert "A message of 101 bytes came, and 100 are the most." in caplog.text


def test_bytes_that_are_no_message_cut_the_link(caplog: pytest.LogCaptureFixture) -> None:
    connection, taken, wire = connected()
    connection.dataReceived(framed(b"good", b"bad", b"after"))
    assert taken.bodies == [b"good"]
    assert taken.is_lost
    assert wire.closed
    assert "the link between the processes is cut: That is no message." in caplog.text


def test_only_the_servers_user_may_open_the_socket(tmp_path: Path) -> None:
    reactor: Any = Clock()
    reactor.addReader = reactor.removeReader = reactor.removeWriter = id
    listening: list[Any] = []
    listen_for_views(reactor, tmp_path, lambda _: Taken(), 100).addCallback(listening.append)
    mode = (tmp_path / SOCKET_FILE).stat().st_mode
    listening[0].connectionLost(None)
    assert stat.S_ISSOCK(mode)
    assert stat.S_IMODE(mode) == 0o600
