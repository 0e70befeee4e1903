"""One ssh session with a terminal: bytes in and out, its size, and its end."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, NamedTuple

import asyncssh

from gloam_door.identity import Identity
from gloam_door.surfaces.sequence_surface import SequenceSurface, abilities_of
from gloam_door.upstream import Visitor
from gloam_door.visits import FOLDER_FAULT, Arrival, TooMany, Visit, Visits
from gloam_shared.protocol.invite_code import read_ticket
from gloam_shared.text import clean, name_fault

_NO_TERMINAL: Final = "Gloam plays on a terminal: connect without a command, or with ssh -t.\r\n"
_ANYONE: Final = frozenset({"play", "root", "user", "guest", "gloam"})
"""Names of ssh users that say no name of a player: they get the title."""
_SIZE_MOST: Final = (200, 60)
_IDLE_S: Final = 30 * 60
_STUCK_S: Final = 15
"""A terminal that takes nothing for so long is gone."""
_RESIZE_S: Final = 0.1
"""The pause between two sizes of a window that is being drawn larger."""
_LINGERS_S: Final = 5
"""The time for which a client may keep its connection after its visit."""
_FLOODED: Final = "Too many keys arrived for too long; connect again."


class Line(NamedTuple):
    """The connection of a session: `begun` tells it that the terminal begins, `hang_up` cuts it."""

    begun: Callable[[], object]
    hang_up: Callable[[], object]


class TerminalSession(asyncssh.SSHServerSession[bytes]):
    """A visit by ssh. Everything but a shell on a terminal is refused, which is what asyncssh does without a method."""

    def __init__(self, identity: Identity, visitor: Visitor, visits: Visits, user: str, line: Line) -> None:
        self._line = line
        self._identity = identity
        self._visitor = visitor
        self._visits = visits
        self._user = user
        self._channel: Any = None
        self._term: str | None = None
        self._size = (80, 24)
        self._surface: SequenceSurface | None = None
        self._visit: Visit | None = None
        self._idle: asyncio.TimerHandle | None = None
        self._stuck: asyncio.TimerHandle | None = None
        self._resizing: asyncio.TimerHandle | None = None
        self._words = ""

    def connection_made(self, chan: Any) -> None:
        """Keep the channel."""
        self._channel = chan

    def pty_requested(self, term_type: str, term_size: Any, term_modes: Any) -> bool:  # noqa: ARG002  # it is raw
        """Take a terminal."""
        self._term = term_type
        self._size = _bounded(term_size[0], term_size[1])
        return True

    def shell_requested(self) -> bool:
        """Take a shell where there is a terminal."""
        if self._term is None:
            self._channel.write_stderr(_NO_TERMINAL.encode())
        return self._term is not None

    def session_started(self) -> None:
        """Begin the visit."""
        self._line.begun()
        able = abilities_of(self._term or "", _environment(self._channel))
        surface = self._surface = SequenceSurface(self._size, able, self.send)
        name, _, code = self._user.partition("+")
        named = name.casefold() not in _ANYONE and not name_fault(name)
        try:
            visit = self._visit = self._visits.begin(
                Arrival(
                    self._identity, self._visitor, name if named else "", read_ticket(code), titled=not named
                ),
                surface,
            )
        except TooMany as full:
            self._finish(str(full))
            return
        except OSError:
            self._finish(FOLDER_FAULT)
            return
        visit.ended = self._finish
        surface.begin()
        visit.start()
        self._wait_idle()

    def send(self, data: bytes) -> None:
        """Send bytes to the terminal. A channel that its other end has just closed takes none, which is no fault of the visit."""
        with suppress(BrokenPipeError):
            self._channel.write(data)

    def data_received(self, data: bytes, datatype: Any) -> None:  # noqa: ARG002  # there is one kind
        """Take bytes of the terminal."""
        if self._surface is not None and self._visit is not None:
            self._surface.receive(data)
            self._wait_idle()
            if self._surface.is_flooded:
                self._words = _FLOODED
                self._end_visit()

    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:  # noqa: ARG002
        """Draw for another size, a few times a second at most."""
        if self._surface is not None:
            self._surface.resize(*_bounded(width, height))
            if self._resizing is None:
                self._resizing = asyncio.get_running_loop().call_later(_RESIZE_S, self._resize)

    def pause_writing(self) -> None:
        """The connection takes nothing more for now: asyncssh would keep everything that is written."""
        if self._surface is not None:
            self._surface.pause()
            self._stuck = asyncio.get_running_loop().call_later(_STUCK_S, self._line.hang_up)

    def resume_writing(self) -> None:
        """The connection has room again."""
        self._cancel(self._stuck)
        if self._surface is not None:
            self._surface.resume()

    def eof_received(self) -> bool:
        """End the visit: its terminal sends nothing more."""
        self._end_visit()
        return False

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  # a cut is no fault
        """End the visit: its terminal is gone."""
        self._cancel(self._stuck)
        self._end_visit()
        asyncio.get_running_loop().call_later(_LINGERS_S, self._line.hang_up)

    def _resize(self) -> None:
        self._resizing = None
        if self._visit is not None and not self._visit.over:
            self._visit.app.resize()

    @staticmethod
    def _cancel(timer: asyncio.TimerHandle | None) -> None:
        if timer is not None:
            timer.cancel()

    def _end_visit(self) -> None:
        self._cancel(self._idle)
        if self._visit is not None and not self._visit.over:
            self._visit.end()

    def _wait_idle(self) -> None:
        self._cancel(self._idle)
        self._idle = asyncio.get_running_loop().call_later(_IDLE_S, self._end_visit)

    def _finish(self, words: str) -> None:
        """Give the terminal back, and end the session."""
        self._cancel(self._idle)
        if self._surface is not None and not self._channel.is_closing():
            self._surface.end(clean(self._words or words))
            self._channel.exit(0)
        self._visit = self._surface = None  # asyncssh keeps this session in circles of its own


def _environment(channel: Any) -> dict[str, str]:
    variables: dict[str, str] = dict(channel.get_environment())
    return variables


def _bounded(columns: int, rows: int) -> tuple[int, int]:
    """Return a size that a screen is drawn for; a terminal that says nothing is one of 80x24."""
    return min(columns or 80, _SIZE_MOST[0]), min(rows or 24, _SIZE_MOST[1])
