"""The thread of the log: it loses lines rather than wait, counts them, and goes on when the reader does."""

import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gloam_server.log_thread import LINES_MAX, LineThread

_PIPE_BYTES = 4_096


class Pipe:
    """A pipe whose reader stops at will. Blocks a writer after `_PIPE_BYTES`."""

    def __init__(self) -> None:
        self.reads, self.writes = os.pipe()
        fcntl.fcntl(self.writes, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
        self.got = b""

    def fill(self) -> None:
        os.write(self.writes, b"-" * (_PIPE_BYTES - 1) + b"\n")

    def read_until(self, wanted: bytes) -> list[str]:
        """Return all lines except the ones of `fill`, up to the one with a text."""
        while not (wanted in self.got and self.got.endswith(b"\n")):
            self.got += os.read(self.reads, _PIPE_BYTES)
        return [line for line in self.got.decode().splitlines() if not line.startswith("--")]


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    made = Pipe()
    yield made
    os.close(made.reads)  # ends the thread's write, too
    os.close(made.writes)


def lines_to(pipe: Pipe) -> LineThread:
    return LineThread(pipe.writes, lambda count: f"lost {count}\n")


def test_lines_are_written_in_their_order(pipe: Pipe) -> None:
    lines = lines_to(pipe)
    for each in range(5):
        lines.write(f"line {each}\n")
    assert pipe.read_until(b"line 4") == [f"line {each}" for each in range(5)]
    assert lines.drain(60)


def test_a_full_queue_loses_and_reports_once(pipe: Pipe) -> None:
    """Waiting lines are written in order, then one line states the loss, then the later ones follow."""
    pipe.fill()
    lines = lines_to(pipe)
    for each in range(LINES_MAX + 100):
        lines.write(f"line {each}\n")
    kept = LINES_MAX + 100 - lines.lost
    assert kept in (LINES_MAX, LINES_MAX + 1), "one may be on its way already"
    assert not lines.drain(0)
    before = pipe.read_until(b"lost")
    assert before == [*(f"line {each}" for each in range(kept)), f"lost {lines.lost}"]
    lines.write("later\n")
    assert pipe.read_until(b"later") == [*before, "later"]


def test_a_reader_that_takes_a_little_changes_nothing(pipe: Pipe) -> None:
    """While lines are lost all are lost: else each line that is read would bring a report of its own."""
    pipe.fill()
    lines = lines_to(pipe)
    for each in range(LINES_MAX + 2):
        lines.write(f"{each:0100}\n")
    lost = lines.lost
    os.read(pipe.reads, _PIPE_BYTES)
    lines.write("in between\n")
    assert lines.lost == lost + 1
    reports = [line for line in pipe.read_until(b"lost") if "lost" in line]
    assert reports == [f"lost {lost + 1}"]


def test_a_line_that_cannot_be_written_is_counted(pipe: Pipe) -> None:
    """As on a full disk: the next line that can be written follows the number of those that could not."""
    partition = os.open("/dev/full", os.O_WRONLY)
    lines = LineThread(partition, lambda count: f"lost {count}\n")
    for each in ("one", "two"):
        lines.write(f"{each}\n")
        assert lines.drain(60)
    os.dup2(pipe.writes, partition)
    lines.write("three\n")
    assert pipe.read_until(b"three") == ["lost 2", "three"]
    assert lines.lost == 2
    os.close(partition)


def test_a_torn_line_does_not_spoil_the_next(tmp_path: Path) -> None:
    """The disk takes a part of a line: that part stands alone, and the lines that follow are whole."""
    code = (
        "import os, resource, sys\n"
        "from gloam_server.log_thread import LineThread\n"
        "place = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT)\n"
        "lines = LineThread(place, lambda count: f'lost {count}\\n')\n"
        "soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (10, hard))\n"
        "for word in ('first', 'second', 'third'):\n"
        "    lines.write(f'{word}\\n')\n"
        "    assert lines.drain(60)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))\n"
        "lines.write('fourth\\n')\n"
        "assert lines.drain(60)\n"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "log")], check=True, timeout=60)
    assert (tmp_path / "log").read_text() == "first\nseco\nlost 2\nfourth\n"


def test_a_nonblocking_descriptor_is_waited_for(pipe: Pipe) -> None:
    """Another process may make the terminal that it shares with the server non-blocking."""
    pipe.fill()
    os.set_blocking(pipe.writes, False)
    lines = lines_to(pipe)
    lines.write("one\n")
    assert not lines.drain(0.1)
    assert pipe.read_until(b"one") == ["one"]
    assert (lines.drain(60), lines.lost) == (True, 0)
