"""The first process of a server with a standby: it starts the turn process and the standby, and starts a new one when either dies.

It opens no world and has no connections, so little of it can fail. It holds the sockets that all processes share, and has imported
the server once for all: the others are its forks. Only after a rolling restart they are programs, because its own code is the old one.
"""

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from functools import partial
from typing import Final

import msgspec

from gloam_server import logs
from gloam_server.app.config import Config, Settings
from gloam_server.app.views.entrance_sockets import EntranceSockets, release_sockets, reserve_sockets
from gloam_server.app.views.watched_process import WatchedProcess
from gloam_server.cli.processes import turn_process
from gloam_server.cli.processes.forks import fork, import_server
from gloam_server.cli.processes.turn_options import READY, RENEWED, Role, TurnOptions

_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD)
_FIRST_DELAY_S: Final = 1.0
_LAST_DELAY_S: Final = 60.0
_END_S: Final = 5.0
_TOLD_MAX: Final = 64
_FAILED: Final = 1


class _Child:
    """A turn process or a standby, forked unless it is to have the code that is installed now. It tells on `line` when it is ready."""

    def __init__(self, options: TurnOptions, *, forked: bool) -> None:
        self.is_ready = False
        self.is_renewed = False
        self.line, other = socket.socketpair()
        kept = [each for each in (other.fileno(), options.port, options.doors, options.life) if each >= 0]
        with other:
            self.process = _forked(other.fileno(), kept) if forked else _started(other.fileno(), kept)
        self.line.sendall(msgspec.json.encode(options) + b"\n")

    def hear(self) -> None:
        """Take what it has told."""
        with suppress(OSError):
            told = self.line.recv(_TOLD_MAX, socket.MSG_DONTWAIT)
            self.is_ready |= READY in told
            self.is_renewed |= RENEWED in told

    def end(self) -> None:
        """Stop it, if it runs, and wait for that: one that hangs is killed."""
        self.process.terminate()
        try:
            self.process.wait(_END_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.line.close()


def _forked(line: int, kept: list[int]) -> WatchedProcess:
    return WatchedProcess(fork(partial(turn_process.run, line), kept))


def _started(line: int, kept: list[int]) -> "subprocess.Popen[bytes]":
    words = [sys.executable, "-P", "-m", turn_process.__name__, str(line)]
    return subprocess.Popen(words, pass_fds=kept)  # noqa: S603  # this program


class Supervisor:
    """Runs a server with a standby until it stops."""

    def __init__(self, config: Config, sockets: EntranceSockets, *, status_json: bool) -> None:
        self._config = config
        self._sockets = sockets
        self._status_json = status_json
        self._life, self._own_life = os.pipe()
        self._is_renewed = False
        self._serves = self._start("serves")
        self._stands_by: _Child | None = self._start("stands by")
        self._delay_s = _FIRST_DELAY_S
        self._again_s = 0.0
        self._stopping = False

    def run(self) -> int:
        """Return the server's exit code when it has ended."""
        code: int | None = None
        while code is None:
            number = self._wait()
            self._hear()
            if number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                self._stopping = self._stopping or number != signal.SIGHUP or os.isatty(0)
                self._serves.process.send_signal(number)
            if self._stands_by is not None and self._stands_by.process.poll() is not None:
                self._standby_ended()
            code = self._serves.process.poll()
            if code is not None and self._is_over(code):
                break
            code = None
            if self._stands_by is None and time.monotonic() >= self._again_s and not self._stopping:
                self._stands_by = self._start("stands by")
        if self._stands_by is not None:
            self._stands_by.end()
        self._serves.line.close()
        return code if code >= 0 else _FAILED

    def _hear(self) -> None:
        for each in (self._serves, self._stands_by):
            if each is not None:
                each.hear()
                self._is_renewed |= each.is_renewed

    def _wait(self) -> int | None:
        """Return the next signal; None when it is time to start a standby."""
        if self._stands_by is not None or self._stopping:
            return signal.sigwait(_SIGNALS)
        info = signal.sigtimedwait(_SIGNALS, max(self._again_s - time.monotonic(), 0))
        return None if info is None else info.si_signo

    def _standby_ended(self) -> None:
        if self._stands_by is not None:
            self._stands_by.line.close()
        self._stands_by, self._again_s = None, time.monotonic() + self._delay_s
        self._delay_s = min(2 * self._delay_s, _LAST_DELAY_S)

    def _is_over(self, code: int) -> bool:
        """Return whether the server ends with its turn process; else the standby is the turn process now."""
        standby = self._stands_by
        if code >= 0 or self._stopping or not self._serves.is_ready:  # it has ended by itself, and said why
            return True
        if standby is None or not standby.is_ready:
            logs.say("The turn process was killed, and no standby was ready; start the server again.")
            return True
        self._serves.line.close()
        self._serves, self._stands_by = standby, None
        self._again_s, self._delay_s = time.monotonic() + _FIRST_DELAY_S, _FIRST_DELAY_S
        return False

    def _start(self, role: Role) -> _Child:
        config, doors = self._config, self._sockets.doors
        said = {name: getattr(config, name) for name in Settings.__struct_fields__}
        return _Child(
            TurnOptions(
                role=role,
                data=str(config.data),
                settings=Settings(**said | {"port": self._sockets.port.getsockname()[1]}),
                exact_seed=config.exact_seed,
                one_life=config.one_life,
                store=config.store,
                status_json=self._status_json,
                port=self._sockets.port.fileno(),
                doors=-1 if doors is None else doors.fileno(),
                life=self._life,
            ),
            forked=not self._is_renewed,
        )


def supervise(config: Config, *, status_json: bool) -> int:
    """Run a server with a standby until it stops, and return its exit code. Raises ConfigError if its sockets cannot be had."""
    signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    import_server()
    config.data.mkdir(parents=True, exist_ok=True)
    sockets = reserve_sockets(config)
    try:
        return Supervisor(config, sockets, status_json=status_json).run()
    finally:
        release_sockets(config, sockets)
