"""A process that this one has not started by `subprocess`: it is watched by a descriptor, because its number may be given again."""

import os
import select
import signal
import subprocess
from collections.abc import Callable
from contextlib import suppress
from typing import Final

GONE: Final = 1
"""The exit code of a process whose own is not known: it is a child of another one."""


class WatchedProcess:
    """Has the methods of Popen that watch and end a process. Linux alone has such descriptors.

    `ask_code` asks the parent for the exit code of one that is no child of this process, if there is a parent to ask.
    """

    def __init__(self, number: int, ask_code: Callable[[int], int | None] = lambda _: None) -> None:
        self.pid: Final = number
        self._ask_code = ask_code
        self._code: int | None = None
        self._descriptor: int | None = None
        with suppress(OSError):
            self._descriptor = os.pidfd_open(number)

    def poll(self) -> int | None:
        """Return its exit code if it has ended, negative for a signal and `GONE` if it is not known; None while it runs."""
        return self._look(0)

    def wait(self, timeout: float | None = None) -> int:
        """Wait until it has ended, at most for `timeout` seconds, and return its exit code. Raises TimeoutExpired."""
        code = self._look(timeout)
        if code is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
        return code

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it runs."""
        if self._descriptor is not None:
            with suppress(OSError):
                signal.pidfd_send_signal(self._descriptor, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it by force."""
        self.send_signal(signal.SIGKILL)

    def _look(self, timeout: float | None) -> int | None:
        if self._descriptor is not None:
            ended = select.poll()
            ended.register(self._descriptor, select.POLLIN)
            if not ended.poll(None if timeout is None else timeout * 1_000):
                return None
            self._code = _code_of_child(self._descriptor)
            if self._code is None:
                self._code = self._ask_code(self.pid)
            os.close(self._descriptor)
            self._descriptor = None
        return GONE if self._code is None else self._code


def _code_of_child(descriptor: int) -> int | None:
    """Return the exit code of an ended process, as Popen does; None if it is no child of this one."""
    with suppress(ChildProcessError):
        ended = os.waitid(os.P_PIDFD, descriptor, os.WEXITED)
        if ended is not None:
            return ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status
    return None
