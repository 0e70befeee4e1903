"""The link's carrier on one machine: frames on a Unix socket that only the server's user may open.

A frame is its length in four bytes, highest first, and that many bytes. A peer that breaks this is cut off.
"""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Protocol, cast

from twisted.internet.defer import Deferred
from twisted.internet.endpoints import UNIXClientEndpoint
from twisted.internet.protocol import Factory, connectionDone
from twisted.protocols.basic import Int32StringReceiver
from twisted.python.failure import Failure

from gloam_server.link.link_messages import LinkError
from gloam_server.net.reactor import ListeningPort
from gloam_server.net.unix_port import listen_on_path

SOCKET_FILE: Final = "views.socket"
"""The name of the socket in the data folder."""
_OWNER_ONLY: Final = 0o600
_log: Final = logging.getLogger(__name__)


class Peer(Protocol):
    """The other end of a link, as one end knows it."""

    def send(self, body: bytes) -> None:
        """Send the bytes of one message, after all before it."""

    def close(self) -> None:
        """End the link after what was sent."""


class Receiver(Protocol):
    """One end of a link."""

    def receive(self, body: bytes) -> None:
        """Take the bytes of one message. Raises LinkError if they are none: the link is cut."""

    def lost(self) -> None:
        """The link is lost; nothing more comes from it."""


class LinkConnection(Int32StringReceiver):
    """One end of a link on a socket. `accept` makes the receiver of the messages, which may have `size_max` bytes."""

    def __init__(self, accept: Callable[[Peer], Receiver], size_max: int) -> None:
        self.MAX_LENGTH = size_max  # Twisted's name
        self._accept = accept
        self._receiver: Receiver | None = None

    def connectionMade(self) -> None:  # Twisted's name
        """Begin to receive."""
        self._receiver = self._accept(self)

    def stringReceived(self, string: bytes) -> None:
        """Take one message."""
        if self._receiver is None:
            return
        try:
            self._receiver.receive(string)
        except LinkError as error:
            self._cut(str(error))

    def lengthLimitExceeded(self, length: int) -> None:
        """Refuse a message that is too long before it is read."""
        self._cut(f"A message of {length:,} bytes came, and {self.MAX_LENGTH:,} are the most.")

    def connectionLost(self, reason: Failure = connectionDone) -> None:  # noqa: ARG002  # Twisted's signature
        """Tell the receiver that the link is lost."""
        receiver, self._receiver = self._receiver, None
        if receiver is not None:
            receiver.lost()

    def send(self, body: bytes) -> None:
        """Send the bytes of one message, after all before it."""
        self.sendString(body)  # type: ignore[no-untyped-call]  # Twisted's

    def close(self) -> None:
        """End the link after what was sent."""
        cast(Any, self.transport).loseConnection()

    def _cut(self, why: str) -> None:
        _log.error("the link between the processes is cut: %s", why)
        cast(Any, self.transport).abortConnection()


class _LinkFactory(Factory):
    noisy = False

    def __init__(self, accept: Callable[[Peer], Receiver], size_max: int) -> None:
        self._accept = accept
        self._size_max = size_max

    def buildProtocol(self, addr: object) -> LinkConnection:  # noqa: ARG002  # Twisted's signature
        return LinkConnection(self._accept, self._size_max)


def listen_for_views(
    reactor: Any, data: Path, accept: Callable[[Peer], Receiver], size_max: int
) -> Deferred[ListeningPort]:
    """Listen for view processes in the data folder. Fires with the port, or fails if the folder allows no socket."""
    return listen_on_path(reactor, str(data / SOCKET_FILE), _LinkFactory(accept, size_max), _OWNER_ONLY)


def dial_turns(
    reactor: Any, data: Path, accept: Callable[[Peer], Receiver], size_max: int
) -> Deferred[LinkConnection]:
    """Connect a view process with the turn process of the data folder. Fires with the connection, or fails."""
    endpoint = UNIXClientEndpoint(reactor, str(data / SOCKET_FILE))
    dialed: Deferred[LinkConnection] = endpoint.connect(_LinkFactory(accept, size_max))
    return dialed
