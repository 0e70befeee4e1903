"""A pseudo-terminal with a terminal emulator in it: starts a real program, types, and reads its screen."""

import contextlib
import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import termios
import time
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self
from unittest import mock

import pyte
from wcwidth import wcwidth

_QUERIES: tuple[tuple[re.Pattern[bytes], Callable[["PtyTerminal", re.Match[bytes]], bytes]], ...] = (
    (re.compile(rb"\x1b\[6n"), lambda pty, _: pty.told_place),
    (re.compile(rb"\x1b\[5n"), lambda _pty, _m: b"\x1b[0n"),
    (re.compile(rb"\x1b\[0?c"), lambda _pty, _m: b"\x1b[?62;22c"),
    (re.compile(rb"\x1b\[>0?c"), lambda _pty, _m: b"\x1b[>1;10;0c"),
    (re.compile(rb"\x1b\[>0?q"), lambda _pty, _m: b"\x1bP>|pyte(0.8)\x1b\\"),
    (re.compile(rb"\x1b\[\?(\d+)\$p"), lambda pty, m: b"\x1b[?%b;%d$y" % (m[1], pty.mode_status(int(m[1])))),
    (re.compile(rb"\x1b\[\?u"), lambda _pty, _m: b"\x1b[?0u"),
    (re.compile(rb"\x1b\]11;\?(?:\x1b\\|\x07)"), lambda pty, _m: pty.told_ground),
    (re.compile(rb"\x1bP\+q[0-9a-fA-F;]*(?:\x1b\\|\x07)"), lambda _pty, _m: b"\x1bP0+r\x1b\\"),
)
_UNKNOWN_TO_PYTE = re.compile(
    rb"\x1bP.*?(?:\x1b\\|\x07)|\x1b_.*?\x1b\\|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[=<>?]?[\d;]*u|\x1b\[[>?=][\d;]*[qc]"
    rb"|\x1b\[\?[\d;]*\$p",
    re.DOTALL,
)
_UNFINISHED = re.compile(rb"\x1b(?:[P_\]](?:(?!\x1b\\|\x07).)*|\[[0-9;?=<>$]*)?\Z", re.DOTALL)


PATIENCE_S = 60.0
"""The time that a test waits for what must arrive: a machine may be busy, and a wait that is over sooner costs
nothing."""
_MARK = b"\0\0\0"
"""The bytes that no program writes: they tell that everything written before them has arrived."""


_OTHER_SCREEN = 1049


class _Screen(pyte.Screen):
    """The emulator's screen; unlike pyte's own it moves the cursor back when a program leaves the other screen.

    Without that, what a program prints after its last picture begins where the cursor was, and may be split at the edge.
    """

    ambiguous = 1
    """In how many cells it draws signs of ambiguous width."""

    @property
    def display(self) -> list[str]:
        with self._widths():
            return super().display

    def draw(self, data: str) -> None:
        with self._widths():
            super().draw(data)

    def _widths(self) -> contextlib.AbstractContextManager[Any]:
        if self.ambiguous == 1:
            return contextlib.nullcontext()
        return mock.patch.object(pyte.screens, "wcwidth", self._width)

    def _width(self, char: str) -> int:
        return self.ambiguous if unicodedata.east_asian_width(char) == "A" else int(wcwidth(char))

    def reset_mode(self, *modes: int, **kwargs: Any) -> None:
        super().reset_mode(*modes, **kwargs)
        if kwargs.get("private") and _OTHER_SCREEN in modes:
            self.cursor_position()


class PtyTerminal:
    """A program on a terminal of its own. Close it, or use it in a `with`."""

    told_ground: bytes
    """The answer to a question for the color of its ground.

    `ambiguous` is the number of cells in which it draws signs of ambiguous width; with 0 it draws one, and does not answer where
    its cursor is.
    """

    def __init__(
        self,
        argv: list[str],
        env: dict[str, str] | None = None,
        rows: int = 24,
        cols: int = 80,
        *,
        answers: bool = True,
        synchronized: bool = True,
        mouse: bool = False,
        ground: str = "",
        ambiguous: int = 1,
        cwd: Path | None = None,
    ) -> None:
        self.raw = bytearray()
        self.started = time.monotonic()
        self.first_paint_s: float | None = None
        self._answers = answers
        self._known = {
            25,
            1000,
            1006,
            1049,
            2004,
            *([2026] if synchronized else []),
            *([1003] if mouse else []),
        }
        self.told_ground = f"\x1b]11;rgb:{ground}\x1b\\".encode() if ground else b""
        self._pending = b""
        self._screen = _Screen(cols, rows)
        self._screen.ambiguous = ambiguous or 1
        self._tells_place = ambiguous > 0
        self._stream = pyte.ByteStream(self._screen)
        self.master, self._slave = os.openpty()
        self._resize(rows, cols)
        self.modes_before = termios.tcgetattr(self._slave)
        self.process: subprocess.Popen[bytes] = subprocess.Popen(
            argv,
            stdin=self._slave,
            stdout=self._slave,
            stderr=self._slave,
            env={
                **os.environ,
                "TERM": "xterm-256color",
                "COLORTERM": "truecolor",
                "LANG": "C.UTF-8",
                **(env or {}),
            },
            cwd=cwd,
            start_new_session=True,
            preexec_fn=_take_terminal,  # noqa: PLW1509  # the tests that start programs run no threads
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def cursor(self) -> tuple[int, int]:
        """The position of the cursor, counted from 1: row, column."""
        return self._screen.cursor.y + 1, self._screen.cursor.x + 1

    @property
    def told_place(self) -> bytes:
        """Return the answer to a question for the place of its cursor."""
        return b"\x1b[%d;%dR" % self.cursor if self._tells_place else b""

    @property
    def restored(self) -> bool:
        """Whether the terminal's modes are as before, its cursor shows, and the other screen was left."""
        modes = termios.tcgetattr(self._slave) == self.modes_before
        return (
            modes
            and self.left_last(b"\x1b[?1003l", b"\x1b[?1003h")
            and self.left_last(b"\x1b[?1006l", b"\x1b[?1006h")
            and self.left_last(b"\x1b[?2004l", b"\x1b[?2004h")
            and self.left_last(b"\x1b[?1049l", b"\x1b[?1049h")
            and self.left_last(b"\x1b[?25h", b"\x1b[?25l")
        )

    def left_last(self, off: bytes, on: bytes) -> bool:
        """Tell whether of two opposite sequences the first came last."""
        return self.raw.rfind(off) >= self.raw.rfind(on)  # equal: neither was sent

    def mode_status(self, mode: int) -> int:
        """Return what DECRQM answers: 2 (known, off) or 0 (unknown)."""
        return 2 if mode in self._known else 0

    def mouse(self, x: int, y: int, button: int = 0) -> None:
        """Press a button of the mouse at a cell, counted from 0, and let it go: 2 is the right one, 64 and 65 the wheel.

        35 moves the mouse there without a button.
        """
        self.type(f"\x1b[<{button};{x + 1};{y + 1}M")
        if button < 3:
            self.type(f"\x1b[<{button};{x + 1};{y + 1}m")

    def click(self, words: str) -> None:
        """Click the words where they show; they must show once in the row that has them lowest."""
        rows = self.screen()
        y = next(at for at in range(len(rows) - 1, -1, -1) if words in rows[at])
        self.mouse(rows[y].index(words) + len(words) // 2, y)

    def type(self, keys: str | bytes) -> None:
        """Press keys."""
        os.write(self.master, keys.encode() if isinstance(keys, str) else keys)

    def screen(self) -> list[str]:
        """Return the rows of the screen as they show now."""
        self.pump(0)
        return list(self._screen.display)

    def text(self) -> str:
        """Return the whole screen as one text."""
        return "\n".join(self.screen())

    def cell(self, row: int, column: int) -> Any:
        """Return pyte's cell: data, fg, bold, underscore, reverse."""
        return self._screen.buffer[row][column]

    def marked(self, char: str) -> tuple[int, int] | None:
        """Return row and column of the first reversed cell with `char`: the player's cell, for "@"."""
        for row, line in enumerate(self.screen()):
            for column, shown in enumerate(line):
                if shown == char and self.cell(row, column).reverse:
                    return row, column
        return None

    def resize(self, rows: int, cols: int) -> None:
        """Give the window another size; the program gets the same signal as from a terminal."""
        self.pump(0)
        self._screen.resize(rows, cols)
        self._resize(rows, cols)

    def resize_unread(self, rows: int, cols: int) -> None:
        """Give the window another size without reading what the program draws for it."""
        self._resize(rows, cols)

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the program."""
        os.kill(self.process.pid, number)

    def wait_for(self, wanted: str | Callable[[list[str]], bool], timeout: float = PATIENCE_S) -> list[str]:
        """Read until a whole picture holds a text or a predicate of its rows is true; fail with the screen's picture."""
        deadline = time.monotonic() + timeout
        while True:
            rows = list(self._screen.display)
            whole = self.left_last(b"\x1b[?2026l", b"\x1b[?2026h")
            if whole and ((wanted in "\n".join(rows)) if isinstance(wanted, str) else wanted(rows)):
                return rows
            left = deadline - time.monotonic()
            if left <= 0 or not self.pump(min(left, 0.1)):
                if left > 0 and self.process.poll() is None:
                    continue
                self.pump(0.1)
                rows = list(self._screen.display)
                if (wanted in "\n".join(rows)) if isinstance(wanted, str) else wanted(rows):
                    return rows
                picture = "\n".join(row.rstrip() for row in rows)
                raise AssertionError(
                    f"never on the screen: {wanted!r}; exit {self.process.poll()}; now:\n{picture}"
                )

    def wait_exit(self, timeout: float = PATIENCE_S) -> int:
        """Read until the program ends and return its exit status, negative for a signal."""
        deadline = time.monotonic() + timeout
        while self.process.poll() is None:
            if time.monotonic() > deadline:
                raise AssertionError("the program does not end:\n" + self.text())
            self.pump(0.05)
        self._drain()
        return int(self.process.returncode)

    def stopped(self, timeout: float = PATIENCE_S) -> bool:
        """Tell whether the program has stopped (as after Ctrl-Z), waiting for it."""
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            self.pump(0.05)
            if self._stat()[0] == "T":
                self._drain()
                return True
        return False

    def cpu_s(self) -> float:
        """Return the processor time that the program has used so far."""
        fields = self._stat()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def pump(self, timeout: float) -> bool:
        """Read for up to `timeout`, answer queries, show the rest; tell whether something arrived."""
        came = False
        while select.select([self.master], [], [], 0 if came else timeout)[0]:
            try:
                data = os.read(self.master, 65_536)
            except OSError:
                return came
            if not data:
                return came
            came = True
            self.raw += data
            if self.first_paint_s is None:
                self.first_paint_s = time.monotonic() - self.started
            self._take(data)
        return came

    def close(self) -> None:
        """End the program in any state."""
        if self.process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.process.pid, signal.SIGCONT)
                self.process.kill()
            self.process.wait()
        for descriptor in (self.master, self._slave):
            with contextlib.suppress(OSError):
                os.close(descriptor)

    def hang_up(self) -> None:
        """Close the window: the program's terminal is gone."""
        os.close(self.master)
        os.close(self._slave)
        self.master = self._slave = -1

    def _drain(self) -> None:
        """Read the rest of a program's output, when it writes no more."""
        os.write(self._slave, _MARK)
        deadline = time.monotonic() + PATIENCE_S
        while _MARK not in self.raw and time.monotonic() < deadline:
            self.pump(0.05)
        self.raw = self.raw.replace(_MARK, b"")

    def _stat(self) -> list[str]:
        text = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii")
        return text.rpartition(")")[2].split()

    def _take(self, data: bytes) -> None:
        data = self._pending + data
        unfinished = _UNFINISHED.search(data)
        cut = unfinished.start() if unfinished else len(data)
        data, self._pending = data[:cut], data[cut:]
        if self._answers:
            found = [
                (match.start(), answer, match) for query, answer in _QUERIES for match in query.finditer(data)
            ]
            shown = 0
            for at, answer, match in sorted(found, key=lambda one: one[0]):
                self._show(data[shown:at])
                shown = at
                self.type(answer(self, match))
            data = data[shown:]
        self._show(data)

    def _show(self, data: bytes) -> None:
        self._stream.feed(_UNKNOWN_TO_PYTE.sub(b"", data))

    def _resize(self, rows: int, cols: int) -> None:
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))


def _take_terminal() -> None:
    """In the child: make the terminal its controlling one, so that Ctrl-Z and hang-up work as in life."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
