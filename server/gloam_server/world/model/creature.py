"""Creature: the one type for players and monsters alike. Only the mind differs: a session, or the kind's tasks."""

from msgspec import UNSET, Struct, UnsetType, field

from gloam_server.content.creatures import CreatureKind
from gloam_server.world.model.creature_state import (
    AiState,
    LevelCell,
    RunStatistics,
    ai_from_traits,
    shrines_from_traits,
    statistics_from_tally,
)


class Item(Struct):
    """A thing: lying in a pile or carried. `number` is realm-wide and never used again.

    `bites` is how many are left of it, `food` what a bite gives where that is not its kind's, `power` the level of a
    thing that scales with one, which stands in its name, and of which `bonus` is what it has beyond its looks.
    `bound` is the life that it was given to. While it lies, `owner` is the account of the player who dropped it, 0
    for none, `laid` the input of its level that laid it, and `left_by` the life that laid it down on purpose, 0 for
    none: what was thrown or left in death nobody meant to leave.
    """

    number: int
    kind: str
    name: str
    colour: str
    bites: int = 1
    food: int = 0
    power: int = 0
    bonus: int = 0
    bound: int = 0
    owner: int = 0
    laid: int = 0
    left_by: int = 0


class Lasting(Struct):
    """A state of a body that goes on for `turns` more of its own actions: what the spell's effect says, with its numbers.

    `spell` and `effect` tell which effect of which spell it is; `by` is the creature that caused it, 0 for none.
    """

    spell: str
    effect: int
    turns: int
    by: int = 0


class Creature(Struct):
    """A living body. Numbers are realm-wide and never used again; health, experience and energy are integers.

    `attack` and `defence` are in the campaign's units, without gear and lasting states; `regeneration` and
    `mana_regeneration` in thousandths of a point a turn, of which `hp_part` and `mana_part` have grown already
    beyond the last whole point (0 or below; where who is fed heals, in turns' shares of a point instead).
    `born_level` is the level that it came with.

    `account` is the player's account, 0 for a monster. `energy` is what it may spend, 1,000 an action. `actions`
    counts its own actions: it ages by nothing else. `command` is the number of the last command that a player's body
    has done. `grace` counts the turns for which an arrival still cannot be hurt. `asleep` counts the turns for which
    it cannot act. `contacts` tells, by creature number, at which of its own actions it last hurt, was hurt by, or was
    helped against that creature. `slots` are what it can carry, each with a letter of its own (rules J10.3, J10.4);
    `stacks` are the further things of a slot, all alike, where the campaign lets them share one; `wielded` and `worn`
    are the numbers of things in slots, 0 for none. `food` is what a player has in his stomach and `food_max` what
    there is room for. `lasting` are the states that will pass. `known` are the kinds of things that it knows by name
    though they hide it. `hurt_by` tells, by creature number, how much health each took from it or gave to its foe:
    who learns from its death; `struck_by` is who gave it the last blow. `owner` is the creature that summoned it, 0
    for none. `generation` counts how often it is removed from what came with its level. `ai` is what the tasks of its
    kind keep. `statistics` count what a player's run has come to, `used_shrines` are the shrines that healed the
    player, and `exit_warned` is how many actions the player had done when they may leave without the prize. `ally` is
    whether a player called it, `summons` how many creatures it called, `attackers` how many players a boss fought at
    once, at the most, and `respawned` whether it came after its level was made. `family` is its full name in its line
    ("Ann II"), "" for the first. `consents` are the players with whom it agreed to duel. `handle` is what a player's
    body was called by on the level `handle_place`, which it left last; 0 for none.
    """

    number: int
    kind: str
    name: str
    hp: int
    hp_max: int
    attack: int
    defence: int
    sight: int
    speed: int
    account: int = 0
    cell: int = -1
    energy: int = 0
    level: int = 1
    experience: int = 0
    points: int = 0
    kills: int = 0
    actions: int = 0
    command: int = 0
    grace: int = 0
    asleep: int = 0
    children: int = 0
    contacts: dict[int, int] = field(default_factory=dict)
    slots: list[Item | None] = field(default_factory=list)
    wielded: int = 0
    worn: int = 0
    food: int = 0
    food_max: int = 0
    mana: int = 0
    mana_max: int = 0
    regeneration: int = 0
    mana_regeneration: int = 0
    hp_part: int = 0
    mana_part: int = 0
    born_level: int = 1
    owner: int = 0
    generation: int = 0
    struck_by: int = 0
    family: str = ""
    lasting: list[Lasting] = field(default_factory=list)
    known: list[str] = field(default_factory=list)
    hurt_by: dict[int, int] = field(default_factory=dict)
    ai: AiState = field(default_factory=AiState)
    statistics: RunStatistics = field(default_factory=RunStatistics)
    used_shrines: list[LevelCell] = field(default_factory=list)
    exit_warned: int = -1
    ally: bool = False
    summons: int = 0
    attackers: int = 1
    respawned: bool = False
    consents: list[int] = field(default_factory=list)
    handle: int = 0
    handle_place: int = 0
    stacks: dict[int, list[Item]] = field(default_factory=dict)
    traits: dict[str, int] | UnsetType = UNSET
    """Earlier worlds only: read into the fields above, and never written."""
    tally: dict[str, int] | UnsetType = UNSET
    """Earlier worlds only: read into `statistics`, and never written."""

    def __post_init__(self) -> None:
        """Read the maps of earlier worlds, where there are any."""
        if self.traits is not UNSET:
            traits, self.traits = self.traits, UNSET
            self.ai, self.used_shrines = ai_from_traits(traits), shrines_from_traits(traits)
            self.exit_warned, self.ally = traits.get("hesitated", -1), "ally" in traits
            self.summons, self.attackers = traits.get("called", 0), traits.get("attackers", 1)
            self.respawned = "respawned" in traits
        if self.tally is not UNSET:
            self.statistics, self.tally = statistics_from_tally(self.tally), UNSET

    @property
    def carried(self) -> list[Item]:
        """All that it carries, in the order of the slots."""
        if not self.stacks:
            return [item for item in self.slots if item is not None]
        return [
            item
            for slot, first in enumerate(self.slots)
            if first is not None
            for item in (first, *self.stacks.get(slot, ()))
        ]

    @property
    def hidden(self) -> bool:
        """Whether it is hidden from all players."""
        return self.ai.hidden


def new_creature(
    kind: CreatureKind, number: int, *, name: str = "", account: int = 0, food: int = 0
) -> Creature:
    """Return a new creature of a kind, at its starting level, in full health and with empty slots."""
    return Creature(
        number=number,
        kind=kind.key,
        name=name or kind.name,
        account=account,
        hp=kind.hp,
        hp_max=kind.hp,
        attack=kind.attack,
        defence=kind.defence,
        sight=kind.sight,
        speed=kind.speed,
        level=kind.level,
        born_level=kind.level,
        experience=kind.experience,
        mana=kind.mana,
        mana_max=kind.mana,
        regeneration=kind.regeneration,
        mana_regeneration=kind.mana_regeneration,
        children=kind.children,
        slots=[None] * kind.slots,
        food=food,
    )
