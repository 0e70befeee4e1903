"""Named creatures of the realm. The realm decides; a level reports deeds to it, and sets names.

So no two creatures have the same name at a time, on any levels. The level of a deed suggests names, by its
dice.
"""

from collections.abc import Iterator
from typing import TypeAlias

from msgspec import UNSET, Struct, UnsetType, field

from gloam_server.content.growth.learning import NamedRules
from gloam_server.world.model.creature import named_after
from gloam_server.world.model.events import Renown
from gloam_server.world.model.inputs import (
    TROPHIES_MAX,
    Envelope,
    Output,
    RecordNamedDeath,
    RecordNamedMove,
    RecordRenown,
    RecordTrophy,
    RecordTurns,
    SetName,
)
from gloam_server.world.realm.chronicle import Chronicle, NameFell, NameForgotten, NameRose
from gloam_shared.level_numbers import PartitionId

FameInput: TypeAlias = RecordRenown | RecordNamedMove | RecordNamedDeath | RecordTurns | RecordTrophy


class NamedCreature(Struct):
    """A named creature: its names, and its deeds. `victims` are names of players."""

    title: str
    kind: str
    partition: PartitionId = field(name="place")
    level: int
    grown: int
    victims: tuple[str, ...]
    victim_count: int
    friend: str | UnsetType = UNSET
    """The player whose companion it is; unset for none."""

    @property
    def name(self) -> str:
        """Its whole name."""
        return named_after(self.title, self.kind)

    @property
    def greatness(self) -> tuple[int, int, int]:
        """The order in which names are kept: by players killed, then levels gained, then level."""
        return self.victim_count, self.grown, self.level


class Fame(Struct):
    """The named creatures by number, the turns of the realm, and the turn of the last naming (-1: none)."""

    named: dict[int, NamedCreature] = field(default_factory=dict)
    turns: int = 0
    rose_at: int = -1
    companions: dict[int, NamedCreature] | UnsetType = UNSET
    """The named companions of players by number: no limit of names holds for them (rule F115)."""
    trophies: dict[int, list[str]] | UnsetType = UNSET
    """The newest trophies of each line, by account (rule F101); unset before the first."""

    @property
    def all_named(self) -> dict[int, NamedCreature]:
        """Return all named creatures."""
        return self.named | (self.companions or {})


def take_renown(fame: Fame, chronicle: Chronicle, rules: NamedRules, renown: Renown) -> tuple[Output, ...]:
    """Note a creature's deeds. One without a name gets one if the realm's limits permit it."""
    if renown.friend and renown.number not in fame.named:
        return _name_companion(fame, chronicle, renown)
    known = fame.named.get(renown.number)
    if known is not None:
        fame.named[renown.number] = _entry(renown, known.title)
        return ()
    if renown.title and renown.number in fame.all_named:
        return ()
    if renown.title:  # forgotten here, while its level was closed and did not get the message
        return (Envelope(renown.partition, SetName(renown.number, "")),)
    slayer = rules.slayers and bool(renown.slew)
    if not slayer and fame.rose_at >= 0 and fame.turns - fame.rose_at < rules.turns_between:
        return ()
    borne = {each.title for each in fame.all_named.values()}
    title = next((title for title in renown.candidates if title not in borne), "")
    if not title or not (slayer or _is_room_for(fame, rules, renown)):
        return ()
    forgotten = tuple(_forget_least(fame, chronicle, rules))
    risen = fame.named[renown.number] = _entry(renown, title)
    if not slayer:
        fame.rose_at = fame.turns
    chronicle.write(
        NameRose(renown.number, risen.name, renown.kind, renown.partition, renown.level, renown.victims)
    )
    return (*forgotten, Envelope(renown.partition, SetName(renown.number, title)))


def _name_companion(fame: Fame, chronicle: Chronicle, renown: Renown) -> tuple[Output, ...]:
    """Note a companion, and give it a name with its second level; one with a name keeps it."""
    companions = fame.companions = fame.companions or {}
    known = companions.get(renown.number)
    borne = {each.title for each in fame.all_named.values()}
    title = known.title if known else next((title for title in renown.candidates if title not in borne), "")
    if not title:
        return ()
    risen = companions[renown.number] = _entry(renown, title)
    if known is None:
        chronicle.write(
            NameRose(
                renown.number, risen.name, renown.kind, renown.partition, renown.level, friend=renown.friend
            )
        )
    return () if renown.title else (Envelope(renown.partition, SetName(renown.number, title)),)


def move_named(fame: Fame, number: int, partition: PartitionId) -> tuple[Output, ...]:
    """Note that a named creature is on another level.

    One that the realm has forgotten loses its name there.
    """
    known = fame.all_named.get(number)
    if known is None:
        return (Envelope(partition, SetName(number, "")),)
    known.partition = partition
    return ()


def bury_named(fame: Fame, chronicle: Chronicle, fallen: RecordNamedDeath) -> None:
    """Remove a dead named creature from the realm's memory, and write its end into the chronicle."""
    known = fame.named.pop(fallen.number, None) or (fame.companions or {}).pop(fallen.number, None)
    if known is not None:
        chronicle.write(
            NameFell(
                fallen.number,
                known.name,
                fallen.partition,
                fallen.level,
                fallen.by,
                fallen.account,
                known.victims,
                known.friend,
            )
        )


def note_trophy(fame: Fame, account: int, name: str) -> None:
    """Remember a trophy of a line, with the newest before it."""
    won = fame.trophies or {}
    fame.trophies = won | {account: [*won.get(account, ()), name][-TROPHIES_MAX:]}


def trophies_of(fame: Fame, account: int) -> list[str]:
    """Return the newest trophies of a line."""
    return list((fame.trophies or {}).get(account, ()))


def _entry(renown: Renown, title: str) -> NamedCreature:
    return NamedCreature(
        title=title,
        kind=renown.kind,
        partition=renown.partition,
        level=renown.level,
        grown=renown.grown,
        victims=renown.victims,
        victim_count=renown.victim_count,
        friend=renown.friend,
    )


def _is_room_for(fame: Fame, rules: NamedRules, renown: Renown) -> bool:
    """Return whether there is room for a name, or the least named creature has done less than this one."""
    if len(fame.named) < rules.max:
        return True
    least = min((each.greatness for each in fame.named.values()), default=None)
    return least is not None and least < _entry(renown, "").greatness


def _forget_least(fame: Fame, chronicle: Chronicle, rules: NamedRules) -> Iterator[Output]:
    """Take names from the least named creatures until there is room for one more; they live on without."""
    while len(fame.named) >= rules.max:
        number = min(fame.named, key=lambda number: (fame.named[number].greatness, number))
        least = fame.named.pop(number)
        chronicle.write(NameForgotten(number, least.name, least.partition, least.level))
        yield Envelope(least.partition, SetName(number, ""))


def record_fame(fame: Fame, events: Chronicle, rules: NamedRules, input_: FameInput) -> tuple[Output, ...]:
    """Carry out an input about named creatures, turns or trophies."""
    match input_:
        case RecordRenown(renown):
            return take_renown(fame, events, rules, renown)
        case RecordNamedMove(number, partition):
            return move_named(fame, number, partition)
        case RecordNamedDeath():
            bury_named(fame, events, input_)
        case RecordTurns(turns):
            fame.turns += turns
        case RecordTrophy(account, name):
            note_trophy(fame, account, name)
    return ()
