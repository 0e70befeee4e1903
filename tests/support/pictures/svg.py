"""A terminal's screen as SVG: one text for each run of equal cells, with its color, weight and ground. Pure.

A writer of our own: it is shorter than the use of a library, and writes the same bytes on every machine.
"""

import re
from collections.abc import Sequence
from itertools import groupby
from typing import Final, NamedTuple
from xml.sax.saxutils import escape

_WIDTH: Final = 9
_HEIGHT: Final = 18
"""The size of a cell in pixels."""
_RIM: Final = 12
_GROUND: Final = "#101010"
_TEXT: Final = "#ebebeb"
_WORDS: Final = re.compile(r"\S+(?: \S+)*")
_FONT: Final = "DejaVu Sans Mono, Menlo, Consolas, monospace"


class Look(NamedTuple):
    """One cell: its character, colors as "#rrggbb" or "" for the terminal's own, and marks."""

    char: str = " "
    front: str = ""
    back: str = ""
    bold: bool = False
    underline: bool = False
    reverse: bool = False


def svg(rows: Sequence[Sequence[Look]], title: str, note: str) -> str:
    """Return the picture of a screen; `note` stands in a comment in it."""
    texts = [text for y, row in enumerate(rows) for text in row_elements(row, y)]
    return "\n".join([head(len(rows[0]), len(rows), title, note), *texts, "</svg>"]) + "\n"


def head(columns: int, rows: int, title: str, note: str) -> str:
    """Return the beginning of a picture of this many cells: its size, its title and its ground."""
    width, height = columns * _WIDTH + 2 * _RIM, rows * _HEIGHT + 2 * _RIM
    lines = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
            f'font-family="{_FONT}" font-size="15" role="img">'
        ),
        f"<!-- {note} -->",
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" rx="6" fill="{_GROUND}"/>',
    ]
    return "\n".join(lines)


def row_elements(row: Sequence[Look], y: int) -> list[str]:
    """Return the elements of a row: its grounds first, then its texts."""
    grounds, texts, x = [], [], 0
    for look, cells in groupby(row, key=lambda cell: cell._replace(char="")):
        text = "".join(cell.char for cell in cells)
        front, back = look.front or _TEXT, look.back or _GROUND
        if look.reverse:
            front, back = back, front
        left, top, width = _RIM + x * _WIDTH, _RIM + y * _HEIGHT, len(text) * _WIDTH
        if back != _GROUND:
            grounds.append(f'<rect x="{left}" y="{top}" width="{width}" height="{_HEIGHT}" fill="{back}"/>')
        marks = (' font-weight="bold"' if look.bold else "") + (
            ' text-decoration="underline"' if look.underline else ""
        )
        # Some browsers join spaces: no text begins or ends with one, or has two of them in a row.
        for words in _WORDS.finditer(text):
            at, length = left + words.start() * _WIDTH, len(words[0]) * _WIDTH
            texts.append(
                f'<text x="{at}" y="{top + 14}" textLength="{length}" fill="{front}"{marks}>{escape(words[0])}</text>'
            )
        x += len(text)
    return [*grounds, *texts]
