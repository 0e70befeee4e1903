"""Figures of benchmarks: percentiles, limits, the file and the page, the picture, growth, and the bytes of a frame."""

import json
import statistics
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.client_frames import costs, recorded
from benchmarks.figures import Figure, percentile, write_json
from benchmarks.growth import Growth, table, with_players, with_size
from benchmarks.line_chart import line_chart
from benchmarks.page import HEAD, PAGE, page
from support.run.effort import effort


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


FIGURES = {
    "a step": {"value": 1234.5, "unit": "ms", "limit": "<= 3"},
    "deaths": {"value": 0, "unit": "", "limit": ""},
}


def test_page_has_the_machine_and_every_figure() -> None:
    written = page(FIGURES, "A machine.")
    assert written.startswith(f"{HEAD}\nA machine.\n")
    assert "| a step | 1,234.5 ms | <= 3 |\n" in written
    assert written.endswith("| deaths | 0 | |\n")


def test_page_is_written_by_the_command_alone() -> None:
    text = PAGE.read_text(encoding="utf-8")
    measured, _, table = text.removeprefix(HEAD).strip().partition("\n\n")
    rows = table.splitlines()
    assert text.startswith(HEAD)
    assert measured.startswith("Measured on ")
    assert rows[:2] == ["| figure | value | limit |", "|---|---|---|"]
    assert [row for row in rows if row.count("|") != 4] == []


@pytest.mark.parametrize(
    ("points", "exponent", "word"),
    [
        (((1, 10), (10, 10)), 0, "steady"),
        (((1, 10), (10, 100), (100, 1_000)), 1, "linear or less"),
        (((1, 10), (10, 1_000)), 2, "more than linear"),
    ],
)
def test_the_exponent_says_how_a_cost_grows(
    points: tuple[tuple[float, float], ...], exponent: float, word: str
) -> None:
    growth = Growth("a turn", "players", points)
    assert growth.exponent == pytest.approx(exponent)
    assert growth.steepest == pytest.approx(exponent)
    assert growth.word == word
    assert table([growth]).splitlines()[1].endswith(f"{exponent:.2f}  {word}")


@pytest.mark.thorough
def test_small_halls_are_measured() -> None:
    players, sizes = with_players((1, 2)), with_size(((40, 20), (60, 20)))
    assert {"a turn", "a view", "a snapshot"} <= {each.cost for each in players}
    assert {"a field of view", "generation"} <= {each.cost for each in sizes}
    assert all(cost > 0 for each in (*players, *sizes) for _, cost in each.points)


@pytest.mark.thorough
@pytest.mark.parametrize(("depth", "most"), [("256", 400), ("true", 550)])
def test_a_step_costs_few_bytes(depth: str, most: int) -> None:
    """A step costs few bytes on average, exploring and fighting, at 80x24 with the light that falls on the map."""
    spent = costs(recorded("gloam", 3, effort(80, 1_000)), depth)
    assert len(spent.sizes) >= 80
    assert 20 <= statistics.mean(spent.sizes) <= most
    assert spent.paint_ms > 0


@pytest.mark.thorough
def test_a_step_without_light_costs_few_bytes() -> None:
    spent = costs(recorded("jsrogue", 3, effort(80, 1_000)), "16")
    assert 20 <= statistics.mean(spent.sizes) <= 400
