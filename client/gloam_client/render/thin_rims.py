"""The rims of windows as box-drawing lines, for surfaces that draw these well. The client's canvas has plain characters."""

from typing import Final

from gloam_client.terminal.canvas import Canvas, Rect

_CORNERS: Final = {"-": "┌┐└┘", "=": "┏┓┗┛"}
"""The corners of a rim, row by row, by the character of its upper and lower side."""
_SIDES: Final = {"-": ("─", "│"), "=": ("━", "┃")}


def thin_rims(canvas: Canvas) -> None:
    """Draw the rims of a canvas's boxes as lines, where no later box covers them; titles and counts on them stay."""
    for at, box in enumerate(canvas.boxes):
        bar = _bar(canvas, box)
        if bar in _SIDES:
            _draw(canvas, box, bar, canvas.boxes[at + 1 :])


def _bar(canvas: Canvas, box: Rect) -> str:
    """Return the character of a box's upper side; "" for a box that is no more than its sides, or off the canvas."""
    fits = box.width > 2 and box.height > 1 and Rect(0, 0, canvas.width, canvas.height).holds(box.x, box.y)
    return canvas.cells[box.y][box.x + 1][0] if fits and box.x + 1 < canvas.width else ""


def _draw(canvas: Canvas, box: Rect, bar: str, later: list[Rect]) -> None:
    style, (across, down) = canvas.cells[box.y][box.x][1], _SIDES[bar]
    right, foot = box.x + box.width - 1, box.y + box.height - 1
    ends = [(box.x, box.y), (right, box.y), (box.x, foot), (right, foot)]
    lines = {(x, y): (bar, across) for y in (box.y, foot) for x in range(box.x, right)}
    lines |= {(x, y): ("|", down) for x in (box.x, right) for y in range(box.y, foot)}
    lines |= {end: ("+", corner) for end, corner in zip(ends, _CORNERS[bar], strict=True)}
    for (x, y), (plain, line) in lines.items():
        free = x < canvas.width and y < canvas.height and not any(other.holds(x, y) for other in later)
        if free and canvas.cells[y][x] == (plain, style):
            canvas.cells[y][x] = (line, style)
