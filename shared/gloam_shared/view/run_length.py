"""The difference between two maps of one byte a cell, packed: what makes a step cost tens of bytes.

A packed difference is a row of numbers, written in half bytes. First the order in which cells are counted (0: row by
row, 1: column by column), then runs: the number of unchanged cells since the last run, the number of changed ones less
one, and, for maps of more than two values, the new value of each. A number is written three bits a half byte, lowest
first, the fourth bit set on all but its last; the high half of a byte comes first, and a last half that is not needed
is `f`.
"""

from collections.abc import Iterator
from typing import Final

_BY_ROWS: Final = 0
_BY_COLUMNS: Final = 1
_FILLING: Final = 15
_DIGITS_MAX: Final = 6


def diff_values(old: bytes, new: bytes, width: int) -> bytes:
    """Return what turns the map `old` into `new`, or b"" when they are alike."""
    return _shortest(old, new, width, with_values=True)


def diff_flags(old: bytes, new: bytes, width: int) -> bytes:
    """Return what turns one map of flags (0 or 1 a cell) into another, or b"" when they are alike."""
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
    rows = [y for y in range(0, len(new), width) if old[y : y + width] != new[y : y + width]]
    changed = [cell for row in rows for cell in range(row, row + width) if old[cell] != new[cell]]
    height = len(new) // width
    turned = sorted((cell % width) * height + cell // width for cell in changed)
    values = [new[cell] for cell in changed] if with_values else None
    by_rows = _pack(_BY_ROWS, changed, values)
    values = [new[_transpose(cell, width, height)] for cell in turned] if with_values else None
    by_columns = _pack(_BY_COLUMNS, turned, values)
    return min(by_rows, by_columns, key=len)


def _pack(order: int, cells: list[int], values: list[int] | None) -> bytes:
    halves = [order]
    end = start = 0
    while start < len(cells):
        stop = start + 1
        while stop < len(cells) and cells[stop] == cells[stop - 1] + 1:
            stop += 1
        _put(halves, cells[start] - end)
        _put(halves, stop - start - 1)
        for value in values[start:stop] if values is not None else ():
            _put(halves, value)
        end = cells[stop - 1] + 1
        start = stop
    if len(halves) % 2:
        halves.append(_FILLING)
    return bytes(high << 4 | low for high, low in zip(halves[::2], halves[1::2], strict=True))


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


def _put(halves: list[int], number: int) -> None:
    while number > 7:
        halves.append(number & 7 | 8)
        number >>= 3
    halves.append(number)


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
