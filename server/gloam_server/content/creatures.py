"""Kinds of creatures: what `creatures.toml` may say, and in which bounds. Data only."""

from functools import cache
from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from gloam_server.content.field_types import (
    SLOTS_MAX,
    Amount,
    Depth,
    Glyph,
    Key,
    Percent,
    Radius,
    Signed,
    Words,
)
from gloam_server.content.levels import Feature

Behavior: TypeAlias = Literal[
    "hunt",
    "wander",
    "spread",
    "idle",
    "flutter",
    "arm",
    "shoot",
    "throw",
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
]
"""What a creature may be minded to do; `gloam_server.world.ai` says what each does."""

_STATIONARY: Final[frozenset[Behavior]] = frozenset(
    {"ambush", "guard", "lurk", "pack", "prowl", "stalk", "steal", "tunnel"}
)
"""What ends in hunting, once there is somebody to hunt."""

_AIMLESS: Final[frozenset[Behavior]] = frozenset({"wander", "flutter"})

Gain: TypeAlias = Literal["attack", "defence", "health", "sight", "mana", "regeneration", "mana_regeneration"]

ANY_WEAPON: Final = "any weapon"
ANY_ARMOUR: Final = "any armour"
"""What stands in `starts_with` for a random thing of its group (rule TG.11)."""


class CreatureKind(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of creature, as one of it begins (rules JG.6-JG.10, TG.7-TG.11, RG.8-RG.9).

    What it is: `hp`, `mana`; `attack` and `defence` in the campaign's units (`CombatRules.scale`); `sight`, a radius in
    cells, 0 for a kind that does not look about; `speed`, energy gained a turn beside a player of speed 1,000;
    `regeneration` and `mana_regeneration` in thousandths of a point a turn, below 0 for a drain; `level` and `experience`,
    with which it begins, and the `points_per_level` that a level brings it, if told, instead of the campaign's (rule J14.5).
    `light` is the radius that it lights up itself.

    What it does: `tasks` are tried in order, the first that is possible is done. `hates` are the kinds that it attacks
    besides players. `casts` are the spells that it knows without a book. `ranged` is the attack of what it shoots from
    itself at up to `reach` cells. `children` is how often one of it may spread, each time with a chance of
    `spread_percent` in its action and within `spread_reach` cells. `idle_percent` is the chance that "idle" lets an
    action pass. At `flees_percent` of its health or below it flees. `keeps_off` is how near "keep_distance"
    lets a foe come, `guards_within` how far from where it was born "guard" goes, both in cells. `picks_points` tells whether it chooses itself what
    a level brings; others gain at random, and those that do not `grow` nothing. `digs` tells whether it turns walls
    into floor, `opens` whether it opens doors, `swims` whether it enters deep water.

    Where it is: `spawns` tells whether the random population may hold it. `depths`, if told, are the first and last
    depth of that; `levels` the lowest and highest level at which one of it is made, for populations that draw kinds by
    level (rule R12), and `weight` its share among them. `group` of it come together. `haunts` are the special places
    that are its own: who lives in one is drawn from those that haunt it, if any of them fits. `starts_with` are things that it
    begins with: each an item's key, or "any weapon" or "any armour" for a random one (rule TG.11). A `boss` is
    never repopulated and follows nobody over stairs. Who dies leaves a `corpse`.

    What a boss does besides (rule JG.10): at `limb_hp` health or less the task "grow_limb" gives it, once,
    `limb_attack` more attack, and `limb` tells what has grown. The task "call" puts one of the kind `calls` beside it,
    in `calls_percent` of its actions; only while a foe is in sight and fewer than `calls_max` of them
    live; with 0 for that at any time and without end. A boss has `attacker_percent` of its health more for each player but
    the first who attacks it, and calls as much more often (rule F32).
    """

    key: Key
    name: Words
    glyph: Glyph
    colour: str
    hp: Annotated[int, Meta(ge=1, le=100_000)]
    attack: Amount = 0
    defence: Amount = 0
    sight: Radius = 5
    speed: Annotated[int, Meta(ge=50, le=10_000)] = 1_000
    level: Annotated[int, Meta(ge=1, le=100)] = 1
    experience: Amount = 0
    points_per_level: Annotated[int, Meta(ge=0, le=20)] | None = None
    mana: Amount = 0
    regeneration: Signed = 0
    mana_regeneration: Signed = 0
    light: Radius = 0
    tasks: tuple[Behavior, ...] = ()
    hates: tuple[str, ...] = ()
    casts: tuple[str, ...] = ()
    ranged: Amount = 0
    reach: Radius = 0
    children: Annotated[int, Meta(ge=0, le=100)] = 0
    spread_percent: Percent = 0
    spread_reach: Annotated[int, Meta(ge=1, le=20)] = 1
    idle_percent: Percent = 0
    flees_percent: Percent = 0
    keeps_off: Radius = 3
    guards_within: Radius = 6
    slots: Annotated[int, Meta(ge=0, le=SLOTS_MAX)] = 10
    picks_points: bool = False
    grows: bool = True
    digs: bool = False
    opens: bool = False
    swims: bool = False
    spawns: bool = True
    depths: tuple[Depth, Depth] | None = None
    levels: tuple[Depth, Depth] | None = None
    weight: Annotated[int, Meta(ge=0, le=1_000)] = 10
    group: tuple[Annotated[int, Meta(ge=1, le=20)], Annotated[int, Meta(ge=1, le=20)]] = (1, 1)
    haunts: tuple[Feature, ...] = ()
    starts_with: tuple[str, ...] = ()
    boss: bool = False
    attacker_percent: Percent = 50
    limb: str = ""
    limb_hp: Amount = 0
    limb_attack: Amount = 0
    calls: str = ""
    calls_percent: Percent = 0
    calls_max: Annotated[int, Meta(ge=0, le=20)] = 3
    corpse: bool = True
    words: str = ""

    @property
    def looks_about(self) -> bool:
        """Whether sight is of any use to it."""
        return self.sight > 0 and (bool(self.tasks) or self.picks_points)

    @property
    def lives_in_water(self) -> bool:
        """Whether deep water is its home: it comes only where there is some, and begins in it."""
        return "swim" in self.tasks

    @property
    def gains(self) -> tuple[Gain, ...]:
        """What a level may bring, in the order of `Gain` (rules J14.5, TG.26).

        A kind that does not grow gains nothing; one that cannot attack gains no attack, one that does not look about no sight, one without mana no mana.
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
    """Return a kind's tasks as they are tried: an ambush before all else, for what hides does nothing.

    Who only waits for prey hunts before he roams, whether his kind says so or not; but who swims leaves no water.
    """
    ordered = sorted(tasks, key=lambda task: task != "ambush")
    if not {"hunt", "swim"}.intersection(tasks) and _STATIONARY.intersection(tasks):
        at = next((at for at, task in enumerate(ordered) if task in _AIMLESS), len(ordered))
        ordered.insert(at, "hunt")
    return tuple(ordered)
