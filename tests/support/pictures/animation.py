"""A recording of a terminal as one animated SVG: each version of a row shows at its time, again and again. Pure.

Rows that stay are drawn once. The animation is the SVG's own, so that a page shows it as a picture, without a script.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple
from xml.sax.saxutils import escape

from support.pictures.svg import Look, head, row_elements


class Frame(NamedTuple):
    """The screen from a moment on, in milliseconds from the beginning."""

    at_ms: int
    rows: Sequence[Sequence[Look]]


def animated(frames: Sequence[Frame], total_ms: int, title: str, note: str) -> str:
    """Return the frames as an animation that lasts `total_ms` and begins again; `note` stands in a comment in it."""
    height, width = len(frames[0].rows), len(frames[0].rows[0])
    parts = [head(width, height, title, note)]
    for y in range(height):
        parts += _row(frames, total_ms, y)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _row(frames: Sequence[Frame], total_ms: int, y: int) -> list[str]:
    """Return each version of a row once, with the times at which it shows; one that never changes is still."""
    shown: dict[tuple[Look, ...], list[tuple[int, int]]] = {}
    ends = [frame.at_ms for frame in frames[1:]] + [total_ms]
    for frame, end_ms in zip(frames, ends, strict=True):
        spans = shown.setdefault(tuple(frame.rows[y]), [])
        if spans and spans[-1][1] == frame.at_ms:
            spans[-1] = (spans[-1][0], end_ms)
        else:
            spans.append((frame.at_ms, end_ms))
    parts = []
    for row, spans in shown.items():
        elements = row_elements(row, y)
        if not elements:
            continue
        if spans == [(0, total_ms)]:
            parts += elements
            continue
        first = "visible" if spans[0][0] == 0 else "hidden"
        parts += [f'<g visibility="{first}">', _times(spans, total_ms), *elements, "</g>"]
    return parts


def _times(spans: Sequence[tuple[int, int]], total_ms: int) -> str:
    """Return the animation of a group that is visible in these spans."""
    changes = [(0, "hidden")] if spans[0][0] else []
    for start_ms, end_ms in spans:
        changes += [(start_ms, "visible"), (end_ms, "hidden")]
    changes = [change for change in changes if change[0] < total_ms]
    assert all(before[0] < after[0] for before, after in pairwise(changes))
    times = ";".join(f"{at_ms / total_ms:.4g}" for at_ms, _ in changes)
    values = ";".join(value for _, value in changes)
    return (
        f'<animate attributeName="visibility" calcMode="discrete" dur="{total_ms / 1_000:g}s" repeatCount="indefinite" '
        f'keyTimes="{escape(times)}" values="{values}"/>'
    )
