"""Writes server/docs/performance-figures.md from `build/bench.json`: `make bench-page`, on the machine of the run."""

import json
import os
import platform
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = ROOT / "server" / "docs" / "performance-figures.md"
RESULT: Final = ROOT / "build" / "bench.json"
HEAD: Final = """# The figures of the benchmark

`make bench-page` writes this page from the last `make bench`; do not edit it. [performance](performance.md) says how the figures
are measured, and why those that miss their limit miss it.
"""


def page(figures: Mapping[str, Mapping[str, Any]], machine: str) -> str:
    """Return the page with the figures of a run."""
    rows = [
        f"| {name} | {each['value']:,} {each['unit']} | {each['limit']} |" for name, each in figures.items()
    ]
    table = "\n".join(
        ["| figure | value | limit |", "|---|---|---|", *(row.replace("  |", " |") for row in rows)]
    )
    return f"{HEAD}\n{machine}\n\n{table}\n"


def machine() -> str:
    """Return a line about this machine."""
    cpu = next(
        (line.partition(": ")[2] for line in _lines(Path("/proc/cpuinfo")) if line.startswith("model name")),
        platform.processor() or platform.machine(),
    )
    cores = len(os.sched_getaffinity(0))
    day = datetime.fromtimestamp(RESULT.stat().st_mtime, UTC).date()
    return f"Measured on {day} with {cores} cores of {cpu}, {platform.system()}, Python {platform.python_version()}."


def main() -> None:
    """Write the page again."""
    if not RESULT.exists():
        sys.exit("There is no build/bench.json: run make bench first.")
    figures = json.loads(RESULT.read_text(encoding="utf-8"))
    PAGE.write_text(page(figures, machine()), encoding="utf-8")


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []
