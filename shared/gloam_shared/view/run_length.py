"""The difference between two maps of one byte a cell, packed: what makes a step cost tens of bytes.

A packed difference is a row of numbers, written in half bytes. First the order in which cells are counted (0: row by
row, 1: column by column), then runs: the number of unchanged cells since the last run, the number of changed ones less
one, and, for maps of more than two values, the new value of each. A number is written three bits a half byte, lowest
first, the fourth bit set on all but its last; the high half of a byte comes first, and a last half that is not needed
is `f`.

A step to the side changes columns of the map, a step up or down changes rows. So both orders are packed, and the
shorter one is sent: a step stays within 64 bytes.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final

_BY_ROWS: Final = 0
_BY_COLUMNS: Final = 1
_FILLING: Final = 15
_FILLER: Final = f"{_FILLING:x}"
_GAP_AND_CHANGED: Final = re.compile(rb"\0*([^\0]+)")
"""A run of cells that differ, with the alike cells before it: the search for a run alone takes two to three times as long."""
_DIGITS_MAX: Final = 6
_STEPS_KEPT: Final = 1_024
"""Two fields of view each, of which most are shared: about 2 MB for levels of 60 by 20 cells."""


def diff_values(old: bytes, new: bytes, width: int) -> bytes:
    """Return what turns the map `old` into `new`, or b"" when they are alike."""
    return _shortest(old, new, width, with_values=True)


@lru_cache(maxsize=_STEPS_KEPT)
def diff_flags(old: bytes, new: bytes, width: int) -> bytes:
    """Return what turns one map of flags (0 or 1 a cell) into another, or b"" when they are alike.

    The newest are kept: a step from one cell to the next mostly changes what is in sight as it did for the last player.
    """
    return _shortest(old, new, width, with_values=False)


def apply_values(old: bytes, packed: bytes, width: int) -> bytes:
    """Return `old` changed by what `diff_values` packed. Raises ValueError when `packed` does not fit the map."""
    return _apply(old, packed, width, with_values=True)


def apply_flags(old: bytes, packed: bytes, width: int) -> bytes:
    """Return `old` changed by what `diff_flags` packed. Raises ValueError when `packed` does not fit the map."""
    return _apply(old, packed, width, with_values=False)


def _shortest(old: bytes, new: bytes, width: int, *, with_values: bool) -> bytes:
    if old == new:
        return b""
    height = len(new) // width
    runs = _changed_runs(old, new, width)
    cells = [cell for start, stop in runs for cell in range(start, stop)]
    turned = sorted([(cell % width) * height + cell // width for cell in cells])
    by_rows = _pack(_BY_ROWS, runs, new if with_values else None)
    by_columns = _pack(_BY_COLUMNS, _runs(turned), _Turned(new, width, height) if with_values else None)
    shorter = by_rows if len(by_rows) <= len(by_columns) else by_columns
    return bytes.fromhex(shorter)


def _changed_runs(old: bytes, new: bytes, width: int) -> list[tuple[int, int]]:
    """Return the runs of cells that differ, each with its start and its end, in the order of the map.

    A step changes tens of cells of thousands. So the rows at both ends that are alike are left out, and all cells of
    the others are compared together, as one large number.
    """
    top, bottom = _first_changed(old, new, width), _last_changed(old, new, width)
    differs = int.from_bytes(old[top:bottom], "big") ^ int.from_bytes(new[top:bottom], "big")
    marks = differs.to_bytes(bottom - top, "big").rstrip(b"\0")
    return [(top + run.start(1), top + run.end()) for run in _GAP_AND_CHANGED.finditer(marks)]


def _first_changed(old: bytes, new: bytes, width: int) -> int:
    """Return the start of the first row that differs, by halving."""
    low, high = 0, len(new) // width
    while low < high:
        middle = (low + high) // 2
        if old[low * width : (middle + 1) * width] == new[low * width : (middle + 1) * width]:
            low = middle + 1
        else:
            high = middle
    return low * width


def _last_changed(old: bytes, new: bytes, width: int) -> int:
    """Return the end of the last row that differs, by halving."""
    low, high = 0, len(new) // width
    while low < high:
        middle = (low + high) // 2
        if old[middle * width : high * width] == new[middle * width : high * width]:
            high = middle
        else:
            low = middle + 1
    return high * width


def _runs(cells: list[int]) -> list[tuple[int, int]]:
    """Return the runs in a sorted list of cells, each with its start and its end."""
    runs = []
    start = end = cells[0]
    for cell in cells:
        if cell != end:
            runs.append((start, end))
            start = cell
        end = cell + 1
    runs.append((start, end))
    return runs


class _Turned:
    """A map whose cells are counted column by column."""

    def __init__(self, cells: bytes, width: int, height: int) -> None:
        self._cells, self._width, self._height = cells, width, height

    def __getitem__(self, span: slice) -> bytes:
        cells, width, height = self._cells, self._width, self._height  # `_transpose` without its calls
        return bytes([cells[cell % height * width + cell // height] for cell in range(span.start, span.stop)])


def _pack(order: int, runs: list[tuple[int, int]], values: "bytes | _Turned | None") -> str:
    """Return a packed difference as text, one hexadecimal digit for each half byte, of an even length."""
    parts = [_digits(order)]
    end = 0
    for start, stop in runs:
        parts.append(_digits(start - end))
        parts.append(_digits(stop - start - 1))
        if values is not None:
            parts += map(_digits, values[start:stop])
        end = stop
    packed = "".join(parts)
    return packed + _FILLER if len(packed) % 2 else packed


@cache
def _digits(number: int) -> str:
    """Return a number as its half bytes, one hexadecimal digit each. At most as many are kept as a level has cells."""
    halves = ""
    while number > 7:
        halves += f"{number & 7 | 8:x}"
        number >>= 3
    return halves + f"{number:x}"


def _apply(old: bytes, packed: bytes, width: int, *, with_values: bool) -> bytes:
    if not packed:
        return old
    numbers = _numbers(packed)
    order = next(numbers, None)
    if not width or order not in (_BY_ROWS, _BY_COLUMNS):
        raise ValueError("a packed map difference begins with its order, 0 or 1")
    height = len(old) // width
    result = bytearray(old)
    cell = 0
    for gap in numbers:
        cell += gap
        count = _next(numbers) + 1
        if cell + count > len(old):
            raise ValueError("a packed map difference reaches beyond the map")
        for _ in range(count):
            where = cell if order == _BY_ROWS else _transpose(cell, width, height)
            result[where] = _value(_next(numbers)) if with_values else 1 - result[where]
            cell += 1
    return bytes(result)


def _value(number: int) -> int:
    if number > 255:
        raise ValueError("a packed map difference holds a value beyond 255")
    return number


def _transpose(cell: int, width: int, height: int) -> int:
    x, y = divmod(cell, height)
    return y * width + x


def _next(numbers: Iterator[int]) -> int:
    number = next(numbers, None)
    if number is None:
        raise ValueError("a packed map difference ends within a run")
    return number


def _numbers(packed: bytes) -> Iterator[int]:
    """Yield the numbers of a packed difference. Raises ValueError when the last one is not whole."""
    number = digits = 0
    for byte in packed:
        for half in (byte >> 4, byte & 15):
            number |= (half & 7) << (3 * digits)
            digits += 1
            if half < 8:
                yield number
                number = digits = 0
            elif digits == _DIGITS_MAX:
                raise ValueError("a packed map difference holds a number that is too long")
    if digits and (digits, number) != (1, _FILLING & 7):
        raise ValueError("a packed map difference ends within a number")
