"""The surface of a hosted client that many pages watch: each page gets what has changed on it.

A state is drawn once for all pages of a size. A page whose line is slow gets the newest state when it has room, never a queue.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Final

from msgspec.structs import replace

from gloam_client.input.bracketed_paste import Pasted
from gloam_client.input.mouse import MouseEvent
from gloam_client.render.camera import follow_body
from gloam_client.render.frame import draw
from gloam_client.state.model import Model
from gloam_client.state.options import Options
from gloam_client.terminal.canvas import Canvas
from gloam_client.terminal.themes import theme_for
from gloam_door.surfaces.cell_changes import CellChanges, Part
from gloam_door.surfaces.cell_surface import CellSurface
from gloam_door.surfaces.paced_frames import PacedFrames

WIDE: Final = (100, 30)
NARROW: Final = (44, 32)
"""The two sizes of a watched view in columns and rows, the second for phones held upright; the pages scale it."""


class SharedPicture:
    """One size of picture: it is drawn once for all pages that show it, and so are the changes from what they show."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.size: Final = size
        self.comparisons = 0
        """The comparisons of two pictures so far."""
        self._model: Model | None = None
        self._drawn = Canvas(0, 0)
        self._camera = (0, 0)
        self._changes = CellChanges(theme_for("gloam", light=False))
        self._newest: Canvas | None = None
        self._since: dict[int, tuple[Canvas | None, list[Part], list[Part]]] = {}

    @property
    def styles(self) -> list[Part]:
        """The parts that tell a page the numbers of all styles so far."""
        return self._changes.styles

    def draw(self, model: Model) -> Canvas:
        """Return a state as it is drawn at this size."""
        if model is not self._model:
            self._model = model
            surface = replace(model.surface, size=self.size)
            fitted = follow_body(replace(model, surface=surface, camera=self._camera))
            self._camera, self._drawn = fitted.camera, draw(fitted)
        return self._drawn

    def since(self, shown: Canvas | None, canvas: Canvas) -> tuple[list[Part], list[Part]]:
        """Return the part that begins a page, for one that shows nothing, and the rows with changed cells."""
        if canvas is not self._newest:
            self._newest = canvas
            self._since.clear()
        found = self._since.get(id(shown))
        if found is None:
            self.comparisons += 1
            before, begun = (shown, list[Part]()) if shown is not None else self._begin(canvas)
            found = self._since[id(shown)] = (shown, begun, self._changes.between(before, canvas))
        return found[1], found[2]

    def _begin(self, canvas: Canvas) -> tuple[Canvas, list[Part]]:
        empty, part = self._changes.begin(canvas)
        return empty, [part]


class WatchPage(CellSurface):
    """One page that watches: its only key leaves. `size` has the columns and rows that fit on it."""

    def __init__(self, size: tuple[int, int], send: Callable[[str], None], *, say: bool) -> None:
        super().__init__(_fitting(size), send, say=say)
        self.pictures: Mapping[tuple[int, int], SharedPicture] = {}
        """The pictures of the watched player, by size, which the player's other pages share."""
        self._known = 0
        self._newest: Model | None = None

    def offer(self, model: Model) -> None:
        """Show a state as soon as the page has room, unless a newer one comes before."""
        self._newest = model
        self._show_newest()

    def fit(self, size: tuple[int, int]) -> None:
        """Show the picture that fits a page of this size."""
        if _fitting(size) != self.size:
            self.size = _fitting(size)
            self._shown = None
            self._show_newest()

    def _show_newest(self) -> None:
        newest = self._newest
        if newest is not None and self.frames.accepts(self._show_newest):
            self.show_drawn(newest, self.pictures[self.size].draw(newest))

    def _picture(self, canvas: Canvas) -> list[Part]:
        """Return what has changed on this page; of the styles those that it does not know yet."""
        picture = self.pictures[self.size]
        begun, rows = picture.since(self._shown, canvas)
        styles = picture.styles[0 if begun else self._known :]
        self._shown, self._known = canvas, len(picture.styles)
        return [*begun, *styles, *([["cells", rows]] if rows else [])]

    def _facts(self, model: Model, canvas: Canvas) -> list[Part]:  # noqa: ARG002  # no click has a meaning
        return self._untold(
            [
                ["keys", "watching", [["ESC", "Esc", "leave"]], 0],
                ["title", f"Watch {model.company.watch.name} - Gloam"],
            ]
        )


class SharedSurface:
    """The surface of the hosted client, which gets no input. It calls `bans_changed` when the host has banned a name."""

    kind: Final = "browser"
    unicode: Final = True
    size: Final = WIDE

    def __init__(self, bans_changed: Callable[[], object]) -> None:
        self.frames = PacedFrames()
        self._bans_changed = bans_changed
        self._bans = 0
        self.is_watching = False
        """Whether the client is connected and watches."""
        self.pages: dict[WatchPage, Callable[[str], object]] = {}
        """The pages, each with what takes the last words."""
        self.pictures: Final = {size: SharedPicture(size) for size in (WIDE, NARROW)}
        self._newest: Model | None = None

    def use(self, options: Options) -> None:
        """Do nothing: all pages have the default options."""

    @property
    def lights(self) -> bool:
        """Whether the theme has light for the map."""
        return bool(theme_for("gloam", light=False).lights)

    def show(self, model: Model) -> None:
        """Offer a state to all pages; before the first view of the player there is none."""
        self.is_watching = model.connection.state == "joined" and bool(model.company.watch.name)
        if model.company.watch.bans != self._bans:
            self._bans = model.company.watch.bans
            self._bans_changed()
        if not model.company.watch.name:
            return
        self._newest = model
        self.frames.sent()
        for page in list(self.pages):
            page.offer(model)
        self.frames.taken()

    def add(self, page: WatchPage, ended: Callable[[str], object]) -> None:
        """Show everything on one more page; `ended` takes the last words."""
        page.pictures = self.pictures
        self.pages[page] = ended
        if self._newest is not None:
            page.offer(self._newest)

    def accepts_frame(self, model: Model, resume: Callable[[], object]) -> bool:  # noqa: ARG002  # it gets no keys
        """Return whether a frame can be shown now; if not, call `resume` once it can."""
        return self.frames.accepts(resume)

    def forget(self) -> None:
        """Do nothing: each page knows what it shows."""

    def ring(self) -> None:
        """Do nothing: the bell is for players."""

    async def inputs(self) -> AsyncIterator[str | Pasted | MouseEvent]:
        """Yield nothing: no guest reaches the server."""
        await asyncio.Event().wait()
        yield ""

    def suspend(self) -> bool:
        """Return False: there is no shell."""
        return False


def _fitting(size: tuple[int, int]) -> tuple[int, int]:
    """Return the size of the picture that fits a page of this size."""
    return WIDE if size[0] >= WIDE[0] else NARROW
