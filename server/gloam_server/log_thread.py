"""A thread that writes lines to a file descriptor: a reader that stops reading stops this thread and nothing else."""

import os
import select
from collections import deque
from collections.abc import Callable
from threading import Condition, Thread
from typing import Final

LINES_MAX: Final = 1_000
"""The most lines that wait."""

DRAIN_S: Final = 1.0
"""The longest time that the end of the process waits for the reader."""


class LineThread:
    """A stream whose `write` never waits. Lines that find no room, or that cannot be written, are lost and counted.

    After a loss one line states the number of lost lines: `describe_loss` returns it. While lines are lost for want of
    room, all are lost until those that wait are written, so that the line stands where the lost ones would.

    The standard library's QueueListener waits for its reader at the end of the process, and Python's own streams hold a
    lock while they write: with either of them the process could not end before its output is read.
    """

    def __init__(self, descriptor: int, describe_loss: Callable[[int], str]) -> None:
        self.lost = 0
        """The number of lost lines since the start."""
        self._descriptor: Final = descriptor
        self._describe_loss: Final = describe_loss
        self._changed: Final = Condition()
        self._waiting: deque[bytes] = deque()
        self._overflowed = False
        self._reported = 0
        self._busy = False
        self._torn = False
        Thread(target=self._work, name=f"gloam-lines-{descriptor}", daemon=True).start()

    def write(self, text: str) -> None:
        """Take a whole line for writing, or lose it."""
        with self._changed:
            self._overflowed = self._overflowed or len(self._waiting) >= LINES_MAX
            if self._overflowed:
                self.lost += 1
                return
            self._waiting.append(text.encode(errors="backslashreplace"))
            self._changed.notify_all()

    def flush(self) -> None:
        """Do nothing: the thread writes immediately what can be written. A stream must have this."""

    def drain(self, patience_s: float = DRAIN_S) -> bool:
        """Wait until all lines are written or lost, but not longer than this; return whether they are."""
        with self._changed:
            return self._changed.wait_for(
                lambda: not (self._waiting or self._overflowed or self._busy), patience_s
            )

    def _work(self) -> None:
        while True:
            lines, lost = self._take()
            try:
                self._write_all(lines)
            except OSError:
                with self._changed:
                    self.lost += len(lines) - bool(lost)
            else:
                self._reported += lost

    def _take(self) -> tuple[list[bytes], int]:
        """Wait for a line; return it behind the number of lost ones, if that is due, and this number."""
        with self._changed:
            self._busy = False
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._waiting or self._overflowed)
            self._busy = True
            lost = 0 if self._overflowed and self._waiting else self.lost - self._reported
            self._overflowed = self._overflowed and bool(self._waiting)
            lines = [self._describe_loss(lost).encode()] if lost else []
            if self._waiting:
                lines.append(self._waiting.popleft())
            return lines, lost

    def _write_all(self, lines: list[bytes]) -> None:
        """Write lines; one that was torn off by a full disk ends before them."""
        left = memoryview(b"\n" * self._torn + b"".join(lines))
        while left:
            try:
                written = os.write(self._descriptor, left)
            except BlockingIOError:  # another process has made the descriptor non-blocking
                select.select((), (self._descriptor,), ())
                continue
            left = left[written:]
            self._torn = bool(left)
