"""The measurements of a running server: plain numbers, always counted, read only by `status` and metrics.

Counting costs an addition or two, so there is no switch; the work is done when they are read.

A switch would be off when the numbers are needed. Percentiles are the ends of ranges.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final, get_args

from msgspec import Struct

from gloam_server.net.byte_counters import ByteCounters
from gloam_shared.protocol.commands import AnyCommand

BOUNDS_S: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""The upper bounds of the histogram's ranges in seconds; one more range is open."""

COMMANDS: Final = tuple(kind.__name__ for kind in get_args(AnyCommand))


class Histogram:
    """The number of times in each range, and their sum."""

    __slots__ = ("counts", "most_s", "sum_s")

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS_S) + 1)
        self.sum_s = 0.0
        self.most_s = 0.0

    def observe(self, seconds: float) -> None:
        """Count one time."""
        self.counts[bisect_left(BOUNDS_S, seconds)] += 1
        self.sum_s += seconds
        self.most_s = max(self.most_s, seconds)

    @property
    def count(self) -> int:
        """The number of counted times."""
        return sum(self.counts)

    def within_s(self, percent: int) -> float:
        """Return the upper bound of the range with this percentile, at most the longest time."""
        left = -(-self.count * percent // 100)
        for bound, count in zip(BOUNDS_S, self.counts, strict=False):
            left -= count
            if left <= 0:
                return min(bound, self.most_s)
        return self.most_s


class LastHour:
    """A sum over the last hour, in parts of a minute."""

    __slots__ = ("_minutes",)

    def __init__(self) -> None:
        self._minutes: dict[int, int] = {}

    def add(self, amount: int, now_s: float) -> None:
        """Add an amount."""
        minute = int(now_s) // 60
        if minute not in self._minutes:
            self._minutes = {at: kept for at, kept in self._minutes.items() if at > minute - 60}
        self._minutes[minute] = self._minutes.get(minute, 0) + amount

    def total(self, now_s: float) -> int:
        """Return the sum of the last hour."""
        return sum(kept for at, kept in self._minutes.items() if at > int(now_s) // 60 - 60)


@dataclass(slots=True)
class ServerStatistics:
    """All measurements since the server started. Times are in seconds.

    A turn is timed while it is computed; the journal from the request to append until it is durable; a batch from its
    first input until its result is sent to all clients. `asked_s` is the clock at the request of the current append;
    `appended_s` and `append_took_s` belong to the newest durable append. `blocked` says that the disk refuses the
    present batch. `journal_bytes` is what the records take, since the start and in the last hour. `reactor` has the times
    between two waits of the reactor. `faults` counts isolated internal errors. `damage` is the result of the newest daily
    check. `lost_log_lines` reads how many lines of the log were not written.
    """

    traffic: ByteCounters = field(default_factory=ByteCounters)
    turns: Histogram = field(default_factory=Histogram)
    journal: Histogram = field(default_factory=Histogram)
    batches: Histogram = field(default_factory=Histogram)
    reactor: Histogram = field(default_factory=Histogram)
    commands: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COMMANDS, 0))
    asked_s: float | None = None
    appended_s: float = 0.0
    append_took_s: float = 0.0
    blocked: bool = False
    patches: int = 0
    snapshots: int = 0
    journal_bytes: int = 0
    journal_hour: LastHour = field(default_factory=LastHour)
    journal_refusals: int = 0
    faults: int = 0
    damage: tuple[str, ...] = ()
    lost_log_lines: Callable[[], int] = lambda: 0

    def appended(self, began_s: float, now_s: float) -> None:
        """Note that an append is durable."""
        self.asked_s = None
        self.blocked = False
        self.appended_s, self.append_took_s = now_s, now_s - began_s
        self.journal.observe(self.append_took_s)

    def refused(self) -> None:
        """Note that the disk refused an append."""
        self.asked_s = None
        self.blocked = True
        self.journal_refusals += 1


class ViewCounts(Struct, frozen=True, array_like=True):
    """The counts of the connections of one process, or of several together.

    `faults` and `lost_log_lines` are of view processes alone: a server in one process has them in its statistics.
    """

    connections: int = 0
    patches: int = 0
    bytes_in: int = 0
    bytes_out: int = 0
    faults: int = 0
    lost_log_lines: int = 0
    refusals: dict[str, int] = {}
    door_visits: dict[str, int] = {}


def sum_counts(counts: Iterable[ViewCounts]) -> ViewCounts:
    """Return several counts together."""
    every = list(counts)
    refusals: Counter[str] = Counter()
    visits: Counter[str] = Counter()
    for each in every:
        refusals.update(each.refusals)
        visits.update(each.door_visits)
    return ViewCounts(
        sum(each.connections for each in every),
        sum(each.patches for each in every),
        sum(each.bytes_in for each in every),
        sum(each.bytes_out for each in every),
        sum(each.faults for each in every),
        sum(each.lost_log_lines for each in every),
        dict(refusals),
        dict(visits),
    )
