"""The ports of a process with connections: TLS, proxies, the port of the game, and the socket of doors."""

import socket
from collections.abc import Callable, Sequence
from typing import Any, Final

from twisted.internet.defer import Deferred, fail, succeed
from twisted.internet.endpoints import TCP4ServerEndpoint, TCP6ServerEndpoint
from twisted.internet.error import CannotListenError
from twisted.internet.protocol import Factory
from twisted.python.failure import Failure

from gloam_server.app.certificates import describe, encryption_of
from gloam_server.app.config import Config, ConfigError, PortTaken
from gloam_server.app.file_limits import FileLimits
from gloam_server.engine.server_statistics import ViewCounts
from gloam_server.gateway.front import Front
from gloam_server.net.connection import ConnectionFactory
from gloam_server.net.connection_counts import ConnectionLimits
from gloam_server.net.encryption import Encryption
from gloam_server.net.proxied_connections import DoorFactory, ProxiedFactory
from gloam_server.net.reactor import WAITING_MAX, ListeningPort, Reactor, address_of
from gloam_server.net.tls_sniffing import TlsSniffingFactory
from gloam_server.net.unix_port import listen_on_path
from gloam_server.ops.entrance import CannotRestart, ProcessState

DOOR_SOCKET_MODE: Final = 0o660
"""The permissions of the doors' socket: a door may run as another user of the server's group."""


class Listeners:
    """Lets connections in. `on_listening` is called with the port."""

    def __init__(
        self,
        config: Config,
        reactor: Reactor,
        factory: ConnectionFactory,
        front: Front,
        proxied_max: int,
        on_listening: Callable[[ListeningPort], None],
    ) -> None:
        self._config = config
        self._reactor = reactor
        self._factory = factory
        self._front = front
        self._refused = front.refusals.record
        self._on_listening = on_listening
        self._proxied_max = proxied_max
        self._doors = DoorFactory(factory, (), reactor, self._refused)
        self._encryption: Encryption | None = None
        self._port: ListeningPort | None = None
        self._door_port: ListeningPort | None = None

    def read_certificate(self, now_s: int, call: Callable[..., Deferred[Any]]) -> None:
        """Read the certificate's files. `call` runs what reads changed ones later. Raises ConfigError."""
        self._encryption = encryption_of(self._config, now_s, call)

    def listen(self) -> Deferred[tuple[str, int]]:
        """Listen for doors, if configured, and for players. Fires with the address, or with ConfigError."""
        return self._open_doors().addCallback(self._listen).addCallbacks(self._listening, self._cannot_listen)

    def share(self, port: int, doors: int | None) -> None:
        """Listen at a port, and at a socket of doors that is open already, beside other processes. Raises ConfigError."""
        adopt: Any = getattr(self._reactor, "adoptStreamPort")  # noqa: B009  # of Twisted's reactors alone
        if doors is not None:
            self._door_port = adopt(doors, socket.AF_UNIX, self._doors)
        with shared_socket(self._config.listen, port) as shared:
            shared.listen(WAITING_MAX)
            shared.settimeout(0)
            self._listening(adopt(shared.fileno(), shared.family, self._lines()))

    def stop(self) -> list[Deferred[None]]:
        """Let no more connections in."""
        self._front.refusals.stop()
        ports = [each for each in (self._door_port, self._port) if each is not None]
        return [each for each in [port.stopListening() for port in ports] if isinstance(each, Deferred)]

    def end(self) -> Deferred[None]:
        """Do nothing: there are no view processes."""
        return succeed(None)

    def processes(self) -> Sequence[ProcessState]:
        """Return no view process."""
        return ()

    def restart(self, installed: str) -> Deferred[None]:  # noqa: ARG002  # the same for any
        """Fire with CannotRestart: this process is the only one."""
        return fail(
            CannotRestart(
                "A rolling restart needs view processes and a standby: start the server with --views 2 --standby, or stop it and "
                "start it again."
            )
        )

    def counts(self) -> ViewCounts:
        """Return the counts of all connections."""
        return self._front.counts(self._doors.visits)

    def reload(self) -> None:
        """Read the certificate's files again."""
        if self._encryption is not None:
            self._encryption.reload()

    def address(self) -> tuple[str, int]:
        """Return where players connect; no host and 0 before that."""
        return address_of(self._port)

    def pin(self) -> str:
        """Return the pin of the certificate, "" without one."""
        return self._encryption.certificate.pin if self._encryption is not None else ""

    def describe_encryption(self) -> str:
        """Return in words how connections are encrypted."""
        return describe_encryption(self._encryption)

    def _lines(self) -> Factory:
        """Return the factory for new connections: a proxy's header comes first, then perhaps TLS, then the connection."""
        encryption = self._encryption
        lines: Factory = self._factory
        if encryption is not None:
            lines = TlsSniffingFactory(self._factory, encryption, self._reactor)
        if not self._config.proxies:
            return lines
        return ProxiedFactory(lines, self._config.proxies, self._reactor, self._refused, self._proxied_max)

    def _listen(self, _: object) -> Deferred[ListeningPort]:
        endpoint = (TCP6ServerEndpoint if ":" in self._config.listen else TCP4ServerEndpoint)(
            self._reactor, self._config.port, WAITING_MAX, self._config.listen
        )
        listened: Deferred[ListeningPort] = endpoint.listen(self._lines())  # type: ignore[no-untyped-call]  # Twisted's
        return listened

    def _listening(self, port: ListeningPort) -> tuple[str, int]:
        self._port = port
        self._on_listening(port)
        return address_of(port)

    def _cannot_listen(self, failure: Failure) -> tuple[str, int]:
        error = failure.value
        if not isinstance(error, CannotListenError):
            failure.raiseException()
        raise port_taken(self._config, getattr(error, "socketError", error))

    def _open_doors(self) -> Deferred[None]:
        """Listen for doors, if configured."""
        if self._config.door_socket is None:
            return succeed(None)
        path = self._config.data / self._config.door_socket

        def opened(port: ListeningPort) -> None:
            self._door_port = port

        def refused(failure: Failure) -> None:
            raise no_door_socket(self._config, failure.getErrorMessage())

        listening = listen_on_path(self._reactor, str(path), self._doors, DOOR_SOCKET_MODE)
        return listening.addCallbacks(opened, refused)


def connection_limits(config: Config, limits: FileLimits) -> ConnectionLimits:
    """Return the limits of connections for the descriptors that a process may open."""
    return ConnectionLimits(
        limits.connections, config.trusted, config.loopback_exempt, limits.reserved, limits.turned_away
    )


def port_taken(config: Config, error: object) -> PortTaken:
    """Return the error of a port that cannot be had."""
    return PortTaken(
        f"Cannot listen on {config.listen}:{config.port}: {error}; "
        "name a free port with --port (0 takes any) or another address with --listen."
    )


def no_door_socket(config: Config, why: str) -> ConfigError:
    """Return the error of a socket of doors that cannot be made."""
    return ConfigError(
        f"The doors' socket {config.data / (config.door_socket or '')} cannot be made: {why}; name a short path in a folder "
        "that this server may write to."
    )


def describe_encryption(encryption: Encryption | None) -> str:
    """Return in words how connections are encrypted."""
    if encryption is None:
        return "connections: plain, only from this machine"
    plain = "plain from everywhere" if encryption.plain else "plain from this machine alone"
    return f"connections: TLS, {describe(encryption.certificate)}; {plain}"


def shared_socket(listen: str, port: int) -> socket.socket:
    """Return a socket bound to a port that several processes of a server share. Raises OSError."""
    family = socket.AF_INET6 if ":" in listen else socket.AF_INET
    shared = socket.socket(family, socket.SOCK_STREAM)
    try:
        shared.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        shared.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        shared.bind((listen, port))
    except OSError:
        shared.close()
        raise
    return shared
