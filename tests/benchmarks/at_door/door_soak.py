"""A soak of a door: visitors arrive, play, stop reading, sleep, watch and leave. It shows what the door holds each minute.

python -m benchmarks door-soak [MINUTES]
"""

import asyncio
import socket
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random  # noqa: TID251  # seeded, so that each soak has the same visitors
from typing import Final, Literal, NamedTuple

import asyncssh

from benchmarks.at_door.door_load import WATCHED, DoorProcess, door_process, log_in, watched_player
from benchmarks.at_door.page_visitor import PageVisitor
from benchmarks.figures import Figure

MINUTES: Final = 10.0
_WARM: Final = 0.6
"""The part of the time after which the memory no longer grows: caches have filled."""
_HERE: Final = 40
"""The visitors at a time."""
_GAP_S: Final = 0.3
"""The time between two newcomers."""
_KEY_S: Final = 0.5
_TICK_S: Final = 0.02
_SLEEP_S: Final = (1.0, 40.0)
_STAY_S: Final = (3.0, 25.0)
_LEAVE_S: Final = 70.0
"""The time in which a door forgets all visitors: it waits a minute for a cut one."""

Habit = Literal["plays", "cuts", "sleeps", "never reads", "watches", "watches unread", "half open"]
_HABITS: Final[tuple[Habit, ...]] = (
    "plays", "plays", "cuts", "sleeps", "sleeps", "never reads", "watches", "watches unread", "half open",
)  # fmt: skip
_UNREAD: Final = ("never reads", "watches unread")


class _Sample(NamedTuple):
    """The memory and the descriptors of the door at a moment, and the visits so far."""

    minute: float
    visits: int
    resident_mb: int
    descriptors: int


class _Guest:
    """One visitor with a habit."""

    def __init__(self, number: int, port: int, habit: Habit, until_s: float, cookie: str = "") -> None:
        self.number = number
        self.habit = habit
        self.until_s = until_s
        self.due_s = 0.0
        self.turn = 0
        self._half: socket.socket | None = None
        self.page: PageVisitor | None = None
        if habit == "half open":
            self._half = socket.create_connection(("127.0.0.1", port), 10)
            self._half.sendall(b"GET / HTTP/1.1\r\nHost:")
        else:
            at = f"/watch/{WATCHED}" if habit.startswith("watches") else "/"
            self.page = PageVisitor(number, port, 1, at=at, cookie=cookie)

    def act(self, now_s: float) -> bool:
        """Do what is due; return whether the visitor stays."""
        page = self.page
        if page is not None and not (self.habit in _UNREAD and page.state not in ("", "title")):
            page.read(now_s)
        if page is not None and not page.closed and now_s >= self.due_s:
            self.due_s = now_s + _KEY_S
            self.turn += 1
            if self.habit == "never reads" and page.state not in ("", "title"):
                page.resize(60 + self.turn % 2 * 140)
            elif not self.habit.startswith("watches"):
                page.step(self.turn, now_s)
        return now_s < self.until_s and not (page is not None and page.closed)

    def leave(self) -> None:
        """Close the line: in good form, or as a cut does."""
        if self.page is not None:
            if self.habit == "plays":
                self.page.close()
            self.page.socket.close()
        if self._half is not None:
            self._half.close()


class _Soak:
    """All visitors of a soak, in one loop."""

    def __init__(self, door: DoorProcess) -> None:
        self._door = door
        self._random = Random(7)
        self._guests: list[_Guest] = []
        self._asleep: list[tuple[float, _Guest]] = []
        self._next = 1
        self.came: Counter[str] = Counter()
        self.byes: Counter[str] = Counter()

    def run(self, minutes: float) -> Iterator[_Sample]:
        """Let visitors play; yield a sample of the door before, each minute, and after the last has left."""
        began_s = time.monotonic()
        yield self._sample(0.0)
        for minute in range(1, round(minutes) + 1):
            self._go_on(began_s + minute * 60)
            yield self._sample(minute)
        for guest in self._guests:
            guest.leave()
        time.sleep(_LEAVE_S)
        yield self._sample((time.monotonic() - began_s) / 60)

    def _sample(self, minute: float) -> _Sample:
        usage = self._door.usage
        return _Sample(round(minute, 1), self.came.total(), usage.resident_mb(), usage.descriptors())

    def _go_on(self, until_s: float) -> None:
        newcomer_s = 0.0
        while (now_s := time.monotonic()) < until_s:
            if now_s >= newcomer_s and len(self._guests) < _HERE:
                newcomer_s = now_s + _GAP_S
                self._admit(now_s)
            for guest in [each for each in self._guests if not each.act(now_s)]:
                self._part(guest, now_s)
            time.sleep(_TICK_S)

    def _admit(self, now_s: float) -> None:
        """Let a sleeper return, or a new visitor arrive."""
        stay_s = self._random.uniform(*_STAY_S)
        woken = next((each for each in self._asleep if each[0] <= now_s), None)
        if woken is not None:
            self._asleep.remove(woken)
            former = woken[1]
            assert former.page is not None
            guest = _Guest(former.number, self._door.port, "plays", now_s + stay_s, former.page.cookie)
            self.came["returns"] += 1
        else:
            guest = _Guest(self._next, self._door.port, self._random.choice(_HABITS), now_s + stay_s)
            self._next += 1
            self.came[guest.habit] += 1
        self._guests.append(guest)

    def _part(self, guest: _Guest, now_s: float) -> None:
        self._guests.remove(guest)
        guest.leave()
        if guest.page is not None and guest.page.bye:
            self.byes[guest.page.bye] += 1
        if guest.habit == "sleeps" and guest.page is not None and guest.page.cookie:
            self._asleep.append((now_s + self._random.uniform(*_SLEEP_S), guest))


@contextmanager
def _ssh_visitors(port: int) -> Iterator[None]:
    """Let visitors arrive by ssh and leave, one after another."""
    over = threading.Event()

    def visit() -> None:
        while not over.wait(1):
            with suppress(asyncssh.Error, OSError):  # a late door refuses newcomers
                asyncio.run(log_in(port, 1))

    thread = threading.Thread(target=visit, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def soak(scratch: Path, minutes: float) -> list[Figure]:
    """Run a soak; print each sample when it is there, and return the figures."""
    with door_process(scratch, 1) as door, watched_player(door.server_port):
        running = _Soak(door)
        asyncio.run(log_in(door.ssh_port, 1))
        with _ssh_visitors(door.ssh_port):
            samples = []
            for sample in running.run(minutes):
                samples.append(sample)
                print(
                    f"minute {sample.minute}: {sample.visits} visits, {sample.resident_mb} MB, {sample.descriptors} descriptors",
                    flush=True,
                )
        log = door.log.read_text(encoding="utf-8")
        faults = log.count("Traceback")
        for line, count in Counter(_ends_of_faults(log)).most_common(5):
            print(f"{count} times in the log: {line}")
    print(f"came: {dict(running.came)}; said: {dict(running.byes)}")
    warm = samples[round(minutes * _WARM)]
    return [
        Figure("door soak: visits by browser", samples[-1].visits, "", "", f"in {minutes:.0f} min"),
        Figure(
            "door soak: memory since it is warm",
            samples[-1].resident_mb - warm.resident_mb,
            "MB",
            "<= 10",
            f"{samples[-1].resident_mb} MB in all",
        ),
        Figure(
            "door soak: descriptors that stay", samples[-1].descriptors - samples[0].descriptors, "", "<= 3"
        ),
        Figure("door soak: faults in the log", faults, "", "<= 0"),
    ]


def _ends_of_faults(log: str) -> Iterator[str]:
    """Yield the last line of each traceback of a log: the fault itself."""
    for part in log.split("Traceback (most recent call last):\n")[1:]:
        yield next((line for line in part.splitlines() if not line.startswith(" ")), "")


def main(arguments: Sequence[str]) -> None:
    """Run a soak of this many minutes, and fail if a figure misses its limit."""
    minutes = float(arguments[0]) if arguments else MINUTES
    with tempfile.TemporaryDirectory() as folder:
        figures = soak(Path(folder), minutes)
    for figure in figures:
        print(figure.line())
    sys.exit(not all(figure.holds for figure in figures))
