"""The host's control socket of a running server: a Unix socket in the data folder that only the server's user may open.

One request, one reply, both a line of JSON; then the connection is closed.
"""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, cast

import msgspec
from twisted.internet.defer import Deferred
from twisted.internet.protocol import Factory, Protocol, connectionDone
from twisted.python.failure import Failure

from gloam_server.logs import fields
from gloam_server.net.reactor import DelayedCall, ListeningPort, ReactorClock, Transport
from gloam_server.net.unix_port import listen_on_path
from gloam_server.ops.admin_messages import Reply, Request, socket_path

LINE_MAX: Final = 4_096
"""The most bytes of a request."""

DEADLINE_S: Final = 5
_OWNER_ONLY: Final = 0o600
_log: Final = logging.getLogger(__name__)

Ask = Callable[[Request], Deferred[Reply]]


class AdminConnection(Protocol):
    """One request of the host."""

    def __init__(self, ask: Ask, clock: ReactorClock) -> None:
        self._ask: Final = ask
        self._clock: Final = clock
        self._held = b""
        self._asked = False
        self._deadline: DelayedCall | None = None
        self._line: Transport | None = None

    def connectionMade(self) -> None:  # noqa: N802  # Twisted's name
        """Wait for the request until the deadline."""
        self._line = cast(Transport, self.transport)
        self._deadline = self._clock.callLater(DEADLINE_S, self._hang_up)

    def dataReceived(self, data: bytes) -> None:  # noqa: N802
        """Take bytes until the request's line is complete."""
        if self._asked:
            return
        self._held += data
        line, ended, _ = self._held.partition(b"\n")
        if len(line) > LINE_MAX:
            self._asked = True
            self._reply(Reply(ok=False, lines=(f"A request has at most {LINE_MAX} bytes.",)))
        elif ended:
            self._asked = True
            self._take(line)

    def connectionLost(self, reason: Failure = connectionDone) -> None:  # noqa: N802, ARG002
        """The connection is lost."""
        self._end_deadline()
        self._line = None

    def _end_deadline(self) -> None:
        if self._deadline is not None and self._deadline.active():
            self._deadline.cancel()

    def _take(self, line: bytes) -> None:
        self._end_deadline()  # it is the host's: the server may take its time to answer
        try:
            request = msgspec.json.decode(line, type=Request)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            self._reply(Reply(ok=False, lines=(f"That is no request: {error}.",)))
            return
        extra_fields = fields("asked", command=request.command, name=request.name)
        _log.info("the host asks: %s %s", request.command, request.name, extra=extra_fields)
        self._ask(request).addCallbacks(self._reply, self._failed)

    def _failed(self, failure: Failure) -> None:
        _log.error("a request of the host failed\n%s", failure.getTraceback())
        self._reply(Reply(ok=False, lines=(f"The server could not do it: {failure.getErrorMessage()}",)))

    def _reply(self, reply: Reply) -> None:
        if self._line is not None:
            self._line.write(msgspec.json.encode(reply) + b"\n")
            self._hang_up()

    def _hang_up(self) -> None:
        if self._line is not None:
            self._line.loseConnection()


class _AdminFactory(Factory):
    noisy = False

    def __init__(self, ask: Ask, clock: ReactorClock) -> None:
        self._ask = ask
        self._clock = clock

    def buildProtocol(self, addr: object) -> AdminConnection:  # noqa: ARG002, N802  # Twisted's name
        return AdminConnection(self._ask, self._clock)


def listen(reactor: Any, data: Path, ask: Ask) -> Deferred[ListeningPort | None]:
    """Listen for the host's requests. Fires with None if the folder allows no socket: that is logged, and play continues."""
    path = socket_path(data)

    def failed(failure: Failure) -> None:
        _log.error(
            "no admin commands through %s (%s): give --data a folder with a shorter path on a local disk",
            path,
            failure.getErrorMessage(),
        )

    return listen_on_path(reactor, path, _AdminFactory(ask, reactor), _OWNER_ONLY).addErrback(failed)
