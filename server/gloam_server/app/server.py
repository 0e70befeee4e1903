"""The running server: the order of its start and its stop. Everything is built here."""

import json
import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final, NoReturn

from twisted.internet.defer import Deferred, DeferredList, fail, succeed
from twisted.internet.endpoints import TCP4ServerEndpoint, TCP6ServerEndpoint
from twisted.internet.error import CannotListenError
from twisted.internet.protocol import Factory
from twisted.python.failure import Failure

from gloam_server.app.certificates import describe, encryption_of
from gloam_server.app.config import Config, ConfigError, PortTaken
from gloam_server.app.file_limits import FileLimits, raise_file_limit
from gloam_server.app.garbage_collection import IdleSearch
from gloam_server.app.open_world import ADDRESS_FILE
from gloam_server.app.realm import Outside, RealmOptions, build_realm
from gloam_server.engine.faults.crash_reports import FOLDER as FAULTS_FOLDER
from gloam_server.engine.faults.crash_reports import CrashReports
from gloam_server.engine.game_clock import GameClock
from gloam_server.gateway.login.login_attempt import AccessRules
from gloam_server.gateway.login.password_hashing import PasswordHashingThread
from gloam_server.net.connection_counts import ConnectionLimits
from gloam_server.net.encryption import Encryption
from gloam_server.net.proxied_connections import DoorFactory, ProxiedFactory
from gloam_server.net.reactor import ListeningPort, Reactor, address_of, prepare_port
from gloam_server.net.tls_sniffing import TlsSniffingFactory
from gloam_server.net.unix_port import listen_on_path
from gloam_server.ops import admin, admin_socket
from gloam_server.ops.admin_messages import Reply, Request
from gloam_server.storage import shared_replays
from gloam_server.storage.file_thread import FileThread
from gloam_server.storage.store import Store
from gloam_server.storage.writer import Writer
from gloam_server.world.transition.dungeon import Dungeon

DOOR_SOCKET_MODE: Final = 0o660
"""The permissions of the doors' socket: a door may run as another user of the server's group."""

_FIRST_GUEST_S: Final = 30
_LINGER_S: Final = 0.3
_log: Final = logging.getLogger(__name__)


class Server:
    """One realm, its listener and its writer. `on_listening` is called with the port."""

    on_listening: Callable[[ListeningPort], None] = staticmethod(prepare_port)

    def __init__(
        self, config: Config, store: Store, dungeon: Dungeon, reactor: Reactor, version: str
    ) -> None:
        self._reactor = reactor
        self._idle_search = IdleSearch()
        self._config = config
        self.failure: str | None = None
        self.writer = Writer(store, reactor, self._fail)
        clock = GameClock(reactor)
        self.passwords, self._files = PasswordHashingThread(reactor), FileThread(reactor)
        self._places = raise_file_limit(config.connections_max, proxied=bool(config.proxies))
        outside = Outside(
            self.writer,
            clock,
            self.passwords,
            shared_replays.SharedReplays(config.data / shared_replays.FOLDER, self._files.call),
            self._fail,
            self._idle,
            CrashReports(config.data / FAULTS_FOLDER, clock.wall_s, self._files.call),
        )
        realm = build_realm(dungeon, outside, _options(config, self._places, version))
        self.engine, self.host, self.front, self.factory = (
            realm.engine,
            realm.gateway,
            realm.front,
            realm.factory,
        )
        self._doors = DoorFactory(self.factory, (), reactor, self.front.refusals.record)
        self._port: ListeningPort | None = None
        self._side_ports: list[ListeningPort] = []
        self._encryption: Encryption | None = None
        self._stopped = False
        self._asked = False
        self._realm = self._describe_itself(version)

    def _describe_itself(self, version: str) -> admin.RunningServer:
        return admin.RunningServer(
            self.engine,
            self.host,
            self.front,
            self.writer,
            self._config.players_max,
            version,
            self.engine.clock.now_ms(),
            self._encryption_status,
            lambda: address_of(self._port),
            self._doors.visits,
        )

    def start(self, announce: Callable[[str, int, str], None]) -> Deferred[None]:
        """Listen, then announce the address and the pin. Fires with ConfigError if the port or the certificate is not available."""
        try:
            self._encryption = encryption_of(self._config, self.engine.clock.wall_s(), self._files.call)
        except ConfigError:
            return fail()
        endpoint = _endpoint(self._reactor, self._config.listen, self._config.port)

        def listening(port: ListeningPort) -> None:
            self._port = port
            self.on_listening(port)
            address = port.getHost()
            if self._config.private:
                self._go_private(address.host, address.port)
            admin_socket.listen(self._reactor, self._config.data, self._ask).addCallback(
                lambda port: self._side_ports.append(port) if port is not None else None
            )
            announce(address.host, address.port, self._pin())
            self.engine.loop.wake()

        lines = self._listener_of(self._encryption)

        def listen(_: object) -> Deferred[ListeningPort]:
            listened: Deferred[ListeningPort] = endpoint.listen(lines)  # type: ignore[no-untyped-call]  # Twisted's
            return listened

        watched = self._serve_metrics().addCallback(lambda _: self._open_doors())
        return watched.addCallback(listen).addCallback(listening).addErrback(self._cannot_listen)

    def _listener_of(self, encryption: Encryption | None) -> Factory:
        """Return the factory for new connections: a proxy's header comes first, then perhaps TLS, then the connection."""
        lines = TlsSniffingFactory(self.factory, encryption, self._reactor) if encryption else self.factory
        if not self._config.proxies:
            return lines
        counts = self.front.refusals.record
        return ProxiedFactory(lines, self._config.proxies, self._reactor, counts, self._places.proxied)

    def _serve_metrics(self) -> Deferred[None]:
        """Serve metrics for the host's programs, if configured; it costs nothing without requests."""
        if self._config.metrics_port is None:
            return succeed(None)
        from gloam_server.ops import http_endpoint  # noqa: PLC0415  # an HTTP server that few need

        at = self._config.metrics_listen, self._config.metrics_port

        def refused(failure: Failure) -> NoReturn:
            failure.trap(http_endpoint.CannotServe)
            raise ConfigError(failure.getErrorMessage())

        listening = http_endpoint.listen(self._reactor, self._realm, *at)
        return listening.addCallbacks(self._side_ports.append, refused)

    def _open_doors(self) -> Deferred[None]:
        """Listen for doors, if configured."""
        if self._config.door_socket is None:
            return succeed(None)
        path = self._config.data / self._config.door_socket

        def refused(failure: Failure) -> NoReturn:
            raise ConfigError(
                f"The doors' socket {path} cannot be made: {failure.getErrorMessage()}; name a short path in a folder "
                "that this server may write to."
            )

        listening = listen_on_path(self._reactor, str(path), self._doors, DOOR_SOCKET_MODE)
        return listening.addCallbacks(self._side_ports.append, refused)

    def stop(self) -> Deferred[None]:
        """Stop listening, notify all players, finish the present batch, snapshot, and close the store."""
        if self._stopped:
            return succeed(None)
        self._stopped = True
        self.passwords.stop()
        if self._config.private:
            (self._config.data / ADDRESS_FILE).unlink(missing_ok=True)
        ports = [*self._side_ports, *([self._port] if self._port is not None else [])]
        closing = [port.stopListening() for port in ports]
        self.host.close("stopping", "The server is stopping; all is kept.")
        self.front.refusals.stop()
        waits = [self.engine.loop.stop(), *(each for each in closing if isinstance(each, Deferred))]
        return (
            DeferredList(waits)
            .addCallback(lambda _: self._files.stop(self._reactor))
            .addCallback(lambda _: self.writer.stop())
            .addCallback(lambda _: self.writer.store.close())
        )

    def reload(self) -> None:
        """Read the certificate's files again."""
        if self._encryption is not None:
            self._encryption.reload()

    def _pin(self) -> str:
        return self._encryption.certificate.pin if self._encryption is not None else ""

    def _encryption_status(self) -> str:
        if self._encryption is None:
            return "connections: plain, only from this machine"
        plain = "plain from everywhere" if self._encryption.plain else "plain from this machine alone"
        return f"connections: TLS, {describe(self._encryption.certificate)}; {plain}"

    def _ask(self, request: Request) -> Deferred[Reply]:
        return admin.answer(self._realm, request)

    def ask_to_stop(self) -> None:
        """Stop the whole process; further calls do nothing."""
        if not self._asked:
            self._asked = True
            self._reactor.stop()

    def _fail(self, reason: str) -> None:
        """Stop the process after a fatal error."""
        if self.failure is not None:
            return
        _log.critical("%s", reason)
        self.failure = reason
        self._reactor.callLater(0, self.ask_to_stop)

    def _cannot_listen(self, failure: Failure) -> None:
        error = failure.value
        if not isinstance(error, CannotListenError):
            failure.raiseException()
        raise PortTaken(
            f"Cannot listen on {self._config.listen}:{self._config.port}: {getattr(error, 'socketError', error)}; "
            "name a free port with --port (0 takes any) or another address with --listen."
        )

    def _go_private(self, host: str, port: int) -> None:
        """Set up a private server: publish its address locally, and stop after the last player has left."""
        path = self._config.data / ADDRESS_FILE
        scratch = Path(f"{path}.new")
        scratch.write_text(json.dumps({"host": host, "port": port, "pid": os.getpid()}), encoding="utf-8")
        scratch.replace(path)
        self._reactor.callLater(_FIRST_GUEST_S, self._first_guest_is_late)

    def _first_guest_is_late(self) -> None:
        """Stop waiting for a first player: from now on the server may stop whenever it has no players."""
        self.host.had_guests = True
        self._stop_later()

    def _idle(self) -> None:
        """Do what waits for a moment without players."""
        self._idle_search.run(self.engine.clock.now_ms())
        if self._config.private:
            self._stop_later()

    def _stop_later(self) -> None:
        if not self._stopped and self.host.had_guests:
            self._reactor.callLater(_LINGER_S, self._stop_if_empty)

    def _stop_if_empty(self) -> None:
        if not self._stopped and self.front.connections.open == 0 and self.engine.players.is_idle():
            _log.info("the last player has left; the private server stops")
            self.ask_to_stop()


def _endpoint(reactor: Reactor, listen: str, port: int) -> TCP4ServerEndpoint | TCP6ServerEndpoint:
    return (TCP6ServerEndpoint if ":" in listen else TCP4ServerEndpoint)(reactor, port, interface=listen)


def _options(config: Config, file_limits: FileLimits, version: str) -> RealmOptions:
    """Return the options of the realm, with limits of connections for the descriptors that the server may open."""
    room = ConnectionLimits(
        file_limits.connections,
        config.trusted,
        config.loopback_exempt,
        file_limits.reserved,
        file_limits.turned_away,
    )
    return RealmOptions(
        AccessRules(config.open, config.trusted),
        room,
        config.players_max,
        version,
        config.patience_ms,
        config.party_patience_max_ms,
        config.archive_days,
        config.one_life,
        config.watch_guests,
    )
