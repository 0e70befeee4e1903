"""Kinds of creatures: the format of `creatures.toml`, with its bounds. Data only."""

from functools import cache
from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from gloam_server.content import field_types
from gloam_server.content.levels import Feature
from gloam_server.content.powers import Power

Behavior: TypeAlias = Literal[
    "hunt",
    "wander",
    "spread",
    "idle",
    "flutter",
    "arm",
    "shoot",
    "throw",
    "zap",
    "pick_up",
    "gather",
    "quaff",
    "steal",
    "flee",
    "pack",
    "keep_distance",
    "mend",
    "cast",
    "call",
    "tunnel",
    "ambush",
    "guard",
    "prowl",
    "follow",
    "swim",
    "stalk",
    "lurk",
    "grow_limb",
    "rest",
    "track",
    "rally",
    "split",
    "hurl",
    "bar",
    "tend",
]
"""The behaviors of creatures; `gloam_server.world.ai` implements them."""

_STATIONARY: Final[frozenset[Behavior]] = frozenset(
    {"ambush", "guard", "lurk", "pack", "prowl", "stalk", "steal", "tunnel"}
)
"""The behaviors that lead to hunting once there is a target."""

_AIMLESS: Final[frozenset[Behavior]] = frozenset({"wander", "flutter"})

Gain: TypeAlias = Literal["attack", "defence", "health", "sight", "mana", "regeneration", "mana_regeneration"]

ANY_WEAPON: Final = "any weapon"
ANY_ARMOUR: Final = "any armour"
ANY_WAND: Final = "any wand"
"""The entries of `starts_with` for a random item of a group (rule TG.11)."""


class Movement(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of the fight against a creature, by its health (rule F125).

    At `below_percent` of its health or less it does the `tasks` instead of its kind's; of several movements the one with
    the lowest percentage holds. Players who see it begin read `told` after its name, such as "drinks the light". While it
    is in a movement that `seals`, no player leaves its level by stairs, holes or ways out.
    """

    below_percent: field_types.Percent
    told: field_types.Short
    tasks: tuple[Behavior, ...]
    seals: bool = False


class CreatureKind(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of creature, as it starts (rules JG.6-JG.10, TG.7-TG.11, RG.8-RG.9, JG.10)."""

    key: field_types.Key
    """The name of its table in the file."""
    name: field_types.Words
    """Its name, such as "bat"."""
    glyph: field_types.Glyph
    """Its character on the map."""
    colour: str
    """The name of its color."""
    hp: Annotated[int, Meta(ge=1, le=100_000)]
    """Maximum health at the start."""
    attack: field_types.Amount = 0
    """In the campaign's units (`CombatRules.scale`)."""
    defence: field_types.Amount = 0
    """In the campaign's units (`CombatRules.scale`)."""
    sight: field_types.Radius = 5
    """A radius in cells; 0 for a kind that does not see."""
    speed: Annotated[int, Meta(ge=50, le=10_000)] = 1_000
    """Energy gained per turn; a player with speed 1,000 acts once in a turn."""
    level: Annotated[int, Meta(ge=1, le=100)] = 1
    """The level at the start."""
    experience: field_types.Amount = 0
    """The experience at the start. Experience beyond a threshold counts with the next gain."""
    points_per_level: Annotated[int, Meta(ge=0, le=20)] | None = None
    """Level-up points for each level; None for the campaign's number (rule J14.5)."""
    factor_percent: field_types.Percent | None = None
    """The growth of health, attack and defense with each level, in percent of level 1; None for the campaign's number
    (rule R1)."""
    mana: field_types.Amount = 0
    """Maximum mana at the start."""
    regeneration: field_types.Signed = 0
    """Thousandths of a point of health per turn; below 0 for a loss."""
    mana_regeneration: field_types.Signed = 0
    """Thousandths of a point of mana per turn; below 0 for a loss."""
    light: field_types.Radius = 0
    """The radius that it lights up itself."""
    tasks: tuple[Behavior, ...] = ()
    """The behaviors that it tries in this order; it does the first that is possible."""
    people: str = ""
    """The people that it belongs to, "" for none."""
    learns: tuple[str, ...] = ()
    """The traits that a gained level may bring."""
    hates: tuple[str, ...] = ()
    """The kinds that it attacks besides players; a loaded campaign adds the kinds of the peoples that its own people
    hates."""
    powers: tuple[Power, ...] = ()
    """Its powers by nature."""
    casts: tuple[str, ...] = ()
    """The spells that it knows without a book."""
    ranged: field_types.Amount = 0
    """The attack of its own shots (not of a weapon)."""
    reach: field_types.Radius = 0
    """The range of its own shots in cells."""
    children: Annotated[int, Meta(ge=0, le=100)] = 0
    """The number of times that one creature of this kind may spread."""
    spread_percent: field_types.Percent = 0
    """The chance to spread in one action."""
    spread_reach: Annotated[int, Meta(ge=1, le=20)] = 1
    """The largest distance of a child in cells."""
    spreads_wounded: bool = False
    """Whether it spreads only while it is wounded."""
    idle_percent: field_types.Percent = 0
    """The chance that the task "idle" lets an action pass."""
    flees_percent: field_types.Percent = 0
    """It flees at this percentage of its health or below."""
    keeps_off: field_types.Radius = 3
    """The distance, in cells, to which the task "keep_distance" lets a foe approach."""
    guards_within: field_types.Radius = 6
    """The distance that the task "guard" goes from where the creature started, in cells."""
    slots: Annotated[int, Meta(ge=0, le=field_types.SLOTS_MAX)] = 10
    """The size of its inventory."""
    picks_points: bool = False
    """Whether it chooses its level-up options; others gain at random."""
    grows: bool = True
    """Whether levels improve it."""
    digs: bool = False
    """Whether it turns walls into floor."""
    opens: bool = False
    """Whether it opens doors."""
    swims: bool = False
    """Whether it enters deep water."""
    spawns: bool = True
    """Whether the random population may contain it."""
    depths: tuple[field_types.Depth, field_types.Depth] | None = None
    """The first and last depth of the random population; None for all."""
    levels: tuple[field_types.Depth, field_types.Depth] | None = None
    """The lowest and highest level at which it is created, in populations that draw kinds by level (rule R12)."""
    weight: Annotated[int, Meta(ge=0, le=1_000)] = 10
    """Its share among the kinds that are drawn."""
    group: tuple[Annotated[int, Meta(ge=1, le=20)], Annotated[int, Meta(ge=1, le=20)]] = (1, 1)
    """The smallest and largest number that appear together."""
    haunts: tuple[Feature, ...] = ()
    """Its special places: such a place draws its creatures from the kinds that haunt it, if any fits."""
    starts_with: tuple[str, ...] = ()
    """Its items at the start: keys of items, or "any weapon", "any armour" or "any wand" for a random one (rule TG.11)."""
    sleeps: bool = False
    """Whether it sleeps until damage or noise wakes it, or it stirs."""
    stirs_percent: field_types.Percent = 0
    """The chance that a sleeper wakes in one of its turns with a foe in view."""
    boss: bool = False
    """Whether it is a boss: it does not respawn as others do, and follows no player over stairs."""
    attacker_percent: field_types.Percent = 50
    """The additional health, and calls, of a boss for each attacking player after the first (rule F32)."""
    limb: str = ""
    """The name of the limb that the task "grow_limb" grows."""
    limb_hp: field_types.Amount = 0
    """The health at or below which the limb grows, once."""
    limb_attack: field_types.Amount = 0
    """The additional attack of the limb."""
    calls: str = ""
    """The kind that the task "call" summons next to it."""
    calls_percent: field_types.Percent = 0
    """The chance of a call in one action."""
    calls_max: Annotated[int, Meta(ge=0, le=20)] = 3
    """It calls only while fewer of them live and a foe is in sight; 0: at any time, without a limit."""
    movements: tuple[Movement, ...] = ()
    """The parts of a fight against it, the first one first."""
    corpse: bool = True
    """Whether it leaves a corpse."""
    words: str = ""
    """A description for look mode."""
    speech: str = ""
    """The line of a unique creature at the first sight of each player; "" for all other kinds (rule F118)."""

    @property
    def looks_about(self) -> bool:
        """Whether sight is of any use to it."""
        return self.sight > 0 and (bool(self.tasks) or self.picks_points)

    @property
    def lives_in_water(self) -> bool:
        """Whether deep water is its home: it goes only where there is some, and begins in it."""
        return "swim" in self.tasks

    @property
    def gains(self) -> tuple[Gain, ...]:
        """The gains that a level may bring, in the order of `Gain` (rules J14.5, TG.26).

        A kind that does not grow gains nothing; one that cannot attack gains no attack, one that does not look about no
        sight, one without mana no mana.
        """
        offered: tuple[tuple[Gain, bool], ...] = (
            ("attack", self.attack > 0),
            ("defence", True),
            ("health", True),
            ("sight", self.looks_about),
            ("mana", self.mana > 0),
            ("regeneration", True),
            ("mana_regeneration", self.mana > 0),
        )
        return tuple(gain for gain, has in offered if has and self.grows)


@cache
def in_order(tasks: tuple[Behavior, ...]) -> tuple[Behavior, ...]:
    """Return a kind's tasks in the order of trying: an ambush first, as a hidden creature does nothing else.

    A kind that only waits for prey also hunts before it roams, even if its tasks do not say so; swimmers stay in water.
    """
    ordered = sorted(tasks, key=lambda task: task != "ambush")
    if not {"hunt", "swim"}.intersection(tasks) and _STATIONARY.intersection(tasks):
        at = next((at for at, task in enumerate(ordered) if task in _AIMLESS), len(ordered))
        ordered.insert(at, "hunt")
    return tuple(ordered)
