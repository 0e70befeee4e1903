"""Figures of benchmarks: percentiles, limits, the file that programs read, and the picture."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.figures import Figure, percentile, write_json
from benchmarks.line_chart import line_chart


@given(st.lists(st.floats(0, 1e6), min_size=1), st.sampled_from((1, 50, 95, 99, 100)))
def test_a_percentile_covers_its_part(values: list[float], percent: int) -> None:
    values.sort()
    found = percentile(values, percent)
    assert found in values
    assert sum(each <= found for each in values) * 100 >= percent * len(values)
    assert sum(each < found for each in values) * 100 < percent * len(values)


def test_no_values_have_a_percentile_of_0() -> None:
    assert percentile([], 99) == 0


@pytest.mark.parametrize(
    ("limit", "holds"), [("", True), ("<= 3", True), ("<= 2", False), (">= 3", True), (">= 3.5", False)]
)
def test_a_figure_is_within_its_limit_or_not(limit: str, holds: bool) -> None:
    assert Figure("a step", 3, "ms", limit).holds is holds


def test_figures_are_written_by_name(tmp_path: Path) -> None:
    path = tmp_path / "build" / "bench.json"
    write_json(path, [Figure("a step", 2.5, "ms", "<= 3")])
    assert json.loads(path.read_text()) == {"a step": {"value": 2.5, "unit": "ms", "limit": "<= 3"}}


@pytest.mark.parametrize("logarithmic", [False, True])
def test_a_chart_has_a_line_for_each_series(logarithmic: bool) -> None:
    drawn = line_chart(
        "a < b", "x", "y", {"one": [(0, 0), (1, 2), (10, 20)], "none": []}, logarithmic=logarithmic
    )
    root = ET.fromstring(drawn)
    lines = [each.get("points", "").split() for each in root.iter() if each.tag.endswith("polyline")]
    assert [len(points) for points in lines] == [2 if logarithmic else 3, 0]
    assert "a < b" in [each.text for each in root.iter()]
