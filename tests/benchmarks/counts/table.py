"""The table of counts, `tests/benchmarks/counts.toml`: what each fixed workload called when the table was written."""

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

TABLE: Final = Path(__file__).parents[1] / "counts.toml"
_TESTS: Final = Path(__file__).parents[2]
GROWTH_PERCENT: Final = 5
"""A count may grow by so much before the test fails."""

_HEAD: Final = """\
# Calls of Gloam's own functions in fixed workloads (tests/benchmarks/counts/workloads.py). They do not depend on the
# machine. tests/performance/test_counts.py fails when a count grows by more than 5 %.
# To write the table again: GLOAM_UPDATE_GOLDEN=1 .venv/bin/python -m pytest -n0 tests/performance/test_counts.py

"""


def present_counts() -> dict[str, int]:
    """Return the present counts, from a process of its own: in this one, caches may be full already."""
    finished = subprocess.run(
        [sys.executable, "-m", "benchmarks.counts"],
        cwd=_TESTS,
        env={**os.environ, "PYTHONPATH": str(_TESTS)},
        capture_output=True,
        text=True,
        check=True,
    )
    counts: dict[str, int] = json.loads(finished.stdout)
    return counts


def read_table() -> dict[str, int]:
    """Return the counts of the table."""
    return dict(tomllib.loads(TABLE.read_text(encoding="utf-8")))


def write_table(counts: Mapping[str, int]) -> None:
    """Write the table again."""
    rows = "".join(f'"{name}" = {count}\n' for name, count in counts.items())
    TABLE.write_text(_HEAD + rows, encoding="utf-8")


def most(count: int) -> int:
    """Return the highest count that is no growth."""
    return count * (100 + GROWTH_PERCENT) // 100


def grown(before: Mapping[str, int], now: Mapping[str, int]) -> list[str]:
    """Return a sentence for each workload whose count grew too much, or that only one of the tables has."""
    changes = [f"{name}: only in one of the tables" for name in sorted(before.keys() ^ now.keys())]
    changes += [
        f"{name}: {before[name]:,} calls became {now[name]:,}"
        for name in before.keys() & now.keys()
        if now[name] > most(before[name])
    ]
    return sorted(changes)
