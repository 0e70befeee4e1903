"""The start of view processes by a turn process: a second process, forked from it when it had one thread, forks them."""

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from typing import Final

import msgspec

from gloam_server.app.views.view_entrance import Running, ViewOptions
from gloam_server.app.views.watched_process import WatchedProcess
from gloam_server.cli.processes import view_process
from gloam_server.cli.processes.forks import CAN_FORK, FORKS, fork, import_server, name_process

_REQUEST_MAX: Final = 65_536
_ANSWER_MAX: Final = 32
_ANSWER_S: Final = 5.0
_DESCRIPTORS_MAX: Final = 2
_IN_AND_OUT: Final = (0, 1)


class ViewStarter:
    """Starts view processes. Make it while this process has one thread; the process that forks them waits from then on.

    `renewed` is called when processes have to start with the installed code.
    """

    def __init__(self, renewed: Callable[[], None] = lambda: None) -> None:
        self._renewed = renewed
        self._line: socket.socket | None = None
        if CAN_FORK:
            import_server()
            self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            with theirs:
                fork(partial(_fork_views, theirs), [theirs.fileno()])
            self._line.settimeout(_ANSWER_S)

    def start(self, options: ViewOptions) -> Running:
        """Start a view process, of the code of this process unless it was renewed."""
        words = msgspec.json.encode(options)
        descriptors = [each for each in (options.doors, options.life) if each >= 0]
        if self._line is not None:
            try:
                socket.send_fds(self._line, [words], descriptors)
                return WatchedProcess(int(self._line.recv(_ANSWER_MAX)), self._code_of)
            except (OSError, ValueError):  # the process that forks was killed
                self._end_forks()
        return subprocess.Popen(  # noqa: S603  # this program, and paths of the host's own
            [sys.executable, "-P", "-m", view_process.__name__, words.decode()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=descriptors,
        )

    def renew(self) -> None:
        """Start processes of the installed code from now on."""
        self._end_forks()
        self._renewed()

    def _code_of(self, number: int) -> int | None:
        """Return the exit code of a forked process that has ended, if it is known yet."""
        if self._line is None:
            return None
        try:
            self._line.send(msgspec.json.encode(number))
            return int(self._line.recv(_ANSWER_MAX))
        except (OSError, ValueError):
            self._end_forks()
            return None

    def _end_forks(self) -> None:
        if self._line is not None:
            self._line.close()
            self._line = None


def _fork_views(line: socket.socket) -> int:
    """Fork a view process for each request with options, and tell its number; for a request with a number, tell the exit code. Ends with the turn process."""
    name_process(FORKS)
    with open(os.devnull, "r+b") as nothing:  # noqa: PTH123  # a descriptor is needed, not a file
        for standard in _IN_AND_OUT:
            os.dup2(nothing.fileno(), standard)
    children: dict[int, WatchedProcess] = {}
    while True:
        request, descriptors, _, _ = socket.recv_fds(line, _REQUEST_MAX, _DESCRIPTORS_MAX)
        if not request:
            return 0
        asked = msgspec.json.decode(request, type=ViewOptions | int)
        if isinstance(asked, int):
            answer = children.pop(asked).wait()  # it has ended
        else:
            answer = fork(partial(_run_view, asked, descriptors), descriptors)
            children[answer] = WatchedProcess(answer)
        for each in descriptors:
            os.close(each)
        if not _tell(line, answer):
            if not isinstance(
                asked, int
            ):  # the turn process waits no longer, and starts a program in its place
                children[answer].kill()
            return 0


def _tell(line: socket.socket, answer: int) -> bool:
    """Send an answer, and return whether the turn process still waits for it."""
    try:
        line.send(str(answer).encode())
    except OSError:
        return False
    return True


def _run_view(sent: ViewOptions, descriptors: list[int]) -> int:
    received = iter(descriptors)
    doors = next(received) if sent.doors >= 0 else -1
    life = next(received) if sent.life >= 0 else -1
    return view_process.run(msgspec.structs.replace(sent, doors=doors, life=life))
