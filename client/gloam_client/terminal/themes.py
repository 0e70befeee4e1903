"""The themes: what each color of the game looks like. Data only.

Tests compute what a theme promises: contrast with its background (text 4.5:1, the colors of glyphs alone 3:1), and a
distance of at least 10 between any two of its colors, for people with any kind of color blindness, too.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from gloam_client.terminal.canvas import LIGHTS, MEMORY
from gloam_shared.appearance import COLORS

Rgb: TypeAlias = tuple[int, int, int]
"""Red, green and blue, each 0 to 255."""

GLYPH_COLORS: Final = frozenset({"darkred", "brown", "purple"})
"""The colors in which no text is written."""
_COLD: Final[Rgb] = (80, 120, 200)
"""The color that the faint color of a theme is mixed with for what is remembered."""
_COLD_PERCENT: Final = 40


@dataclass(frozen=True, slots=True, eq=False)
class Theme:
    """One set of colors, for each name of `appearance.COLORS`, and for `MEMORY`."""

    words: str
    """The purpose of the theme, in a few words."""
    colors: Mapping[str, Rgb]
    codes: Mapping[str, int]
    """By name: one of the 16 colors of terminals that have no more."""
    ground: Rgb | None
    """The background; None for the terminal's own."""
    ground_code: int = 0
    """The background among 16 colors."""
    lights: tuple[Rgb, ...] = ()
    """The backgrounds of lit cells: for each tint its levels of light from 1; none where light would cost contrast."""
    lit_colors: Mapping[str, Rgb] = field(default_factory=dict)
    """The colors that are stronger on lit cells, so that their contrast stays."""
    own: frozenset[str] = frozenset()
    """The names that are the terminal's own color of text, which can be read on its own background."""


_CODES: Final = {name: number for name, (_, number) in COLORS.items()} | {"black": 8, MEMORY: 8}
_DARK_CODES: Final = {
    "white": 0, "gray": 0, "darkgray": 8, "black": 8, "red": 9, "darkred": 1, "orange": 1, "brown": 1, "goldenrod": 5,
    "yellow": 0, "green": 4, "lightgreen": 4, "teal": 4, "cyan": 12, "blue": 12, "magenta": 13, "purple": 5, MEMORY: 8,
}  # fmt: skip
"""The 16 colors that can be read on white: green, yellow and cyan cannot."""
_WHITE_CODE: Final = 15


def _hex(text: str) -> Rgb:
    return int(text[:2], 16), int(text[2:4], 16), int(text[4:], 16)


_TINTS: Final[tuple[Rgb, ...]] = (
    (245, 150, 50),
    (110, 190, 80),
    (90, 150, 255),
    (255, 70, 60),
    (165, 100, 255),
)
"""The colors of light, in the order of `appearance.TINTS`."""


class _Flame(NamedTuple):
    """The strength of light in a theme. More of it would bring signs below 3:1, or two colors too near each other."""

    ground: int
    """The part of the flame's color in the background of the brightest cells, in percent."""
    ink: int = 0
    """The part of white, on paper of black, in the weakest colors of signs on lit cells, in percent."""


def _lit(
    ground: Rgb, colors: Mapping[str, Rgb], flame: _Flame, *, light: bool
) -> tuple[tuple[Rgb, ...], Mapping[str, Rgb]]:
    """Return the backgrounds of lit cells, the darkest first, and the colors that are stronger there."""
    ink = (0, 0, 0) if light else (255, 255, 255)
    stronger = {name: _mixed(colors[name], ink, flame.ink) for name in sorted(GLYPH_COLORS)}
    lights = tuple(
        _mixed(ground, tint, flame.ground * level // LIGHTS)
        for tint in _TINTS
        for level in range(1, LIGHTS + 1)
    )
    return lights, MappingProxyType(stronger)


def _remembered(faint: Rgb, flame: _Flame | None) -> Rgb:
    """Return the color of what is remembered: blue-gray beside the light of a flame, else as faint as anything."""
    return faint if flame is None else _mixed(faint, _COLD, _COLD_PERCENT)


def _mixed(one: Rgb, other: Rgb, percent: int) -> Rgb:
    """Return a color of which some percent are another one."""
    red, green, blue = ((a * (100 - percent) + b * percent) // 100 for a, b in zip(one, other, strict=True))
    return red, green, blue


def _theme(
    words: str, ground: str, palette: str, flame: _Flame | None = None, *, light: bool = False
) -> Theme:
    """Return a theme from pairs of name and color, with a background of its own, on which a flame may shine."""
    parts = palette.split()
    colors = {name: _hex(color) for name, color in zip(parts[::2], parts[1::2], strict=True)}
    return Theme(
        words,
        MappingProxyType(
            colors | {"black": colors["darkgray"], MEMORY: _remembered(colors["darkgray"], flame)}
        ),
        _DARK_CODES if light else _CODES,
        _hex(ground),
        _WHITE_CODE if light else 0,
        *(_lit(_hex(ground), colors, flame, light=light) if flame else ()),
    )


_NIGHT: Final = _theme(
    "Dark, with a background of its own.",
    "1c1c1c",
    """
        white eeeeee       gray a8a8a8        darkgray 878787    red d75f5f
        darkred d7005f     orange ffaf5f      brown af5f00       goldenrod d7af00
        yellow d7d700      green 5fd75f       lightgreen afffaf  teal 5faf87
        cyan 5fd7d7        blue 5f87ff        magenta d75fd7     purple 875fd7
    """,
    _Flame(15, 22),
)
_DAY: Final = _theme(
    "Dark text on white.",
    "ffffff",
    """
        white 000000       gray 4b4b4b        darkgray 696969    red a52d2d
        darkred 780f0f     orange b45a2d      brown 877869       goldenrod a56900
        yellow 695a00      green 1e693c       lightgreen 1e874b  teal 0f4b5a
        cyan 0069a5        blue 0f4be1        magenta c300b4     purple 691eb4
    """,
    _Flame(15, 4),
    light=True,
)
_CONTRAST: Final = _theme(
    "Black, with strong contrast.",
    "000000",
    """
        white d7ffd7       gray d7d7d7        darkgray afafaf    red ff5f5f
        darkred d78787     orange ffd75f      brown ffaf87       goldenrod d7af5f
        yellow ffff00      green 00d700       lightgreen 87ff87  teal 87d7af
        cyan 00ffff        blue 00afff        magenta ff5fff     purple af87d7
    """,
)
_DEUTERANOPIA: Final = _theme(
    "For people who confuse red and green.",
    "121212",
    """
        white ffffff       gray a8a8a8        darkgray 808080    red ff5f00
        darkred af875f     orange ffaf00      brown 875f00       goldenrod d7af87
        yellow ffff5f      green 00afd7       lightgreen d7ffd7  teal 0087af
        cyan 5fd7ff        blue 5f87ff        magenta d0d0d0     purple 8700ff
    """,
    _Flame(3, 4),
)
_TRITANOPIA: Final = _theme(
    "For people who confuse blue and yellow.",
    "121212",
    """
        white ffffff       gray afafaf        darkgray 808080    red ff5f5f
        darkred d70000     orange d78787      brown af5f5f       goldenrod ffafd7
        yellow ffd7d7      green 00af87       lightgreen 5fffaf  teal 87afd7
        cyan afd7af        blue 5f87af        magenta ff00ff     purple af5fd7
    """,
    _Flame(8, 6),
)
_EMBER: Final = _theme(
    "Warm and dark.",
    "1d1611",
    """
        white ffffd7       gray afaf87        darkgray 878787    red ff5f5f
        darkred af5f5f     orange ff8700      brown 875f00       goldenrod ffaf5f
        yellow ffd75f      green 878700       lightgreen d7ff87  teal 00af5f
        cyan 87d787        blue 87afaf        magenta ffafd7     purple d75faf
    """,
    _Flame(15, 18),
)
_FROST: Final = _theme(
    "Cool and dark.",
    "20262e",
    """
        white f0f0f0       gray b4c3d2        darkgray 9696a5    red e17887
        darkred b45a69     orange d2875a      brown a5785a       goldenrod d2b469
        yellow f0e196      green 96b478       lightgreen b4e1a5  teal 87b4a5
        cyan 78e1ff        blue 87a5f0        magenta d296d2     purple 9687f0
    """,
    _Flame(3),
)
_FOREST: Final = _theme(
    "Green and dark.",
    "121a14",
    """
        white ffffd7       gray afaf87        darkgray 878787    red ff5f5f
        darkred af5f5f     orange ffaf5f      brown af8700       goldenrod d7af00
        yellow d7d787      green 5fd75f       lightgreen afffaf  teal 00afaf
        cyan 87d7d7        blue 87afff        magenta d787af     purple af87d7
    """,
    _Flame(10, 2),
)
_SEPIA: Final = _theme(
    "Dark text on paper.",
    "f6ecd6",
    """
        white 1e0f00       gray 5a4b3c        darkgray 78694b    red d20000
        darkred 691e1e     orange 870f00      brown a5784b       goldenrod 4b695a
        yellow 5a692d      green 007800       lightgreen 3c3c3c  teal 005a5a
        cyan 1e6996        blue 0f4be1        magenta c300a5     purple 692db4
    """,
    _Flame(15, 4),
    light=True,
)

GLOAM: Final = Theme(
    "The terminal's own background.",
    _NIGHT.colors,
    _CODES,
    None,
    0,
    _NIGHT.lights,
    _NIGHT.lit_colors,
    frozenset({"white"}),
)
_GLOAM_ON_LIGHT: Final = Theme(
    GLOAM.words, _DAY.colors, _DARK_CODES, None, 0, _DAY.lights, _DAY.lit_colors, frozenset({"white", "gray"})
)
THEMES: Final[Mapping[str, Theme]] = MappingProxyType(
    {
        "gloam": GLOAM,
        "night": _NIGHT,
        "day": _DAY,
        "contrast": _CONTRAST,
        "deuteranopia": _DEUTERANOPIA,
        "tritanopia": _TRITANOPIA,
        "ember": _EMBER,
        "frost": _FROST,
        "forest": _FOREST,
        "sepia": _SEPIA,
    }
)
"""The themes by name; the first is the default."""


def theme_for(name: str, *, light: bool) -> Theme:
    """Return a theme by its name; the one with the terminal's own background has dark colors on a light one."""
    theme = THEMES[name]
    return _GLOAM_ON_LIGHT if theme is GLOAM and light else theme
