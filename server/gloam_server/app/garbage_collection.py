"""When Python searches for cyclic garbage: often among few young objects, and rarely among all of them.

A search of all objects takes 50 ms and more where many are connected, and nearly always finds nothing: what comes and
goes, such as connections, refers to itself in no circle (`tests/server/net/test_cyclic_garbage.py`). There is no timer.
"""

import gc
from typing import Final

THRESHOLDS: Final = (700, 3, 2_000)
"""When to search the youngest objects: when this many more were made than freed. When to search the young: after this
number of searches of the youngest. When to search all: after this number of searches of the young, which takes
minutes under attack and hours in peace."""

_IDLE_MS: Final = 60_000
"""The least time between two searches of an idle server: strangers may come and go all the time."""


def begin() -> None:
    """Search from now on, but never the objects that are there now: they stay, and are most of all."""
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    gc.enable()


class IdleSearch:
    """A search of all objects while no player is there."""

    def __init__(self) -> None:
        self._searched_ms: int | None = None

    def run(self, now_ms: int) -> None:
        """Search, unless that was done a moment ago."""
        if self._searched_ms is None or now_ms - self._searched_ms >= _IDLE_MS:
            self._searched_ms = now_ms
            gc.collect()
