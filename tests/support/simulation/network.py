"""The virtual network: connections of two pipes each, between a client's asyncio transport and a server's Twisted one.

A pipe keeps its bytes in order and loses none while its line stands, as TCP does; what it may do to them is be late,
stop for a while, cut them into slices of any size, and vanish with everything in it.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

from support.simulation.randomness import Chance
from support.simulation.virtual_time import ProcessClock, VirtualLoop

FULL = 16_384
"""The number of bytes under way at which a sender must pause."""


class Pipe:
    """One direction of a line. `hand_over` takes the bytes that arrive, b"" the end of them, unless it is busy for so long."""

    def __init__(
        self,
        loop: VirtualLoop,
        chance: Chance,
        hand_over: Callable[[bytes], None],
        busy_s: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self.latency_s = chance.choice((0.0005, 0.005, 0.03, 0.08))
        self.slice_max = 1 << 30
        self.gap_s = 0.0
        self.reads = True
        self.blocked = False
        self.size = 0
        self.on_drained: Callable[[], None] | None = None
        self._loop = loop
        self._chance = chance
        self._hand_over = hand_over
        self._busy_s = busy_s
        self._under_way: deque[tuple[float, bytes]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._last_s = 0.0

    def send(self, data: bytes) -> None:
        """Put bytes on their way; b"" ends the pipe behind everything in it."""
        self._last_s = max(self._last_s, self._loop.time() + self.latency_s)
        self._under_way.append((self._last_s, data))
        self.size += len(data)
        self._set_timer()

    def drop(self) -> None:
        """Lose everything that is under way, and everything that will be."""
        self._under_way.clear()
        self.size = 0
        self._hand_over = lambda *_: None

    def go_on(self) -> None:
        """Carry on after `blocked` or `reads` has changed."""
        self._set_timer()

    def _set_timer(self, wait_s: float = 0.0) -> None:
        if self._timer is None and self._under_way and self.reads and not self.blocked:
            at_s = max(self._under_way[0][0], self._loop.time() + wait_s)
            self._timer = self._loop.call_at(at_s, self._arrive)

    def _arrive(self) -> None:
        self._timer = None
        if self.blocked or not self.reads or not self._under_way:
            return
        if busy_s := self._busy_s():
            self._set_timer(busy_s)
            return
        data = self._under_way.popleft()[1]
        size = min(self.slice_max, self._some_of(len(data)))
        if size < len(data):
            self._under_way.appendleft((0.0, data[size:]))
        self.size -= size
        self._hand_over(data[:size])
        if self.size == 0 and self.on_drained is not None:
            self.on_drained()
        self._set_timer(self.gap_s)

    def _some_of(self, size: int) -> int:
        """Return how many bytes of this many arrive together: nearly always all of them."""
        return self._chance.randint(1, size) if size > 1 and self._chance.random() < 0.08 else size


class ServerEnd:
    """The server's transport: what it writes goes down the line."""

    def __init__(self, line: "Line") -> None:
        self._line = line
        self._closing = False

    def write(self, data: bytes) -> None:
        """Take bytes."""
        self._line.written(data)

    def loseConnection(self) -> None:  # noqa: N802  # Twisted's name
        """Close once everything is out."""
        if not self._closing:
            self._closing = True
            self._line.server_closes()

    def abortConnection(self) -> None:  # noqa: N802  # Twisted's name
        """Close now."""
        self._line.server_aborts()

    def registerProducer(self, producer: object, streaming: bool) -> None:  # noqa: N802
        """Nothing to note: the line asks its connection itself."""


class ClientEnd(asyncio.Transport):
    """The client's transport."""

    def __init__(self, line: "Line") -> None:
        super().__init__({"peername": ("127.0.0.1", 7373)})
        self._line = line
        self._closing = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if not self._closing:
            self._line.up.send(bytes(data))

    def is_closing(self) -> bool:
        return self._closing

    def close(self) -> None:
        if not self._closing:
            self._closing = True
            self._line.client_closes()

    def abort(self) -> None:
        self._closing = True
        self._line.client_aborts()

    def pause_reading(self) -> None:
        self._line.down.reads = False

    def resume_reading(self) -> None:
        self._line.down.reads = True
        self._line.down.go_on()


class Line:
    """One connection. `connection` is the server's end, a real `net.connection.Connection`; `tap` hears what it writes."""

    def __init__(
        self,
        loop: VirtualLoop,
        chance: Chance,
        connection: Any,
        protocol: Any,
        tap: Callable[["Line", bytes], None],
        process: ProcessClock,
    ) -> None:
        self.loop = loop
        self.connection = connection
        self.up = Pipe(loop, chance, self._to_server, lambda: process.stalled_s)
        self.down = Pipe(loop, chance, self._to_client)
        self.server_up = True
        self.client_up = True
        self.half_open = False
        self.client_end = ClientEnd(self)
        self._protocol = protocol
        self._tap = tap
        self._process = process
        self._closing = False
        self.down.on_drained = self._drained
        protocol.connection_made(self.client_end)
        connection.makeConnection(ServerEnd(self))

    @property
    def stands(self) -> bool:
        """Whether both ends believe in the line."""
        return self.server_up and self.client_up

    def reset(self, *, notified: str = "both") -> None:
        """Break the line: what is under way is lost. A side that gets no notice has to detect the cut itself."""
        self.up.drop()
        self.down.drop()
        if notified in ("both", "server"):
            self._server_lost()
        if notified in ("both", "client"):
            self._client_lost(ConnectionResetError("the line is cut"))
        if notified != "both" and (self.server_up or self.client_up):
            self.half_open = True

    def lose_server(self, *, silently: bool) -> None:
        """The server's process is dead: its system ends the line, unless the whole machine is without power."""
        self.server_up = False
        self.up.drop()
        self.down.drop()
        if silently:
            self.half_open = self.client_up
        else:
            self._client_lost(ConnectionResetError("the server is dead"))

    def wander(self, seconds: float) -> None:
        """Take the line from the client, while what it has sent is still on its way and arrives so much later."""
        self.up.blocked = True
        self.up.send(b"")
        self.down.drop()
        self._client_lost(ConnectionResetError("the line is cut"))
        self.loop.call_later(seconds, self.heal)

    def heal(self) -> None:
        """Let both pipes flow as they should."""
        for pipe in (self.up, self.down):
            pipe.latency_s, pipe.slice_max, pipe.gap_s = 0.005, 1 << 30, 0.0
            pipe.blocked, pipe.reads = False, pipe is self.up or not self.client_end.is_closing()
            pipe.go_on()

    # What the ends do.

    def written(self, data: bytes) -> None:
        """The server writes."""
        if self.server_up:
            self._tap(self, data)
            self.down.send(data)
            if self.down.size > FULL and not self.connection.paused:
                self.connection.pauseProducing()

    def server_closes(self) -> None:
        """The server has said all: its end is gone as soon as the bytes are out."""
        self._closing = True
        if self.down.size <= FULL:
            self._server_is_out()

    def server_aborts(self) -> None:
        """The server cuts the line."""
        self._server_lost()
        self.down.drop()
        if not self.half_open:
            self._client_lost(ConnectionResetError("cut by the server"))

    def client_closes(self) -> None:
        """The client has said all."""
        self.up.send(b"")
        self.down.reads = False
        self._client_lost(None)

    def client_aborts(self) -> None:
        """The client is gone without a word."""
        self.up.drop()
        self._client_lost(None)
        if not self.half_open:
            self._server_lost()

    # What the ends hear.

    def _to_server(self, data: bytes) -> None:
        if not self.server_up:
            return
        if data:
            self.connection.dataReceived(data)
        else:
            self._server_lost()

    def _to_client(self, data: bytes) -> None:
        if not self.client_up:
            return
        if data:
            self._protocol.data_received(data)
        elif not self._protocol.eof_received():
            self.client_end.close()

    def _server_lost(self) -> None:
        if self.server_up:
            self.server_up = False
            self.loop.call_soon(self._tell_server)

    def _tell_server(self) -> None:
        if self._process.dead:
            return
        if self._process.stalled_s:
            self.loop.call_later(self._process.stalled_s, self._tell_server)
        else:
            self.connection.connectionLost()

    def _client_lost(self, error: Exception | None) -> None:
        if self.client_up:
            self.client_up = False
            self.loop.call_soon(self._protocol.connection_lost, error)

    def _drained(self) -> None:
        if self.server_up and self.connection.paused:
            self.connection.resumeProducing()
        if self._closing and self.server_up:
            self._server_is_out()

    def _server_is_out(self) -> None:
        self.down.send(b"")
        self._server_lost()
