"""A level as its viewers know it: its size, its name, and its look."""

from msgspec import Struct

from gloam_shared.geometry import DIRECTIONS, ORTHOGONAL, Direction, Grid


class Look(Struct, frozen=True, array_like=True):
    """The look of a level, for clients that can show it: the signs of walls and floor, their colors, and a tint.

    The signs are among `appearance.WALL_SIGNS` and `FLOOR_SIGNS`, for clients with more than ASCII. The colors of
    each alternate from cell to cell. `tint` is the color of light on it, one of `appearance.TINTS`.
    """

    wall: str
    floor: str
    wall_colours: tuple[str, ...]
    floor_colours: tuple[str, ...]
    tint: str


class Place(Struct, frozen=True, array_like=True):
    """The level where the body stands. `depth` counts from 1; `orthogonal` means that there are no diagonal steps.

    Without a `look` a client draws it like any level.
    """

    depth: int
    width: int
    height: int
    name: str
    orthogonal: bool = False
    look: Look | None = None

    @property
    def grid(self) -> Grid:
        """The cells of the level."""
        return Grid(self.width, self.height)

    @property
    def directions(self) -> tuple[Direction, ...]:
        """The steps that are possible on this level."""
        return ORTHOGONAL if self.orthogonal else DIRECTIONS
