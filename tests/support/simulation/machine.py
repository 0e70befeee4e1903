"""The server's machine: one process after another on the same disk, with its clocks, its power and its wall clock."""

from collections.abc import Callable
from functools import partial
from typing import Any

from gloam_server.content.campaign import Campaign
from gloam_shared import limits
from support.server.sim_server import SimServer
from support.server.transports import address
from support.simulation.faulty_disk import Disk
from support.simulation.network import Line
from support.simulation.randomness import Chance
from support.simulation.virtual_time import ProcessClock, VirtualLoop

WALL_S = 1_790_000_000
"""The time of day when a run begins."""


class Machine:
    """Runs the server. `on_start` hears of each new process before anybody can reach it."""

    def __init__(
        self,
        loop: VirtualLoop,
        chance: Chance,
        campaign: Campaign,
        seed: int,
        tap: Callable[[Line, bytes], None],
    ) -> None:
        self.disk = Disk()
        self.lines: list[Line] = []
        self.server: SimServer | None = None
        self.on_start: Callable[[SimServer], None] = lambda *_: None
        self.wall_shift_s = 0
        self._loop = loop
        self._chance = chance
        self._campaign = campaign
        self._seed = seed
        self._tokens = Chance(seed)
        """The source of resume tokens: their size on a compressed line decides when bytes arrive, and so what
        happens."""
        self._tap = tap
        self._clock = ProcessClock(loop)

    @property
    def is_up(self) -> bool:
        """Whether a server runs and listens."""
        return self.server is not None

    def start(self) -> None:
        """Start a process on what the disk holds."""
        assert self.server is None
        self.disk.journal.end_faults()
        self._clock = ProcessClock(self._loop)
        server = SimServer(
            self._campaign,
            self._seed,
            store=self.disk,
            write_s=self._chance.choice((0, 0.001, 0.004, 0.03)),
            clock=self._clock,
            draw_token=partial(self._tokens.randbytes, limits.TOKEN_SIZE),
        )
        server.writer.answer_s = self._chance.choice((0.0, 0.0005, 0.02))
        self.server = server
        self.tell_time()
        self.on_start(server)
        server.engine.loop.wake()

    def kill(self, *, silently: bool) -> None:
        """Kill the process; with `silently` the whole machine loses power, and no connection is closed.

        After a while it is started again, as a service manager does.
        """
        self._clock.kill()
        self._loop.call_later(self._chance.choice((0.05, 0.5, 3, 12)), self.start)
        self.server = None
        for line in self.lines:
            line.lose_server(silently=silently)
        self.lines.clear()

    def kill_when_durable(self, *, silently: bool) -> None:
        """End the process as soon as one more append is durable, before any client can get its result."""
        server = self.server
        self.disk.mishaps.after_append = lambda: self._loop.call_soon(
            lambda: self.kill(silently=silently) if self.server is server else None
        )

    def stop(self) -> None:
        """Stop the process as a service manager does: all players get a goodbye, and running work is finished."""
        server = self.server
        assert server is not None
        for player in server.engine.players.connected():
            connection = server.view_side.clients.conversations[player.connection]
            connection.end("stopping", "The server is stopping.")

        def stopped(_: object) -> None:
            if self.server is server:
                self.kill(silently=False)

        server.engine.loop.stop().addBoth(stopped)

    def stall(self, seconds: float) -> None:
        """Let the process stand still."""
        self._clock.stall(seconds)

    def stalled_s(self) -> float:
        """Return the remaining time of the process's suspension."""
        return self._clock.stalled_s

    def tell_time(self) -> None:
        """Show the process the time of day."""
        if self.server is not None:
            self.server.wall_s = WALL_S + int(self._loop.time()) + self.wall_shift_s

    def accept(self, protocol: Any) -> Line:
        """Open a line from a client; raises what a client's system says when that cannot be."""
        if self.server is None:
            raise ConnectionRefusedError(111, "nothing listens there")
        connection = self.server.factory.buildProtocol(address("127.0.0.1"))
        line = Line(self._loop, self._chance, connection, protocol, self._tap, self._clock)
        self.lines = [each for each in self.lines if each.server_up or each.client_up]
        self.lines.append(line)
        return line
