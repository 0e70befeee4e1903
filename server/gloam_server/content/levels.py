"""Kinds of levels: the format of `levels.toml`, with its bounds. Data only."""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from gloam_server.content.field_types import Depth, Group, Key, Percent, Sentence
from gloam_shared.appearance import FLOOR_SIGNS, WALL_SIGNS
from gloam_shared.geometry import Grid

Generator: TypeAlias = Literal["caves", "old_caves", "rooms", "halls", "warren", "mixed", "cavern"]
Populace: TypeAlias = Literal["uniform", "counts", "rooms", "levelled", "none"]
Goods: TypeAlias = Literal["uniform", "counts", "rooms", "levelled", "none"]
SCHEMES_OF_ALL_KINDS: Final[frozenset[Populace | Goods]] = frozenset({"uniform"})
"""The schemes that draw from all kinds that spawn, or from all common items: they need one such kind."""

SCHEMES_BY_DIFFICULTY: Final[frozenset[Populace]] = frozenset({"rooms", "levelled"})
"""The schemes of population that need kinds with `levels`."""

Feature: TypeAlias = Literal[
    "lair",
    "vault",
    "shrine",
    "flood",
    "graveyard",
    "library",
    "garden",
    "crossing",
    "treasury",
    "tomb",
    "cage",
]


RoomCount: TypeAlias = Annotated[int, Meta(ge=0, le=5)]


class Quota(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A number of creatures or items of one kind on a level: `base`, and `per_depth` more for each depth below the first.

    `kind` is the key of a creature or an item. With an item's `group` instead, each item is drawn separately. See rules
    TG.13, TG.14.
    """

    kind: str = ""
    group: str = ""
    base: Annotated[int, Meta(ge=0, le=500)] = 1
    per_depth: Annotated[int, Meta(ge=0, le=50)] = 0


class SurfacePatches(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Patches of a surface that a new level has: up to `patches`, each there in `percent` of the cases, of up to `cells`."""

    surface: Key
    patches: Annotated[int, Meta(ge=1, le=20)] = 1
    percent: Percent = 100
    cells: Annotated[int, Meta(ge=1, le=60)] = 6


class LevelLook(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The look of a kind of level, for clients that can show it; the others draw it like any level.

    `wall` and `floor` are the signs of its walls and floor where a client has more than ASCII, `walls` and `floors` the
    two colors that alternate there, and `tint` is the color of light that falls on it. A player who arrives for the
    first time reads `words` on the first of the kind's depths, and on each further one the next of `deeper`, in turn.
    With a look, the title shows the level's name instead of the campaign's.
    """

    wall: Annotated[str, Meta(pattern=f"^[{WALL_SIGNS}]$", description=f"one of {' '.join(WALL_SIGNS)}")]
    floor: Annotated[str, Meta(pattern=f"^[{FLOOR_SIGNS}]$", description=f"one of {' '.join(FLOOR_SIGNS)}")]
    walls: tuple[str, str]
    floors: tuple[str, str]
    tint: Literal["ember", "moss", "frost", "blood", "dusk"] = "ember"
    words: Sentence
    deeper: tuple[Sentence, ...] = ()


class LevelKind(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of level: its depths, how its terrain is generated, and which creatures and items it has.

    `depths` are the first and the last depth where it may be. If several kinds share a depth, the seed draws one by
    `weight`. Sizes are in cells. "caves": `fill_percent` of the cells start as floor, `passes` smooth them, and a
    region of fewer than `region_min` cells is filled. With `joined`, tunnels join the remaining regions, so that every
    cell can be reached on foot from every other (rule F02). "old_caves" are the caves of rule TG.1, "rooms" the rooms
    of rule RG.1. "halls" are larger rooms with pillars, a "warren" has many small rooms with winding tunnels, "mixed"
    has rooms among caves, and a "cavern" is the boss's level. With `hole`, the level is entered through a hole on the
    depth above it, otherwise by stairs. `stairs_share` is the number of common cells of two regions for each staircase
    between them; 0 means exactly one staircase. `exit` adds a way out.

    `populace` says which creatures live there: "uniform": `monsters` of all kinds with equal chance, each
    `levels_per_depth` levels higher on each depth; "counts": as in `creatures`; "rooms": in rooms by the tracker's
    difficulty (rules RG.10, RG.11); "levelled": `monsters` by the tracker's difficulty, kinds by their `levels` and
    `weight`, in groups. The shares in `creatures` are added to every populace. `goods` says which items lie there:
    "uniform": `items` of the common kinds; "counts": as in `things`; "rooms": as in rules RG.10-RG.13; "levelled":
    `items` by the tracker's difficulty, kinds by their `levels` and `weight`, and one food item for each
    `monsters_per_food` monsters, 0 for none. A level that has no item of any of the groups in an entry of
    `assures` gets one more, of one of these groups. The shares in `things` are added. While a level has `creatures_max`
    creatures, none spreads or respawns. A level that lost creatures gets a new one after every `respawn_turns` turns
    that players take there; 0 means never. When the next life of a player begins, a level without players fills up to
    `refill_percent` of the creatures that it was made with. `pays_percent`, if set, is what its creatures pay to the
    tracker, instead of the campaign's. Each player after the first adds, at their first visit, as much food as lay
    there at first, and `items_per_guest` items by the tracker's difficulty. A later life of a player
    who has had goods there brings `items_per_heir` items when it joins others. Who joins others there adds
    `monsters_per_guest` creatures, which leave after that player. Respawned creatures give less experience, by the
    campaign's `generation_percent`, and so do creatures that were added for the second and the third player.

    `lit_percent` of its rooms are lit, or of the whole level if it has no rooms. `doors_percent` of the entrances of
    rooms have doors. There are `traps` hidden traps, each with one of the spells in `springs`. `features` are special
    places that may be there, at most `features_max`. `drawn_rooms` are the fewest and the most rooms of `rooms.toml` that
    the level has. `surfaces` are patches of what lies on its floor. See rules J7.4-J7.6, JG.2, J7.7, TG.2, J14.14, TG.13,
    JG.18, TG.14, F41, F43, F35, F157.
    """

    key: Key
    name: str = ""
    look: LevelLook | None = None
    depths: tuple[Depth, Depth]
    weight: Annotated[int, Meta(ge=1, le=1_000)] = 10
    generator: Generator
    width: Annotated[int, Meta(ge=20, le=255)]
    height: Annotated[int, Meta(ge=10, le=255)]
    fill_percent: Annotated[int, Meta(ge=40, le=80)] = 50
    passes: Annotated[int, Meta(ge=0, le=20)] = 3
    region_min: Annotated[int, Meta(ge=1, le=200)] = 21
    joined: bool = False
    stairs_share: Annotated[int, Meta(ge=0, le=10_000)] = 0
    hole: bool = False
    exit: bool = False
    populace: Populace = "uniform"
    monsters: Annotated[int, Meta(ge=0, le=500)] = 0
    monsters_per_guest: Annotated[int, Meta(ge=0, le=500)] = 0
    levels_per_depth: Annotated[int, Meta(ge=0, le=10)] = 0
    creatures: tuple[Quota, ...] = ()
    goods: Goods = "uniform"
    items: Annotated[int, Meta(ge=0, le=500)] = 0
    items_per_guest: Annotated[int, Meta(ge=0, le=500)] = 0
    items_per_heir: Annotated[int, Meta(ge=0, le=500)] = 0
    things: tuple[Quota, ...] = ()
    assures: tuple[tuple[Group, ...], ...] = ()
    monsters_per_food: Annotated[int, Meta(ge=0, le=100)] = 4
    creatures_max: Annotated[int, Meta(ge=1, le=2_000)] = 60
    respawn_turns: Annotated[int, Meta(ge=0, le=100_000)] = 0
    refill_percent: Percent = 0
    pays_percent: Annotated[int, Meta(ge=0, le=1_000)] | None = None
    lit_percent: Percent = 100
    doors_percent: Percent = 0
    traps: Annotated[int, Meta(ge=0, le=100)] = 0
    springs: tuple[str, ...] = ()
    features: tuple[Feature, ...] = ()
    features_max: Annotated[int, Meta(ge=0, le=10)] = 0
    drawn_rooms: tuple[RoomCount, RoomCount] = (0, 0)
    surfaces: tuple[SurfacePatches, ...] = ()

    @property
    def grid(self) -> Grid:
        """The cells of such a level."""
        return Grid(self.width, self.height)
