"""A view process: it follows the dungeon of a turn process, and has the connections of some of its players."""

import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace
from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from gloam_server.app.campaign_files import unpack
from gloam_server.app.config import ConfigError, Settings, config_of
from gloam_server.app.file_limits import raise_file_limit
from gloam_server.app.listeners import Listeners, connection_limits
from gloam_server.app.server_parts import ViewParts, build_view_process
from gloam_server.app.views.own_code import own_code
from gloam_server.engine.faults.crash_reports import FOLDER as FAULTS_FOLDER
from gloam_server.engine.faults.crash_reports import CrashReports
from gloam_server.engine.game_clock import GameClock
from gloam_server.engine.messages import Banner
from gloam_server.engine.publishing.view_side import ViewSide
from gloam_server.engine.server_statistics import Histogram
from gloam_server.link.link_messages import TO_VIEWS_MAX, Hello, LinkError, Setup
from gloam_server.link.link_socket import LinkConnection, Peer, dial_turns
from gloam_server.link.replica import Replica, replica_of
from gloam_server.link.view_end import ViewEnd
from gloam_server.net.connection_counts import AdmissionStatus
from gloam_server.net.conversation import Conversation
from gloam_server.net.reactor import ListeningPort, Reactor
from gloam_server.storage import shared_replays
from gloam_server.storage.file_thread import FileThread

_GOODBYE_S: Final = 1.2
"""The time for the clients to take the last words: a little longer than a closing connection has."""
_COUNT_S: Final = 1.0
_AGAIN_S: Final = 0.05
_WAIT_S: Final = 30
"""The longest time without a turn process: then there is no standby either."""
_BANNER_S: Final = 1
_BANNER: Final = "The server recovers from a fault; nothing is lost, and play goes on in a moment."
_log: Final = logging.getLogger(__name__)


class ViewProcess:
    """The whole process. `doors` is the socket of doors that its parent has opened, if any; `lost` counts lines of the log."""

    def __init__(
        self,
        data: Path,
        view_number: int,
        doors: int | None,
        reactor: Reactor,
        busy: Histogram,
        on_listening: Callable[[ListeningPort], None],
        lost: Callable[[], int],
    ) -> None:
        self.failure: str | None = None
        self._data = data
        self._view_number = view_number
        self._doors = doors
        self._reactor = reactor
        self._busy = busy
        self._on_listening = on_listening
        self._lost = lost
        self._clock = GameClock(reactor)
        self._files = FileThread(reactor)
        self._parts: ViewParts | None = None
        self._listeners: Listeners | None = None
        self._end: ViewEnd | None = None
        self._alone_since_s: float | None = None
        self._stopped = False
        self._counting = False

    def start(self) -> None:
        """Connect with the turn process; it sends the rest."""
        dialed: Deferred[LinkConnection] = dial_turns(self._reactor, self._data, self._accept, TO_VIEWS_MAX)
        dialed.addErrback(self._cannot_dial)

    def dial(self) -> None:
        """Connect with the next turn process, which may not listen yet. Players read of it when it takes a second."""
        self._alone_since_s = self._reactor.seconds()
        self._reactor.callLater(_BANNER_S, self._explain)
        self.start()

    def begin(
        self, setup: Setup, states: dict[int, bytes], closed: tuple[int, ...]
    ) -> tuple[Replica, ViewSide]:
        """Build the replica and the view side, and let connections in soon."""
        campaign = unpack(setup.campaign)
        if campaign is None or self._end is None:
            raise LinkError("The campaign of the turn process cannot be read.")
        config = config_of(msgspec.json.decode(setup.config, type=Settings), self._data)
        replica = Replica(replica_of(campaign, int(setup.seed), states, closed))
        limits = raise_file_limit(config.connections_max, proxied=bool(config.proxies))
        self._parts = parts = build_view_process(
            replica.dungeon,
            self._end,
            setup,
            self._clock,
            shared_replays.SharedReplays(self._data / shared_replays.FOLDER, self._files.call),
            CrashReports(
                self._data / FAULTS_FOLDER, self._clock.wall_s, self._files.call, f"-view{self._view_number}"
            ),
            connection_limits(config, limits),
        )
        statistics = parts.view_side.statistics
        statistics.reactor, statistics.lost_log_lines = self._busy, self._lost
        self._listeners = listeners = Listeners(
            config, self._reactor, parts.factory, parts.front, limits.proxied, self._on_listening
        )
        self._reactor.callLater(
            0, self._listen, listeners, config.port
        )  # first it learns what the others know
        return replica, parts.view_side

    def admission_of(self, connection: Conversation) -> AdmissionStatus:
        """Return the decision about an open connection."""
        assert self._parts is not None, "there are no connections before the view side"
        return self._parts.front.connections.admission_of(connection)

    def noticed(self) -> None:
        """Send the counts soon, and again while there are connections."""
        if not self._counting:
            self._counting = True
            self._reactor.callLater(_COUNT_S, self._count)

    def reload(self) -> None:
        """Read the certificate's files again."""
        if self._listeners is not None:
            self._listeners.reload()

    def end(self, why: str) -> None:
        """Stop. `why` is "" if the server stops: the clients still get their last words; else the connections are cut."""
        if self._stopped:
            return
        self._stopped = True
        if why:
            self.failure = why
            _log.critical("%s", why)
        for each in [] if self._listeners is None else self._listeners.stop():
            each.addErrback(lambda _: None)
        self._reactor.callLater(0 if why else _GOODBYE_S, self._reactor.stop)

    def stop(self) -> Deferred[None]:
        """Wait for the files' thread, as the process ends."""
        if self._parts is not None:
            self._parts.front.refusals.stop()
        return self._files.stop(self._reactor)

    def _count(self) -> None:
        self._counting = False
        if self._stopped or self._listeners is None or self._parts is None or self._end is None:
            return
        statistics = self._parts.view_side.statistics
        counts = replace(
            self._listeners.counts(), faults=statistics.faults, lost_log_lines=statistics.lost_log_lines()
        )
        self._end.count(counts)
        if counts.connections:
            self.noticed()

    def _accept(self, peer: Peer) -> ViewEnd:
        if self._end is None:
            self._end = ViewEnd(Hello(own_code(), self._view_number, process=os.getpid()), self, self._clock)
        self._show_banner("")
        self._alone_since_s = None
        return self._end.connected(peer)

    def _explain(self) -> None:
        if self._alone_since_s is not None:
            self._show_banner(_BANNER)

    def _show_banner(self, text: str) -> None:
        if self._parts is not None:
            self._parts.view_side.take(Banner(text))

    def _cannot_dial(self, failure: Failure) -> None:
        since_s = self._alone_since_s
        if since_s is not None and self._reactor.seconds() - since_s < _WAIT_S:
            self._reactor.callLater(_AGAIN_S, self.start)
            return
        self.end(f"the turn process cannot be reached ({failure.getErrorMessage()})")

    def _listen(self, listeners: Listeners, port: int) -> None:
        if self._stopped or self._end is None:
            return
        try:
            listeners.read_certificate(self._clock.wall_s(), self._files.call)
            listeners.share(port, self._doors)
        except (ConfigError, OSError) as error:
            self.end(f"view process {self._view_number} cannot listen: {error}")
        else:
            self._end.ready()
