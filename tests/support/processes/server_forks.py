"""Real gloam-server processes by fork: the imports of a start cost a second of processor time, and tests start hundreds.

A process that has imported the server waits in the background of each process of the run. For each start it forks a keeper,
and the keeper forks the server, waits for its end, and tells its exit code. As a program this module is that process.
"""

import atexit
import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO, Final

_TESTS: Final = Path(__file__).parents[2]
_REQUEST_MAX: Final = 1 << 20


class ForkedServer:
    """A process of any command of gloam-server, with the methods of Popen that tests use.

    The log goes to the descriptor `stderr`, the output to `stdout`, or to a pipe that is read here.
    """

    def __init__(
        self, words: list[str], stderr: int, environment: dict[str, str], stdout: int | None = None
    ) -> None:
        self.stdout: IO[str] | None = None
        to_say = stdout
        if to_say is None:
            said, to_say = os.pipe()
            self.stdout = os.fdopen(said, encoding="utf-8")
        told, to_tell = os.pipe()
        request = json.dumps([words, environment, str(Path.cwd())]).encode()
        socket.send_fds(_forking(), [request], [to_say, stderr, to_tell])
        if stdout is None:
            os.close(to_say)
        os.close(to_tell)
        self.pid = int(os.read(told, 32))
        self.returncode: int | None = None
        os.set_blocking(told, False)
        self._told = told

    def poll(self) -> int | None:
        """Return the exit code, negative for a signal, or None while it runs."""
        if self.returncode is None:
            with suppress(BlockingIOError):
                self.returncode = int(os.read(self._told, 32))
                os.close(self._told)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit code once it has ended. Raises TimeoutExpired."""
        deadline = time.monotonic() + (timeout or float("inf"))
        while (code := self.poll()) is None:
            if time.monotonic() > deadline:
                raise subprocess.TimeoutExpired("gloam-server", timeout or 0)
            time.sleep(0.005)
        return code

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it by force."""
        self.send_signal(signal.SIGKILL)


@cache
def _forking() -> socket.socket:
    """Return the line to the process that forks; it ends with this one."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-m", "support.processes.server_forks", str(theirs.fileno())],
            cwd=_TESTS,
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},  # a fork has one thread
        )
    atexit.register(process.wait, 60)
    atexit.register(ours.close)
    return ours


def fork_servers(line: socket.socket) -> None:
    """Fork a server for each request until the line ends. Returns in each server, which then runs its command."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the system buries the keepers
    while True:
        request, descriptors, _, _ = socket.recv_fds(line, _REQUEST_MAX, 3)
        if not request:
            os._exit(0)
        if os.fork() == 0:
            line.close()
            keep_server(request, *descriptors)
            return
        for descriptor in descriptors:
            os.close(descriptor)


def keep_server(request: bytes, said: int, log: int, told: int) -> None:
    """Fork the server, tell its number and later its exit code. Returns in the server."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    number = os.fork()
    if number == 0:
        os.close(told)
        become_server(request, said, log)
        return
    os.close(said)
    os.close(log)
    os.write(told, f"{number}\n".encode())
    _, status = os.waitpid(number, 0)
    os.write(told, f"{os.waitstatus_to_exitcode(status)}\n".encode())
    os._exit(0)


def become_server(request: bytes, said: int, log: int) -> None:
    """Take the place, output and environment of a program that was started."""
    words, environment, folder = json.loads(request)
    os.setsid()  # the processes that it starts are known by their session
    for descriptor, number in ((said, 1), (log, 2)):
        os.dup2(descriptor, number)
        os.close(descriptor)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["gloam-server", *words]


if __name__ == "__main__":
    import gloam_server.__main__
    import gloam_server.app.garbage_collection
    import gloam_server.app.server
    import gloam_server.cli.main
    import gloam_server.net.watched_selector  # as a start imports it

    fork_servers(socket.socket(fileno=int(sys.argv[1])))
    gloam_server.__main__.main()
