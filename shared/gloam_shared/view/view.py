"""View: all that one player may know, in world coordinates. The camera, colours and wording are the client's."""

from enum import IntEnum, IntFlag
from typing import TYPE_CHECKING

from msgspec import Struct

from gloam_shared.geometry import DIRECTIONS, ORTHOGONAL, Direction, step

if TYPE_CHECKING:
    from gloam_shared.event_kinds import EventKind
else:
    EventKind = str  # a newer server may send a kind that this client does not know


class CreatureFlag(IntFlag):
    """What a viewer can tell about a creature besides its looks."""

    PLAYER = 1
    SELF = 2
    HOSTILE = 4
    HOLDS_YOU = 8
    ASLEEP = 16
    CUT_OFF = 32
    AWAY = 64


class Creature(Struct, frozen=True, array_like=True):
    """A creature in sight. `handle` is its number on this level, the same for all viewers and otherwise opaque."""

    handle: int
    cell: int
    hp: int
    hp_max: int
    level: int
    marks: int
    glyph: str
    colour: str
    name: str
    attack: int = 0
    defence: int = 0


class Item(Struct, frozen=True, array_like=True):
    """What lies on top of a pile in sight; `count` things lie there in all. `traits` are those of `FloorItem`."""

    handle: int
    cell: int
    count: int
    glyph: str
    colour: str
    name: str
    traits: int = 0


class ItemFlag(IntFlag):
    """What can be done with a thing that one carries, and what is done with it now.

    BOUND is what is worth nothing to others, and of things on the ground what this player can never pick up; AGAIN is a prize whose use may be to go on into the next round.
    WORTH is a thing on the ground that the campaign holds worth picking up, NO_ROOM one that the inventory has no room for.
    """

    EDIBLE = 1
    WIELDABLE = 2
    WEARABLE = 4
    WIELDED = 8
    WORN = 16
    QUAFFABLE = 32
    READABLE = 64
    SHOOTS = 128
    USABLE = 256
    BOUND = 512
    AGAIN = 1024
    WORTH = 2048
    NO_ROOM = 4096


class InventoryItem(Struct, frozen=True, array_like=True):
    """A thing that the player carries. `slot` is its letter, from 0 for "a", and stays while it is carried.

    `traits` is a sum of `ItemFlag`. `attack` and `defence` are what it adds while it is wielded or worn, `food` is what a
    bite of it gives. `target` tells what it is aimed at when it is read ("self", "creature", "cell"), within `range`
    cells, reaching all within `radius` of there. `words` tell more of it, "" for nothing. `thrown` is what it strikes with
    when it is thrown, `ranged` what it shoots with while it is wielded. `harms` is false for what is known to be no attack.
    `count` things share the slot, all alike; a use takes one of them, only dropping takes all.
    """

    slot: int
    glyph: str
    colour: str
    name: str
    traits: int
    attack: int
    defence: int
    food: int
    target: str = ""
    range: int = 0
    radius: int = 0
    words: str = ""
    thrown: int = 0
    ranged: int = 0
    harms: bool = True
    count: int = 1


class Spell(Struct, frozen=True, array_like=True):
    """A spell that the player can cast now, if he has its `cost` in mana; aimed as `InventoryItem` tells of scrolls."""

    key: str
    name: str
    cost: int
    target: str
    range: int
    radius: int
    words: str
    harms: bool = True


class StatusEffect(Struct, frozen=True, array_like=True):
    """A state of the player's body that will pass ("poisoned"); `fading` when few turns are left of it."""

    word: str
    fading: bool = False


class FloorItem(Struct, frozen=True, array_like=True):
    """A thing that lies under the player's own feet, to be picked up by its handle.

    `traits` tells, as a sum of `ItemFlag`, whether it is EDIBLE, BOUND, WORTH picking up, and whether there is NO_ROOM for it.
    """

    handle: int
    glyph: str
    colour: str
    name: str
    traits: int = 0


class Hunger(IntEnum):
    """How hungry a player is; where nobody hungers always NOT_HUNGRY."""

    NOT_HUNGRY = 0
    HUNGRY = 1
    STARVING = 2
    FULL = 3
    OVERSATIATED = 4
    VERY_HUNGRY = 5
    FAMISHED = 6
    STUFFED = 7


class Stat(IntEnum):
    """The numbers on a player's own sheet, by their place in `View.sheet`.

    FOOD_TURNS is how many more steps a hungry player survives without food, at the least; 0 for a player who is not
    hungry, or where hunger kills nobody.
    """

    HANDLE = 0
    HP = 1
    HP_MAX = 2
    ATTACK = 3
    DEFENCE = 4
    SIGHT = 5
    SPEED = 6
    LEVEL = 7
    EXPERIENCE = 8
    NEXT_LEVEL_AT = 9
    POINTS = 10
    KILLS = 11
    HUNGER = 12
    MANA = 13
    MANA_MAX = 14
    REACH = 15
    FOOD_TURNS = 16


class Friend(Struct, frozen=True, array_like=True):
    """A player in the realm, wherever he is. `condition` is his health in quarters, 0 (nearly dead) to 4 (unhurt)."""

    name: str
    depth: int
    level: int
    condition: int
    marks: int


class LogLine(Struct, frozen=True, array_like=True):
    """One thing that happened, as data; `gloam_shared.narration.rendering` puts it into words.

    `subject` and `object` are names, "" for none and "you" for the viewer; `amount` is the number that the words tell
    (damage, points, turns), and `source` what it came from, "" for none.
    """

    kind: EventKind
    subject: str = ""
    object: str = ""
    amount: int = 0
    source: str = ""


class Log(Struct, frozen=True, array_like=True):
    """The tail of the log. `first` is the number of `lines[0]`; numbers never go back while a life lasts."""

    first: int = 0
    lines: tuple[LogLine, ...] = ()


class Place(Struct, frozen=True, array_like=True):
    """The level where the body stands. `depth` counts from 1; `orthogonal` tells that no step leads aslant."""

    depth: int
    width: int
    height: int
    name: str
    orthogonal: bool = False

    @property
    def directions(self) -> tuple[Direction, ...]:
        """The steps that there are."""
        return ORTHOGONAL if self.orthogonal else DIRECTIONS


class View(Struct, frozen=True):
    """All that one player may know at one moment.

    `terrain` has one byte a cell (`appearance.Terrain`), as remembered; `sight` has one byte a cell, 1 where he sees
    now. Creatures and items are those in sight, ordered by handle. `inventory` is ordered by slot; `pile` is what lies
    under his feet, the uppermost last. `spells` are those that he can cast, `states` what will pass.
    `choices` are the level-up options offered.
    """

    place: Place
    terrain: bytes
    sight: bytes
    creatures: tuple[Creature, ...]
    items: tuple[Item, ...]
    pile: tuple[FloorItem, ...]
    inventory: tuple[InventoryItem, ...]
    spells: tuple[Spell, ...]
    states: tuple[StatusEffect, ...]
    sheet: tuple[int, ...]
    choices: tuple[str, ...]
    party: tuple[Friend, ...]
    log: Log

    def fact(self, fact: Stat) -> int:
        """Return one number of the player's own sheet."""
        return self.sheet[fact]

    @property
    def cell(self) -> int:
        """The cell where the player's own body stands; 0 when there is none."""
        own = self.sheet[Stat.HANDLE]
        for creature in self.creatures:
            if creature.handle == own:
                return creature.cell
        return 0

    def at(self, cell: int) -> Creature | None:
        """Return the creature seen on a cell, if any."""
        return next((creature for creature in self.creatures if creature.cell == cell), None)

    def step(self, direction: Direction) -> int | None:
        """Return the cell one step from the player's own, or None beyond the edge."""
        return step(self.cell, *direction, self.place.width, self.place.height)


NOWHERE = View(
    place=Place(0, 0, 0, ""),
    terrain=b"",
    sight=b"",
    creatures=(),
    items=(),
    pile=(),
    inventory=(),
    spells=(),
    states=(),
    sheet=(0,) * len(Stat),
    choices=(),
    party=(),
    log=Log(),
)
"""What a client knows before its first patch: a whole view is sent as the patch from here."""
