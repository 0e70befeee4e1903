"""Events and outputs: what happened on a level, and what one state machine sends to another."""

from typing import Final, Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType, field

from gloam_server.world.model.creature import Creature
from gloam_shared.event_kinds import EventKind
from gloam_shared.level_numbers import PartitionId

DamageSource: TypeAlias = Literal["attack", "spell", "gradual", "surface"]
"""The ways of damage: a melee attack, a throw or a shot; suddenly by a spell; gradually, as by poison and
hunger; or by what lies on the ground.
"""
WITHOUT_BLOW: Final[frozenset[DamageSource]] = frozenset({"gradual", "surface"})
"""The ways of damage that are no blow: nothing strikes back, and no wound teaches."""


BETWEEN_PARTIES: Final[frozenset[EventKind]] = frozenset({"guards", "swaps", "receives"})
"""The kinds of narrations with a line only for the actor and the target. In a crowd most events are swaps of places."""


class Narration(Struct, frozen=True):
    """An event for people: a line in the logs of its witnesses. Programs read the classes below instead.

    The target is a creature or an item. Names are kept because the creature or the item may be gone when a log shows
    this.
    """

    kind: EventKind
    cell: int
    actor: int = 0
    actor_name: str = ""
    target: int = 0
    target_name: str = ""
    amount: int = 0
    source: str = ""
    """The cause, "" for none."""
    witnesses: tuple[int, ...] = ()
    """The numbers of the players who saw or heard it; of `BETWEEN_PARTIES` only the parties."""
    names: dict[int, str] = {}
    """The target's name for the witnesses who know it by another name."""


class DamageDealt(Struct, frozen=True):
    """Damage to a creature, also beyond its remaining health. `turn` counts the victim's own turns."""

    victim: int
    amount: int
    source: DamageSource
    attacker: int = 0
    """The creature that did it, 0 for none."""
    name: str = ""
    """The name of that creature, or of the cause."""
    turn: int = 0
    means: str = ""
    """The surface or the lasting magic by which that creature did it, "" for a blow."""


class CreatureDied(Struct, frozen=True):
    """A creature died; leaving the dungeon alive does not count."""

    victim: int
    killer: int = 0
    """The creature that killed it, 0 for none."""


class ExperienceGained(Struct, frozen=True):
    """A creature gained experience, or lost it if the amount is below 0."""

    creature: int
    amount: int
    victim: int = 0
    """The creature for whose death it is awarded, 0 for another reason."""


class LevelGained(Struct, frozen=True):
    """A creature has gained a level in play; a creature created at a level does not count."""

    creature: int
    level: int


class ItemCreated(Struct, frozen=True):
    """An item was created, at a cell."""

    item: int
    cell: int


class ItemDestroyed(Struct, frozen=True):
    """An item was destroyed, at a cell."""

    item: int
    cell: int


Fact: TypeAlias = DamageDealt | CreatureDied | ExperienceGained | LevelGained | ItemCreated | ItemDestroyed
"""The events for programs: no log shows them."""

Event: TypeAlias = Narration | Fact
"""All events of an input on its level, in order."""


class ChangedLevel(Struct, frozen=True, tag="Climbed"):
    """A creature took the stairs: it arrives at `partition`, on or next to `cell`."""

    creature: Creature
    partition: PartitionId = field(name="place")
    cell: int


class DroppedItem(Struct, frozen=True):
    """An item that a dead player left; `offered` says whether an heir may take it as a keepsake."""

    item: int
    name: str
    wielded: bool
    worn: bool
    offered: bool


class PlayerDied(Struct, frozen=True, tag="Perished"):
    """A player's life ended here, by death, or because it `won`; `command` is the last command that it carried out.

    `by` is the cause of its death or victory, `family` its full name in its lineage, "" for the first. Attack and
    defense are in the campaign's units, with equipment. `wins` are the rounds that it won before; `dealt` and `taken`
    are points of damage; `foe` is the greatest that it defeated. `remains` are the items on the cell of its end,
    `cell`. `killer` is the number of the monster that killed it, 0 for none, `killer_level` its level after what it
    gained by that, and `killer_grown` that level minus its starting level. `named_slain` are the newest named creatures
    that the player killed. `worst` took the most health since the player was last unhurt: `worst_damage` of
    `worst_total`; it is "" if nothing did. `kit` is the kit that the life chose, as `Creature.kit`.
    `beacons` are the names of those that it lit.
    """

    account: int
    number: int
    name: str
    by: str
    partition: PartitionId = field(name="place")
    cell: int
    level: int
    experience: int
    turns: int
    kills: int
    command: int
    won: bool = False
    family: str = ""
    deepest: int = 0
    wins: int = 0
    hp_max: int = 0
    attack: int = 0
    defence: int = 0
    dealt: int = 0
    taken: int = 0
    foe: str = ""
    foe_level: int = 0
    remains: tuple[DroppedItem, ...] = ()
    killer: int = 0
    killer_level: int = 0
    killer_grown: int = 0
    named_slain: tuple[str, ...] = ()
    worst: str = ""
    worst_damage: int = 0
    worst_total: int = 0
    kit: int | UnsetType = UNSET
    beacons: list[str] | UnsetType = UNSET


class SentIntoPlay(Struct, frozen=True, tag="Sent"):
    """The realm sends a body into play: to `cell`, or to the level's arrival place when that is -1.

    `catches_up` is the level to which a new life beside a friend rises there, 0 for none.
    """

    body: Creature
    partition: PartitionId = field(name="place")
    cell: int
    catches_up: int = 0


class RoundAdvanced(Struct, frozen=True, tag="Advanced"):
    """A winner enters the next round, where its lives begin; the round is made for the first one."""

    creature: Creature
    round: int


class Renown(Struct, frozen=True):
    """The renown of a monster. `kind` is the name of its kind, `title` its own, "" for none.

    `grown` is the number of levels that it has gained, `victims` are the newest players that it killed, and
    `candidates` are names that it may get.
    """

    number: int
    kind: str
    title: str
    partition: PartitionId = field(name="place")
    level: int
    grown: int
    victims: tuple[str, ...]
    victim_count: int
    candidates: tuple[str, ...] = ()
    friend: str | UnsetType = UNSET
    """The player whose companion it is; unset for none."""
    slew: bool | UnsetType = UNSET
    """Whether it has just killed a player; unset for no."""


class Archived(Struct, frozen=True):
    """A part of a life that went out of memory: the realm's part as `partition` 0, or a level's map memory.

    `sequence` is the record of the realm that archived the life.
    """

    account: int
    number: int
    partition: PartitionId = field(name="place")
    sequence: int
    body: bytes


class LifeRestored(Struct, frozen=True):
    """The life that the realm's record `archived` archived is in memory again, or lost, by its record `sequence`."""

    account: int
    archived: int
    sequence: int
