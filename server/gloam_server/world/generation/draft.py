"""A level under construction: terrain, rooms, and requests for creatures and items. The only mutable state of generation."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from gloam_server.content.levels import Feature, LevelKind
from gloam_shared.appearance import Terrain
from gloam_shared.geometry import Grid
from gloam_shared.level_numbers import PartitionId

_SMALLEST: Final = (3, 2)
"""The fewest columns and rows of a room of which a part was taken."""


class Room(NamedTuple):
    """A rectangle of cells, its walls not counted."""

    x: int
    y: int
    width: int
    height: int

    @property
    def centre(self) -> tuple[int, int]:
        """Its middle cell, as column and row: of two in the middle the left and the upper one (rule RG.1)."""
        return self.x + (self.width - 1) // 2, self.y + (self.height - 1) // 2

    def near(self, other: "Room", margin: int) -> bool:
        """Return whether fewer than `margin` cells lie between two rooms."""
        return (
            self.x < other.x + other.width + margin
            and other.x < self.x + self.width + margin
            and self.y < other.y + other.height + margin
            and other.y < self.y + self.height + margin
        )

    def beside(self, site: "Room") -> "Room | None":
        """Return the largest part of it that a wall separates from a site; None if that is too small for a room."""
        right, bottom = self.x + self.width, self.y + self.height
        parts = [
            Room(self.x, self.y, min(right, site.x - 1) - self.x, self.height),
            Room(self.x, self.y, self.width, min(bottom, site.y - 1) - self.y),
            Room(after := max(self.x, site.x + site.width + 1), self.y, right - after, self.height),
            Room(self.x, below := max(self.y, site.y + site.height + 1), self.width, bottom - below),
        ]
        largest = max(parts, key=lambda part: part.width * part.height if min(part[2:]) > 0 else 0)
        return largest if largest.width >= _SMALLEST[0] and largest.height >= _SMALLEST[1] else None

    def cells(self, width: int) -> Iterator[int]:
        """Yield its cells, row by row, on a level with this number of columns."""
        for y in range(self.y, self.y + self.height):
            yield from range(y * width + self.x, y * width + self.x + self.width)

    def walls(self, width: int) -> Iterator[int]:
        """Yield the cells around it, row by row; it must not touch the level's edge."""
        for y in range(self.y - 1, self.y + self.height + 1):
            for x in range(self.x - 1, self.x + self.width + 1):
                if not (self.x <= x < self.x + self.width and self.y <= y < self.y + self.height):
                    yield y * width + x


@dataclass(frozen=True, slots=True)
class PlannedCreature:
    """Creatures to be placed: a group of a kind, levels above the kind's own, in one of `rooms` if any are given.

    Groups `at_odds` belong to the two peoples of a feud; each is placed near the one before it. A `captive` waits in
    the middle of its room until a player frees it. With a `cell` it stands there.
    """

    kind: str
    levels: int
    count: int = 1
    room: Room | None = None
    at_odds: bool = False
    captive: bool = False
    cell: int | None = None


@dataclass(frozen=True, slots=True)
class PlannedItem:
    """An item to be placed: its kind, its own level and bonus if it scales, and its room if one is given."""

    kind: str
    room: Room | None = None
    power: int = 0
    bonus: int = 0
    choice: int = 0
    """Of the items of a level with the same number only one can be had; 0 for an item without a choice."""
    name: str = ""
    """Its own name, "" for the name of its kind."""
    cell: int | None = None
    """The cell where it lies, if one is given."""


class StampedRoom(NamedTuple):
    """A drawn room on a level: its key, the rectangle that it fills, and the cells that belong to it, rising."""

    key: str
    room: Room
    cells: tuple[int, ...]


class PlannedDevice(NamedTuple):
    """A device of a drawn room: its cell, its kind's key, and the cells of the gates and cages that it works."""

    cell: int
    kind: str
    works: tuple[int, ...]


def cells_of(stamped: Iterable[StampedRoom]) -> frozenset[int]:
    """Return the cells of drawn rooms: nothing else is built there."""
    return frozenset(cell for each in stamped for cell in each.cells)


@dataclass(slots=True)
class LevelDraft:
    """One level under construction. `partition` is its number in the realm, `depth` counts from 1 within its round.

    `links` are the cells of the other level that staircases lead to, by cell. `taken` are the rooms that a special
    place has for itself. `difficulty` is the tracker's, in hundredths of a level.
    """

    kind: LevelKind
    partition: PartitionId
    depth: int
    terrain: bytearray
    rooms: tuple[Room, ...] = ()
    difficulty: int = 100
    links: dict[int, int] = field(default_factory=dict)
    taken: list[Room] = field(default_factory=list)
    creatures: list[PlannedCreature] = field(default_factory=list)
    goods: list[PlannedItem] = field(default_factory=list)
    features: tuple[Feature, ...] = ()
    temper: str = ""
    """The key of its temper, "" for none."""
    stamped: list[StampedRoom] = field(default_factory=list)
    """Its drawn rooms."""
    kept: frozenset[int] = frozenset()
    """The cells of its drawn rooms, and the walled places beside them: no way is dug through them."""
    traps: list[tuple[int, str]] = field(default_factory=list)
    """Hidden traps at given cells, each with its spell."""
    devices: list[PlannedDevice] = field(default_factory=list)
    """Its devices."""
    sealed: list[int] = field(default_factory=list)
    """The cells that its gates shut off."""
    grounds: list[tuple[int, str]] = field(default_factory=list)
    """Surfaces at given cells, each by its kind's key."""
    lights: dict[int, bool] = field(default_factory=dict)
    """The cells whose light is given: whether they are lit."""

    @property
    def width(self) -> int:
        """Its columns."""
        return self.kind.width

    @property
    def grid(self) -> Grid:
        """Its cells."""
        return self.kind.grid

    def carve(self, x: int, y: int) -> None:
        """Make a cell walkable: wall becomes floor, deep water becomes shallow; other cells stay."""
        cell = y * self.kind.width + x
        if self.terrain[cell] in (Terrain.WALL, Terrain.BRAZIER):
            self.terrain[cell] = Terrain.FLOOR
        elif self.terrain[cell] == Terrain.WATER:
            self.terrain[cell] = Terrain.SHALLOWS

    def floor(self, room: Room | None = None) -> list[int]:
        """Return the plain floor cells of a room, or of the whole level outside its drawn rooms."""
        if room is None:
            floor, kept = int(Terrain.FLOOR), self.kept
            return [cell for cell, what in enumerate(self.terrain) if what == floor and cell not in kept]
        return [cell for cell in room.cells(self.kind.width) if self.terrain[cell] == Terrain.FLOOR]
