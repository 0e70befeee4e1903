"""The codes of a theme's colors for terminals of each color depth, and the contrast of two colors. Pure."""

from functools import lru_cache
from typing import Final

from gloam_client.terminal.themes import Rgb, Theme

OWN: Final = "39"
"""The code of the terminal's own color of text."""
_LEVELS: Final = (0, 95, 135, 175, 215, 255)
_CUBE: Final = tuple((red, green, blue) for red in _LEVELS for green in _LEVELS for blue in _LEVELS)
_RAMP: Final = tuple((gray, gray, gray) for gray in range(8, 248, 10))
XTERM: Final[tuple[Rgb, ...]] = (*_CUBE, *_RAMP)
"""The colors 16 to 255 of terminals with 256: the cube and the ramp of grays. The first 16 differ between terminals."""
_FIRST: Final = 16


def colour_code(name: str, depth: str, theme: Theme) -> str:
    """Return the code of a color for text.

    A theme without a background of its own leaves its own color of text to the terminal.
    """
    if name in theme.own:
        return OWN
    if depth == "16":
        code = theme.codes[name]
        return str(30 + code if code < 8 else 82 + code)
    return f"38;{_code(theme.colours[name], depth)}"


def ground_code(depth: str, theme: Theme) -> list[str]:
    """Return the code of a theme's background; none where it has none."""
    if theme.ground is None:
        return []
    if depth == "16":
        return [str(40 + theme.ground_code if theme.ground_code < 8 else 92 + theme.ground_code)]
    return [f"48;{_code(theme.ground, depth)}"]


def _code(rgb: Rgb, depth: str) -> str:
    red, green, blue = rgb
    return f"2;{red};{green};{blue}" if depth == "true" else f"5;{_FIRST + nearest(rgb)}"


@lru_cache(maxsize=512)
def nearest(rgb: Rgb) -> int:
    """Return the place in `XTERM` of the color nearest to another."""
    return min(
        range(len(XTERM)), key=lambda at: sum((a - b) ** 2 for a, b in zip(XTERM[at], rgb, strict=True))
    )
