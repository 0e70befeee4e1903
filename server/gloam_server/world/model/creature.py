"""Creature: the one type for players and monsters alike.

Only the control differs: a session, or the kind's tasks.
"""

from typing import Final, Literal

from msgspec import UNSET, Struct, UnsetType, field

from gloam_server.content.creatures import CreatureKind
from gloam_server.world.model import creature_state


class Item(Struct):
    """An item, on the floor or carried."""

    number: int
    """The ID: unique in the realm and never used again."""
    kind: str
    """The key of its kind."""
    name: str
    """The name of its kind."""
    colour: str
    """The name of its color."""
    bites: int = 1
    """The number of bites left."""
    food: int = 0
    """The food of one bite, if it is not the kind's."""
    power: int = 0
    """The level of a scaling item, which is part of its name."""
    bonus: int = 0
    """The part of `power` that the appearance does not show."""
    bound: int = 0
    """The life that it is bound to, by creature ID; 0 for none."""
    owner: int = 0
    """On the floor: the account of the player who dropped it, 0 for none."""
    laid: int = 0
    """On the floor: the input of its level that put it there."""
    choice: int = 0
    """On the floor: of the items of a level with the same number only one can be had; 0 for none."""
    left_by: int = 0
    """On the floor: the life that dropped it on purpose, 0 for none. Thrown items and items of the dead do not
    count."""
    charges: int = 0
    """The charges left in a wand."""
    brand: str = ""
    """The key of a weapon's brand, "" for none."""
    noticed: bool = False
    """Whether its brand was noticed, and stands in its name."""


ITEM_LOOK: Final = tuple(name for name in Item.__struct_fields__ if name not in ("number", "laid"))
"""The fields of an item that decide what a viewer knows about it. Most floor items share them with others."""


class Lasting(Struct):
    """A status effect of a body, with the numbers of the spell that caused it."""

    spell: str
    """The key of the spell."""
    effect: int
    """The index of the effect in the spell."""
    turns: int
    """The number of the body's own actions that it still lasts."""
    by: int = 0
    """The creature that caused it, 0 for none."""


class Victim(Struct, frozen=True):
    """A player that a monster killed, by account and full name."""

    account: int
    name: str
    party: int | UnsetType = UNSET
    """The party of the player; unset for none."""


class Creature(Struct):
    """A living body. Health, experience and energy are integers."""

    number: int
    """The ID: unique in the realm and never used again."""
    kind: str
    """The key of its kind."""
    name: str
    """The name of its kind, or the player's."""
    hp: int
    """Health."""
    hp_max: int
    """Maximum health."""
    attack: int
    """In the campaign's units, without equipment and status effects."""
    defence: int
    """In the campaign's units, without equipment and status effects."""
    sight: int
    """The sight radius in cells."""
    speed: int
    """Energy gained per turn; 1,000 is normal."""
    account: int = 0
    """The player's account; 0 for a monster."""
    cell: int = -1
    """Its cell on the level; -1 for none."""
    energy: int = 0
    """Energy to spend; an action costs 1,000."""
    level: int = 1
    """Experience level."""
    experience: int = 0
    """Experience within the level."""
    points: int = 0
    """Level-up choices that are not made yet."""
    kills: int = 0
    """The number of creatures that it killed."""
    actions: int = 0
    """The number of its own actions: it ages by nothing else."""
    command: int = 0
    """The number of the last command that a player's body has carried out."""
    grace: int = 0
    """The turns for which an arrival still cannot be hurt."""
    asleep: int = 0
    """The turns for which it cannot act."""
    children: int = 0
    """The number of times that it may still spread."""
    contacts: dict[int, int] = field(default_factory=dict)
    """By creature ID, the own action at which it last hurt that creature, was hurt by it, or got help against it."""
    slots: list[Item | None] = field(default_factory=list)
    """The inventory: one item for each letter, None for a free slot (rules J10.3, J10.4)."""
    wielded: int = 0
    """The ID of the wielded item, 0 for none."""
    worn: int = 0
    """The ID of the worn item, 0 for none."""
    ring: int = 0
    """The ID of the ring that is put on, 0 for none."""
    food: int = 0
    """The food in a player's stomach."""
    food_max: int = 0
    """The capacity of the stomach."""
    mana: int = 0
    """Mana."""
    mana_max: int = 0
    """Maximum mana."""
    regeneration: int = 0
    """Thousandths of a point of health per turn."""
    mana_regeneration: int = 0
    """Thousandths of a point of mana per turn."""
    hp_part: int = 0
    """Regenerated health below a whole point, in thousandths, or in shares of a point if fed bodies heal."""
    mana_part: int = 0
    """Regenerated mana below a whole point, in thousandths."""
    born_level: int = 1
    """The level that it started with."""
    owner: int = 0
    """The creature that summoned it, 0 for none."""
    generation: int = 0
    """The number of generations that it is away from its level's original creatures."""
    struck_by: int = 0
    """The creature that attacked it last."""
    family: str = ""
    """Its full name in its lineage ("Ann II"), "" for the first."""
    lasting: list[Lasting] = field(default_factory=list)
    """The status effects."""
    known: list[str] = field(default_factory=list)
    """The kinds of items that it has identified."""
    hurt_by: dict[int, int] = field(default_factory=dict)
    """By creature ID, the health taken from it or given to its foes: the ledger of experience for its death."""
    ai: creature_state.AiState = field(default_factory=creature_state.AiState)
    """The memory of its tasks."""
    statistics: creature_state.RunStatistics = field(default_factory=creature_state.RunStatistics)
    """The statistics of a player's life."""
    used_shrines: list[creature_state.LevelCell] = field(default_factory=list)
    """The shrines that have healed the player."""
    exit_warned: int = -1
    """The number of actions after which the player may leave without the prize."""
    ally: bool = False
    """Whether a player summoned it."""
    summons: int = 0
    """The number of creatures that it has summoned."""
    attackers: int = 1
    """The largest number of players that attacked a boss at the same time."""
    respawned: bool = False
    """Whether it appeared after its level was made."""
    consents: list[int] = field(default_factory=list)
    """The players that it agreed to duel."""
    handle: int = 0
    """The handle of a player's body on the level `handle_partition`, which it left last; 0 for none."""
    handle_partition: int = field(default=0, name="handle_place")
    """The level of `handle`."""
    stacks: dict[int, list[Item]] = field(default_factory=dict)
    """By slot, the additional equal items in it, if the campaign allows stacks."""
    title: str = ""
    """The name that a monster has earned ("Skarn"), which is part of `name` ("Skarn the kobold"); "" for none."""
    victims: list[Victim] = field(default_factory=list)
    """The players that a monster killed, as far as they are remembered."""
    victim_count: int = 0
    """The number of players that it killed."""
    born_turn: int = -1
    """The turn of its level in which a monster appeared: 0 for one that was made with the level, -1 for
    unknown."""
    reached: dict[int, int] = field(default_factory=dict)
    """By creature ID, a player's own action after which that creature could last reach them."""
    learned: list[str] = field(default_factory=list)
    """The traits that it learned with its levels, the first one first."""
    party: int | UnsetType = UNSET
    """The party with which a player shares what they see; unset for none."""
    kit: int | UnsetType = UNSET
    """The campaign's kit that a player has chosen, from 1; unset for the starting kit."""
    bent: str | UnsetType = UNSET
    """The key of the bent that a player has chosen; unset for none."""
    offer: tuple[str, ...] | UnsetType = UNSET
    """The cards that a player's next choice offers; unset without such a choice."""
    steps: int | UnsetType = UNSET
    """The steps that a player's bent will take when it is chosen; unset for none."""
    dug: tuple[int, int] | UnsetType = UNSET
    """The cell that a player digs at, and the turns that they have spent on it; unset for none."""
    joined: bool | UnsetType = UNSET
    """Whether this life has gone to a friend's side, at its beginning or later (rule F92); unset for not yet."""
    hearing: creature_state.Hearing | UnsetType = UNSET
    """The notice that creatures take of a player; unset for none."""
    met: list[str] | UnsetType = UNSET
    """The kinds of unique creatures that have spoken to a player (rule F118); unset for none."""
    bond: Literal["captive", "companion"] | UnsetType = UNSET
    """Whether it is held in a cage, or is the companion of its owner (rules F115, F116); unset for neither."""
    companion: "Creature | UnsetType" = UNSET
    """The companion that goes along while a player is on no level; unset for none."""
    member: int | UnsetType = UNSET
    """The party that a player is a member of, whether they share what they see or not; unset for none."""
    down: creature_state.Down | UnsetType = UNSET
    """The state of a player who is down (rule F127); unset for all others."""
    traits: dict[str, int] | UnsetType = UNSET
    """Earlier worlds only: read into the fields above, and never written."""
    tally: dict[str, int] | UnsetType = UNSET
    """Earlier worlds only: read into `statistics`, and never written."""

    def __post_init__(self) -> None:
        """Read the maps of earlier worlds, if there are any."""
        if self.traits is not UNSET:
            traits, self.traits = self.traits, UNSET
            self.ai, self.used_shrines = (
                creature_state.ai_from_traits(traits),
                creature_state.shrines_from_traits(traits),
            )
            self.exit_warned, self.ally = traits.get("hesitated", -1), "ally" in traits
            self.summons, self.attackers = traits.get("called", 0), traits.get("attackers", 1)
            self.respawned = "respawned" in traits
        if self.tally is not UNSET:
            self.statistics, self.tally = creature_state.statistics_from_tally(self.tally), UNSET

    @property
    def carried(self) -> list[Item]:
        """All its items, in the order of the slots."""
        if not self.stacks:
            return [item for item in self.slots if item is not None]
        return [
            item
            for slot, first in enumerate(self.slots)
            if first is not None
            for item in (first, *self.stacks.get(slot, ()))
        ]

    @property
    def levels_grown(self) -> int:
        """The levels that a monster has gained since it appeared; 0 for a player."""
        return 0 if self.account else max(0, self.level - self.born_level)

    @property
    def hidden(self) -> bool:
        """Whether it is hidden from all players."""
        return self.ai.hidden


# The fields of a creature by the kept values that they decide (server/docs/kept.md). A test holds that each field is in one
# of these groups or lists, so that an author of a new field decides what follows from it.

APPEARANCE: Final = (
    "cell",
    "hp",
    "asleep",
    "hp_max",
    "level",
    "name",
    "attack",
    "defence",
    "speed",
    "wielded",
    "worn",
    "ring",
    "title",
    "ally",
    "owner",
    "ai.hidden",
    "down",
    "victim_count",
)
"""The fields that decide what others see of it. The first two, which change in most turns, decide nothing else there."""
HOSTILITY: Final = ("cell", "asleep", "ai.hidden", "ally", "owner", "attack", "wielded", "worn", "ring")
"""The fields of a monster that decide which players it holds."""
SHEET: Final = (
    "hp",
    "mana",
    "experience",
    "kills",
    "points",
    "level",
    "hp_max",
    "mana_max",
    "attack",
    "defence",
    "sight",
    "speed",
    "asleep",
    "bent",
    "offer",
    "down",
)
"""The fields that a player's own sheet shows, with its choices."""
COMPARED_IN_PLACE: Final = {
    "actions": "turn groups, beside the contacts",
    "consents": "turn groups: players with any, now or before, are always compared again",
    "contacts": "turn groups",
    "food": "the sheet, by what is shown of hunger",
    "food_max": "the sheet, by what is shown of hunger",
    "hp_part": "the sheet, by what is shown of hunger",
    "known": "the inventory",
    "kit": "the sheet, by the skills of the player",
    "lasting": "records, sheets, fields of view: a creature with a status effect is looked at afresh",
    "learned": "the sheet, by the skills of the player; else with `level`",
    "sight": "fields of view, with `cell` and `ring`",
    "slots": "the inventory, and the light that a body carries",
    "stacks": "the inventory",
}
"""The other fields that decide a kept value, and where they are compared."""
FIXED: Final = frozenset(
    {"number", "kind", "account", "born_level", "family", "generation", "born_turn", "respawned"}
)
"""The fields that never change while it stands on a level: another body has another number."""
DECIDES_NOTHING_KEPT: Final = frozenset(
    {
        "ai",  # `ai.hidden` is in groups
        "attackers",
        "bond",  # with `ally`
        "children",
        "command",
        "companion",
        "dug",
        "energy",
        "exit_warned",
        "grace",
        "handle",
        "handle_partition",
        "hearing",
        "hurt_by",
        "joined",
        "mana_part",
        "met",
        "mana_regeneration",
        "member",
        "party",
        "reached",
        "regeneration",
        "statistics",
        "steps",
        "struck_by",
        *("summons", "tally", "traits"),
        "used_shrines",
        "victims",  # with `victim_count`
    }
)


def named_after(title: str, kind: str) -> str:
    """Return the whole name of a monster: "Skarn the kobold", or the name of its kind without another."""
    return f"{title} the {kind.removeprefix('the ')}" if title else kind


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
