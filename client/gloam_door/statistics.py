"""The numbers of a door for its host: visits, refusals, frames, and how late its loop is."""

import asyncio
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from typing import Final

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

EVERY_S: Final = 0.05
"""The interval at which the loop is measured."""
LATE_S: Final = 0.25
"""A loop that is as late as this, time after time, admits no visitor."""
_TIMES: Final = 3
"""A single delay is no load: the system, or the end of a long life, may have taken the time."""
_REMEMBERED_S: Final = 2
_WAYS: Final = ("ssh", "web")


class Statistics:
    """Counts since the start of the door. `late_s` is the greatest delay of the loop in the last seconds."""

    def __init__(self) -> None:
        self.visits: Counter[str] = Counter()
        """Visits that began, by the way."""
        self.refusals: Counter[str] = Counter()
        """Visits that were refused, by the reason."""
        self.faults = 0
        """Visits that a fault ended."""
        self.frames = 0
        """The frames of all visits that are over."""
        self.late_s = 0.0
        self._late_until_s = 0.0
        self._newest_s: deque[float] = deque([0.0] * _TIMES, _TIMES)

    @property
    def is_late(self) -> bool:
        """Whether the loop is too late for another visit."""
        return min(self._newest_s) >= LATE_S

    async def measure(self) -> None:
        """Measure the loop's delay, for ever."""
        loop = asyncio.get_running_loop()
        while True:
            due_s = loop.time() + EVERY_S
            await asyncio.sleep(EVERY_S)
            self.note(loop.time() - due_s, loop.time())

    def note(self, late_s: float, now_s: float) -> None:
        """Take in a measured delay."""
        self._newest_s.append(late_s)
        if late_s >= self.late_s or now_s >= self._late_until_s:
            self.late_s, self._late_until_s = late_s, now_s + _REMEMBERED_S

    def metrics(self, here: Mapping[str, int], frames: int) -> str:
        """Return the numbers in the text format of Prometheus; `here` counts the present visits by their way.

        `frames` counts the frames of the present visits.
        """
        registry = CollectorRegistry(auto_describe=False)
        registry.register(_Collector(self, here, frames))
        ProcessCollector(registry=registry)
        return generate_latest(registry).decode()


class _Collector(Collector):
    """Reads the numbers of a door once. The values of labels are fixed in the code."""

    def __init__(self, statistics: Statistics, here: Mapping[str, int], frames: int) -> None:
        self._statistics = statistics
        self._here = here
        self._frames = frames

    def collect(self) -> Iterator[Metric]:
        """Yield every metric."""
        statistics = self._statistics
        present = GaugeMetricFamily("gloam_door_here", "Present visits.", labels=("door",))
        visits = CounterMetricFamily("gloam_door_visits_total", "Visits.", labels=("door",))
        for way in _WAYS:
            present.add_metric((way,), self._here.get(way, 0))
            visits.add_metric((way,), statistics.visits[way])
        refusals = CounterMetricFamily("gloam_door_refusals_total", "Refused visits.", labels=("reason",))
        for reason, count in statistics.refusals.items():
            refusals.add_metric((reason,), count)
        yield from (present, visits, refusals)
        yield CounterMetricFamily(
            "gloam_door_faults_total", "Visits that a fault ended.", value=statistics.faults
        )
        yield CounterMetricFamily(
            "gloam_door_frames_total",
            "Frames that visitors were sent.",
            value=statistics.frames + self._frames,
        )
        yield GaugeMetricFamily(
            "gloam_door_late_seconds", "The loop's greatest delay of late.", value=round(statistics.late_s, 4)
        )
