"""The frozen types of a campaign: what its TOML may say, and in which bounds. It holds no rule and opens no file.

Every number is a whole number. The texts in `Meta` say what is expected, in the words of the error messages.
"""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from gloam_shared.geometry import DIRECTIONS, ORTHOGONAL, Direction

SIGHT_MAX: Final = 20
"""No creature sees further than so many cells, however it grows."""

SLOTS_MAX: Final = 26
"""No creature carries more things than there are letters."""

Task: TypeAlias = Literal["hunt", "wander", "spread"]
Movement: TypeAlias = Literal["eight", "four"]
Credit: TypeAlias = Literal["killer"]
Award: TypeAlias = Literal["worth_minus_level_gap", "worth_minus_twice_killer", "level_plus_9"]
Threshold: TypeAlias = Literal["square", "power_3_2", "power_7_4", "compound"]
Heal: TypeAlias = Literal["full", "twice_level"]
Generator: TypeAlias = Literal["caves"]
Hunger: TypeAlias = Literal["none", "starve_or_choke"]
Found: TypeAlias = Literal["never", "common", "once"]

Key: TypeAlias = Annotated[
    str, Meta(pattern=r"^[a-z][a-z0-9_]{0,31}$", description="a key of small letters, digits and underscores")
]
Words: TypeAlias = Annotated[
    str, Meta(min_length=1, max_length=4_000, description="a text of 1 to 4000 letters")
]
Glyph: TypeAlias = Annotated[str, Meta(min_length=1, max_length=1, description="one character")]
Percent: TypeAlias = Annotated[int, Meta(ge=0, le=100)]
Amount: TypeAlias = Annotated[int, Meta(ge=0, le=100_000)]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=1_000)]


class CreatureKind(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of creature, as one of it begins (rules JG.6-JG.8).

    `sight` is a radius in cells, 0 for a kind that does not look about. `speed` is energy gained a turn beside a
    player of speed 1,000. `tasks` are tried in order, the first that is possible is done. `hates` are the kinds that
    it attacks besides players. `children` is how often one of it may spread, each time with a chance of
    `spread_percent` in its action. `slots` is how many things it can carry. `spawns` tells whether the random
    population may hold it. `picks_points` tells whether it chooses itself what a level brings; others gain at random.
    `digs` tells whether it turns walls into floor.
    """

    key: Key
    name: Words
    glyph: Glyph
    colour: str
    hp: Annotated[int, Meta(ge=1, le=100_000)]
    attack: Amount = 0
    defence: Amount = 0
    sight: Annotated[int, Meta(ge=0, le=SIGHT_MAX)] = 5
    speed: Annotated[int, Meta(ge=50, le=10_000)] = 1_000
    level: Annotated[int, Meta(ge=1, le=100)] = 1
    tasks: tuple[Task, ...] = ()
    hates: tuple[str, ...] = ()
    corpse: bool = True
    children: Annotated[int, Meta(ge=0, le=100)] = 0
    spread_percent: Percent = 0
    slots: Annotated[int, Meta(ge=0, le=SLOTS_MAX)] = 10
    spawns: bool = True
    picks_points: bool = False
    digs: bool = False

    @property
    def gains(self) -> tuple[str, ...]:
        """What a level may bring, as keys in the order in which they are offered (rule J14.5).

        A kind that cannot attack gains no attack, and one that does not look about no sight.
        """
        looks = self.sight > 0 and (bool(self.tasks) or self.picks_points)
        offered = (("attack", self.attack > 0), ("defence", True), ("health", True), ("sight", looks))
        return tuple(option for option, has in offered if has)


class ItemKind(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of thing (rules JG.16-JG.18). In the name of a corpse "{name}" stands for who died (rule JG.12).

    An empty `colour` is that of the creature it came from. `food` is what each of its `bites` gives, 0 for what is no
    food. `attack` and `defence` are what it adds while it is wielded or worn. `found` tells where it comes from: the
    "common" kinds are scattered on every level, of a kind "once" there is exactly one in the whole dungeon.
    """

    key: Key
    name: Words
    glyph: Glyph
    colour: str = ""
    food: Amount = 0
    bites: Annotated[int, Meta(ge=1, le=100)] = 1
    attack: Amount = 0
    defence: Amount = 0
    wieldable: bool = False
    wearable: bool = False
    found: Found = "never"


class Gains(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one point brings, by option (rules J14.1-J14.4); health raises both maximum and present health."""

    attack: Count = 2
    defence: Count = 2
    health: Count = 10
    sight: Annotated[int, Meta(ge=0, le=SIGHT_MAX)] = 1


class ExperienceRules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which formulas of `gloam_server.rules.growth` hold, and their numbers.

    `credit` tells who learns from a kill. `points_per_level` are the options that a level brings.
    """

    award: Award
    threshold: Threshold
    heal: Heal
    credit: Credit = "killer"
    points_per_level: Annotated[int, Meta(ge=0, le=20)] = 1
    gains: Gains = Gains()


class LevelRules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How levels are made (rules J7.3-J7.6, J14.14).

    Sizes are in cells. `fill_percent` of the cells begin as floor, `passes` smooth them, and a region of fewer than
    `region_min` cells is filled up. `monsters` is the population of a level; on each depth below the first a monster
    has `levels_per_depth` levels more. `items` is how many common things are scattered on a level. Where `creatures_max`
    creatures stand already, nothing spreads: without an end to it fungi would fill a level.
    """

    width: Annotated[int, Meta(ge=20, le=255)]
    height: Annotated[int, Meta(ge=10, le=255)]
    depths: Annotated[int, Meta(ge=1, le=100)]
    generator: Generator
    fill_percent: Annotated[int, Meta(ge=40, le=80)] = 50
    passes: Annotated[int, Meta(ge=0, le=20)] = 3
    region_min: Annotated[int, Meta(ge=1, le=200)] = 21
    monsters: Annotated[int, Meta(ge=0, le=500)] = 15
    levels_per_depth: Annotated[int, Meta(ge=0, le=10)] = 1
    items: Annotated[int, Meta(ge=0, le=500)] = 0
    creatures_max: Annotated[int, Meta(ge=1, le=2_000)] = 60


class TimeRules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How time passes. The wild takes a turn after every `wild_every` turns that any one player took."""

    wild_every: Annotated[int, Meta(ge=1, le=100)] = 4


class HungerRules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which formula of `gloam_server.rules.hunger` holds for players, and its numbers (rule JG.15).

    A life begins with `start` food of at most `max`; each action of its own takes `per_action`.
    """

    rule: Hunger = "none"
    start: Annotated[int, Meta(ge=1, le=100_000)] = 500
    max: Annotated[int, Meta(ge=1, le=100_000)] = 1_000
    per_action: Annotated[int, Meta(ge=0, le=1_000)] = 1


class Outline(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `campaign.toml` says. `player` is the key of the kind that players are."""

    key: Key
    title: Words
    story: Words
    player: str
    experience: ExperienceRules
    levels: LevelRules
    time: TimeRules = TimeRules()
    hunger: HungerRules = HungerRules()
    movement: Movement = "eight"


class Campaign(Outline, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole campaign, checked. `digest` is the hash of the files that it was loaded from, as 64 hex digits."""

    creatures: dict[str, CreatureKind]
    items: dict[str, ItemKind]
    digest: str

    @property
    def directions(self) -> tuple[Direction, ...]:
        """The steps that bodies may take."""
        return DIRECTIONS if self.movement == "eight" else ORTHOGONAL

    @property
    def player_kind(self) -> CreatureKind:
        """The kind that players are."""
        return self.creatures[self.player]

    @property
    def spawnable(self) -> tuple[CreatureKind, ...]:
        """The kinds that the random population is drawn from, by key."""
        return tuple(kind for _, kind in sorted(self.creatures.items()) if kind.spawns)

    @property
    def common_items(self) -> tuple[ItemKind, ...]:
        """The kinds of things that are scattered on every level, by key."""
        return self._items_found("common")

    @property
    def unique_items(self) -> tuple[ItemKind, ...]:
        """The kinds of which there is exactly one thing in the whole dungeon, by key."""
        return self._items_found("once")

    def _items_found(self, found: Found) -> tuple[ItemKind, ...]:
        return tuple(kind for _, kind in sorted(self.items.items()) if kind.found == found)
