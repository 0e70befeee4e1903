"""The latencies of answers, with and without those that waited for a slow append: a slow disk is not the server's code."""

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.figures import Figure, percentile
from benchmarks.load.timed_server import SLOW_S
from support.processes.server_process import ServerProcess

TIMED_SERVER: Final = (str(Path(__file__).with_name("load") / "timed_server.py"),)
"""The program of a server whose slow appends are to be known."""

BESIDES: Final = "p99 besides slow appends"
APPENDS: Final = f"appends over {1_000 * SLOW_S:.0f} ms"
_LINE: Final = re.compile(r"^slow append: \S+ ms until (\S+)$", re.MULTILINE)


def slow_appends(server: ServerProcess) -> list[float]:
    """Return when each slow append of a `TIMED_SERVER` was durable, on the monotonic clock."""
    return [float(ended) for ended in _LINE.findall(server.errors.read_text(encoding="utf-8"))]


@dataclass(frozen=True, slots=True)
class Latencies:
    """The moment and the duration of each answer, and the moments at which slow appends of that time were durable.

    An answer waited for such an append if it was due before the append was durable, and arrived after. The append kept its
    own batch, or the batch before, during which the server takes no other.
    """

    answers: Sequence[tuple[float, float]]
    slow: Sequence[float]

    def within(self, holds: Callable[[float], bool]) -> "Latencies":
        """Return the answers and appends whose moment is one of these."""
        return Latencies(
            [each for each in self.answers if holds(each[0])], [at for at in self.slow if holds(at)]
        )

    def and_also(self, other: "Latencies") -> "Latencies":
        """Return both together."""
        return Latencies([*self.answers, *other.answers], [*self.slow, *other.slow])

    def ms(self, percent: float) -> float:
        """Return a percentile of all answers."""
        return 1_000 * percentile(sorted(took for _, took in self.answers), percent)

    def ms_besides(self, percent: float) -> float:
        """Return a percentile of the answers that waited for no slow append."""
        slow = sorted(self.slow)
        return 1_000 * percentile(
            sorted(
                took for at, took in self.answers if bisect_right(slow, at) == bisect_right(slow, at - took)
            ),
            percent,
        )

    def figures(self, name: str, limit: str = "") -> list[Figure]:
        """Return the median and the 99th percentile, and the second of these besides slow appends; `limit` is of the p99."""
        note = f"of {len(self.answers)}"
        return [
            Figure(f"{name}, p50", round(self.ms(50), 2), "ms", note=note),
            Figure(f"{name}, p99", round(self.ms(99), 2), "ms", limit, note),
            Figure(f"{name}, {BESIDES}", round(self.ms_besides(99), 2), "ms"),
            Figure(f"{name}, {APPENDS}", len(self.slow), ""),
        ]

    def more_figures(self, name: str, calm: "Latencies", limit: str) -> list[Figure]:
        """Return how much more the 99th percentile is than in `calm` times, with and without slow appends."""
        more = round(self.ms(99) - calm.ms(99), 1)
        besides = round(self.ms_besides(99) - calm.ms_besides(99), 1)
        return [
            Figure(f"{name}, p99 more", more, "ms", limit),
            Figure(f"{name}, {BESIDES} more", besides, "ms"),
        ]
