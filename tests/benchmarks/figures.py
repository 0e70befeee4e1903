"""Figures of measurements: percentiles, and one figure as a report and `build/bench.json` hold it."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path


def percentile(sorted_values: Sequence[float], percent: float) -> float:
    """Return the smallest of sorted values that at least `percent` of 100 do not exceed; 0 without values."""
    if not sorted_values:
        return 0.0
    at = -(-len(sorted_values) * percent // 100)
    return sorted_values[min(len(sorted_values), max(1, int(at))) - 1]


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure. `limit` is "<= N", ">= N", or "" for a figure without a bound; `note` is for people."""

    name: str
    value: float
    unit: str
    limit: str = ""
    note: str = ""

    @property
    def holds(self) -> bool:
        """Whether the value is within its limit."""
        sign, _, bound = self.limit.partition(" ")
        return {"": True, "<=": self.value <= float(bound or 0), ">=": self.value >= float(bound or 0)}[sign]

    def line(self) -> str:
        """Return the figure as one line of a report."""
        missed = "" if self.holds else "MISSED"
        line = f"{self.name:<58} {self.value:>14,.6g} {self.unit:<8} {self.limit:<10} {missed} {self.note}"
        return line.rstrip()


def write_json(path: Path, figures: Iterable[Figure]) -> None:
    """Write figures as {name: {value, unit, limit}}."""
    values = {each.name: {"value": each.value, "unit": each.unit, "limit": each.limit} for each in figures}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(values, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
