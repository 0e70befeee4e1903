"""Processes that are forked and watched: their exit codes, their descriptors, and the ways in which they end."""

import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from functools import partial

import msgspec
import pytest

from gloam_server.app.views.view_entrance import ViewOptions
from gloam_server.app.views.watched_process import GONE, WatchedProcess
from gloam_server.cli.processes import view_starter
from gloam_server.cli.processes.forks import CAN_FORK, fork, name_process
from support.run.fault_seam import FaultSeam

pytestmark = pytest.mark.skipif(not CAN_FORK, reason="processes are forked on Linux alone")
_WAIT_S = 30


def _fails() -> int:
    raise ValueError("a fault of ours")


def _writes(line: int) -> int:
    os.write(line, b"kept")
    return 0


def _waits(*_: object) -> int:
    signal.pause()
    return 0


def _names_itself(line: int) -> int:
    name_process("gloam-view-and-more")
    with open("/proc/self/comm", "rb") as name:  # noqa: PTH123  # no module is imported in a fork of a test
        os.write(line, name.read())
    return 0


def _forks_waiting_views(line: socket.socket) -> int:
    with pytest.MonkeyPatch.context() as patch:
        FaultSeam(patch).plant(view_starter._run_view, _waits, within=view_starter)
        return view_starter._fork_views(line)


def _watch(run: Callable[[], int], *kept: int) -> WatchedProcess:
    return WatchedProcess(fork(run, kept))


@pytest.mark.parametrize(
    ("run", "code"),
    [(lambda: 0, 0), (lambda: 7, 7), (partial(sys.exit, 3), 3), (sys.exit, 0), (_fails, 1)],
)
def test_a_fork_ends_with_its_code(run: Callable[[], int], code: int) -> None:
    process = _watch(run)
    assert process.wait(_WAIT_S) == code
    assert process.poll() == code


def test_a_fork_that_fails_tells_why(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    standard = os.fdopen(2, "w", closefd=False)  # as in a program: pytest's own has another number
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stderr", standard)
        _watch(_fails).wait(_WAIT_S)
    assert "ValueError: a fault of ours" in capfd.readouterr().err


def test_a_killed_fork_tells_the_signal() -> None:
    process = _watch(_waits)
    assert process.poll() is None
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.01)
    process.kill()
    assert process.wait(_WAIT_S) == -signal.SIGKILL
    process.kill()  # there is no process of this number to be hit


def test_a_fork_is_asked_to_end() -> None:
    process = _watch(_waits)
    process.terminate()
    assert process.wait(_WAIT_S) == -signal.SIGTERM


def test_a_fork_has_only_what_is_kept() -> None:
    """The end of a line that the other process holds reaches the reader, although a fork was made meanwhile."""
    ours, theirs = socket.socketpair()
    read, write = os.pipe()
    with ours, theirs:
        process = _watch(partial(_writes, write), write)
        lasting = _watch(_waits)
        os.close(write)
        assert os.read(read, 16) == b"kept"
        assert os.read(read, 16) == b""  # the lasting one does not have it
        theirs.close()
        assert ours.recv(1) == b""
        lasting.kill()
        assert process.wait(_WAIT_S) == 0
    os.close(read)


def test_a_fork_has_a_name_of_its_own() -> None:
    read, write = os.pipe()
    assert _watch(partial(_names_itself, write), write).wait(_WAIT_S) == 0
    assert os.read(read, 64) == b"gloam-view-and-\n"
    os.close(read)
    os.close(write)


def test_the_parent_is_asked_for_a_code() -> None:
    """A process that is no child of this one: a grandchild, whose parent has ended."""
    read, write = os.pipe()

    def has_child() -> int:
        os.write(write, str(fork(_waits, [])).encode())
        return 0

    assert _watch(has_child, write).wait(_WAIT_S) == 0
    number = int(os.read(read, 32))
    os.close(read)
    os.close(write)
    asked: list[int] = []

    def ask(process: int) -> int | None:
        asked.append(process)
        return -signal.SIGKILL

    told, untold = WatchedProcess(number, ask), WatchedProcess(number)
    told.kill()
    assert told.wait(_WAIT_S) == -signal.SIGKILL
    assert asked == [number]
    assert untold.wait(_WAIT_S) == GONE


def test_a_late_fork_is_killed() -> None:
    """The turn process has waited too long and starts a program in its place: two view processes of one number would join."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    read, write = os.pipe()
    options = ViewOptions("", 0, doors=write, life=-1, log_format="text")
    socket.send_fds(ours, [msgspec.json.encode(options)], [write])
    os.close(write)
    ours.close()
    with theirs:
        process = _watch(partial(_forks_waiting_views, theirs), theirs.fileno())
    assert process.wait(_WAIT_S) == 0
    assert select.select([read], [], [], _WAIT_S)[0], "the view process lives on"
    assert os.read(read, 1) == b""
    os.close(read)
