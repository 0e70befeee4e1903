"""What we use of Twisted's reactor and transports, as typing protocols: its own interfaces tell mypy nothing."""

from collections.abc import Callable
from typing import Any, Final, Protocol


class DelayedCall(Protocol):
    """A call that was put off."""

    def active(self) -> bool:
        """Return whether it is still to come."""

    def cancel(self) -> None:
        """Call it off."""


class ReactorClock(Protocol):
    """Tells the time and calls back later; Twisted's test clock is one too."""

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
    """Where a listening port is."""

    host: str
    port: int


class ListeningPort(Protocol):
    """A port that is listened on."""

    def getHost(self) -> Address:
        """Return where it is."""

    numberAccepts: int  # noqa: N815  # Twisted's name
    """How many connections it accepts at once; it raises that by itself while more of them wait."""

    def doRead(self) -> None:
        """Accept what waits."""

    def stopListening(self) -> Any:
        """Stop; return a Deferred or None."""


ACCEPTS_MAX: Final = 8


def accept_few(port: ListeningPort) -> None:
    """Make a port accept few connections at once, so that many new connections do not delay players.

    Twisted accepts a hundred at a time and more from turn to turn, each for a fifth of a millisecond.
    """
    accept = port.doRead

    def do_read() -> None:
        port.numberAccepts = min(port.numberAccepts, ACCEPTS_MAX)
        accept()

    port.doRead = do_read  # type: ignore[method-assign]  # Twisted asks the port for it each time


class Transport(Protocol):
    """The other side of a connection."""

    def write(self, data: bytes) -> None:
        """Send bytes, in order, some time."""

    def loseConnection(self) -> None:
        """Close once what was written is out."""

    def abortConnection(self) -> None:
        """Close now."""

    def registerProducer(self, producer: object, streaming: bool) -> None:
        """Tell `producer` to pause when too much is held."""
