"""The running server: the order of its start and its stop. Everything is built here."""

import json
import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final, NoReturn

from twisted.internet.defer import Deferred, DeferredList, fail, succeed
from twisted.python.failure import Failure

from gloam_server.app.config import Config, ConfigError
from gloam_server.app.entrance import TurnStart, build_alone, build_with_views
from gloam_server.app.garbage_collection import IdleSearch
from gloam_server.app.open_world import ADDRESS_FILE
from gloam_server.app.server_parts import Outside
from gloam_server.engine.faults.crash_reports import FOLDER as FAULTS_FOLDER
from gloam_server.engine.faults.crash_reports import CrashReports
from gloam_server.engine.game_clock import GameClock
from gloam_server.gateway.dungeon_list import AskRealms
from gloam_server.gateway.host_ladder import AskBoard
from gloam_server.gateway.login.password_hashing import PasswordHashingThread
from gloam_server.net.reactor import ListeningPort, Reactor, prepare_port
from gloam_server.ops import admin, admin_socket
from gloam_server.ops.admin_messages import Reply, Request
from gloam_server.storage import shared_replays
from gloam_server.storage.file_thread import FileThread
from gloam_server.storage.host import Host
from gloam_server.storage.store import Store
from gloam_server.storage.writer import Writer
from gloam_server.world.transition.dungeon import Dungeon

_FIRST_GUEST_S: Final = 30
_LINGER_S: Final = 0.3
_RETURN_S: Final = 5
"""The time for the players of the turn process before to be taken in again: until then no body leaves for want of a connection."""
_log: Final = logging.getLogger(__name__)


class Server:
    """One realm, its entrance and its writer. `on_listening` is called with the port of the game, if this process has it; with `start` view processes have the connections."""

    def __init__(
        self,
        config: Config,
        store: Store,
        dungeon: Dungeon,
        reactor: Reactor,
        version: str,
        on_listening: Callable[[ListeningPort], None] = prepare_port,
        start: TurnStart | None = None,
    ) -> None:
        self._reactor = reactor
        self._idle_search = IdleSearch()
        self._config = config
        self.failure: str | None = None
        self.writer = Writer(store, reactor, self._fail)
        self.writer.call(store.directory.identity).addErrback(_ignore)  # its thread connects meanwhile
        clock = GameClock(reactor)
        self.passwords, self._files = PasswordHashingThread(reactor), FileThread(reactor)
        outside = Outside(
            self.writer,
            clock,
            self.passwords,
            shared_replays.SharedReplays(config.data / shared_replays.FOLDER, self._files.call),
            self._fail,
            self._idle,
            CrashReports(config.data / FAULTS_FOLDER, clock.wall_s, self._files.call),
            self._introduce(store.host, dungeon.campaign.title) if store.host is not None else None,
            self._board_of(store.host) if store.host is not None else None,
        )
        self.engine, self.host, self.entrance = (
            build_with_views(dungeon, outside, config, version, reactor, start)
            if start is not None
            else build_alone(dungeon, outside, config, version, reactor, on_listening)
        )
        if start is not None and start.epoch:
            self.engine.loop.wait_for_returns(self.engine.clock.now_ms() + _RETURN_S * 1_000)
            reactor.callLater(_RETURN_S, self.engine.loop.wake)
        self._side_ports: list[ListeningPort] = []
        self._stopped = False
        self._asked = False
        self._realm = admin.RunningServer(
            self.engine,
            self.host,
            self.entrance,
            self.writer,
            config.players_max,
            version,
            self.engine.clock.now_ms(),
        )

    def start(self, announce: Callable[[str, int, str], None]) -> Deferred[None]:
        """Listen, then announce the address and the pin. Fires with ConfigError if the port or the certificate is not available."""
        try:
            self.entrance.read_certificate(self.engine.clock.wall_s(), self._files.call)
        except ConfigError:
            return fail()

        def listening(address: tuple[str, int]) -> None:
            if self._config.private:
                self._go_private(*address)
            admin_socket.listen(self._reactor, self._config.data, self._ask).addCallback(
                lambda port: self._side_ports.append(port) if port is not None else None
            )
            announce(*address, self.entrance.pin())
            self.engine.loop.wake()

        return self._serve_metrics().addCallback(lambda _: self.entrance.listen()).addCallback(listening)

    def _introduce(self, host: Host, title: str) -> AskRealms:
        """Show this realm in the lists of its host, and return what reads them. Neither delays a turn."""
        self._files.call(host.introduce, title).addErrback(
            lambda failure: _log.warning(
                "the other dungeons do not show this one's title: %s", failure.getErrorMessage()
            )
        )
        return lambda: self._files.call(host.realms)

    def _board_of(self, host: Host) -> AskBoard:
        """Return what reads a board of the ladder over all dungeons of the host, as above."""
        return lambda question: self._files.call(host.board, question)

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

    def stop(self) -> Deferred[None]:
        """Stop listening, notify all players, finish the present batch, snapshot, and close the store."""
        if self._stopped:
            return succeed(None)
        self._stopped = True
        self.passwords.stop()
        if self._config.private:
            (self._config.data / ADDRESS_FILE).unlink(missing_ok=True)
        closing = [*(port.stopListening() for port in self._side_ports), *self.entrance.stop()]
        self.host.close("stopping", "The server is stopping; all is kept.")
        waits = [self.engine.loop.stop(), *(each for each in closing if isinstance(each, Deferred))]
        return (
            DeferredList(waits)
            .addCallback(lambda _: self.entrance.end())
            .addCallback(lambda _: self._files.stop(self._reactor))
            .addCallback(lambda _: self.writer.stop())
            .addCallback(lambda _: self.writer.store.close())
        )

    def reload(self) -> None:
        """Read the certificate's files again."""
        self.entrance.reload()

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

    def _go_private(self, host: str, port: int) -> None:
        """Set up a private server: publish its address locally, and stop after the last player has left."""
        path = self._config.data / ADDRESS_FILE
        scratch = Path(f"{path}.new")
        scratch.write_text(json.dumps({"host": host, "port": port, "pid": os.getpid()}), encoding="utf-8")
        scratch.replace(path)
        self._reactor.callLater(_FIRST_GUEST_S, self._stop_waiting_for_guest)

    def _stop_waiting_for_guest(self) -> None:
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
        if not self._stopped and self.entrance.counts().connections == 0 and self.engine.players.is_idle():
            _log.info("the last player has left; the private server stops")
            self.ask_to_stop()


def _ignore(_: Failure) -> None:
    """Leave an error to the next call, which meets it, too."""
