"""Bytes for a terminal that may take them late or never: they wait here, the program does not."""

import asyncio
import os
import select
import time
from collections.abc import Callable


class TerminalOutput:
    """The writing side of a terminal. Errors of the terminal are raised as OSError."""

    def __init__(self, descriptor: int) -> None:
        """Write to the terminal that a descriptor is open on.

        The terminal is opened once more, because all processes that share a descriptor, the shell too, would use it
        without blocking. Where that is not permitted, as after `su`, the given descriptor is used, and writing may
        wait.
        """
        try:
            flags = os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC
            self._descriptor = os.open(os.ttyname(descriptor), flags)
        except OSError:
            self._descriptor = descriptor
        self._unsent = b""

    @property
    def blocked(self) -> bool:
        """Whether the terminal has not yet taken everything that was written."""
        return bool(self._unsent)

    def write(self, data: bytes) -> None:
        """Write what the terminal takes now, and keep the rest for later."""
        self._unsent += data
        try:
            while self._unsent:
                self._unsent = self._unsent[os.write(self._descriptor, self._unsent) :]
        except BlockingIOError:
            pass

    def when_taken(self, resume: Callable[[], object]) -> None:
        """Call `resume` in the running event loop once the terminal has taken everything, or has failed."""
        loop = asyncio.get_running_loop()

        def send() -> None:
            try:
                self.write(b"")
            except OSError:
                self._unsent = b""  # the next write fails as well, and tells
            if not self._unsent:
                loop.remove_writer(self._descriptor)
                resume()

        loop.add_writer(self._descriptor, send)

    def finish(self, patience_s: float) -> bool:
        """Wait for the terminal to take the rest, and return whether it did; forget what it did not take."""
        deadline = time.monotonic() + patience_s
        while self._unsent and (left_s := deadline - time.monotonic()) > 0:
            if select.select([], [self._descriptor], [], left_s)[1]:
                self.write(b"")
        taken, self._unsent = not self._unsent, b""
        return taken
