"""A process that another one has started: it is watched by a descriptor, because its number may be given again."""

import os
import select
import signal
from contextlib import suppress
from typing import Final

GONE: Final = 1
"""The exit code of a process whose own is not known."""


class AdoptedProcess:
    """Has the methods of Popen that watch and end a process. Linux alone has such descriptors."""

    def __init__(self, number: int) -> None:
        self.pid: Final = number
        self._descriptor: int | None = None
        with suppress(OSError):
            self._descriptor = os.pidfd_open(number)

    def poll(self) -> int | None:
        """Return `GONE` if it has ended, None while it runs."""
        return self._wait(0)

    def wait(self, timeout: float | None = None) -> int:
        """Wait until it has ended. Returns `GONE`."""
        self._wait(timeout)
        return GONE

    def kill(self) -> None:
        """End it by force."""
        if self._descriptor is not None:
            with suppress(OSError):
                signal.pidfd_send_signal(self._descriptor, signal.SIGKILL)

    def _wait(self, timeout: float | None) -> int | None:
        if self._descriptor is not None:
            if not select.select([self._descriptor], [], [], timeout)[0]:
                return None
            os.close(self._descriptor)
            self._descriptor = None
        return GONE
