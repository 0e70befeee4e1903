"""The load tests of `make bench`: clients that walk or fight on one level, bots on all levels, ceilings, and counts."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from benchmarks.counts import most, present_counts, read_table
from benchmarks.figures import Figure
from benchmarks.load.ceilings import ceilings
from benchmarks.load.measure import measure
from benchmarks.load.options import FIGHT, LoadOptions
from benchmarks.load.report import LoadResult

WALK: Final = LoadOptions(clients=50, seconds=10, warm_s=3, pin=True)
HALLS: Final = {
    "100 walking": replace(WALK, clients=100),
    "100 fighting": replace(WALK, clients=100, campaign=FIGHT),
    "100 walking, compressed": replace(WALK, clients=100, deflate=True),
    "200 walking": replace(WALK, clients=200),
    "500 walking": replace(WALK, clients=500, join_rate=100),
}
"""Clients that walk at random in one hall. With many monsters a step is often an attack, and turns wait for others."""
_BOTS: Final = LoadOptions(pin=True, campaign="gloam", mode="full", spread=True, seconds=8, warm_s=6)
EXPLORE: Final = {
    "100 exploring": replace(_BOTS, clients=100, join_rate=50),
    "500 exploring": replace(_BOTS, clients=500, join_rate=100, seconds=10),
    "1,000 exploring": replace(_BOTS, clients=1_000, join_rate=50),
}
"""Bots that explore, fight and descend as they choose."""

CROWD: Final = LoadOptions(clients=1_000, rate=1.0, join_rate=50, seconds=15, warm_s=5)
"""Clients that walk in one hall, with as many commands as players who think."""
VIEWS: Final = 2
_RUNS: Final = 2

_ANSWERED: Final = "least answered player, of what each asked for"
_P99: Final = "due turn to patch, p99"
_SHARE: Final = "server: processor share"
_COST: Final = "server: processor time of a served command"
_MEMORY: Final = "server: memory"
_SERVED: Final = "commands served"
_PARTS: Final = ("<= 0.6", "<= 0.5")
"""The limits of a view process and of the turn process, as parts of what one process takes for a command."""
LIMITS: Final[Mapping[str, Mapping[str, str]]] = {
    "50 walking": {_P99: "<= 100"},
    "50 walking over TLS": {_P99: "<= 100"},
    "100 walking": {_P99: "<= 50", _SHARE: "<= 60"},
    "100 walking, compressed": {_P99: "<= 50"},
    "100 fighting": {_P99: "<= 50", _SHARE: "<= 60"},
    "200 walking": {_P99: "<= 100"},
    "500 walking": {_P99: "<= 1000", _ANSWERED: ">= 50"},
    "100 exploring": {_P99: "<= 15"},
    "500 exploring": {},
    "1,000 exploring": {_P99: "<= 100", _SERVED: ">= 1900", _COST: "<= 430", _MEMORY: "<= 400"},
}
"""The limits of each load test. What a host reads in HOSTING.md is healthy: 99 of 100 under 0.1 s. No test loses a connection.

A command may cost 350 us, and 80 us for its update, where the core is full. On a core with time to spare, the server makes
smaller batches instead, and a command costs more. A thousand players ask for 2,000 commands a second.
"""


def loads(_: Path) -> list[Figure]:
    """Run the load tests, one after another."""
    first, compared = ceilings(WALK, quiet=True)
    return [
        *named("50 walking", first),
        *[
            Figure(f"{each.name}, beside: {each.alone}", round(each.ratio, 2), "times", note=each.costs())
            for each in compared
        ],
        *named("50 walking over TLS", measure(replace(WALK, tls=True, seconds=8), quiet=True)),
        *[
            figure
            for name, options in {**HALLS, **EXPLORE}.items()
            for figure in named(name, measure(options, quiet=True))
        ],
        *calls(present_counts(), read_table()),
    ]


def by_process(_: Path) -> list[Figure]:
    """Compare one process with a turn process and two view processes, in alternating runs."""
    runs = [
        (measure(CROWD, quiet=True), measure(replace(CROWD, views=VIEWS), quiet=True)) for _ in range(_RUNS)
    ]
    return parts_of_processes([alone for alone, _ in runs], [apart for _, apart in runs])


def parts_of_processes(alone: Sequence[LoadResult], apart: Sequence[LoadResult]) -> list[Figure]:
    """Return what each process takes for a command, as a part of what one process takes; and the p99 and memory of all."""
    one_us = 1e6 * sum(each.server_cpu_s for each in alone) / sum(each.served for each in alone)
    views = apart[0].options.views
    figures = [Figure("by process: one process: processor time of a command", round(one_us), "us")]
    for name in ("turns", *(f"view {place}" for place in range(1, views + 1))):
        metric = f'gloam_process_cpu_seconds_total{{process="{name}"}}'
        used_s = sum(each.after.since(each.before, metric) for each in apart)
        part = 1e6 * used_s / sum(each.served for each in apart) / one_us
        share = 100 * used_s / sum(each.seconds for each in apart)
        figures += [
            Figure(
                f"by process: {name}: processor time, of one process",
                round(part, 2),
                "times",
                _PARTS[name == "turns"],
            ),
            Figure(f"by process: {name}: processor share", round(share, 1), "%", "<= 60"),
        ]
    memory_mb = max(sum(_memories(each.after.metrics)) for each in apart) / 1e6
    lost = sum(len(each.tally["lost"]) for each in [*alone, *apart])
    return [
        *figures,
        Figure("by process: memory of all", round(memory_mb), "MB", "<= 600"),
        Figure(
            "by process: due turn to patch, p99",
            round(max(each.latency_ms(99) for each in apart), 1),
            "ms",
            "<= 100",
        ),
        Figure(
            "by process: one process: due turn to patch, p99",
            round(max(each.latency_ms(99) for each in alone), 1),
            "ms",
        ),
        Figure("by process: connections lost", lost, "", "<= 0"),
    ]


def _memories(metrics: Mapping[str, float]) -> Iterator[float]:
    return (value for name, value in metrics.items() if name.startswith("gloam_process_memory_bytes"))


def calls(now: Mapping[str, int], table: Mapping[str, int]) -> list[Figure]:
    """Return the calls of fixed workloads, whose limits are what the test of the table allows."""
    return [
        Figure(f"calls: {name}", count, "", f"<= {most(table[name])}" if name in table else "")
        for name, count in now.items()
    ]


def named(name: str, result: LoadResult) -> list[Figure]:
    """Return the figures of a load test under its name, with their limits."""
    limits = {"connections lost": "<= 0", **LIMITS[name]}
    return [
        replace(each, name=f"{name}: {each.name}", limit=limits.get(each.name, ""))
        for each in result.figures()
    ]
