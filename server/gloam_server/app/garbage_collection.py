"""The times at which Python searches for cyclic garbage: among young objects while the loop rests, rarely among all.

A search of all objects takes 50 ms and more where many are connected, and nearly always finds nothing: short-lived
objects, such as connections, refer to themselves in no circle (`tests/server/net/test_cyclic_garbage.py`): a connection
drops its references when it is lost. By Python's own thresholds one began every five seconds under attack. There is no timer.
"""

import gc
from typing import Final

THRESHOLDS: Final = (10_000, 3, 2_000)
"""The counts that start searches: of the youngest objects, which then runs immediately, when this many more were made
than freed, which is rare; of the young after this number of searches of the youngest; of all after this number of
searches of the young, which takes minutes under attack and hours in peace."""

YOUNGEST_MIN: Final = 700
"""The number of the youngest objects that is worth a search at rest. It takes less than a millisecond."""

_IDLE_MS: Final = 60_000
"""The least time between two searches of an idle server: strangers may connect and leave all the time."""


def begin() -> None:
    """Search from now on, but never the objects that are there now: they stay, and are most of all."""
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    gc.enable()


def search_young() -> None:
    """Search the young objects if there are many of them: for a moment in which the event loop has nothing to do.

    A search while objects are made would delay the update that they are made for.
    """
    youngest, young, old = gc.get_count()
    if gc.isenabled() and youngest >= YOUNGEST_MIN:
        gc.collect(2 if old > THRESHOLDS[2] else 1 if young > THRESHOLDS[1] else 0)


class IdleSearch:
    """A search of all objects while no player is there."""

    def __init__(self) -> None:
        self._searched_ms: int | None = None

    def run(self, now_ms: int) -> None:
        """Search, unless that was done a moment ago."""
        if self._searched_ms is None or now_ms - self._searched_ms >= _IDLE_MS:
            self._searched_ms = now_ms
            gc.collect()
