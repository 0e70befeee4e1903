"""The pace of frames to a visitor: the first immediately, later ones 40 ms apart, and none while the last is not taken.

Frames that a visitor's key asks for come first. All others, which show what others do, take turns: one after another, in a
part of the processor's time. So in a crowd no key waits for the frames of a hundred visitors, and each of them sees the
newest state a little less often. A key that sends a command shows nothing before its answer: both get one frame.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

from gloam_client.state.model import Model
from gloam_shared.view.view import View

FRAME_GAP_S: Final = 0.04
SHARE: Final = 0.3
"""The part of the processor's time for frames that no key asks for."""
_OF_A_KEY: Final = 2
"""The frames that a key asks for: what it does on the screen, and what the server answers."""
ANSWER_S: Final = 0.1
"""The time for which a frame waits for the server's answer to a command."""


def answer_due_s(model: Model, shown: View) -> float:
    """Return until when a frame waits for the server's answer, since nothing is new but a command; else 0."""
    since_ms = model.connection.unanswered_since_ms
    return since_ms / 1_000 + ANSWER_S if since_ms is not None and model.view is shown else 0.0


class FrameTurns:
    """The turns of all visitors of a door for frames that no key asks for."""

    def __init__(self) -> None:
        self._waiting: deque[Callable[[], object]] = deque()
        self._next: asyncio.Handle | None = None
        self._began_s = 0.0

    def wait(self, draw: Callable[[], object]) -> None:
        """Call `draw` when it is its turn; it draws in the next step of the loop."""
        self._waiting.append(draw)
        if self._next is None:
            self._next = asyncio.get_running_loop().call_soon(self._begin)

    def _begin(self) -> None:
        """Let one draw, and see how long it takes: between these calls the loop does nothing else."""
        loop = asyncio.get_running_loop()
        loop.call_soon(self._note_begin)
        self._waiting.popleft()()
        self._next = loop.call_soon(self._end)

    def _note_begin(self) -> None:
        self._began_s = asyncio.get_running_loop().time()

    def _end(self) -> None:
        """Rest in proportion to what it took."""
        loop = asyncio.get_running_loop()
        took_s = loop.time() - self._began_s
        self._next = loop.call_later(took_s * (1 / SHARE - 1), self._go_on)

    def _go_on(self) -> None:
        self._next = None
        if self._waiting:
            self._begin()


class PacedFrames:
    """Decides when the next frame may be drawn. A visitor who reads slowly gets the newest state, never a queue.

    Without `turns` each frame may be drawn like one that a key asks for.
    """

    def __init__(self) -> None:
        self.count = 0
        """The frames that were sent."""
        self.turns: FrameTurns | None = None
        self._asked = 0
        self._in_turn = self._granted = False
        self._busy = False
        self._due = 0.0
        self._resume: Callable[[], object] | None = None
        self._timer: asyncio.TimerHandle | None = None

    def accepts(self, resume: Callable[[], object], answer_due_s: float = 0.0) -> bool:
        """Return whether a frame may be drawn now; if not, call `resume` when it may.

        Until `answer_due_s` the frame waits for an answer, which asks again.
        """
        loop = asyncio.get_running_loop()
        due_s = max(self._due, answer_due_s)
        ready = not self._busy and loop.time() >= due_s
        if ready and (self.turns is None or self._asked or self._granted):
            self._granted, self._resume = False, None
            return True
        self._resume = resume
        if ready:
            self._wait_turn()
        elif not self._busy:
            self._wait(loop, due_s)
        return False

    def asked(self) -> None:
        """A key of the visitor asks for the next frames."""
        self._asked = _OF_A_KEY

    def sent(self) -> None:
        """A frame is on its way: until `taken` no other is drawn."""
        self._busy = True
        self.count += 1
        self._asked = max(self._asked - 1, 0)
        self._due = asyncio.get_running_loop().time() + FRAME_GAP_S

    def taken(self) -> None:
        """The visitor's line has room again."""
        self._busy = False
        if self._resume is not None:
            self._wait(asyncio.get_running_loop(), self._due)

    def stop(self) -> None:
        """Call nothing any more."""
        self._resume = None
        if self._timer is not None:
            self._timer.cancel()

    def _wait_turn(self) -> None:
        if self.turns is not None and not self._in_turn:
            self._in_turn = True
            self.turns.wait(self._take_turn)

    def _take_turn(self) -> None:
        self._in_turn = False
        if not self._busy and self._resume is not None:
            self._granted = True
            self._go_on()

    def _wait(self, loop: asyncio.AbstractEventLoop, due_s: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = loop.call_at(due_s, self._go_on)

    def _go_on(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        resume, self._resume = self._resume, None
        if resume is not None:
            resume()
