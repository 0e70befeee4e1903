"""The results of one realm's lives: counts of whole numbers, in the order in which they are written to work files."""

from typing import Final, Literal, TypeAlias

from msgspec import Struct, field

End: TypeAlias = Literal["died", "won", "alive"]

BANDS: Final = ("1-4", "5-9", "10-14", "15-19", "20+")
"""The bands of levels that blows are counted in."""

EARLY_DEPTHS: Final = 5
"""The depths on which the items of a new realm are counted."""

FIRST_FINDS: Final = 2
"""The depth by which a player finds a first weapon or armor, and a first scroll, wand or book."""


class Life(Struct):
    """The result of one life: its deepest level, its own level, its actions, its kills, and its end.

    `cause` is its killer or cause of death; "" for a life that did not end by dying. `heir` is 0 for a
    player's first life, 1 for the next. `met` is the number of kinds of creatures that it saw. `died_at` is
    the depth of its death, `killer` the number of the creature that killed it, 0 for none, and `killer_grown`
    by how much that one was above the level it was made with, before this kill. `kit` is the name of the kit that it
    chose.
    """

    depth: int = 1
    level: int = 1
    turns: int = 0
    kills: int = 0
    end: End = "alive"
    cause: str = ""
    player: int = 1
    heir: int = 0
    style: str = ""
    met: int = 0
    died_at: int = 0
    killer: int = 0
    killer_grown: int = 0
    kit: str = ""


class AttackCounts(Struct):
    """Attacks that hit, between a player and monsters of the same level.

    To kill: `dealt` attacks killed `felled` monsters that no player of another level attacked; survivors do not
    count. To die: `taken` attacks of monsters took `lost` thousandths of the whole health of the players that they
    hit. Attacks are melee hits, shots and throws that wound; misses and spells do not count.
    """

    dealt: int = 0
    felled: int = 0
    taken: int = 0
    lost: int = 0


class DepthCounts(Struct):
    """The counts of one depth: lives that visited it and ended there, turns, and those near an enemy."""

    visits: int = 0
    deaths: int = 0
    deaths_by_grown: int = 0
    turns: int = 0
    danger: int = 0


class Means(Struct):
    """The actions of one style while an enemy held the bot, and the part of them that is the style's own means."""

    actions: int = 0
    own: int = 0


class OfferCounts(Struct):
    """An option of level-up choices: the numbers of times that it was offered and taken."""

    offered: int = 0
    taken: int = 0


class FirstItems(Struct):
    """The first depths of a new realm: items and food, and whether the first finds are there."""

    things: int = 0
    food: int = 0
    armed: bool = False
    magic: bool = False


class GroundDeaths(Struct):
    """The deaths of players and of foes within ten of their own turns after a surface had hurt them."""

    players: int = 0
    foes: int = 0


HALF_HOUR: Final = 2_000
"""The turns of half an hour."""


class FirstChoices(Struct):
    """Counts of the first half hour of lives: turns, kits, bents and cards, and kinds of gear used for the first time."""

    turns: int = 0
    kits: int = 0
    options: int = 0
    gear: int = 0


class Choices(Struct):
    """The choices of lives. `offers` are the bents and cards by name, `taken` how often each was taken, by style and name.

    `gear` are the weapons, armors and rings by key that lives put in use for the first time, by style. `first` are the choices of the
    first half hour of lives.
    """

    offers: dict[str, OfferCounts] = field(default_factory=dict)
    taken: dict[str, dict[str, int]] = field(default_factory=dict)
    gear: dict[str, dict[str, int]] = field(default_factory=dict)
    first: FirstChoices = field(default_factory=FirstChoices)


class RunStats(Struct):
    """The results of one realm: its lives in the order of their players and heirs, and what monsters did there.

    `learned` are the levels that monsters gained by kills, `learned_by_prey` the part of them by kills of creatures
    that are no players, `learned_otherwise` the levels gained without a kill. `rise` is the most that a monster stood
    above the level it was made with. `grown_met` counts the creatures above their first level that players saw,
    `grown_marked` those that bore the mark when the player first saw them so, `grown_tall` those that were two levels or more
    above their first. `named_met` counts the named creatures that players saw, `growth_read` the levels of monsters that
    players read of: each that sees it, or hears its cry. `leaving_read` are the creatures that they saw leave or arrive, of the
    `left` that left their depth while anyone played, and `avenged` the named creatures that players killed.
    `ground` are the deaths with ground in their cause: it took health, or held. `bands` are blows
    by bands of levels, `depths` begins with depth 1. `met` are the kinds that players saw, `choices` the choices of lives.
    """

    lives: list[Life] = field(default_factory=list)
    felled_by_players: int = 0
    felled_by_monsters: int = 0
    players_felled: int = 0
    ground: GroundDeaths = field(default_factory=GroundDeaths)
    learned: int = 0
    learned_by_prey: int = 0
    learned_otherwise: int = 0
    rise: int = 0
    grown_met: int = 0
    grown_marked: int = 0
    grown_tall: int = 0
    named_met: int = 0
    growth_read: int = 0
    left: int = 0
    leaving_read: int = 0
    avenged: int = 0
    bands: list[AttackCounts] = field(default_factory=lambda: [AttackCounts() for _ in BANDS])
    depths: list[DepthCounts] = field(default_factory=list)
    means: dict[str, Means] = field(default_factory=dict)
    items: FirstItems = field(default_factory=FirstItems)
    met: list[str] = field(default_factory=list)
    refused: int = 0
    choices: Choices = field(default_factory=Choices)

    @property
    def schooled(self) -> bool:
        """Whether a monster gained a level by a kill."""
        return self.learned > 0

    def depth(self, depth: int) -> DepthCounts:
        """Return the counts of a depth; they begin at 0."""
        while len(self.depths) < depth:
            self.depths.append(DepthCounts())
        return self.depths[depth - 1]


def band_of(level: int) -> int:
    """Return the place of a level's band."""
    return min(level // 5, len(BANDS) - 1)


def ratio(count: int, whole: int, scale: int) -> int | None:
    """Return count / whole in parts of `scale`, rounded to the nearest; None of nothing."""
    return (2 * count * scale + whole) // (2 * whole) if whole else None
