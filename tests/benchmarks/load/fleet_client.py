"""One client of a fleet: its connection, its pace of commands, and what it counts. Subclasses read and decide."""

import socket
import ssl
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from random import Random  # noqa: TID251  # seeded by each client's number
from typing import Final

from benchmarks.load.options import LoadOptions, client_name, client_token
from benchmarks.load.shared_turns import AnsweredTurn, SharedTurns
from benchmarks.load.turn_wait import Acts, TurnWait

_NEW_LIFE_S: Final = 0.3
_READ: Final = 262_144
_NEVER_S: Final = 1e18
_FIRST_ADDRESS: Final = (127 << 24) + (1 << 16) + 1


@dataclass(slots=True)
class Tally:
    """The counts of a fleet since the measured time began. Times are in seconds of the monotonic clock."""

    answers: list[tuple[float, float]] = field(default_factory=list)
    """The time at which each turn was answered, and how long that took since it was due."""
    unknown: int = 0
    """The number of answered turns that were due at an unknown moment."""
    waited_s: float = 0.0
    """The time that answered commands waited by the rules, in all."""
    sent: int = 0
    refused: int = 0
    updates: int = 0
    bytes_in: int = 0
    bytes_out: int = 0
    deaths: int = 0
    lost: list[str] = field(default_factory=list)


class Board:
    """The state that the clients of one fleet share: the tally, when each acted, and their shared turns."""

    def __init__(self) -> None:
        self.tally = Tally()
        self.acts = Acts()
        self.turns = SharedTurns(self._note)

    def _note(self, turn: AnsweredTurn) -> None:
        self.tally.answers.append((turn.at_s, turn.at_s - turn.due_s))
        self.tally.waited_s += turn.due_s - turn.sent_s


class FleetClient(ABC):
    """One player on one connection. `wake_s` is when `act` next has something to do."""

    def __init__(self, at: int, options: LoadOptions, board: Board, now: Callable[[], float]) -> None:
        self.name = client_name(options, at)
        self.in_play = False
        self.closed = False
        self.served = 0
        """The number of commands that were answered, by a turn or by a refusal."""
        self.board = board
        self.wait = TurnWait(board.acts)
        self.now = now
        self.chance = Random(at)
        self._every_s = 1 / options.rate
        self._think_s = options.think_s
        self._slot_s = 0.0
        self._thinks_until_s = 0.0
        self._dead_since_s: float | None = None
        self._at = at
        self._tls = _any_server() if options.tls else None

    @property
    def token(self) -> bytes:
        """The secret of this client's device."""
        return client_token(self.name)

    @property
    def wake_s(self) -> float:
        """Return the time at which `act` is to be called next."""
        if self.closed:
            return _NEVER_S
        due_s = self.owed_s()
        if self._dead_since_s is not None:
            return min(due_s, self._dead_since_s + _NEW_LIFE_S)
        if self.in_play and not self.wait.is_waiting:
            due_s = min(due_s, max(self._slot_s, self._thinks_until_s))
        return due_s

    def dial(self, host: str, port: int) -> None:
        """Connect and log in. On this machine each client has an address of its own, as players at home have."""
        own = (socket.inet_ntoa((_FIRST_ADDRESS + self._at).to_bytes(4, "big")), 0)
        local = host.startswith("127.")
        self.socket = socket.create_connection(
            (host, port), timeout=30, source_address=own if local else None
        )
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self._tls is not None:
            self.socket = self._tls.wrap_socket(self.socket)
        self._slot_s = self.now() + self.chance.random() * self._every_s
        self.greet()

    def read(self) -> None:
        """Take what arrived."""
        try:
            data = self.socket.recv(_READ)
            while isinstance(self.socket, ssl.SSLSocket) and self.socket.pending():
                data += self.socket.recv(_READ)  # the selector does not see what is decrypted already
        except OSError as error:
            self.close(str(error))
            return
        if not data:
            self.close("the server closed the connection")
            return
        self.board.tally.bytes_in += len(data)
        self.receive(data, self.now())

    def act(self, now_s: float) -> None:
        """Send what is due: a command, an acknowledgement, or the request for a new life."""
        if self._dead_since_s is not None:
            if now_s >= self._dead_since_s + _NEW_LIFE_S:
                self._dead_since_s = now_s
                self.begin_again()
        elif self.in_play and not self.wait.is_waiting and now_s >= max(self._slot_s, self._thinks_until_s):
            self._slot_s = max(
                self._slot_s + self._every_s * (0.5 + self.chance.random()), now_s - self._every_s
            )
            if self.command(now_s):
                self.board.tally.sent += 1
                self.wait.sent(now_s)
                self.board.acts.sent(self.name, now_s)
        self.settle(now_s)

    def answered(self, now_s: float, *, turn: bool) -> None:
        """Note the answer to the command that waits: a turn, or a refusal without one."""
        if not self.wait.is_waiting:
            return
        heard = frozenset(self.wait.heard)
        times = self.wait.answered(now_s, turn=turn)
        self.board.acts.answered(self.name, now_s, turn=turn)
        self.served += 1
        self._thinks_until_s = now_s + self._think_s
        if not turn:
            self.board.tally.refused += 1
        elif times is None:
            self.board.tally.unknown += 1
        else:
            took_s, waited_s = times
            due_s = now_s - took_s
            self.board.turns.add(AnsweredTurn(self.name, now_s, due_s, due_s - waited_s, heard))

    def paced(self, now_s: float, *, names: tuple[str, ...], ms: int) -> None:
        """Take a `Pace`."""
        self.wait.pace(now_s, tuple(name for name in names if name != self.name), ms)

    def died(self, now_s: float) -> None:
        """Note that the life is over; the next begins soon."""
        self.board.tally.deaths += self._dead_since_s is None
        self._dead_since_s = now_s
        self.wait.forget()

    def joined(self) -> None:
        """Note that a life has begun."""
        self._dead_since_s = None
        self.in_play = True

    def close(self, why: str) -> None:
        """End the connection, and note why."""
        if not self.closed:
            self.closed = True
            self.in_play = False
            self.board.tally.lost.append(f"{self.name}: {why}")
            self.socket.close()

    def send(self, data: bytes) -> None:
        """Send bytes, if there are any."""
        if data and not self.closed:
            self.board.tally.bytes_out += len(data)
            try:
                self.socket.sendall(data)
            except OSError as error:
                self.close(str(error))

    @abstractmethod
    def greet(self) -> None:
        """Say hello and log in."""

    @abstractmethod
    def receive(self, data: bytes, now_s: float) -> None:
        """Read the messages in these bytes."""

    @abstractmethod
    def command(self, _now_s: float) -> bool:
        """Send the next command; return whether there was one."""

    @abstractmethod
    def begin_again(self) -> None:
        """Ask for the next life."""

    @abstractmethod
    def owed_s(self) -> float:
        """Return when an acknowledgement is due."""

    @abstractmethod
    def settle(self, now_s: float) -> None:
        """Send an acknowledgement that is due."""


@cache
def _any_server() -> ssl.SSLContext:
    """Return a context for encrypted connections to a server with any certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context
