"""The runs of cells in what a page gets, as the page reads them."""

from collections.abc import Iterable, Iterator
from typing import Any


def runs_of(rows: Iterable[list[Any]]) -> Iterator[tuple[int, int, int, str]]:
    """Yield the row, column, style and text of each run of the part "cells"."""
    for row, *runs in rows:
        for at in range(0, len(runs), 3):
            column, style, text = runs[at : at + 3]
            yield row, column, style, text
