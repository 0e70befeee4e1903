"""A screen as words: what it would draw, read row by row, without its rims and without the map. Pure."""

from typing import Final, NamedTuple

from gloam_client.state.model import Model, Screen
from gloam_client.terminal.canvas import PLAIN, PLAIN_RIM, Canvas, Rect, Rim, Style

SIZE: Final = (200, 30)
"""The columns and rows that screens are laid out for: long rows, and pages that are heard in a minute."""


class SpokenScreen(NamedTuple):
    """The text of the top screen: its title, its lines, and which of them is marked."""

    title: str = ""
    lines: tuple[str, ...] = ()
    marked: int | None = None

    @property
    def marked_line(self) -> str:
        """The marked line; "" without one."""
        return self.lines[self.marked] if self.marked is not None and self.marked < len(self.lines) else ""


class SpokenCanvas(Canvas):
    """A canvas that keeps the words put on it, row by row, and forgets those under a box."""

    def __init__(self, width: int, height: int) -> None:
        super().__init__(width, height)
        self.title = ""
        self._words: dict[int, list[tuple[int, str]]] = {}
        self._marked: set[int] = set()

    def put(self, x: int, y: int, text: str, style: Style = PLAIN, right: int | None = None) -> int:
        """Keep the words of a row; single signs, such as a cursor on the map, are no words."""
        end = super().put(x, y, text, style, right)
        shown = text[: max(end - x, 0)]
        if shown.strip():
            self._words.setdefault(y, []).append((x, shown))
            if style.reverse:
                self._marked.add(y)
        return end

    def fill(self, area: Rect, char: str = " ", style: Style = PLAIN) -> None:
        """Forget the words of an area's rows."""
        super().fill(area, char, style)
        for y in range(area.y, area.y + area.height):
            self._words.pop(y, None)
            self._marked.discard(y)

    def box(self, area: Rect, title: str = "", rim: Rim = PLAIN_RIM) -> Rect:
        """Begin with nothing but a title: what is under or beside a box is not read."""
        inside = super().box(area, "", rim)
        self.title = title
        self._words.clear()
        self._marked.clear()
        return inside

    def read(self) -> SpokenScreen:
        """Return what was put on the canvas."""
        if self.listing is not None:
            rows = self.listing
            above, below = list(rows.head), [rows.foot] if rows.foot else []
            marked = None if rows.marked is None else rows.marked + len(above)
            return SpokenScreen(rows.title, _plain([*above, *rows.lines, *below]), marked)
        found = sorted(self._words)
        lines = [" ".join(text for _, text in sorted(self._words[y], key=lambda one: one[0])) for y in found]
        marked = next((at for at, y in enumerate(found) if y in self._marked), None)
        return SpokenScreen(self.title, _plain(lines), marked)


def read_screen(model: Model, screen: Screen) -> SpokenScreen:
    """Return what a screen of this model says."""
    canvas = SpokenCanvas(*SIZE)
    screen.draw(model, canvas)
    return canvas.read()


def _plain(lines: list[str]) -> tuple[str, ...]:
    """Return lines with single spaces."""
    return tuple(" ".join(line.split()) for line in lines)
