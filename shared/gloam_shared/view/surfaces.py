"""The surfaces of a level as its viewers see them: fire, ice, webs and the like, each with its look and what it does."""

from enum import IntFlag
from functools import lru_cache
from typing import Final

from msgspec import Struct

from gloam_shared.bitboard import cells_where


class SurfaceFlag(IntFlag):
    """The properties of a kind of surface that programs use.

    SPREADS goes over to cells beside it, ENDS passes by itself, HOLDS a body until it tears free, SLOWS a step onto it, HIDES
    what is behind it, BREAKS under a body, SHINES. Devices are shown in the same way: one STAYS where it was seen, also out
    of sight; one SINKS under a body that steps on it, and so works something, and stays, too.
    """

    SPREADS = 1
    ENDS = 2
    HOLDS = 4
    SLOWS = 8
    HIDES = 16
    BREAKS = 32
    SHINES = 64
    STAYS = 128
    SINKS = 256


DEVICES: Final = int(SurfaceFlag.STAYS | SurfaceFlag.SINKS)
"""The marks of devices: plates, levers, gates and the like."""


class SurfaceLook(Struct, frozen=True, array_like=True):
    """A kind of surface: its name, what it does in words, its sign in ASCII and elsewhere, and its color.

    `harm` is the health that it takes from a body at the end of each turn, of the `DamageKind` `deals`, or once when it
    breaks. `marks` is a sum of `SurfaceFlag`.
    """

    name: str
    words: str
    sign: str
    unicode: str
    colour: str
    harm: int = 0
    deals: int = 0
    marks: int = 0


_SHINES: Final = int(SurfaceFlag.SHINES)
_SINKS: Final = int(SurfaceFlag.SINKS)
_STAYS: Final = int(SurfaceFlag.STAYS)


def surface_at(looks: tuple[SurfaceLook, ...], surfaces: bytes, cell: int) -> SurfaceLook | None:
    """Return the surface that is seen on a cell; None without one, and for a number that no look is for."""
    number = surfaces[cell] if cell < len(surfaces) else 0
    return looks[number - 1] if 0 < number <= len(looks) else None


def avoided_cells(looks: tuple[SurfaceLook, ...], surfaces: bytes) -> int:
    """Return the set of the cells that no plan steps on: their surfaces harm who stands there, or sink and work something."""
    return _cells_of_kinds(surfaces, _avoided_numbers(looks)) if surfaces else 0


def passing_cells(looks: tuple[SurfaceLook, ...], surfaces: bytes) -> int:
    """Return the set of the cells whose surfaces pass by themselves."""
    numbers = frozenset(at for at, look in enumerate(looks, start=1) if look.marks & SurfaceFlag.ENDS)
    return _cells_of_kinds(surfaces, numbers) if surfaces else 0


def device_cells(looks: tuple[SurfaceLook, ...], surfaces: bytes) -> int:
    """Return the set of the cells with a device that does not sink: levers, gates and the like."""
    numbers = frozenset(at for at, look in enumerate(looks, start=1) if look.marks & DEVICES == _STAYS)
    return _cells_of_kinds(surfaces, numbers) if surfaces else 0


def shining_cells(looks: tuple[SurfaceLook, ...], surfaces: bytes) -> tuple[int, ...]:
    """Return the cells whose surfaces give light, rising."""
    numbers = frozenset(at for at, look in enumerate(looks, start=1) if look.marks & _SHINES)
    return tuple([cell for cell, number in enumerate(surfaces) if number in numbers]) if numbers else ()


@lru_cache(maxsize=16)
def _avoided_numbers(looks: tuple[SurfaceLook, ...]) -> frozenset[int]:
    return frozenset(at for at, look in enumerate(looks, start=1) if look.harm or look.marks & _SINKS)


@lru_cache(maxsize=32)
def _cells_of_kinds(surfaces: bytes, numbers: frozenset[int]) -> int:
    return cells_where(surfaces, numbers)
