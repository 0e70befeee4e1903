"""The themes keep what they promise: contrast, and distances for people with and without a color blindness."""

import re
from itertools import combinations
from pathlib import Path

import pytest

import gloam_client
from gloam_client.terminal.canvas import LIGHTS, MEMORY
from gloam_client.terminal.painter import XTERM, color_code, nearest
from gloam_client.terminal.themes import GLOAM, GLYPH_COLORS, THEMES, Rgb, Theme, theme_for
from gloam_shared.appearance import COLORS, TINTS
from support.client.colour_science import BLINDNESS, contrast, distance_76, distance_2000, lab

NAMES = [name for name in COLORS if name != "black"]
GROUNDS = {"gloam": [(0, 0, 0), (28, 28, 28)], "gloam on light": [(255, 255, 255)]}
"""The terminal's own backgrounds for which the first theme is made."""
LOOKS = {**THEMES, "gloam on light": theme_for("gloam", light=True)}
TEXT, GLYPHS, STRONG = 4.5, 3.0, 7.0
FAR = 10.0
FIRST_16 = [
    "000000", "cd0000", "00cd00", "cdcd00", "0000ee", "cd00cd", "00cdcd", "e5e5e5",
    "7f7f7f", "ff0000", "00ff00", "ffff00", "5c5cff", "ff00ff", "00ffff", "ffffff",
]  # fmt: skip
"""The first 16 colors as xterm has them; in other terminals they differ a little."""


def grounds(name: str) -> list[Rgb]:
    theme = LOOKS[name]
    return GROUNDS[name] if theme.ground is None else [theme.ground]


def least_contrast(name: str, colour: str) -> float:
    return GLYPHS if colour in GLYPH_COLORS else STRONG if name == "contrast" else TEXT


def test_u36_there_are_eight_themes() -> None:
    assert len(THEMES) >= 8
    assert {"deuteranopia", "tritanopia", "contrast", "day"} <= set(THEMES)
    assert next(iter(THEMES)) == "gloam"
    for theme in LOOKS.values():
        assert set(theme.colors) == set(theme.codes) == {*COLORS, MEMORY}
        assert theme.words.endswith(".")


@pytest.mark.parametrize("name", LOOKS)
def test_u36_text_can_be_read(name: str) -> None:
    """U36: text has a contrast of 4.5:1, glyphs have 3:1, in true color and in 256 colors."""
    for ground in grounds(name):
        for colour in NAMES:
            rgb = LOOKS[name].colors[colour]
            assert contrast(rgb, ground) >= least_contrast(name, colour), colour
            assert contrast(XTERM[nearest(rgb)], XTERM[nearest(ground)]) >= least_contrast(name, colour), (
                colour
            )


@pytest.mark.parametrize("name", [name for name in LOOKS if name != "contrast"])
def test_u36_signs_can_be_read_in_the_light(name: str) -> None:
    """U36: on the background of a lit cell each sign of the map has a contrast of 3:1."""
    theme = LOOKS[name]
    assert len(theme.lights) == LIGHTS * len(TINTS)
    for ground in theme.lights:
        for colour in NAMES:
            rgb = theme.lit_colors.get(colour, theme.colors[colour])
            assert contrast(rgb, ground) >= GLYPHS, colour
            assert contrast(XTERM[nearest(rgb)], XTERM[nearest(ground)]) >= GLYPHS, colour
    lit = [theme.lit_colors.get(colour, theme.colors[colour]) for colour in NAMES]
    assert min(distance_2000(*map(lab, two)) for two in combinations(lit, 2)) >= FAR


@pytest.mark.parametrize("name", LOOKS)
def test_what_is_remembered_is_blue_gray(name: str) -> None:
    """Remembered signs have a contrast of 3:1, and are bluer than faint ones in a theme with light."""
    theme = LOOKS[name]
    memory, faint = theme.colors[MEMORY], theme.colors["darkgray"]
    for ground in grounds(name):
        assert contrast(memory, ground) >= GLYPHS
        assert contrast(XTERM[nearest(memory)], XTERM[nearest(ground)]) >= GLYPHS
    if theme.lights:
        for rgb in (memory, XTERM[nearest(memory)]):
            assert rgb[2] - rgb[0] >= faint[2] - faint[0] + 25, (rgb, faint)
    else:
        assert memory == faint


def test_strong_contrast_has_no_light() -> None:
    """Light would cost the contrast for which this theme exists."""
    assert THEMES["contrast"].lights == ()


@pytest.mark.parametrize("name", LOOKS)
def test_u36_sixteen_colours_can_be_read(name: str) -> None:
    """U36: among 16 colors each has a contrast of 3:1 with the background."""
    theme = LOOKS[name]
    ground = 15 if name == "gloam on light" else theme.ground_code
    for colour in NAMES:
        if colour not in theme.own:
            assert contrast(rgb_of(FIRST_16[theme.codes[colour]]), rgb_of(FIRST_16[ground])) >= GLYPHS, colour


@pytest.mark.parametrize("name", LOOKS)
def test_u36_any_two_colours_differ(name: str) -> None:
    """U36: any two colors are at least 10 apart, and so are they for people with a color blindness."""
    theme = LOOKS[name]
    for one, other in combinations(NAMES, 2):
        assert distance_2000(*pair(theme, one, other)) >= FAR, (one, other)
        for blindness in BLINDNESS:
            assert distance_76(*pair(theme, one, other, blindness)) >= FAR, (one, other, blindness)


@pytest.mark.parametrize(
    ("name", "blindness"),
    [("deuteranopia", "deuteranopia"), ("deuteranopia", "protanopia"), ("tritanopia", "tritanopia")],
)
def test_u36_themes_for_the_colour_blind(name: str, blindness: str) -> None:
    """U36: the two themes for color-blind people keep the distance by the stricter formula, too."""
    for one, other in combinations(NAMES, 2):
        assert distance_2000(*pair(THEMES[name], one, other, blindness)) >= FAR, (one, other)


def test_the_formulas_give_published_values() -> None:
    """Contrast by WCAG's own examples, distances by Sharma, Wu and Dalal (2005)."""
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast((119, 119, 119), (255, 255, 255)) == pytest.approx(4.48, abs=0.005)
    published = [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
        ((50.0, -1.0, 2.0), (50.0, 0.0, 0.0), 2.3669),
        ((90.9257, -0.5406, -0.9208), (88.6381, -0.8985, -0.7239), 1.5381),
    ]
    for one, other, distance in published:
        assert distance_2000(one, other) == pytest.approx(distance, abs=0.0001)
    assert lab((255, 255, 255)) == pytest.approx((100, 0, 0), abs=0.01)


def test_no_text_has_a_colour_of_glyphs() -> None:
    """The client writes no text in the colors whose contrast is enough for glyphs alone."""
    folder = Path(gloam_client.__file__).parent
    for path in folder.rglob("*.py"):
        named = set(re.findall(r"Style\(\s*\"(\w+)\"", path.read_text(encoding="utf-8")))
        assert not named & GLYPH_COLORS, path


@pytest.mark.parametrize("depth", ["16", "256", "true"])
def test_the_terminals_own_text_stays_its_own(depth: str) -> None:
    """White is the terminal's own color of text where the background is its own, so it cannot vanish there."""
    assert color_code("white", depth, GLOAM) == "39"
    assert color_code("gray", depth, LOOKS["gloam on light"]) == "39"
    assert color_code("white", depth, THEMES["night"]) != "39"


def rgb_of(text: str) -> Rgb:
    return int(text[:2], 16), int(text[2:4], 16), int(text[4:], 16)


def pair(theme: Theme, one: str, other: str, blindness: str = "") -> tuple[tuple[float, float, float], ...]:
    return lab(theme.colors[one], blindness), lab(theme.colors[other], blindness)
