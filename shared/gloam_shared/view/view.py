"""View: everything that one player may know, in world coordinates. The camera, colors and wording are the client's."""

from enum import IntEnum, IntFlag
from typing import TYPE_CHECKING

from msgspec import Struct

from gloam_shared.geometry import Direction
from gloam_shared.view.choices import Choosing, LevelGain
from gloam_shared.view.menace import Menace
from gloam_shared.view.place import Place
from gloam_shared.view.surfaces import SurfaceLook

if TYPE_CHECKING:
    from gloam_shared.event_kinds import EventKind
else:
    EventKind = str  # a newer server may send a kind that this client does not know


class CreatureFlag(IntFlag):
    """The facts that a viewer knows about a creature besides its appearance.

    GROWN is a monster above the level it was created with, NAMED one with a name, DOWN a player without health (`downed`),
    ALLY a monster on the players' side, which changes places with a player who walks into it.
    """

    PLAYER = 1
    SELF = 2
    HOSTILE = 4
    HOLDS_YOU = 8
    ASLEEP = 16
    CUT_OFF = 32
    AWAY = 64
    GROWN = 128
    NAMED = 256
    DOWN = 512
    ALLY = 1024


class Creature(Struct, frozen=True, array_like=True, cache_hash=True):
    """A creature in sight. `handle` is its number on this level, the same for all viewers and otherwise opaque.

    `grown` is by how many levels a monster is above the level that it was created with, and `fame` says of a grown one
    what it has done and learned, in short phrases. `menace` is None for a creature that only strikes, once a turn.
    """

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
    grown: int = 0
    menace: Menace | None = None
    fame: tuple[str, ...] = ()


class Item(Struct, frozen=True, array_like=True):
    """The uppermost item of a pile in sight; the pile has `count` items.

    `traits` have the meaning of `FloorItem.traits`.
    """

    handle: int
    cell: int
    count: int
    glyph: str
    colour: str
    name: str
    traits: int = 0


class ItemFlag(IntFlag):
    """The ways in which a player can use an item, and how the item is in use now.

    BOUND is an item that is worth nothing to others, or an item on the floor that this player can never pick up. AGAIN
    is a prize that can be used to enter the next round. WORTH is an item on the floor that the campaign counts as worth
    picking up, NO_ROOM one that the inventory has no room for. RING is a ring, PUT_ON one that is put on. PRIZE is the
    item that the campaign is won with.
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
    PRIZE = 8192
    ZAPPABLE = 16384
    RING = 32768
    PUT_ON = 65536


class MagicEffect(IntEnum):
    """The main effect of a spell, for programs; `words` describe the whole of it for people.

    NONE stands for no spell, and for one that the player has not identified. STRENGTHEN adds to attack, defense or
    speed, WEAKEN takes from them. REGENERATE restores health or mana in each of some turns, SEE adds to sight. OTHER is
    an effect without a number of its own.
    """

    NONE = 0
    OTHER = 1
    HEAL = 2
    MANA = 3
    HARM = 4
    DRAIN = 5
    STRENGTHEN = 6
    WEAKEN = 7
    REGENERATE = 8
    SEE = 9
    LEARN = 10
    KNOW = 11
    FEED = 12
    BLOOD_TO_MANA = 13
    BLINK = 14
    TELEPORT = 15
    SWAP = 16
    PUSH = 17
    SUMMON = 18
    DETECT = 19
    SLEEP = 20
    FEAR = 21
    SILENCE = 22
    CURE = 23
    DIG = 24
    MAP = 25
    LIGHT = 26
    REVEAL = 27
    DARK_SIGHT = 28
    LIGHT_FEET = 29


class InventoryItem(Struct, frozen=True, array_like=True):
    """An item that the player carries. `slot` is its letter, from 0 for "a", and stays while it is carried.

    `traits` is a sum of `ItemFlag`. `attack` and `defence` are what it adds while it is wielded or worn, `food` is
    the food of one bite. `target` says what a scroll or a wand is aimed at ("self", "creature", "cell"), within `range` cells,
    with an effect on all cells within `radius`. `words` describe it, "" for nothing. `thrown` is its attack when it
    is thrown, `ranged` its ranged attack while it is wielded. `harms` is false if it is known to be no attack.
    `count` equal items share the slot; a use takes one of them, only dropping takes all. `effect` is the `MagicEffect` of
    a potion or scroll that the player has identified, wand or ring, `charges` are those left in a wand: both only of what
    the player has identified. `bound` of the `count` items are bound to the player's life, if not all are (`ItemFlag.BOUND`); a
    use takes these first.
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
    effect: int = 0
    charges: int = 0
    bound: int = 0


class Spell(Struct, frozen=True, array_like=True):
    """A spell that the player can cast, if they have its `cost` in mana. It is aimed like a scroll (`InventoryItem`).

    `effect` is its `MagicEffect`, `damage` the health that it takes from each creature that it reaches, `deals` the
    `DamageKind` of that.
    """

    key: str
    name: str
    cost: int
    target: str
    range: int
    radius: int
    words: str
    harms: bool = True
    effect: int = 0
    damage: int = 0
    deals: int = 0


class StatusEffect(Struct, frozen=True, array_like=True):
    """A temporary state of the player's body ("poisoned"); `fading` if few turns of it are left."""

    word: str
    fading: bool = False


class Skill(Struct, frozen=True, array_like=True):
    """A thing that makes a life different from others, by name, with `words` that say what it does.

    `kind` is "kit" or "bent", "trait" for a card or what a kit brings, or "trophy" for one that is carried, "line" for one
    that this life or an earlier one of the player has won.
    """

    kind: str
    name: str
    words: str = ""


class FloorItem(Struct, frozen=True, array_like=True):
    """An item under the player's own feet; its handle picks it up.

    `traits` is a sum of EDIBLE, BOUND, WORTH and NO_ROOM of `ItemFlag`.
    """

    handle: int
    glyph: str
    colour: str
    name: str
    traits: int = 0


class Hunger(IntEnum):
    """The hunger of a player; always NOT_HUNGRY in campaigns without hunger."""

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

    FOOD_TURNS is the least number of steps that a player survives without food, from the campaign's warning on; 0 while
    food lasts longer, or in a campaign where hunger kills no player. HEARD is 2 if a creature has lately heard the player, 1 if
    none has, 0 in a campaign without noise. DEALS is the `DamageKind` of the player's blows and shots; the five RESISTS are the
    percentages by which damage of each kind is less. MIGHT is how much stronger the weapon's habit makes a blow, PACE how many
    more blows it gives in 100 actions, LENGTH how far they reach; STUNS is the chance that a blow takes an action, SWEEPS the
    part of a blow that strikes all other foes beside, PARRIES the share of blows that miss the player, all in percent.
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
    HEARD = 17
    DEALS = 18
    RESISTS_BLOW = 19
    RESISTS_FIRE = 20
    RESISTS_COLD = 21
    RESISTS_VENOM = 22
    RESISTS_LIGHT = 23
    MIGHT = 24
    PACE = 25
    LENGTH = 26
    STUNS = 27
    SWEEPS = 28
    PARRIES = 29


class Friend(Struct, frozen=True, array_like=True):
    """A player in the realm, on any level. `condition` is their health in quarters, 0 (nearly dead) to 4 (unhurt)."""

    name: str
    depth: int
    level: int
    condition: int
    marks: int


class LogLine(Struct, frozen=True, array_like=True):
    """One event as data; `gloam_shared.narration.rendering` makes a sentence of it.

    `subject` and `object` are names, "" for none and "you" for the viewer; `amount` is the number in the sentence
    (damage, points, turns), and `source` the cause, "" for none.
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


class View(Struct, frozen=True):
    """Everything that one player may know at one moment.

    `terrain` has one byte for each cell (`appearance.Terrain`), as remembered; `sight` has one byte for each cell, 1
    for cells that the player sees now. Creatures and items are those in sight, ordered by handle. `inventory` is
    ordered by slot; `pile` has the items under the player's feet, the uppermost last. `spells` are those that the
    player can cast, `states` the temporary ones. `choices` are the level-up options on offer, in words; `gains` tell
    programs the same, in the same order. `choosing` says which choice that is. `skills` are what the life has chosen and won.
    `surfaces` has one byte for each cell, or none at all: 0, or which of the `surface_looks`, from 1, is seen there now.
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
    gains: tuple[LevelGain, ...] = ()
    choosing: Choosing = Choosing()
    skills: tuple[Skill, ...] = ()
    surfaces: bytes = b""
    surface_looks: tuple[SurfaceLook, ...] = ()

    def fact(self, fact: Stat) -> int:
        """Return one number of the player's own sheet."""
        return self.sheet[fact]

    @property
    def cell(self) -> int:
        """The cell of the player's own body; 0 if there is none."""
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
        return self.place.grid.step(self.cell, *direction)


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
"""The view of a client before its first patch: a whole view is sent as the patch from here."""
