"""The themes: what each color of the game looks like. Data only."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from gloam_shared.appearance import COLOURS

Rgb: TypeAlias = tuple[int, int, int]
"""Red, green and blue, each 0 to 255."""


class Theme(NamedTuple):
    """One set of colors: for each name of `appearance.COLOURS` its color, and its number among the first 16."""

    colours: Mapping[str, tuple[Rgb, int]]


THEMES: Final[Mapping[str, Theme]] = MappingProxyType({"gloam": Theme(COLOURS)})
"""The themes by name; the first is the default."""
