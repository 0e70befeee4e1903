"""The time from a link to a page's first paint and to the title's picture, in a real Chromium on this machine."""

import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from benchmarks.at_door.door_load import door_process
from benchmarks.figures import Figure
from support.door.browser import Browser

_LOADS: Final = 7
_PAINTED: Final = "(performance.getEntriesByName('first-contentful-paint')[0] || {startTime: 0}).startTime"


def door_paint(scratch: Path) -> Iterator[Figure]:
    """Load the page some times, each in a browser without a cache."""
    paints, titles = list[float](), list[float]()
    with door_process(scratch, 1) as door:
        for number in range(_LOADS):
            with Browser(scratch / f"profile{number}") as browser:
                began_s = time.monotonic()
                tab = browser.open(f"http://localhost:{door.port}/")
                tab.wait_for("Your name")
                titles.append(1_000 * (time.monotonic() - began_s))
                tab.wait(lambda tab=tab: tab.run(_PAINTED) > 0)  # type: ignore[misc]  # each load has its tab
                paints.append(tab.run(_PAINTED))
    yield Figure(
        "door: link to the first paint of the page",
        round(statistics.median(paints)),
        "ms",
        "<= 1000",
        f"median of {_LOADS}",
    )
    yield Figure(
        "door: link to the picture of the title",
        round(statistics.median(titles)),
        "ms",
        "<= 1000",
        f"median of {_LOADS}",
    )
