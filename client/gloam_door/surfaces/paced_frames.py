"""The pace of frames to a visitor: the first immediately, later ones 40 ms apart, and none while the last is not taken."""

import asyncio
from collections.abc import Callable
from typing import Final

FRAME_GAP_S: Final = 0.04


class PacedFrames:
    """Decides when the next frame may be drawn. A visitor who reads slowly gets the newest state, never a queue."""

    def __init__(self) -> None:
        self.count = 0
        """The frames that were sent."""
        self._busy = False
        self._due = 0.0
        self._resume: Callable[[], object] | None = None
        self._timer: asyncio.TimerHandle | None = None

    def accepts(self, resume: Callable[[], object]) -> bool:
        """Return whether a frame may be drawn now; if not, call `resume` when it may."""
        loop = asyncio.get_running_loop()
        if not self._busy and loop.time() >= self._due:
            return True
        self._resume = resume
        if not self._busy:
            self._wait(loop)
        return False

    def sent(self) -> None:
        """A frame is on its way: until `taken` no other is drawn."""
        self._busy = True
        self.count += 1
        self._due = asyncio.get_running_loop().time() + FRAME_GAP_S

    def taken(self) -> None:
        """The visitor's line has room again."""
        self._busy = False
        if self._resume is not None:
            self._wait(asyncio.get_running_loop())

    def stop(self) -> None:
        """Call nothing any more."""
        self._resume = None
        if self._timer is not None:
            self._timer.cancel()

    def _wait(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = loop.call_at(self._due, self._go_on)

    def _go_on(self) -> None:
        self._timer = None
        resume, self._resume = self._resume, None
        if resume is not None:
            resume()
