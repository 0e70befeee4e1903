"""The pace of frames to a visitor: the first immediately, later ones 40 ms apart, and none while the last is not taken.

A key that sends a command shows nothing before its answer: both get one frame.
"""

import asyncio
from collections.abc import Callable
from typing import Final

from gloam_client.state.model import Model

FRAME_GAP_S: Final = 0.04
_OF_A_KEY: Final = 2
"""The frames that a key asks for: what it does on the screen, and what the server answers."""
ANSWER_S: Final = 0.1
"""The time for which a frame waits for the server's answer to a command."""


def answer_due_s(model: Model) -> float:
    """Return until when a frame waits for the server's answer to a command; 0 if there is none to wait for."""
    since_ms = model.connection.unanswered_since_ms
    return 0.0 if since_ms is None else since_ms / 1_000 + ANSWER_S


def _nothing(*_: float) -> None:
    """Do nothing."""


class PacedFrames:
    """Decides when the next frame may be drawn. A visitor who reads slowly gets the newest state, never a queue.

    `on_key` is called when a key asks for frames, and `spend` with the seconds that a frame took which no key asked for.
    """

    def __init__(self) -> None:
        self.count = 0
        """The frames that were sent."""
        self.on_key: Callable[[], object] = _nothing
        self.spend: Callable[[float], object] = _nothing
        self._asked = 0
        self._unanswered = False
        self._began_s = 0.0
        self._busy = False
        self._due = 0.0
        self._resume: Callable[[], object] | None = None
        self._timer: asyncio.TimerHandle | None = None

    @property
    def asks(self) -> bool:
        """Whether a key of the visitor waits for a frame, or a command for its answer."""
        return self._asked > 0 or self._unanswered

    def accepts(self, resume: Callable[[], object], answer_due_s: float = 0.0) -> bool:
        """Return whether a frame may be drawn now; if not, call `resume` when it may.

        Until `answer_due_s` the frame waits for an answer, which asks again.
        """
        loop = asyncio.get_running_loop()
        self._unanswered = answer_due_s > 0
        if self._unanswered:
            self._asked = min(self._asked, 1)
        due_s = max(self._due, answer_due_s)
        self._began_s = loop.time()
        if not self._busy and self._began_s >= due_s:
            self._resume = None
            return True
        self._resume = resume
        if not self._busy:
            self._wait(loop, due_s)
        return False

    def asked(self) -> None:
        """A key of the visitor asks for the next frames."""
        self._asked = _OF_A_KEY
        self.on_key()

    def sent(self) -> None:
        """A frame is on its way: until `taken` no other is drawn."""
        self._busy = True
        self.count += 1
        now_s = asyncio.get_running_loop().time()
        if self._asked:
            self._asked -= 1
        else:
            self.spend(now_s - self._began_s)
        self._due = now_s + FRAME_GAP_S

    def taken(self) -> None:
        """The visitor's line has room again."""
        self._busy = False
        if self._resume is not None:
            self._wait(asyncio.get_running_loop(), self._due)

    def stop(self) -> None:
        """Call nothing any more."""
        self._resume = None
        self.on_key, self.spend = _nothing, _nothing
        if self._timer is not None:
            self._timer.cancel()

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
