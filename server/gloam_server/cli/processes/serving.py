"""Running a server's process until it stops: the turn process, or a standby that becomes it."""

import dataclasses
import logging
import os
import shlex
import signal
import time
from collections.abc import Callable
from functools import partial
from ipaddress import ip_address
from threading import Thread
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from msgspec.structs import replace

from gloam_server import logs
from gloam_server.app import config as settings
from gloam_server.app import file_permissions
from gloam_server.cli import start_status
from gloam_server.cli.output import exit_with_error
from gloam_server.cli.processes.forks import TURNS, name_process
from gloam_server.engine.server_statistics import Histogram

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

    from gloam_server.app.server import Server
    from gloam_server.app.views.entrance_sockets import EntranceSockets
    from gloam_server.app.views.view_entrance import StartViews
    from gloam_server.net.reactor import Reactor
    from gloam_server.storage.store import Lease, Store
    from gloam_server.world.transition.dungeon import Dungeon

Enter: TypeAlias = "Callable[[settings.Config, int], tuple[Store, Dungeon]]"

_USAGE: Final = 2
_log: Final = logging.getLogger(__name__)

STOPPING: Final = (signal.SIGTERM, signal.SIGINT)
"""The signals that stop a server."""


def serve(
    config: settings.Config,
    busy: Histogram,
    on_listening: Callable[[Any], None],
    signals: "Signals",
    *,
    status_json: bool,
    views: "StartViews | None" = None,
    sockets: "EntranceSockets | None" = None,
    ready: Callable[[], None] = lambda: None,
    enter: "Enter | None" = None,
    name: str = "",
) -> int:
    """Run a server until it stops, and return its exit code.

    `views` starts its view processes, if it has any; with a supervisor it has `sockets`. It calls `ready` when it listens.
    `enter` opens the world, `open_after_election` for None; `name` is in each line of the log, if several servers write to one.
    """
    import asyncio
    from importlib.metadata import version

    from twisted.internet import reactor as installed

    from gloam_server.app import garbage_collection
    from gloam_server.app.entrance import TurnStart
    from gloam_server.app.open_world import open_after_election
    from gloam_server.app.server import Server
    from gloam_server.net.reactor import Reactor

    config = replace(config, terms=dataclasses.replace(config.terms, taken=signals.hold))
    log = logs.begin_in_thread(config.log_format, name)
    output = start_status.RunningOutput(config.log_format, status_json=status_json, name=name)
    logs.observe_twisted(redirect=True)
    os.umask(file_permissions.PRIVATE_UMASK)
    try:
        store, dungeon = or_exit(
            lambda: (enter or open_after_election)(config, int(time.time())), output.failed
        )
        file_permissions.restrict_to_owner(config.data.glob(f"{settings.WORLD_FILE}*"))
        garbage_collection.begin()
        reactor = cast(Reactor, installed)
        start = None if views is None else TurnStart(views, sockets)
        server = Server(config, store, dungeon, reactor, version("gloam"), on_listening, start)
        server.engine.statistics.reactor = busy
        server.engine.statistics.lost_log_lines = lambda: log.lost
        signals.call(server, asyncio.get_event_loop())
        return _run(server, reactor, config, output, ready)
    finally:
        output.drain()
        log.drain()


def stand_by(
    config: settings.Config,
    busy: Histogram,
    on_listening: Callable[[Any], None],
    signals: "Signals",
    views: "StartViews",
    sockets: "EntranceSockets",
    ready: Callable[[], None],
) -> int:
    """Follow a server, run it from the moment in which it dies until it stops, and return the exit code."""
    import asyncio
    from importlib.metadata import version

    from twisted.internet import reactor as installed

    from gloam_server.app import garbage_collection
    from gloam_server.app.entrance import TurnStart
    from gloam_server.app.server import Server
    from gloam_server.app.views.standby import Standby
    from gloam_server.net.reactor import Reactor

    log = logs.begin_in_thread(config.log_format)
    logs.observe_twisted(redirect=True)
    os.umask(file_permissions.PRIVATE_UMASK)
    reactor = cast(Reactor, installed)
    failures: list[str] = []
    servers: list[Server] = []

    def take_over(store: "Store", dungeon: "Dungeon", epoch: int) -> None:
        name_process(TURNS)
        start = TurnStart(views, sockets, epoch)
        server = Server(config, store, dungeon, reactor, version("gloam"), on_listening, start)
        servers.append(server)
        server.engine.statistics.reactor = busy
        server.engine.statistics.lost_log_lines = lambda: log.lost
        signals.call(server, asyncio.get_event_loop())
        reactor.addSystemEventTrigger("before", "shutdown", server.stop)
        server.start(lambda *_: _log.info("the standby has taken over")).addErrback(
            lambda failure: stop(failure.getErrorMessage())
        )

    def stop(why: str) -> None:
        if why:
            failures.append(why)
        reactor.stop()

    try:
        garbage_collection.begin()
        reactor.callLater(0, Standby(config, reactor, take_over, ready, stop).start)
        reactor.run(installSignalHandlers=False)
        failures.extend(server.failure for server in servers if server.failure is not None)
        for each in failures:
            logs.say(each)
        return 1 if failures else 0
    finally:
        log.drain()


def _run(
    server: "Server",
    reactor: "Reactor",
    config: settings.Config,
    output: start_status.RunningOutput,
    ready: Callable[[], None],
) -> int:
    """Run a server until it stops, and return the exit code."""
    status = [0]

    def failed(failure: Any) -> None:
        output.failed(failure.value)
        logs.say(failure.getErrorMessage())
        status[0] = _USAGE
        reactor.stop()

    def announce(host: str, port: int, pin: str) -> None:
        output.listening(host, port, pin)
        ready()
        if not config.private:
            output.hint(how_to_join(config, host, port))

    reactor.addSystemEventTrigger("before", "shutdown", server.stop)
    reactor.callLater(0, lambda: server.start(announce).addErrback(failed))
    reactor.run(installSignalHandlers=False)
    if server.failure is None:
        return status[0]
    if config.log_format == "plain":  # in a log for programs it is an entry already
        logs.say(server.failure)
    return 1


def block_signals() -> tuple[signal.Signals, ...]:
    """Block the signals that a server hears, and return them: until something waits for them they are kept."""
    numbers = (*STOPPING, signal.SIGHUP)
    signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
    return numbers


class Signals:
    """Hears the signals that stop a server, in a thread of its own: for all other threads they are blocked.

    So a storm of them interrupts nothing, and none can end the process while Python takes itself down. Start it before
    all other threads, and before numpy, which starts some.
    """

    def __init__(self) -> None:
        self._calls: dict[int, Callable[[], object]] = {}
        self._lease: Lease | None = None
        self._numbers: Final = block_signals()
        Thread(target=self._work, name="gloam-signals", daemon=True).start()

    def hold(self, lease: "Lease") -> None:
        """Release a lease if a signal ends the process before `call`: else no other server could open the world for a while."""
        self._lease = lease

    def call(self, server: "Server", loop: "AbstractEventLoop") -> None:
        """Stop this server from now on. A closed terminal stops it, too; a service manager lets it reload."""
        hung_up = server.ask_to_stop if os.isatty(0) else server.reload
        calls = {**dict.fromkeys(STOPPING, server.ask_to_stop), signal.SIGHUP: hung_up}
        self._calls = {number: partial(loop.call_soon_threadsafe, call) for number, call in calls.items()}

    def _work(self) -> None:
        while True:
            number = signal.sigwait(self._numbers)
            if not self._calls:  # the start: the world is whole at each moment, and no player waits yet
                if self._lease is not None:
                    self._lease.release()
                os._exit(0)
            self._calls[number]()


def how_to_join(config: settings.Config, host: str, port: int) -> str:
    """Return the instructions for players that a host sees at a terminal."""
    listens = ip_address(host)
    lines = []
    if listens.is_loopback or listens.is_unspecified:
        own = ("::1" if listens.version == 6 else "127.0.0.1") if listens.is_unspecified else host
        address = f"{start_status.bracket_host(own)}:{port}"
        lines.append(
            f"Players on this machine join with: gloam {address} (in a clone: make join PLACE={address})"
        )
    if listens.is_loopback:
        lines.append("Other machines cannot reach it without --listen 0.0.0.0.")
    elif config.open:
        lines.append(f"Players elsewhere join with: gloam ADDRESS:{port}")
    else:
        command = f"gloam-server invite --data {shlex.quote(str(config.data))} --host ADDRESS:{port}"
        lines.append(f"Players elsewhere join with the command that this prints: {command}")
    return "\n".join(lines)


def or_exit(call: Callable[[], Any], failed: Callable[[BaseException], None] = lambda _: None) -> Any:
    """Return what `call` returns; for an error of the host's end this process with its sentence, after `failed` has got it."""
    from gloam_server.content.loader import CampaignError
    from gloam_server.engine.recovery.replay import RealmMismatch
    from gloam_server.storage.errors import StorageError
    from gloam_server.world.generation import NoDungeon

    try:
        return call()
    except (settings.ConfigError, CampaignError, RealmMismatch, StorageError, NoDungeon) as error:
        failed(error)
        exit_with_error(str(error))
