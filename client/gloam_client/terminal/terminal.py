"""The terminal: raw keys in, bytes out, restored at the end. The one module that talks to blessed."""

import asyncio
import errno
import os
import signal
import sys
import termios
import time
import tty
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from gloam_client.input import bracketed_paste
from gloam_client.input.key_names import every_key_named, key_name, split_keys
from gloam_client.input.lost_surface import LostSurface
from gloam_client.input.mouse import MODES, MOUSE_OFF, MOUSE_ON, MouseEvent, mouse_event
from gloam_client.terminal.output import TerminalOutput

if TYPE_CHECKING:
    from blessed import Terminal as Blessed
    from blessed.keyboard import Keystroke

ENTER: Final = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?2004h\x1b[0m\x1b[2J"
LEAVE: Final = MOUSE_OFF + "\x1b[?2026l\x1b[?2004l\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l"
_ESC_DELAY_S: Final = 0.05
_QUERY_VARIABLE: Final = "BLESSED_QUERY_TIMEOUT_SECONDS"
_SLOW_S: Final = 0.4
"""A terminal that answers the first queries more slowly than this gets no more queries."""
_LATE_S: Final = 0.05
"""The time to wait for late answers."""
_GOES_ON_S: Final = 0.5
"""The longest time between two strokes of an answer, even on a busy machine."""
_LEAVE_S: Final = 0.5
"""The time that a terminal may take to accept the sequences that restore it."""
_FINAL: Final = tuple(chr(code) for code in range(0x40, 0x7F))
_ANSWERS: Final[dict[str, tuple[str, ...]]] = {
    "CSI": _FINAL,
    "ALT_SHIFT_P": ("ALT_\\", "CTRL_G"),
    "ALT_]": ("ALT_\\", "CTRL_G"),
}
"""The first keys of answers, and the ends."""


_MODE_SET: Final = 1
"""blessed's number for a mode that is set."""
_COERCED: Final = ("C.UTF-8", "C.utf8", "UTF-8")
_LIGHT_THOUSANDTHS: Final = 128_000
"""A background is light from this brightness on."""


class NoTerminal(Exception):
    """There is no terminal to play on; the text says what to do."""


class LostTerminal(LostSurface):
    """The terminal is gone: its window was closed or its connection was cut."""


class Capabilities(NamedTuple):
    """The capabilities of the terminal: its color depth (none, 16, 256, true), and whether it draws whole frames.

    `light` says that its background is light, and `mouse` that it reports the mouse, if it answers these queries.
    `ambiguous` is the number of cells in which it draws signs of ambiguous width.
    """

    depth: str
    synchronized: bool
    light: bool = False
    mouse: bool = False
    ambiguous: int = 1


@contextmanager
def _without_no_color() -> Iterator[None]:
    """Hide NO_COLOR from blessed, which would send no sequence at all; the painter leaves out the colors."""
    kept = os.environ.pop("NO_COLOR", None)
    try:
        yield
    finally:
        if kept is not None:
            os.environ["NO_COLOR"] = kept


class Terminal:
    """One terminal, taken over by `open` and given back by `close`, as often as wanted."""

    def __init__(self, *, linear: bool = False) -> None:
        """Find the terminal. With `linear` it gets lines of text only: no other screen, no sequences, no queries."""
        self.linear = linear
        self._in = sys.__stdin__.fileno() if sys.__stdin__ else -1
        self._out = sys.__stdout__.fileno() if sys.__stdout__ else -1
        if not (os.isatty(self._in) and os.isatty(self._out)):
            raise NoTerminal("gloam plays on a terminal; its input and output cannot be files or pipes.")
        if os.environ.get("TERM") == "dumb" and not linear:
            raise NoTerminal(
                "This terminal calls itself dumb (TERM=dumb), and gloam draws whole screens; "
                "play in lines of text with --screen-reader, or in a terminal window."
            )
        self.utf8 = speaks_utf8()
        self._output = TerminalOutput(self._out)
        self._mouse = False
        self._before: list[int | list[bytes | int]] | None = None
        self._blessed: Blessed | None = None
        os.environ.setdefault(_QUERY_VARIABLE, "0.5")
        self.no_color = bool(os.environ.get("NO_COLOR"))

    @property
    def size(self) -> tuple[int, int]:
        """Return (columns, rows)."""
        try:
            columns, rows = os.get_terminal_size(self._out)
        except OSError as error:
            raise LostTerminal from error
        return (columns or 80), (rows or 24)

    def open(self) -> None:
        """Take the terminal over: raw keys, alternate screen, no cursor, no wrapping, bracketed paste."""
        self._before = termios.tcgetattr(self._in)
        tty.setraw(self._in, termios.TCSADRAIN)
        self.write("" if self.linear else ENTER + (MOUSE_ON if self._mouse else ""))

    def become_linear(self) -> None:
        """Leave the drawn screen: from now on the terminal gets lines of text."""
        if not self.linear:
            self.write(LEAVE)
            self.linear, self._mouse = True, False

    def close(self) -> None:
        """Put everything back; does nothing when it is already."""
        before, self._before = self._before, None
        if before is None:
            return
        try:
            self.write("" if self.linear else LEAVE)
            taken = self._output.finish(_LEAVE_S)
            termios.tcsetattr(self._in, termios.TCSADRAIN if taken else termios.TCSANOW, before)
        except (LostTerminal, termios.error, OSError):
            return  # the terminal is gone

    def write(self, text: str) -> None:
        """Write `text`, or raise LostTerminal; what the terminal does not take now is sent when it does.

        Where bytes are not read as UTF-8, only ASCII is safe to send.
        """
        try:
            self._output.write(text.encode("utf-8" if self.utf8 else "ascii", errors="replace"))
        except OSError as error:
            raise LostTerminal from error

    @property
    def blocked(self) -> bool:
        """Whether the terminal has not yet taken everything that was written: a new picture has to wait."""
        return self._output.blocked

    def when_taken(self, resume: Callable[[], object]) -> None:
        """Call `resume` in the running event loop once the terminal is no longer blocked."""
        self._output.when_taken(resume)

    def probe(self) -> Capabilities:
        """Ask the terminal what it can do; takes a round trip or two, so paint first."""
        from blessed import Terminal as Blessed  # noqa: PLC0415  # heavy: after the first picture

        began = time.monotonic()
        with _without_no_color():
            self._blessed = term = Blessed(force_styling=None if self.linear else False)
        answers = time.monotonic() - began < _SLOW_S
        term._line_buffered = False  # noqa: SLF001  # the keys are raw already, blessed need not do it again
        term._keycodes = every_key_named(term._keymap, term._keycodes)  # noqa: SLF001  # it fails at keys without a name
        term._keyboard_decoder.errors = "ignore"  # noqa: SLF001  # a stray byte would end `async_inkey`
        if self.linear:
            return Capabilities("none", synchronized=False)
        colors = term.number_of_colors
        depth = "true" if colors > 256 else "256" if colors == 256 else "16" if colors >= 8 else "none"
        if not answers:
            return Capabilities(depth, synchronized=False)
        ground = term.get_bgcolor(timeout=_SLOW_S, bits=8)
        mouse = term.get_dec_mode(MODES[0], timeout=_SLOW_S).supported
        ambiguous = term.detect_ambiguous_width(timeout=_SLOW_S) if self.utf8 else 1
        return Capabilities(depth, term.does_synchronized_output(), is_light(ground), mouse, ambiguous)

    def use_mouse(self, *, on: bool) -> None:
        """Let the terminal report the mouse, or leave the mouse to the terminal."""
        on = on and not self.linear
        if on != self._mouse:
            self._mouse = on
            self.write(MOUSE_ON if on else MOUSE_OFF)
        if on and self._blessed is not None:  # it reads reports of modes that it knows to be set
            self._blessed._dec_mode_cache.update(dict.fromkeys(MODES, _MODE_SET))  # noqa: SLF001  # its own setter writes, too

    def ask(self) -> Capabilities:
        """Ask what the terminal can do, on the other screen; late answers are dropped.

        A terminal that does not know the queries shows them as text, which goes with that screen.
        """
        self.open()
        try:
            able = self.probe()
            time.sleep(_LATE_S)
            termios.tcflush(self._in, termios.TCIFLUSH)
            return able
        finally:
            self.close()

    def suspend(self) -> None:
        """Give the terminal back, stop until the shell continues this job, and take it over again.

        The whole job stops, because a shell also waits for `make` and `sh` above this program. If no shell can
        continue it, as in a terminal window without a shell, the system does not stop it.
        """
        self.close()
        handler = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.killpg(0, signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, handler)
        signal.siginterrupt(signal.SIGTSTP, False)  # noqa: FBT003  # the name says it
        self.open()

    async def keys(self) -> AsyncIterator[str | bracketed_paste.Pasted | MouseEvent]:
        """Yield the names of pressed keys, pasted text, and the mouse's actions, until the terminal is lost.

        Cancel it only to end it.
        """
        assert self._blessed is not None, "probe comes first"
        late = LateAnswer()
        pastes: bracketed_paste.BracketedPaste[Keystroke] = bracketed_paste.BracketedPaste()
        while True:
            try:
                stroke = await self._blessed.async_inkey(esc_delay=_ESC_DELAY_S)
            except EOFError as error:
                raise LostTerminal from error
            except OSError as error:
                if error.errno == errno.EINTR:
                    continue
                raise LostTerminal from error
            if pastes.idle and (unmarked := await self._burst(str(stroke))):
                yield unmarked
                continue
            strokes = pastes.take(stroke, time.monotonic())
            if pastes.inside:  # all of it that is there, for stroke by stroke a long paste would take seconds
                paste, after = pastes.swallow(self._blessed.flushinp())
                self._blessed.ungetch(after)
                strokes += [] if paste is None else [paste]
            for arrived in strokes:
                if isinstance(arrived, bracketed_paste.Pasted):
                    yield arrived
                    continue
                if (mouse := mouse_event(arrived)) is not None:
                    yield mouse
                    continue
                name = key_name(arrived)
                if name and not late.swallows(name, time.monotonic()):
                    for key in split_keys(name, str(arrived)):
                        yield key

    async def _burst(self, first: str) -> bracketed_paste.Pasted | None:
        """Return the whole paste without marks that begins with a stroke.

        None without one, and no key is lost.
        """
        assert self._blessed is not None
        burst = first + self._blessed.flushinp()
        text, rest = bracketed_paste.split_text(burst)
        if not bracketed_paste.is_burst(text):
            self._blessed.ungetch(burst[len(first) :])
            return None
        while not rest:
            await asyncio.sleep(bracketed_paste.BURST_PAUSE_S)
            more, rest = bracketed_paste.split_text(self._blessed.flushinp())
            if not more:
                break
            text = (text + more)[: bracketed_paste.KEPT_MAX]
        self._blessed.ungetch(rest)
        return bracketed_paste.Pasted(text[: bracketed_paste.KEPT_MAX])


def speaks_utf8() -> bool:
    """Return whether the locale says that bytes to the terminal are UTF-8.

    Reads the environment as it was before Python set LC_CTYPE, because Python treats the locale C as UTF-8.
    """
    names = ["LC_ALL", "LANG"] if _coerce() else ["LC_ALL", "LC_CTYPE", "LANG"]
    locale_name = next((os.environ[name] for name in names if os.environ.get(name)), "C")
    return "utf8" in locale_name.casefold().replace("-", "")


def _coerce() -> bool:
    """Return whether Python itself has set LC_CTYPE, as it does under the locale C (PEP 538)."""
    try:
        began_with = Path("/proc/self/environ").read_bytes().split(b"\0")
    except OSError:
        return False
    ctype = os.environ.get("LC_CTYPE", "")
    return ctype in _COERCED and not any(each.startswith(b"LC_CTYPE=") for each in began_with)


def is_light(ground: tuple[int, int, int]) -> bool:
    """Return whether a background color, each part 0 to 255, is light; an unknown one (-1) is not."""
    red, green, blue = ground
    return 299 * red + 587 * green + 114 * blue > _LIGHT_THOUSANDTHS


class LateAnswer:
    """Separates late answers of a slow terminal from keys: they begin with strokes that no person types."""

    def __init__(self) -> None:
        self._ends: tuple[str, ...] | None = None
        self._last_s = 0.0

    def swallows(self, name: str, now_s: float) -> bool:
        """Take the next stroke; return whether it belongs to an answer."""
        hasty = now_s - self._last_s < _GOES_ON_S
        self._last_s = now_s
        if self._ends is None or not hasty:
            self._ends = _ANSWERS.get(name)
            return self._ends is not None
        if name in self._ends:
            self._ends = None
        return True
