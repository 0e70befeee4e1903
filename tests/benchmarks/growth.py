"""Measures how each cost grows, in one process: sizes from small to large, and the exponent between the ends."""

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log
from pathlib import Path
from typing import Final

from benchmarks.line_chart import line_chart
from benchmarks.old_realm import make_old_realm
from benchmarks.parts import costs
from benchmarks.parts.hall import Hall
from gloam_server.app.config import WORLD_FILE
from gloam_server.engine.recovery.replay import batch_records, load_realm, snapshot
from gloam_server.storage.open_store import open_store
from gloam_server.world.model.inputs import UnattendedTurn
from support.content.campaigns import shipped

PLAYERS: Final = (1, 5, 20, 50, 100, 200, 500)
CREATURES: Final = (15, 50, 150, 500, 1_500, 5_000)
SIZES: Final = ((100, 48), (150, 60), (180, 120), (255, 255))
"""The last is the largest that there is: a cell is a 16-bit number (`LEVEL_CELLS_MAX`)."""
INPUTS: Final = (1_000, 10_000, 100_000, 300_000)

_STEADY: Final = 0.25
_LINEAR: Final = 1.25
_CALLS: Final = 60
_FEW: Final = 5
_LARGE: Final = 1_000


@dataclass(frozen=True, slots=True)
class Growth:
    """One cost at rising sizes. `points` are pairs of size and cost in microseconds."""

    cost: str
    with_what: str
    points: tuple[tuple[float, float], ...]

    @property
    def exponent(self) -> float:
        """The power of the size with which the cost grows from the first to the last point: 1 is linear."""
        (small, low), (large, high) = self.points[0], self.points[-1]
        return log(high / low) / log(large / small)

    @property
    def steepest(self) -> float:
        """The largest such power between two neighboring points."""
        return max(
            log(high / low) / log(large / small) for (small, low), (large, high) in pairwise(self.points)
        )

    @property
    def word(self) -> str:
        """Return the growth in a word."""
        if self.exponent < _STEADY:
            return "steady"
        return "linear or less" if self.exponent <= _LINEAR else "more than linear"


def growths(*, quick: bool = False) -> Iterator[list[Growth]]:
    """Yield the growths of each subject; `quick` measures the smallest sizes only."""
    last = 2 if quick else None
    yield with_players(PLAYERS[:last])
    yield with_creatures(CREATURES[:last])
    yield with_size(SIZES[:last])
    yield with_journal(INPUTS[:last])


def with_players(sizes: Sequence[int]) -> list[Growth]:
    """Measure a level of the load test with more and more players, one on eight cells."""
    rows: dict[str, list[tuple[float, float]]] = {}
    for players in sizes:
        hall = Hall(players)
        view, patch, _ = costs.show_us(hall, _CALLS)
        _note(rows, players, {
            "a turn": costs.apply_us(hall, _CALLS),
            "division into turn groups": costs.divide_us(hall, _FEW),
            "a view": view,
            "a patch": patch,
            "a snapshot": costs.processor_us(lambda hall=hall: snapshot(hall.dungeon, 1), _FEW),  # type: ignore[misc]
        })  # fmt: skip
    return _grown(rows, "players")


def with_creatures(sizes: Sequence[int]) -> list[Growth]:
    """Measure a large level of ten players with more and more creatures."""
    rows: dict[str, list[tuple[float, float]]] = {}
    for creatures in sizes:
        hall = Hall(10, creatures, width=200, height=120)
        calls = _FEW if creatures > _LARGE else _CALLS
        view, patch, _ = costs.show_us(hall, calls)
        _note(rows, creatures, {
            "a turn": costs.apply_us(hall, calls),
            "an unattended turn": costs.processor_us(lambda hall=hall: hall.dungeon.apply_input(1, UnattendedTurn()), _FEW),  # type: ignore[misc]
            "division into turn groups": costs.divide_us(hall, _FEW),
            "a view": view,
            "a patch": patch,
            "a snapshot": costs.processor_us(lambda hall=hall: snapshot(hall.dungeon, 1), _FEW),  # type: ignore[misc]
        })  # fmt: skip
    return _grown(rows, "creatures")


def with_size(sizes: Sequence[tuple[int, int]]) -> list[Growth]:
    """Measure levels of rising size with ten players and twenty creatures."""
    rows: dict[str, list[tuple[float, float]]] = {}
    for width, height in sizes:
        hall = Hall(10, 20, width=width, height=height)
        view, patch, _ = costs.show_us(hall, _CALLS)
        _note(rows, width * height, {
            "a turn": costs.apply_us(hall, _CALLS),
            "a field of view": costs.sight_us(hall, calls=_CALLS),
            "a view": view,
            "a patch": patch,
            "a snapshot": costs.processor_us(lambda hall=hall: snapshot(hall.dungeon, 1), _FEW),  # type: ignore[misc]
            "generation": 1_000 * costs.generation_ms(width, height, 1),
        })  # fmt: skip
    return _grown(rows, "cells of the level")


def with_journal(sizes: Sequence[int]) -> list[Growth]:
    """Measure a realm with more and more inputs behind it: its start, and an append. Both in real time."""
    rows: dict[str, list[tuple[float, float]]] = {}
    campaign = shipped("gloam")
    for inputs in sizes:
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch) / "old"
            had = make_old_realm(folder, campaign, 1, inputs)
            began = time.perf_counter()
            store = open_store(folder / WORLD_FILE)
            identity = store.directory.identity()
            assert identity is not None
            dungeon = load_realm(store, campaign, identity)
            start_us = 1e6 * (time.perf_counter() - began)
            batches = []
            for _ in range(_CALLS):
                dungeon.apply_input(1, UnattendedTurn())
                batches.append(batch_records(dungeon, dungeon.take_batch().applied))
            waiting = iter(batches)
            append: Callable[[], object] = lambda: store.journal.append(next(waiting))  # noqa: B023, E731  # called here
            _note(
                rows, had, {"start: open and replay": start_us, "an append": costs.elapsed_us(append, _CALLS)}
            )
            store.close()
    return _grown(rows, "inputs in the journal")


def _note(rows: dict[str, list[tuple[float, float]]], size: float, found: dict[str, float]) -> None:
    for name, cost_us in found.items():
        rows.setdefault(name, []).append((size, max(0.1, cost_us)))


def _grown(rows: dict[str, list[tuple[float, float]]], with_what: str) -> list[Growth]:
    return [Growth(name, with_what, tuple(points)) for name, points in rows.items()]


def table(rows: list[Growth]) -> str:
    """Return the growths of one subject as a table."""
    sizes = [f"{size:,.0f}" for size, _ in rows[0].points]
    head = (
        f"{'us with ' + rows[0].with_what:<34}" + "".join(f"{size:>12}" for size in sizes) + f"{'power':>8}"
    )
    lines = [
        f"{row.cost:<34}"
        + "".join(f"{cost:>12,.0f}" for _, cost in row.points)
        + f"{row.exponent:>8.2f}  {row.word}"
        for row in rows
    ]
    return "\n".join([head, *lines, ""])


def main(arguments: Sequence[str]) -> None:
    """Measure and print how costs grow; draw a picture of each subject."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks growth", description=__doc__)
    parser.add_argument(
        "--plot", type=Path, metavar="FOLDER", help="write an SVG of each subject into a folder"
    )
    parser.add_argument("--quick", action="store_true", help="only the two smallest sizes of each subject")
    said = parser.parse_args(arguments)
    for rows in growths(quick=said.quick):
        print(table(rows), flush=True)
        if said.plot:
            said.plot.mkdir(parents=True, exist_ok=True)
            subject = rows[0].with_what
            lines = {row.cost: row.points for row in rows}
            drawn = line_chart(f"Costs with {subject}", subject, "us", lines, logarithmic=True)
            (said.plot / f"{subject.replace(' ', '-')}.svg").write_text(drawn, encoding="utf-8")
