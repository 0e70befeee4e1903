"""The chronicle of the realm: notable events as typed entries, the newest last, with a bound.

An entry is written when its input is applied, so that a replay writes the same. Players read it in words: `views.news`.
"""

from typing import Final, TypeAlias

from msgspec import UNSET, Struct, UnsetType, field

from gloam_server.world.model.events import PlayerDied
from gloam_shared.level_numbers import PartitionId

EVENTS_MAX: Final = 200
"""The number of entries in the chronicle."""


class ChronicleEntry(Struct, frozen=True):
    """An ended life, as the realm stores it; `name` is its full name in its lineage."""

    name: str
    account: int
    won: bool
    by: str
    depth: int
    level: int
    turns: int


class LifeEnded(Struct, frozen=True, tag="life"):
    """A life is over. `name` is its full name in its lineage, `by` the cause of its death or victory.

    `killer` is the number of the monster that killed it, 0 for none, `killer_level` its level after that, and
    `killer_grown` that level minus its starting level. `worst` did the most damage, if something else than `by`.
    """

    name: str
    account: int
    won: bool
    by: str
    partition: PartitionId = field(name="place")
    level: int
    turns: int
    killer: int = 0
    killer_level: int = 0
    killer_grown: int = 0
    worst: str = ""


class FirstAtDepth(Struct, frozen=True, tag="depth"):
    """A player reached a depth where no player was before."""

    name: str
    account: int
    partition: PartitionId = field(name="place")


class NameRose(Struct, frozen=True, tag="rose"):
    """A creature has earned a name. `name` is its whole name, `kind` its former name, `friend` the player whose companion it is."""

    creature: int
    name: str
    kind: str
    partition: PartitionId = field(name="place")
    level: int
    victims: tuple[str, ...] = ()
    friend: str | UnsetType = UNSET


class NameFell(Struct, frozen=True, tag="fell"):
    """A named creature is dead. `by` is its killer or cause of death, `account` the player's, 0 for none.

    `friend` is the player whose companion it was.
    """

    creature: int
    name: str
    partition: PartitionId = field(name="place")
    level: int
    by: str
    account: int = 0
    victims: tuple[str, ...] = ()
    friend: str | UnsetType = UNSET


class NameForgotten(Struct, frozen=True, tag="forgotten"):
    """A creature has lost its name to one with greater deeds; it lives on without."""

    creature: int
    name: str
    partition: PartitionId = field(name="place")
    level: int


class BeaconLit(Struct, frozen=True, tag="lit"):
    """A player has lit a beacon, so that `lit` of `beacons` burn."""

    name: str
    account: int
    beacon: str
    partition: PartitionId = field(name="place")
    lit: int
    beacons: int


class BeaconOut(Struct, frozen=True, tag="out"):
    """A beacon has gone out, so that `lit` of `beacons` burn."""

    beacon: str
    partition: PartitionId = field(name="place")
    lit: int
    beacons: int


RealmEvent: TypeAlias = LifeEnded | FirstAtDepth | NameRose | NameFell | NameForgotten | BeaconLit | BeaconOut


class Chronicle(Struct):
    """The newest entries, the newest last, and how many there ever were."""

    entries: list[RealmEvent] = field(default_factory=list)
    written: int = 0

    def write(self, entry: RealmEvent) -> None:
        """Add an entry, and drop the oldest one where there are too many."""
        self.entries.append(entry)
        self.written += 1
        del self.entries[:-EVENTS_MAX]

    def since(self, written: int) -> list[RealmEvent]:
        """Return the entries after the first `written` ones that are still kept."""
        count = min(self.written - written, len(self.entries))
        return self.entries[-count:] if count > 0 else []


def life_ended(fallen: PlayerDied) -> LifeEnded:
    """Return the entry about the end of a life."""
    return LifeEnded(
        name=fallen.family or fallen.name,
        account=fallen.account,
        won=fallen.won,
        by=fallen.by,
        partition=fallen.partition,
        level=fallen.level,
        turns=fallen.turns,
        killer=fallen.killer,
        killer_level=fallen.killer_level,
        killer_grown=fallen.killer_grown,
        worst="" if fallen.worst in (fallen.by, fallen.name) else fallen.worst,
    )
