"""The entrance of a server with view processes: they share its port, and this process starts and watches them."""

import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, Protocol

import msgspec
from twisted.internet.defer import Deferred, fail
from twisted.python.failure import Failure

from gloam_server.app.certificates import encryption_of
from gloam_server.app.config import Config, ConfigError, Settings
from gloam_server.app.listeners import describe_encryption
from gloam_server.app.views.entrance_sockets import EntranceSockets, release_sockets, reserve_sockets
from gloam_server.app.views.own_code import own_code
from gloam_server.app.views.rolling_restart import RollingRestart
from gloam_server.app.views.watched_process import WatchedProcess
from gloam_server.engine.server_statistics import ViewCounts, sum_counts
from gloam_server.link.link_messages import TO_TURNS_MAX, Setup
from gloam_server.link.link_socket import SOCKET_FILE, listen_for_views
from gloam_server.link.turn_end import ViewLinks
from gloam_server.net.encryption import Encryption
from gloam_server.net.reactor import DelayedCall, ListeningPort, Reactor
from gloam_server.ops.entrance import STANDBY, ProcessState

START_S: Final = 60
"""The longest time that a view process takes until it listens."""
_ALL_S: Final = 30
"""The longest time that a start waits for the last view processes if others listen."""
_LOOK_S: Final = 0.2
_STOP_S: Final = 4
"""The longest time that the view processes have for their clients' last words."""
_STEADY_S: Final = 60
"""After this time a view process that ends is started again without a delay."""
_FIRST_DELAY_S: Final = 0.5
_LAST_DELAY_S: Final = 30.0
_RETURN_S: Final = 5
"""The time for the view processes of the turn process before to return: then others are started in their places."""
_ALIVE_S: Final = 0.25
"""The pause between two words to the standby that this process goes on."""
_log: Final = logging.getLogger(__name__)


class ViewOptions(msgspec.Struct, frozen=True):
    """The options of a view process. `doors` and `life` are descriptors, -1 for none: the socket of doors, and one that ends with the server."""

    data: str
    view_number: int
    doors: int
    life: int
    log_format: str


class Running(Protocol):
    """A process that another one watches and ends."""

    @property
    def pid(self) -> int:
        """The system's number of it."""

    def poll(self) -> int | None:
        """Return its exit code if it has ended."""

    def wait(self, timeout: float | None = None) -> int:
        """Wait until it has ended. Raises TimeoutExpired."""

    def kill(self) -> None:
        """End it by force."""


class StartViews(Protocol):
    """Starts view processes."""

    def start(self, options: ViewOptions) -> Running:
        """Start one."""

    def renew(self) -> None:
        """Start processes of the installed code from now on."""


class _ViewProcess:
    """The number of a view process, and the process that has it now."""

    def __init__(self, view_number: int) -> None:
        self.view_number: Final = view_number
        self.running: Running | None = None
        self.began_s = 0.0
        self.starts = 0
        self.is_ready = False
        self.delay_s = 0.0
        self.again_s: float | None = 0.0
        """The time of the next start; None while it runs."""


class ViewEntrance:
    """Starts K view processes, starts each again that ends, and stops them with the server.

    `views` starts them. `setup` makes what they need, from their configuration and the number of the first connection. `sockets`
    are those that a supervisor has opened; `adopts` says that the view processes of another turn process still run.
    """

    def __init__(
        self,
        config: Config,
        reactor: Reactor,
        links: ViewLinks,
        views: StartViews,
        setup: Callable[[bytes, int], Setup],
        sockets: EntranceSockets | None,
        *,
        adopts: bool,
    ) -> None:
        self._config = config
        self._reactor = reactor
        self._links = links
        self._views = views
        self._setup = setup
        self._processes = [_ViewProcess(number) for number in range(1, config.views + 1)]
        self._encryption: Encryption | None = None
        self._sockets = sockets
        self._is_supervised = sockets is not None
        if adopts:
            for each in self._processes:
                each.again_s = reactor.seconds() + _RETURN_S
        self._link_port: ListeningPort | None = None
        self._timer: DelayedCall | None = None
        self._opened: Deferred[tuple[str, int]] | None = None
        self._began_s = 0.0
        self._stopping = False
        self._restart: Final = RollingRestart(reactor, self.processes, views.renew)
        links.on_change = self._look

    def read_certificate(self, now_s: int, call: Callable[..., Deferred[Any]]) -> None:
        """Read the certificate's files, or make them: the view processes find them. Raises ConfigError."""
        self._encryption = encryption_of(self._config, now_s, call)

    def listen(self) -> Deferred[tuple[str, int]]:
        """Start the view processes. Fires with the address when the first one listens, or with ConfigError."""
        try:
            self._sockets = self._sockets or reserve_sockets(self._config)
        except ConfigError:
            return fail()

        def failed(failure: Failure) -> None:
            raise ConfigError(
                f"The socket {self._config.data / SOCKET_FILE} for view processes cannot be made: "
                f"{failure.getErrorMessage()}; give --data a folder with a shorter path on a local disk."
            )

        accept = partial(self._links.accept, code=own_code(), setup=partial(self._setup, self._settings()))
        opened: Deferred[tuple[str, int]] = Deferred()
        self._opened = opened
        listening = listen_for_views(self._reactor, self._config.data, accept, TO_TURNS_MAX)
        return listening.addCallbacks(self._begin, failed).addCallback(lambda _: opened)

    def stop(self) -> list[Deferred[None]]:
        """Let no more connections in: the view processes close theirs when the server's last words are sent."""
        self._stopping = True
        if self._timer is not None and self._timer.active():
            self._timer.cancel()
        if self._sockets is not None and self._is_supervised:
            self._sockets.close()
        elif self._sockets is not None:
            release_sockets(self._config, self._sockets)
        stopped = self._link_port.stopListening() if self._link_port is not None else None
        return [stopped] if isinstance(stopped, Deferred) else []

    def end(self) -> Deferred[None]:
        """Stop the view processes, after the last words of the server. Fires when they have ended."""
        self._links.end()
        ended: Deferred[None] = Deferred()
        self._wait_for_end(ended, self._reactor.seconds() + _STOP_S)
        return ended

    def counts(self) -> ViewCounts:
        """Return the counts of all view processes together."""
        return sum_counts(link.counts for link in self._links.links())

    def processes(self) -> Sequence[ProcessState]:
        """Return the view processes."""
        links = self._links.links()
        counts = {link.view_number: link.counts.connections for link in links}
        standbys = [
            ProcessState(STANDBY, link.process, 0, 1, is_ready=link.is_ready)
            for link in links
            if link.is_standby
        ]
        return standbys + [
            ProcessState(
                f"view {each.view_number}",
                0 if each.running is None else each.running.pid,
                counts.get(each.view_number, 0),
                each.starts,
                each.is_ready,
            )
            for each in self._processes
        ]

    def restart(self, installed: str) -> Deferred[None]:
        """Replace all processes, of the installed code. Fires when this one is about to end, or with CannotRestart."""
        return self._restart.begin(installed)

    def reload(self) -> None:
        """Read the certificate's files again, here and in all view processes."""
        if self._encryption is not None:
            self._encryption.reload()
        self._links.reload()

    def address(self) -> tuple[str, int]:
        """Return where players connect; no host and 0 before that."""
        if self._sockets is None or self._stopping:
            return "", 0
        host, port, *_ = self._sockets.port.getsockname()
        return str(host), int(port)

    def pin(self) -> str:
        """Return the pin of the certificate, "" without one."""
        return self._encryption.certificate.pin if self._encryption is not None else ""

    def describe_encryption(self) -> str:
        """Return in words how connections are encrypted."""
        return describe_encryption(self._encryption)

    def _wait_for_end(self, ended: Deferred[None], until_s: float) -> None:
        running = [each.running for each in self._processes if each.running is not None]
        left = [each for each in running if each.poll() is None]
        if left and self._reactor.seconds() < until_s:
            self._reactor.callLater(_LOOK_S / 4, self._wait_for_end, ended, until_s)
            return
        for each in left:
            each.kill()
            each.wait()
        ended.callback(None)

    def _settings(self) -> bytes:
        """Return the settings of the view processes: the port is the real one, and connections are divided among them."""
        said = {name: getattr(self._config, name) for name in Settings.__struct_fields__}
        each = -(-self._config.connections_max // self._config.views)
        return msgspec.json.encode(said | {"port": self.address()[1], "connections_max": max(each, 16)})

    def _begin(self, port: ListeningPort) -> None:
        self._link_port, self._began_s = port, self._reactor.seconds()
        self._look()
        if self._is_supervised:
            self._say_alive()

    def _say_alive(self) -> None:
        """Tell the standby that this process goes on, for as long as it does."""
        if not self._stopping:
            self._links.alive()
            self._reactor.callLater(_ALIVE_S, self._say_alive)

    def _look(self) -> None:
        """Start, end and count processes, and look again while anything is under way."""
        if self._stopping or self._link_port is None:
            return
        links = {link.view_number: link for link in self._links.links() if not link.is_standby}
        ready = {number for number, link in links.items() if link.is_ready}
        for each in self._processes:
            if each.running is None and each.view_number in links:
                self._adopt(each, links[each.view_number].process)
        for each in self._processes:
            self._look_at(each, is_ready=each.view_number in ready)
        late = self._reactor.seconds() - self._began_s > _ALL_S
        if self._opened is not None and ready and (late or len(ready) == len(self._processes)):
            opened, self._opened = self._opened, None
            opened.callback(self.address())
        if self._timer is not None and self._timer.active():
            self._timer.cancel()
        if any(not each.is_ready for each in self._processes):
            self._timer = self._reactor.callLater(_LOOK_S, self._look)

    def _look_at(self, process: _ViewProcess, *, is_ready: bool) -> None:
        now_s, running = self._reactor.seconds(), process.running
        if running is None:
            if process.again_s is not None and now_s >= process.again_s:
                self._start(process)
            return
        code = running.poll()
        lost = process.is_ready and not is_ready
        if code is None and (lost or (not is_ready and now_s - process.began_s > START_S)):
            running.kill()  # it is of no more use
            process.is_ready = False
            return
        if code is not None:
            self._ended(process, code)
        elif is_ready and not process.is_ready:
            process.is_ready = True
            _log.info("view process %d listens", process.view_number)

    def _adopt(self, process: _ViewProcess, number: int) -> None:
        """Watch a view process that the turn process before has started."""
        process.running, process.again_s = WatchedProcess(number), None
        process.began_s = self._reactor.seconds()
        process.starts += 1

    def _start(self, process: _ViewProcess) -> None:
        sockets = self._sockets
        doors = -1 if sockets is None or sockets.doors is None else sockets.doors.fileno()
        life = -1 if sockets is None else sockets.life
        options = ViewOptions(
            str(self._config.data), process.view_number, doors, life, self._config.log_format
        )
        process.running = self._views.start(options)
        process.began_s, process.again_s = self._reactor.seconds(), None
        process.starts += 1

    def _ended(self, process: _ViewProcess, code: int) -> None:
        now_s = self._reactor.seconds()
        if now_s - process.began_s > _STEADY_S:
            process.delay_s = 0.0
        _log.error(
            "view process %d has ended%s; it starts again%s",
            process.view_number,
            f" (signal {-code})" if code < 0 else "",
            f" in {process.delay_s:.1f} s" if process.delay_s else "",
        )
        process.running, process.is_ready = None, False
        process.again_s = now_s + process.delay_s
        process.delay_s = min(max(2 * process.delay_s, _FIRST_DELAY_S), _LAST_DELAY_S)
