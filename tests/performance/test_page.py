"""The page of figures: the command writes between its marks and leaves the rest alone."""

from benchmarks.page import BEGIN, END, PAGE, with_figures

FIGURES = {
    "a step": {"value": 1234.5, "unit": "ms", "limit": "<= 3"},
    "deaths": {"value": 0, "unit": "", "limit": ""},
}


def test_figures_replace_what_stands_between_marks() -> None:
    page = f"before\n{BEGIN}\nold\n{END}\nafter\n"
    written = with_figures(page, FIGURES, "A machine.")

    assert written.startswith(f"before\n{BEGIN}\n\nA machine.\n")
    assert written.endswith(f"{END}\nafter\n")
    assert "old" not in written
    assert "| a step | 1,234.5 ms | <= 3 |" in written
    assert "| deaths | 0 | |" in written
    assert with_figures(written, FIGURES, "A machine.") == written


def test_the_page_has_the_marks_once() -> None:
    text = PAGE.read_text(encoding="utf-8")

    assert (text.count(BEGIN), text.count(END)) == (1, 1)
    assert text.index(BEGIN) < text.index(END)
