"""View processes under the manual clock of a `SimServer`: the real ends of the link, and a carrier that is a list."""

import os
from collections import deque
from functools import partial
from typing import Any, Final

from msgspec.structs import replace
from twisted.internet.task import Clock

from gloam_server.app.server_parts import ServerOptions, TurnParts, ViewParts, build_view_process, realm_name
from gloam_server.content.campaign import Campaign
from gloam_server.engine.faults.crash_reports import CrashReports
from gloam_server.engine.game_clock import GameClock
from gloam_server.engine.publishing.view_side import ViewSide
from gloam_server.link.link_messages import Code, Hello, LinkError, Setup
from gloam_server.link.link_socket import Receiver
from gloam_server.link.replica import Replica, replica_of
from gloam_server.link.view_end import ViewEnd
from gloam_server.net.connection_counts import AdmissionStatus, ConnectionLimits
from gloam_server.net.conversation import Conversation
from gloam_server.storage.shared_replays import SharedReplays
from gloam_server.storage.store import Store
from gloam_server.world.transition.dungeon import Dungeon

VIEWS: Final = int(os.environ.get("GLOAM_TEST_VIEWS", "0"))
"""The number of view processes of each server in tests that do not say it; 0 for one process."""
CODE: Final = Code(1, 1, 1, "", "test")


class SimPeer:
    """One direction of a link: a message arrives at `receiver` in a turn of the clock of its own, after all before it."""

    def __init__(self, clock: Clock) -> None:
        self.receiver: Receiver | None = None
        self.other: SimPeer | None = None
        self.is_open = True
        self.bytes = 0
        self._clock = clock
        self._sent: deque[bytes] = deque()

    def send(self, body: bytes) -> None:
        """Send the bytes of one message."""
        if self.is_open:
            self.bytes += len(body)
            self._sent.append(body)
            if len(self._sent) == 1:
                self._clock.callLater(0, self._deliver)

    def close(self) -> None:
        """End the link after what was sent."""
        self._clock.callLater(0, self.cut)

    def cut(self) -> None:
        """Cut both directions: nothing more arrives."""
        for each in (self, self.other):
            if each is not None and each.is_open:
                each.is_open = False
                each._sent.clear()
                if each.receiver is not None:
                    each.receiver.lost()

    def _deliver(self) -> None:
        while self._sent and self.receiver is not None and self.is_open:
            body = self._sent.popleft()
            try:
                self.receiver.receive(body)
            except LinkError:
                self.cut()


class SimView:
    """A view process: it begins when its link brings the states, and ends with it."""

    def __init__(
        self,
        clock: GameClock,
        process: TurnParts,
        setup: Setup,
        campaign: Campaign,
        room: ConnectionLimits,
        replays: SharedReplays,
        place: int,
        code: Code = CODE,
    ) -> None:
        self.parts: ViewParts | None = None
        self.replica: Replica | None = None
        self.ended: list[str] = []
        self._clock = clock
        self._campaign = campaign
        self._room = room
        self._replays = replays
        self._setup = setup
        self.end_of_link = ViewEnd(Hello(code, place), self, clock)
        self.come_to(process)

    def come_to(self, process: TurnParts) -> None:
        """Connect with a turn process, by a new link."""
        time: Any = self._clock.reactor
        self.down, self.up = SimPeer(time), SimPeer(time)
        self.down.other, self.up.other = self.up, self.down
        self.up.receiver = process.links.accept(self.down, CODE, partial(_numbered, self._setup))
        self.down.receiver = self.end_of_link.connected(self.up)

    @property
    def number(self) -> int:
        """The number of its link, which begins the numbers of its connections."""
        return int(self.up.receiver.serial)  # type: ignore[union-attr]  # a ViewLink

    @property
    def running(self) -> ViewParts:
        """The parts of the process, which has begun."""
        assert self.parts is not None, self.ended
        return self.parts

    def begin(
        self, setup: Setup, states: dict[int, bytes], closed: tuple[int, ...]
    ) -> tuple[Replica, ViewSide]:
        """Build the replica and the view side."""
        dungeon = replica_of(self._campaign, int(setup.seed), states, closed)
        self.replica = Replica(dungeon)
        reports = CrashReports(wall_s=self._clock.wall_s)
        self.parts = build_view_process(
            dungeon, self.end_of_link, setup, self._clock, self._replays, reports, self._room
        )
        return self.replica, self.parts.view_side

    def dial(self) -> None:
        """Wait: a test connects it with the next turn process."""

    def admission_of(self, connection: Conversation) -> AdmissionStatus:
        """Return the decision about an open connection."""
        return self.running.front.connections.admission_of(connection)

    def noticed(self) -> None:
        """Counts are read elsewhere."""

    def reload(self) -> None:
        """There is no certificate."""

    def end(self, why: str) -> None:
        """Note why the process stops; as it does, its connections and its link are cut."""
        self.ended.append(why)
        self.kill()

    def kill(self) -> None:
        """Cut the link and all connections, as the end of the process does."""
        connections = [] if self.parts is None else self.parts.view_side.clients.conversations.values()
        for connection in list(connections):
            connection.close(at_once=True)
        self.up.cut()


def view_setup(store: Store, dungeon: Dungeon, options: ServerOptions, *, listed: bool = False) -> Setup:
    """Return what the view processes of a realm need, without the numbers of their connections."""
    realm = realm_name(store.directory)
    return Setup(
        0, str(dungeon.seed), b"", realm, options.players_max, options.watch_guests, b"", listed=listed
    )


def _numbered(setup: Setup, first: int) -> Setup:
    return replace(setup, first=first)
