"""Bytes go to the socket immediately while it has room, and stay in order when it has none."""

import socket
from collections.abc import Iterator
from typing import Any

import pytest
from twisted.internet.protocol import Protocol
from twisted.internet.task import Clock

from gloam_server.net.reactor import EagerServer


class ManualReactor(Clock):
    """Calls a transport only when the test says that its socket has room."""

    def __init__(self) -> None:
        super().__init__()
        self.writers: set[Any] = set()
        self.addWriter, self.removeWriter = self.writers.add, self.writers.discard
        self.addReader = self.removeReader = id  # input is not read here


@pytest.fixture
def ends() -> Iterator[tuple[ManualReactor, EagerServer, socket.socket]]:
    near, far = socket.socketpair()
    for end in (near, far):
        end.setblocking(False)
    near.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4_096)
    reactor = ManualReactor()
    protocol = Protocol()
    make: Any = EagerServer
    transport = make(near, protocol, ("127.0.0.1", 1), None, 1, reactor)
    protocol.makeConnection(transport)
    yield reactor, transport, far
    near.close()
    far.close()


def test_bytes_are_sent_before_the_reactor_comes(ends: Any) -> None:
    reactor, transport, far = ends
    transport.write(b"one")
    transport.write(b"two")
    assert far.recv(100) == b"onetwo"
    assert not reactor.writers, "nothing waits"


def test_bytes_stay_in_order_without_room(ends: Any) -> None:
    reactor, transport, far = ends
    sent = b""
    for at in range(300):
        line = f"{at:>6}".encode() * 40
        transport.write(line)
        sent += line
    assert reactor.writers == {transport}
    came = b""
    while len(came) < len(sent):
        came += far.recv(65_536)
        if reactor.writers:
            assert transport.doWrite() is None
    assert came == sent
    assert not reactor.writers


def test_a_lost_line_is_noticed_in_the_reactor(ends: Any) -> None:
    """A lost line ends the connection in the reactor's own time, never inside a write."""
    _, transport, far = ends
    far.close()
    transport.write(b"one")
    assert transport.connected
    assert isinstance(transport.doWrite(), Exception)


def test_nothing_is_sent_after_the_end(ends: Any) -> None:
    _, transport, far = ends
    transport.connected = 0
    transport.write(b"one")
    with pytest.raises(BlockingIOError):
        far.recv(100)
