"""Detects lost commits in a world's write-ahead log: SQLite itself ignores damage there silently.

A damaged frame ends the log for SQLite. Older frames after the end are harmless; but a frame there that ends
a transaction of this log is a durable commit that is lost.
"""

import struct
from pathlib import Path
from typing import Final

_HEAD: Final = struct.Struct(">8I")
_FRAME: Final = struct.Struct(">6I")
_MAGIC: Final = 0x377F0682  # the lowest bit is the byte order of the checksums


def find_wal_damage(world: Path) -> str | None:
    """Return the damage of a world's write-ahead log as a clause, or None. Read it before SQLite does."""
    try:
        log = world.with_name(f"{world.name}-wal").read_bytes()
    except OSError:
        return None
    if len(log) < _HEAD.size:
        return None
    magic, _, page, _, *salts, first, second = _HEAD.unpack_from(log)
    order = ">" if magic & 1 else "<"
    sums = _sums(log[: _HEAD.size - 8], order, (0, 0))
    if magic & ~1 != _MAGIC or sums != (first, second):
        return "its write-ahead log has a damaged head"
    return _damage_after_end(log, page + _FRAME.size, salts, order, sums)


def _damage_after_end(
    log: bytes, size: int, salts: list[int], order: str, sums: tuple[int, int]
) -> str | None:
    """Return the damage after the frames that SQLite accepts."""
    ended = False
    for at in range(_HEAD.size, len(log) - size + 1, size):
        _, pages, *found, first, second = _FRAME.unpack_from(log, at)
        if not ended:
            sums = _sums(log[at : at + 8] + log[at + _FRAME.size : at + size], order, sums)
            ended = found != salts or sums != (first, second)
            if ended and sums == (first, second):
                return "its write-ahead log is damaged"
        if ended and found == salts and pages:
            return "its write-ahead log is damaged, or its last write was cut short"
    return None


def _sums(data: bytes, order: str, sums: tuple[int, int]) -> tuple[int, int]:
    """Return SQLite's running checksums over some more bytes."""
    one, other = sums
    words = iter(struct.unpack(f"{order}{len(data) // 4}I", data))
    for even, odd in zip(words, words, strict=True):
        one = (one + even + other) & 0xFFFFFFFF
        other = (other + odd + one) & 0xFFFFFFFF
    return one, other
