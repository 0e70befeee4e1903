"""A line chart as SVG, written by hand: no library is needed to draw it or to read it."""

from collections.abc import Mapping, Sequence
from html import escape
from math import log10
from typing import Final

Points = Sequence[tuple[float, float]]

_WIDTH, _HEIGHT = 760, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 190, 40, 50
_COLORS: Final = ("#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad", "#d68910", "#34495e", "#16a085", "#7f8c8d")
_TICKS: Final = 5


def line_chart(
    title: str, x_label: str, y_label: str, series: Mapping[str, Points], *, logarithmic: bool = False
) -> str:
    """Return an SVG with one line for each series. With `logarithmic`, both axes are, and points at 0 are left out."""
    kept = {
        name: [(x, y) for x, y in points if not logarithmic or (x > 0 and y > 0)]
        for name, points in series.items()
    }
    xs = [x for points in kept.values() for x, _ in points] or [0.0, 1.0]
    ys = [y for points in kept.values() for _, y in points] or [0.0, 1.0]
    across = _Axis(min(xs), max(xs), _LEFT, _WIDTH - _RIGHT, logarithmic=logarithmic)
    up = _Axis(min(ys) if logarithmic else 0.0, max(ys), _HEIGHT - _BOTTOM, _TOP, logarithmic=logarithmic)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
        _text(_LEFT, 22, title, size=15),
        _text((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 10, x_label, anchor="middle"),
        _text(8, _TOP - 8, y_label),
        *_grid(across, up),
    ]
    for at, (name, points) in enumerate(kept.items()):
        color = _COLORS[at % len(_COLORS)]
        path = " ".join(f"{across.partition(x):.1f},{up.partition(y):.1f}" for x, y in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>')
        y = _TOP + 18 * at
        parts.append(f'<rect x="{_WIDTH - _RIGHT + 12}" y="{y - 9}" width="10" height="10" fill="{color}"/>')
        parts.append(_text(_WIDTH - _RIGHT + 28, y, name))
    return "\n".join([*parts, "</svg>", ""])


class _Axis:
    """Maps values to places on one side of the picture."""

    def __init__(self, low: float, high: float, begin: float, end: float, *, logarithmic: bool) -> None:
        self._logarithmic = logarithmic
        self._low, self._high = (log10(low), log10(high)) if logarithmic else (low, high)
        if self._high <= self._low:
            self._high = self._low + 1
        self._begin, self._end = begin, end

    def partition(self, value: float) -> float:
        """Return where a value lies."""
        scaled = log10(value) if self._logarithmic else value
        return self._begin + (scaled - self._low) / (self._high - self._low) * (self._end - self._begin)

    def ticks(self) -> list[float]:
        """Return evenly spaced values from end to end."""
        marks = [self._low + (self._high - self._low) * at / _TICKS for at in range(_TICKS + 1)]
        return [10**mark if self._logarithmic else mark for mark in marks]


def _grid(across: _Axis, up: _Axis) -> list[str]:
    lines = []
    for value in up.ticks():
        y = up.partition(value)
        lines.append(f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        lines.append(_text(_LEFT - 6, y + 4, f"{value:.3g}", anchor="end"))
    below = _HEIGHT - _BOTTOM + 18
    return lines + [
        _text(across.partition(value), below, f"{value:.4g}", anchor="middle") for value in across.ticks()
    ]


def _text(x: float, y: float, text: str, *, anchor: str = "start", size: int = 12) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}">{escape(text)}</text>'
