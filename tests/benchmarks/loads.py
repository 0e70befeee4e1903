"""The load tests of `make bench`: clients that walk on one level, bots on all levels, ceilings, and counts."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from benchmarks.ceilings.measure import ceilings
from benchmarks.counts.table import present_counts
from benchmarks.figures import Figure
from benchmarks.load.measure import measure
from benchmarks.load.options import LoadOptions
from benchmarks.load.report import LoadResult

WALK: Final = LoadOptions(clients=50, seconds=15, warm_s=5, pin=True)
EXPLORE: Final = LoadOptions(
    clients=500, seconds=15, warm_s=20, pin=True, campaign="gloam", mode="full", spread=True
)
LIMITS: Final = {
    (50, "due turn to patch, p99"): "<= 100",
    (50, "connections lost"): "<= 0",
    (100, "due turn to patch, p99"): "<= 50",
    (100, "server: processor share"): "<= 60",
    (100, "connections lost"): "<= 0",
    (500, "connections lost"): "<= 0",
}
"""The limits of load tests, by clients and figure. What a host reads in HOSTING.md is healthy: 99 of 100 under 0.1 s."""


def loads(_: Path) -> list[Figure]:
    """Run the load tests, one after another."""
    first, compared = ceilings(WALK, quiet=True)
    encrypted = measure(replace(WALK, tls=True), quiet=True)
    second = measure(replace(WALK, clients=100), quiet=True)
    third = measure(EXPLORE, quiet=True)
    return [
        *_named(first),
        *[
            Figure(f"{each.name}, beside: {each.alone}", round(each.ratio, 2), "times", note=each.costs())
            for each in compared
        ],
        *_named(encrypted),
        *_named(second),
        *_named(third),
        *[Figure(f"calls: {name}", value, "") for name, value in present_counts().items()],
    ]


def _named(result: LoadResult) -> list[Figure]:
    """Return the figures of a load test, with its clients in their names."""
    clients = result.options.clients
    verb = "exploring" if result.options.spread else "walking"
    verb = f"{verb} over TLS" if result.options.tls else verb
    return [
        replace(each, name=f"{clients} {verb}: {each.name}", limit=LIMITS.get((clients, each.name), ""))
        for each in result.figures()
    ]
