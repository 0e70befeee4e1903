"""The entrance of a server as its host sees it: where connections arrive, how many there are, and in which processes."""

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

from msgspec import Struct
from twisted.internet.defer import Deferred

from gloam_server.engine.server_statistics import ViewCounts

STANDBY: Final = "standby"
"""The name of the standby among the processes."""


class CannotRestart(Exception):
    """The processes of a server cannot be replaced while it runs; the text is a sentence for the host."""


class ProcessState(Struct, frozen=True):
    """One view process of a server. `number` is the system's, 0 while it does not run."""

    name: str
    number: int
    connections: int
    starts: int
    is_ready: bool


class Entrance(Protocol):
    """Lets players in, in this process or in others."""

    def read_certificate(self, now_s: int, call: Callable[..., Deferred[Any]]) -> None:
        """Read the certificate's files, or make them. `call` runs what reads changed ones later. Raises ConfigError."""

    def listen(self) -> Deferred[tuple[str, int]]:
        """Begin. Fires with the address where players connect, or with ConfigError."""

    def stop(self) -> list[Deferred[None]]:
        """Let no more connections in."""

    def end(self) -> Deferred[None]:
        """End the view processes, after the last words of the server."""

    def reload(self) -> None:
        """Read the certificate's files again."""

    def address(self) -> tuple[str, int]:
        """Return where players connect; no host and 0 before that."""

    def pin(self) -> str:
        """Return the pin of the certificate, "" without one."""

    def describe_encryption(self) -> str:
        """Return in words how connections are encrypted."""

    def counts(self) -> ViewCounts:
        """Return the counts of all connections, of all processes together."""

    def processes(self) -> Sequence[ProcessState]:
        """Return the view processes; none if the connections are in the server's own."""

    def restart(self, installed: str) -> Deferred[None]:
        """Replace all processes by new ones, of the installed code, which is given as JSON.

        Fires when this process is about to end, or with CannotRestart.
        """
