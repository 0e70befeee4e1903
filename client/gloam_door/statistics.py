"""The numbers of a door for its host: visits, refusals, frames, and how late its loop is."""

import asyncio
from collections import Counter, deque
from collections.abc import Mapping
from typing import Final

EVERY_S: Final = 0.05
"""The interval at which the loop is measured."""
LATE_S: Final = 0.25
"""A loop that is as late as this, time after time, admits no visitor."""
_TIMES: Final = 3
"""A single delay is no load: the system, or the end of a long life, may have taken the time."""
_REMEMBERED_S: Final = 2
_BY_WAY: Final[dict[str, int]] = {"ssh": 0, "web": 0}


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
        return "".join(
            (
                _family("gloam_door_here", "gauge", "Present visits.", "door", {**_BY_WAY, **here}),
                _family(
                    "gloam_door_visits_total",
                    "counter",
                    "Visits.",
                    "door",
                    {**_BY_WAY, **self.visits},
                ),
                _family("gloam_door_refusals_total", "counter", "Refused visits.", "reason", self.refusals),
                _one("gloam_door_faults_total", "counter", "Visits that a fault ended.", self.faults),
                _one(
                    "gloam_door_frames_total",
                    "counter",
                    "Frames that visitors were sent.",
                    self.frames + frames,
                ),
                _one(
                    "gloam_door_late_seconds",
                    "gauge",
                    "The loop's greatest delay of late.",
                    round(self.late_s, 4),
                ),
            )
        )


def _family(name: str, kind: str, words: str, label: str, values: Mapping[str, int]) -> str:
    rows = "".join(f'{name}{{{label}="{key}"}} {value}\n' for key, value in sorted(values.items()))
    return f"# HELP {name} {words}\n# TYPE {name} {kind}\n{rows}"


def _one(name: str, kind: str, words: str, value: float) -> str:
    return f"# HELP {name} {words}\n# TYPE {name} {kind}\n{name} {value}\n"
