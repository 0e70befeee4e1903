"""The used parts of Twisted's reactor and transports as typing protocols: mypy cannot use its interfaces."""

from collections.abc import Callable
from typing import Any, Final, Protocol

from twisted.internet.tcp import Server


class Timer(Protocol):
    """A call that is under way to its time."""

    def cancel(self) -> object:
        """Do not call. The caller does this before its time only."""


class DelayedCall(Protocol):
    """A scheduled call."""

    def active(self) -> bool:
        """Return whether the call is still pending."""

    def cancel(self) -> None:
        """Cancel the call."""


class ReactorClock(Protocol):
    """Reports the time and schedules calls; Twisted's test clock is one, too."""

    def seconds(self) -> float:
        """Return the time in seconds."""

    def callLater(self, delay: float, function: Callable[..., object], /, *args: object) -> Any:
        """Call a function after a number of seconds."""


class Reactor(ReactorClock, Protocol):
    """The reactor, as far as a server needs it."""

    def callFromThread(self, function: Callable[..., Any], /, *args: Any) -> None:
        """Call in the reactor's thread."""

    def addSystemEventTrigger(self, phase: str, event: str, function: Callable[..., Any]) -> Any:
        """Call when the reactor starts or stops."""

    def run(self, installSignalHandlers: bool = True) -> None:
        """Run until stopped."""

    def stop(self) -> None:
        """End `run`."""


class Address(Protocol):
    """The address of a listening port."""

    host: str
    port: int


class ListeningPort(Protocol):
    """A listening port."""

    def getHost(self) -> Address:
        """Return its address."""

    transport: Callable[..., Any]
    """The factory that makes a connection of a socket that was accepted."""

    numberAccepts: int  # noqa: N815  # Twisted's name
    """The connections that it accepts in one iteration; Twisted raises it while more of them wait."""

    def doRead(self) -> None:
        """Accept waiting connections."""

    def fileno(self) -> int:
        """Return its file descriptor."""

    def stopListening(self) -> Any:
        """Stop; return a Deferred or None."""


WAITING_MAX: Final = 1_024
"""The connections that wait to be accepted. All players of a process that ended dial in one moment, and the system drops those
that find no room: they try again after a second, then after two more, then four."""
ACCEPTS_MAX: Final = 3
"""A player's step takes several turns of the reactor, and each may contain this many new connections."""


def accept_few(port: ListeningPort) -> None:
    """Make a port accept few connections in one iteration, so that many new connections do not delay players.

    Twisted accepts a hundred at a time and more from iteration to iteration, each for a fifth of a
    millisecond.
    """
    accept = port.doRead

    def do_read() -> None:
        port.numberAccepts = min(port.numberAccepts, ACCEPTS_MAX)
        accept()

    port.doRead = do_read  # type: ignore[method-assign]  # Twisted asks the port for it each time


def address_of(port: ListeningPort | None) -> tuple[str, int]:
    """Return the host and number of a port that listens; no host and 0 without one."""
    if port is None:
        return "", 0
    at = port.getHost()
    return at.host, at.port


def prepare_port(port: ListeningPort) -> None:
    """Make a port accept few connections in one iteration, and these send immediately what their sockets take."""
    accept_few(port)
    port.transport = EagerServer


class Transport(Protocol):
    """The other side of a connection."""

    def write(self, data: bytes) -> None:
        """Queue bytes for sending, in order."""

    def loseConnection(self) -> None:
        """Close after the written bytes are sent."""

    def abortConnection(self) -> None:
        """Close now."""

    def registerProducer(self, producer: object, streaming: bool) -> None:
        """Let `producer` be paused when too many bytes are buffered."""


class EagerServer(Server):
    """A connection that was accepted. Bytes stay in order: nothing is sent before what is queued."""

    def write(self, data: bytes) -> None:
        """Send what fits, and queue the rest. A lost connection is noticed as with any queued bytes."""
        if (
            data
            and not self.TLS
            and self.connected
            and not (self.disconnecting or self._writeDisconnected)
            and not self._is_queued()
        ):
            sent = self.writeSomeData(data)
            if sent == len(data):
                return
            if isinstance(sent, int) and sent > 0:
                data = data[sent:]
        super().write(data)  # type: ignore[no-untyped-call]  # Twisted has no type for it

    def _is_queued(self) -> bool:
        """Return whether bytes wait for room."""
        return bool(self._tempDataLen or self.dataBuffer)
