"""The surface of a player: it shows the model and brings the player's input. The client's loop knows nothing else of it."""

from collections.abc import AsyncIterator, Callable
from typing import Protocol

from gloam_client.input.bracketed_paste import Pasted
from gloam_client.input.mouse import MouseEvent
from gloam_client.state.model import Model
from gloam_client.state.options import Options
from gloam_client.state.records import SurfaceKind


class Surface(Protocol):
    """A terminal, lines of text, or a page. Each call may raise LostSurface."""

    @property
    def kind(self) -> SurfaceKind:
        """The kind of surface, by which sentences differ."""

    @property
    def size(self) -> tuple[int, int]:
        """The (columns, rows) to draw for."""

    @property
    def unicode(self) -> bool:
        """Whether it shows all signs of the map, each in one cell."""

    @property
    def lights(self) -> bool:
        """True if light is shown on the map: the surface has the colors, and the theme lights for them."""

    def use(self, options: Options) -> None:
        """Use a player's options from now on: colors, theme, glyphs, mouse, lines of text. The next frame is whole."""

    def show(self, model: Model) -> None:
        """Show the state of the client."""

    def accepts_frame(self, model: Model, resume: Callable[[], object]) -> bool:
        """Return whether a frame of this state can be shown now; if not, call `resume` once it can."""

    def forget(self) -> None:
        """Forget what is shown: the next frame is whole."""

    def ring(self) -> None:
        """Ring the bell."""

    def inputs(self) -> AsyncIterator[str | Pasted | MouseEvent]:
        """Yield names of keys, pasted text and actions of the mouse, until the surface is lost."""

    def suspend(self) -> bool:
        """Stop the program until its shell continues it; return False where there is no shell."""
