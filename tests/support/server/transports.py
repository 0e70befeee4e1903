"""Transports made of lists: the server's end of a connection without a socket."""

from typing import Any, cast

from twisted.internet.address import IPv4Address
from twisted.internet.interfaces import IAddress


class Wire:
    """The server's end of a line: what is written waits until the test delivers it."""

    def __init__(self) -> None:
        self.sent = bytearray()
        self.closed = False
        self.aborted = False

    def write(self, data: bytes) -> None:
        """Take bytes."""
        self.sent += data

    def loseConnection(self) -> None:  # noqa: N802  # Twisted's name
        """Note that the server closed the line."""
        self.closed = True

    def abortConnection(self) -> None:  # noqa: N802  # Twisted's name
        """Note that the server cut the line."""
        self.closed = self.aborted = True

    def registerProducer(self, producer: object, streaming: bool) -> None:  # noqa: N802
        """Nothing ever fills up here."""

    def unregisterProducer(self) -> None:  # noqa: N802
        """Stop all notifications."""


def address(host: str) -> IAddress:
    """Return where a client comes from, as Twisted says it."""
    return cast(IAddress, IPv4Address("TCP", host, 50_000))


def connect(connection: Any, wire: Wire) -> None:
    """Begin a connection on a wire."""
    connection.makeConnection(wire)
