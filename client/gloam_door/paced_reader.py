"""The pace at which the clients of a door hear of others: in turns, so that no key waits for a hundred other visitors.

What a visitor's key asks for is read immediately. All else tells of other players: it waits in the line until the visitor's
turn, and is then read together, as one change and one frame. The turns take the part of the processor's time that keys leave:
in a crowd each visitor sees the others a little less often, and changes that no frame would show cost almost nothing.
"""

import asyncio
import time
from collections import deque
from typing import Final

from gloam_door.surfaces.paced_frames import PacedFrames
from gloam_shared import limits

BUSY: Final = 0.75
"""The part of the processor's time that keys and turns use together: turns get what keys leave of it."""
_SHARES: Final = 0.05, 0.5
"""The least and the largest part for the turns alone."""
_MEASURED_S: Final = 0.5
"""The time between two looks at how busy this process is, in seconds."""
_LATE_S: Final = 0.02
"""The lateness of the loop, in seconds, from which on keys need all: on a busy machine it is late before it is busy."""
_TURN_S: Final = 0.001
"""The least time between the beginnings of two turns, in seconds: until a turn has said what it took."""


class Turns:
    """The turns of all visitors of a door: one after another, in the order in which they ask."""

    def __init__(self) -> None:
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._due_s = 0.0
        self._share = _SHARES[1]
        self._spent_s = 0.0
        self._late_s = 0.0
        self._looked_s, self._used_s = 0.0, 0.0

    def ask(self, turn: "asyncio.Future[None]") -> None:
        """Give `turn` a result when it is due; a turn that has one by then, or is canceled, is left out."""
        self._waiting.append(turn)
        self._set_timer()

    def spend(self, took_s: float) -> None:
        """Rest in proportion to the seconds that a turn, or its frame, took."""
        self._spent_s += took_s
        now_s = asyncio.get_running_loop().time()
        self._due_s = max(self._due_s, now_s - took_s) + took_s / self._share

    def _set_timer(self) -> None:
        if self._timer is None and self._waiting:
            loop = asyncio.get_running_loop()
            self._due_s = max(self._due_s, loop.time())
            self._timer = loop.call_at(self._due_s, self._go_on)

    def _go_on(self) -> None:
        self._timer = None
        now_s = asyncio.get_running_loop().time()
        self._late_s = max(self._late_s, now_s - self._due_s)
        if now_s - self._looked_s >= _MEASURED_S:
            self._look(now_s)
        while self._waiting and now_s >= self._due_s:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                self._due_s = now_s + _TURN_S
        self._set_timer()

    def _look(self, now_s: float) -> None:
        """Measure what keys and all else have used since the last look: the turns get the rest."""
        used_s, passed_s = time.process_time(), now_s - self._looked_s
        others = (used_s - self._used_s - self._spent_s) / passed_s
        least, most = _SHARES
        self._share = least if self._late_s > _LATE_S else min(max(BUSY - others, least), most)
        self._looked_s, self._used_s, self._spent_s, self._late_s = now_s, used_s, 0.0, 0.0


class PacedReader(asyncio.StreamReader):
    """Reads the messages of the server to one visitor, whose frames are `frames`."""

    def __init__(self, frames: PacedFrames, turns: Turns) -> None:
        super().__init__(limit=limits.FRAME_FROM_SERVER_MAX)
        self._frames = frames
        self._turns = turns
        self._unread = 0
        self._turn: asyncio.Future[None] | None = None
        self._began_s: float | None = None
        frames.on_key, frames.spend = self._hurry, turns.spend

    def feed_data(self, data: bytes) -> None:  # type: ignore[override]  # a transport feeds bytes
        """Keep what has arrived until it is read."""
        self._unread += len(data)
        super().feed_data(data)

    async def read(self, n: int = -1) -> bytes:
        """Return what has arrived, at most `n` bytes: immediately while a key waits for a frame, else at this visitor's turn."""
        self._end_turn()
        data = await super().read(n)
        self._unread -= len(data)
        if data and not self._frames.asks:
            await self._take_turn()
            if self._unread and len(data) < n:
                more = await super().read(n - len(data))  # it is here already
                self._unread -= len(more)
                data += more
        return data

    async def _take_turn(self) -> None:
        loop = asyncio.get_running_loop()
        self._turn = loop.create_future()
        self._turns.ask(self._turn)
        try:
            await self._turn
        finally:
            self._turn = None
        if not self._frames.asks:  # a key that was pressed meanwhile takes no turn
            self._began_s = loop.time()

    def _hurry(self) -> None:
        """Read immediately what waits: a key was pressed."""
        if self._turn is not None and not self._turn.done():
            self._turn.set_result(None)

    def _end_turn(self) -> None:
        """Say what the last turn took; its frame says so itself."""
        if self._began_s is not None:
            self._turns.spend(asyncio.get_running_loop().time() - self._began_s)
            self._began_s = None
