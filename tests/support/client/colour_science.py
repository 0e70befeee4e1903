"""Contrast, distance of colors, and what people with a color blindness see: the formulas of the literature."""

from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt
from typing import Final, TypeAlias

from gloam_client.terminal.themes import Rgb

Vector: TypeAlias = tuple[float, float, float]
_TO_XYZ: Final = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
_WHITE: Final = (0.95047, 1.0, 1.08883)
BLINDNESS: Final = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""The matrices of Machado, Oliveira and Fernandes (2009) for severity 1, on linear RGB."""


def contrast(one: Rgb, other: Rgb) -> float:
    """Return the contrast of two colors as WCAG 2 defines it, 1 to 21."""
    dark, light = sorted(_times(_TO_XYZ, _linear(rgb))[1] for rgb in (one, other))
    return (light + 0.05) / (dark + 0.05)


def lab(rgb: Rgb, blindness: str = "") -> Vector:
    """Return a color in CIE L*a*b* as people with this color blindness see it."""
    linear = _linear(rgb)
    if blindness:
        red, green, blue = _times(BLINDNESS[blindness], linear)
        linear = (min(max(red, 0), 1), min(max(green, 0), 1), min(max(blue, 0), 1))
    x, y, z = (_curve(part / white) for part, white in zip(_times(_TO_XYZ, linear), _WHITE, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance_76(one: Vector, other: Vector) -> float:
    """Return the distance of two colors as CIE 1976 defines it; 2.3 is just noticeable."""
    return sqrt(sum((a - b) ** 2 for a, b in zip(one, other, strict=True)))


def distance_2000(one: Vector, other: Vector) -> float:
    """Return the distance of two colors as CIE 2000 defines it, closer to what people see."""
    mean = (hypot(*one[1:]) + hypot(*other[1:])) / 2
    grow = 1.5 - 0.5 * sqrt(mean**7 / (mean**7 + 25**7))
    a1, a2 = one[1] * grow, other[1] * grow
    chroma1, chroma2 = hypot(a1, one[2]), hypot(a2, other[2])
    hue1, hue2 = degrees(atan2(one[2], a1)) % 360, degrees(atan2(other[2], a2)) % 360
    turn = 0.0 if chroma1 * chroma2 == 0 else (hue2 - hue1 + 180) % 360 - 180
    hue = hue1 + turn / 2 if chroma1 * chroma2 else hue1 + hue2
    light, chroma = (one[0] + other[0]) / 2, (chroma1 + chroma2) / 2
    by_light = (other[0] - one[0]) / (1 + 0.015 * (light - 50) ** 2 / sqrt(20 + (light - 50) ** 2))
    by_chroma = (chroma2 - chroma1) / (1 + 0.045 * chroma)
    by_hue = 2 * sqrt(chroma1 * chroma2) * sin(radians(turn / 2)) / (1 + 0.015 * chroma * _hue_weight(hue))
    rotation = (
        -2 * sqrt(chroma**7 / (chroma**7 + 25**7)) * sin(radians(60 * exp(-(((hue % 360 - 275) / 25) ** 2))))
    )
    return sqrt(by_light**2 + by_chroma**2 + by_hue**2 + rotation * by_chroma * by_hue)


def _hue_weight(hue: float) -> float:
    return (
        1
        - 0.17 * cos(radians(hue - 30))
        + 0.24 * cos(radians(2 * hue))
        + 0.32 * cos(radians(3 * hue + 6))
        - 0.20 * cos(radians(4 * hue - 63))
    )


def _linear(rgb: Rgb) -> Vector:
    red, green, blue = (_straight(part / 255) for part in rgb)
    return red, green, blue


def _straight(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def _curve(part: float) -> float:
    return float(part ** (1 / 3)) if part > 216 / 24_389 else (24_389 / 27 * part + 16) / 116


def _times(matrix: tuple[Vector, Vector, Vector], vector: Vector) -> Vector:
    first, second, third = (sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)
    return first, second, third
