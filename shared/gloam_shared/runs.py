"""The difference between two maps of one byte a cell, packed: what makes a step cost tens of bytes.

A packed difference is one byte for the order in which cells are counted (0: row by row, 1: column by column), then
runs: the number of unchanged cells since the last run, the number of changed ones, and, for maps of more than two
values, one byte for each of them. Numbers are base-128, low bits first, the high bit set on all bytes but the last.
"""

from typing import Final

_BY_ROWS: Final = 0
_BY_COLUMNS: Final = 1


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
    by_rows = _pack(changed, [new[cell] for cell in changed] if with_values else None)
    by_columns = _pack(
        turned, [new[_untwist(cell, width, height)] for cell in turned] if with_values else None
    )
    if len(by_columns) < len(by_rows):
        return bytes([_BY_COLUMNS]) + by_columns
    return bytes([_BY_ROWS]) + by_rows


def _pack(cells: list[int], values: list[int] | None) -> bytes:
    packed = bytearray()
    end = start = 0
    while start < len(cells):
        stop = start + 1
        while stop < len(cells) and cells[stop] == cells[stop - 1] + 1:
            stop += 1
        _put(packed, cells[start] - end)
        _put(packed, stop - start)
        if values is not None:
            packed += bytes(values[start:stop])
        end = cells[stop - 1] + 1
        start = stop
    return bytes(packed)


def _apply(old: bytes, packed: bytes, width: int, *, with_values: bool) -> bytes:
    if not packed:
        return old
    if not width or packed[0] not in (_BY_ROWS, _BY_COLUMNS):
        raise ValueError("a packed map difference begins with its order, 0 or 1")
    height = len(old) // width
    result = bytearray(old)
    at, cell = 1, 0
    while at < len(packed):
        gap, at = _take(packed, at)
        count, at = _take(packed, at)
        cell += gap
        if cell + count > len(old) or (with_values and at + count > len(packed)):
            raise ValueError("a packed map difference reaches beyond the map")
        for _ in range(count):
            where = cell if packed[0] == _BY_ROWS else _untwist(cell, width, height)
            result[where] = packed[at] if with_values else 1 - result[where]
            at += with_values
            cell += 1
    return bytes(result)


def _untwist(cell: int, width: int, height: int) -> int:
    x, y = divmod(cell, height)
    return y * width + x


def _put(packed: bytearray, number: int) -> None:
    while number > 127:
        packed.append(number & 127 | 128)
        number >>= 7
    packed.append(number)


def _take(packed: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while at < len(packed) and shift <= 21:
        byte = packed[at]
        number |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return number, at
    raise ValueError("a packed map difference ends within a number")
