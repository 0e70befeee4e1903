"""The cost of each part of the server's work alone: processor time of one thread, the median of many calls."""

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Final

from benchmarks.parts.hall import HEIGHT, WIDTH, Hall, wide_arena
from gloam_server.engine.recovery.replay import batch_records, create_world
from gloam_server.rules.line_of_sight import field_of_view
from gloam_server.storage.journal import Record
from gloam_server.storage.open_store import open_store
from gloam_server.world.generation import generate_round
from gloam_server.world.transition.turn_groups import compute_turn_groups
from gloam_shared.protocol.codec import encode
from gloam_shared.protocol.framing import frame
from gloam_shared.protocol.updates import UpdateWriter
from support.storage.memory_store import MemoryStore

CALLS: Final = 200
"""The number of calls that a median is of, unless a caller wants fewer."""


def processor_us(work: Callable[[], object], calls: int = CALLS) -> float:
    """Return the median processor time of a call in microseconds."""
    return _median_us(work, calls, time.thread_time_ns)


def elapsed_us(work: Callable[[], object], calls: int = CALLS) -> float:
    """Return the median time of a call in microseconds, with its waits for the disk."""
    return _median_us(work, calls, time.perf_counter_ns)


def apply_us(hall: Hall, calls: int = CALLS) -> float:
    """Return what one turn of one player costs to apply."""
    times = []
    for _ in range(calls):
        turn = hall.step_of(hall.next_player())
        times.append(processor_us(lambda turn=turn: hall.apply(turn), 1))  # type: ignore[misc]
        hall.take()
    return statistics.median(times)


def divide_us(hall: Hall, calls: int = CALLS) -> float:
    """Return what dividing the level into turn groups costs, which happens after every input."""
    return processor_us(lambda: compute_turn_groups(hall.level), calls)


def show_us(hall: Hall, calls: int = CALLS) -> tuple[float, float, float]:
    """Return what the view of a player who stepped costs, its patch with its bytes, and how many bytes these are.

    Between two patches of a player all others take a step.
    """
    writers = {body.number: UpdateWriter(("references",)) for body in hall.players}
    for body in hall.players:
        writers[body.number].write(hall.view(body), 0)
    views, patches, sizes = [], [], []
    for _ in range(calls):
        body = hall.next_player()
        hall.apply(hall.step_of(body))
        hall.take()
        began = time.thread_time_ns()
        view = hall.view(body)
        shown = time.thread_time_ns()
        data = frame(encode(writers[body.number].write(view, 0)))
        patches.append((time.thread_time_ns() - shown) / 1_000)
        views.append((shown - began) / 1_000)
        sizes.append(len(data))
    return statistics.median(views), statistics.median(patches), statistics.mean(sizes)


def sight_us(hall: Hall, radius: int = 8, calls: int = CALLS) -> float:
    """Return what the field of view of one cell costs, without any cache."""
    transparent = hall.level.transparent()
    cells = _forever(hall.ground)
    return processor_us(lambda: field_of_view(transparent, next(cells), radius), calls)


def generation_ms(width: int = WIDTH, height: int = HEIGHT, calls: int = 3) -> float:
    """Return what one level of the load test's cave costs to make."""
    campaign = wide_arena(width, height)
    seeds = count(1)
    made = len(generate_round(campaign, 1))
    return processor_us(lambda: generate_round(campaign, next(seeds)), calls) / 1_000 / made


def founding_ms(calls: int = 3) -> float:
    """Return what one such level costs in a new world: made, populated, and written to a journal in memory."""
    campaign = wide_arena()
    made = len(generate_round(campaign, 1))
    return processor_us(lambda: create_world(MemoryStore(), campaign, 3, 0), calls) / 1_000 / made


def append_us(inputs: int = 1, calls: int = CALLS, folder: Path | None = None) -> float:
    """Return how long the append of a batch takes until it is durable, in real time."""
    hall = Hall(4)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        store = open_store(Path(scratch) / "world.sqlite3")
        try:
            dungeon = create_world(store, hall.dungeon.campaign, 3, 0)
            hall.dungeon.levels[1].state.sequence = dungeon.sequence(1)
            hall.take()
            batches = []
            for _ in range(calls):
                for _ in range(inputs):
                    hall.apply(hall.step_of(hall.next_player()))
                batches.append(batch_records(hall.dungeon, hall.take().applied))
            waiting: Iterator[list[Record]] = iter(batches)
            return elapsed_us(lambda: store.journal.append(next(waiting)), calls)
        finally:
            store.close()


def _median_us(work: Callable[[], object], calls: int, clock: Callable[[], int]) -> float:
    times = []
    for _ in range(calls):
        began = clock()
        work()
        times.append((clock() - began) / 1_000)
    return statistics.median(times)


def _forever(cells: list[int]) -> Iterator[int]:
    while True:
        yield from cells
