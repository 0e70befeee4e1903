"""Drawn rooms: the format of `rooms.toml`, and what a drawing says of each of its cells. Data only."""

from functools import cached_property
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias

from msgspec import Meta, Struct, field

from gloam_server.content.field_types import Depth, Group, Key, Percent, Short
from gloam_shared.appearance import TERRAIN_LOOKS, Terrain
from gloam_shared.geometry import Grid

SIDES_MIN: Final = (8, 8)
SIDES_MAX: Final = (24, 14)
"""The fewest and the most columns and rows of a drawing, as it is written."""

BLANK: Final = " "
"""The sign of a cell that does not belong to the room."""
OPENING: Final = ":"
"""The sign of an opening in the wall around a room, without a door."""

SIGNS: Final[dict[str, Terrain]] = {
    TERRAIN_LOOKS[terrain].ascii: terrain
    for terrain in (
        Terrain.FLOOR,
        Terrain.WALL,
        Terrain.WATER,
        Terrain.SHALLOWS,
        Terrain.GRASS,
        Terrain.BRAZIER,
        Terrain.SHRINE,
        Terrain.DOOR_CLOSED,
        Terrain.DOOR_OPEN,
    )
} | {OPENING: Terrain.FLOOR}
"""The signs that each drawing has without a legend."""

ENTRANCES: Final = frozenset(
    {OPENING, TERRAIN_LOOKS[Terrain.DOOR_CLOSED].ascii, TERRAIN_LOOKS[Terrain.DOOR_OPEN].ascii}
)
"""The signs of the cells by which a room is entered, where they stand in the wall around it."""

Ground: TypeAlias = Literal["floor", "wall", "water", "shallows", "grass", "brazier", "shrine", "door"]
TERRAINS: Final[dict[Ground, Terrain]] = {
    "floor": Terrain.FLOOR,
    "wall": Terrain.WALL,
    "water": Terrain.WATER,
    "shallows": Terrain.SHALLOWS,
    "grass": Terrain.GRASS,
    "brazier": Terrain.BRAZIER,
    "shrine": Terrain.SHRINE,
    "door": Terrain.DOOR_CLOSED,
}
"""The words of the legend for terrain."""

ANY: Final = "any"
"""In the legend: any kind of creature that the depth has, or any kind of item."""


class LegendEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The content of the cells with one letter of a drawing.

    `terrain` is what the cell is made of. A `creature` stands there: a kind of creature, or "any". With `people` it is
    of any kind of that people that the depth has. It has `levels` more than others of the depth. An `item` lies there: a
    kind of item, "any", or with `group` any of that group. It is as good as items `better` depths below. Of all items of
    the room with `choice` a player can have only one. `percent` is the chance that the cell has this content.

    A `feature` is one of: "captive": the creature waits for a player to free it (rule F116). Without `creature` and
    `people` it is of a kind that haunts a "cage"; "grave": a grave with one of the campaign's epitaphs; "trap": a hidden
    trap with the `spell`.

    A `device` is a kind of `devices.toml`. It works the gates and cages with the letters in `works`. `ground` is a kind of
    surface that lies there when the level is new, one that stays.
    """

    terrain: Ground = "floor"
    creature: str = ""
    people: str = ""
    levels: Annotated[int, Meta(ge=0, le=5)] = 0
    item: str = ""
    group: Group = ""
    better: Annotated[int, Meta(ge=0, le=10)] = 0
    choice: bool = False
    feature: Literal["", "captive", "grave", "trap"] = ""
    spell: str = ""
    percent: Percent = 100
    device: str = ""
    works: Annotated[str, Meta(max_length=20, description="up to 20 letters of the drawing")] = ""
    ground: str = ""

    @property
    def lives(self) -> bool:
        """Whether a creature stands on such a cell."""
        return bool(self.creature or self.people) or self.feature == "captive"

    @property
    def holds(self) -> bool:
        """Whether an item lies on such a cell."""
        return bool(self.item or self.group) or self.feature == "grave"


class RoomCell(NamedTuple):
    """One cell of a drawing: its column and row, its sign, its terrain, and what it contains."""

    x: int
    y: int
    sign: str
    terrain: Terrain
    entry: LegendEntry | None


class DrawnRoom(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """A room that an author has drawn, for the generator to set into levels, turned and mirrored.

    `places` are the kinds of level that may have it, `depths` bounds their depths further. Of the rooms that fit and that
    the realm has least, the seed draws one by `weight`. A `sealed` room is drawn in place of another on the levels that have one:
    one of each four depths. `lit` says whether the room has light; without it that is as on
    the rest of the level.

    `drawing` has one line for each row: # wall, . floor, + closed door, ' open door, ~ deep water, a comma for shallow
    water, " grass, & brazier, _ shrine. A space does not belong to the room. Each other sign has an entry in
    `legend`. The cells at the edge of the room are wall, except for its entrances: doors, and : for an opening without one.
    """

    key: Key
    name: Short
    places: tuple[str, ...]
    depths: tuple[Depth, Depth] | None = None
    weight: Annotated[int, Meta(ge=1, le=1_000)] = 10
    lit: bool | None = None
    sealed: bool = False
    drawing: Annotated[str, Meta(min_length=1, max_length=1_000, description="a text of 1 to 1000 letters")]
    legend: dict[str, LegendEntry] = field(default_factory=dict)

    @cached_property
    def rows(self) -> tuple[str, ...]:
        """Its rows, of one length."""
        lines = self.drawing.strip("\n").split("\n")
        width = max(map(len, lines))
        return tuple(line.ljust(width) for line in lines)

    @cached_property
    def grid(self) -> Grid:
        """The rectangle that the drawing fills."""
        return Grid(len(self.rows[0]), len(self.rows))

    @cached_property
    def cells(self) -> tuple[RoomCell, ...]:
        """The cells that belong to the room, row by row. Each sign is known: the checks of the campaign see to that."""
        return tuple(
            RoomCell(x, y, sign, *self._content(sign))
            for y, row in enumerate(self.rows)
            for x, sign in enumerate(row)
            if sign != BLANK
        )

    @cached_property
    def outline(self) -> frozenset[tuple[int, int]]:
        """The columns and rows of its cells at the edge: beside one that does not belong to it, also at a corner."""
        inside = {(cell.x, cell.y) for cell in self.cells}
        around = [(dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
        return frozenset(
            (x, y) for x, y in inside if any((x + dx, y + dy) not in inside for dx, dy in around)
        )

    @property
    def entrances(self) -> tuple[RoomCell, ...]:
        """The cells by which the room is entered."""
        return tuple(
            cell for cell in self.cells if (cell.x, cell.y) in self.outline and cell.sign in ENTRANCES
        )

    def _content(self, sign: str) -> tuple[Terrain, LegendEntry | None]:
        if sign in SIGNS:
            return SIGNS[sign], None
        entry = self.legend[sign]
        return TERRAINS[entry.terrain], entry
