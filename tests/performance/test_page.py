"""The page of figures: the command writes all of it."""

from benchmarks.page import HEAD, PAGE, page

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
