"""A log that is not read, or cannot be written: play, the host's commands and a stop do not wait for it."""

import fcntl
import json
import os
import re
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from gloam_server.cli.admin_commands import _answer
from gloam_server.log_thread import LINES_MAX
from gloam_server.ops.admin_messages import Request
from gloam_shared.protocol.commands import Wait
from support.client.fake_client import FakeClient
from support.processes.pty import PATIENCE_S, PtyTerminal
from support.processes.server_process import ServerProcess

pytestmark = pytest.mark.end_to_end

_PIPE_BYTES = 4_096
_STATUS = Request("status")


@pytest.fixture
def full_pipe() -> Iterator[tuple[int, int]]:
    """Return both ends of a pipe that takes no more bytes."""
    reads, writes = os.pipe()
    fcntl.fcntl(writes, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
    os.write(writes, b"\n" * _PIPE_BYTES)
    yield reads, writes
    for each in (reads, writes):
        os.close(each)


def play(port: int) -> None:
    """Let two players join and act; each of their commands is answered."""
    with FakeClient(port, "Anna") as anna, FakeClient(port, "Bert") as bert:
        for _ in range(5):
            anna.do(Wait())
            bert.do(Wait())


def test_flow_of_its_terminal_is_stopped(tmp_path: Path) -> None:
    """Ctrl-S at the server's own terminal: play goes on, `status` answers, and SIGTERM ends the server."""
    argv = [sys.executable, "-m", "gloam_server", "run", "--data", str(tmp_path / "realm"), "--port", "0"]
    with PtyTerminal([*argv, "--campaign", "jsrogue", "--seed", "7"], cols=200) as terminal:
        terminal.wait_for("Players on this machine join with")
        found = re.search(r"listening on 127\.0\.0\.1:(\d+)", terminal.text())
        assert found is not None
        port = int(found[1])
        terminal.type("\x13")
        play(port)
        assert _answer(tmp_path / "realm", _STATUS).ok
        terminal.type("\x11")
        terminal.wait_for("Bert left")
        terminal.type("\x13")
        play(port)
        terminal.signal(signal.SIGTERM)
        assert terminal.process.wait(PATIENCE_S) == 0


def test_the_pipe_of_its_log_is_not_read(tmp_path: Path, full_pipe: tuple[int, int]) -> None:
    """A thousand lines wait; all others are lost and counted, and the process ends without a reader."""
    writes = full_pipe[1]
    asked = LINES_MAX + 50
    with ServerProcess(tmp_path / "realm", stderr=writes) as server:
        play(server.port)
        for _ in range(asked):
            assert _answer(server.data, _STATUS).ok
        lost = lost_lines(server)
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(PATIENCE_S) == 0
    assert 50 <= lost <= 60


@pytest.mark.thorough
def test_a_log_that_is_read_again_names_its_loss(tmp_path: Path, full_pipe: tuple[int, int]) -> None:
    """One line states the number of lost lines, where these would stand; the lines after it are whole."""
    reads, writes = full_pipe
    with ServerProcess(tmp_path / "realm", "--log-format", "json", stderr=writes) as server:
        play(server.port)
        for _ in range(LINES_MAX):
            assert _answer(server.data, _STATUS).ok
        read = b""
        while b"lost-lines" not in read:
            read += os.read(reads, _PIPE_BYTES)
        with FakeClient(server.port, "Cora"):
            while b"Cora joined" not in read:
                read += os.read(reads, _PIPE_BYTES)
    records = [json.loads(line) for line in read.splitlines() if line]
    before = [each.get("event") for each in records].index("lost-lines")
    asked = [each for each in records if each.get("event") == "asked"]
    assert [each["text"] for each in records[before + 1 :]] == ["Cora joined"]
    assert records[before]["count"] == LINES_MAX - len(asked) > 0


@pytest.mark.thorough
def test_the_disk_under_its_log_is_full(tmp_path: Path) -> None:
    log = os.open("/dev/full", os.O_WRONLY)
    try:
        with ServerProcess(tmp_path / "realm", stderr=log) as server:
            play(server.port)
            assert lost_lines(server) >= 2, "two players joined"
            assert server.stop() == 0
    finally:
        os.close(log)


@pytest.mark.thorough
def test_hundreds_of_logins_with_a_stuck_log(tmp_path: Path, full_pipe: tuple[int, int]) -> None:
    """99 players join and leave three times each while another one plays."""
    with ServerProcess(tmp_path / "realm", "--open", stderr=full_pipe[1]) as server:
        with FakeClient(server.port, "Anna") as anna, ExitStack() as all_of_them:
            for each in range(3 * 99):
                all_of_them.pop_all().close()
                all_of_them.enter_context(FakeClient(server.port, f"Guest{each % 99}"))
                anna.do(Wait())
        assert server.stop() == 0


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("closed", "flags"),
    [((2,), ()), ((1, 2), ()), ((0, 1, 2), ()), ((0, 1, 2), ("--views", "1", "--standby"))],
)
def test_a_closed_stream_is_no_file_of_the_world(
    tmp_path: Path, closed: tuple[int, ...], flags: tuple[str, ...]
) -> None:
    """Started without stderr: the number 2 is free, and a file of the world must not get it."""
    shut = "".join(f" {each}>&-" for each in closed)
    command = f'exec "$0" "$@"{shut}'
    data = tmp_path / "realm"
    argv = ["/bin/sh", "-c", command, sys.executable, "-m", "gloam_server", "run", "--data", str(data)]
    with PtyTerminal([*argv, "--port", "0", "--campaign", "jsrogue", "--seed", "7", *flags]) as terminal:
        port = _port_of(data)
        play(port)
        files = {each: Path(f"/proc/{terminal.process.pid}/fd/{each}").readlink() for each in closed}
        terminal.signal(signal.SIGTERM)
        assert terminal.process.wait(PATIENCE_S) == 0
    assert set(files.values()) == {Path(os.devnull)}


def lost_lines(server: ServerProcess) -> int:
    """Return the number of lost lines that `status` shows."""
    status = _answer(server.data, _STATUS).lines
    return int(next(line for line in status if "of the log" in line).partition(" ")[0])


def _port_of(data: Path) -> int:
    """Wait for a server that prints nothing, and return its port."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        if (data / "admin.sock").exists():
            return int(_answer(data, Request("address")).lines[1])
        time.sleep(0.05)
    raise AssertionError("the server does not listen")
