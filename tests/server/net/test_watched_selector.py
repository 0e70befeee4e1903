"""The watched selector: it reports the time between two waits, and not the waits."""

import asyncio
from collections.abc import Iterator

from gloam_server.net.watched_selector import WatchedSelector


def test_the_time_between_two_waits_is_reported() -> None:
    readings: Iterator[float] = iter((10.0, 10.25, 17.0, 17.5, 20.0))
    busy: list[float] = []
    with WatchedSelector(busy.append, lambda: next(readings)) as selector:
        for _ in range(3):
            selector.select(0)

    assert busy == [0.25, 0.5]


def test_a_loop_runs_with_it() -> None:
    busy: list[float] = []
    loop = asyncio.SelectorEventLoop(WatchedSelector(busy.append))
    try:
        loop.run_until_complete(asyncio.sleep(0))
    finally:
        loop.close()

    assert busy
    assert min(busy) >= 0
