"""Wanted: the living creatures with a name, in sentences and as marks for the map. Pure."""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from gloam_server.content.campaign import Campaign
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.creature_state import LevelCell
from gloam_server.world.model.level import Level
from gloam_server.world.realm.chronicle import NameRose, RealmEvent
from gloam_server.world.realm.fame import Fame, NamedCreature
from gloam_shared.level_numbers import PartitionId
from gloam_shared.narration import rendering
from gloam_shared.protocol.messages.records import Wanted

_NO_NEWS: Final[Mapping[int, PartitionId]] = MappingProxyType({})


def told_depths(events: Iterable[RealmEvent]) -> dict[int, PartitionId]:
    """Return the level on which the news told of the name of each creature, by its number."""
    return {event.creature: event.partition for event in events if isinstance(event, NameRose)}


def wanted_texts(
    fame: Fame, levels: Mapping[int, Level], told: Mapping[int, PartitionId] = _NO_NEWS
) -> tuple[str, ...]:
    """Return a sentence for each named creature, the greatest first: where it was seen, its deeds, traits and reward.

    `told` are the levels on which the news told of them, by number: one deeper than the last sight is newer.
    """
    return tuple(
        _text(named, body, levels, told.get(number, 0)) for number, named, body in _named(fame, levels)
    )


def wanted_marks(
    fame: Fame, levels: Mapping[int, Level], told: Mapping[int, PartitionId] = _NO_NEWS
) -> tuple[Wanted, ...]:
    """Return where each named creature was seen last, the greatest first; none that no player has seen.

    Of one that went down before the news told of it, this is the way into that level.
    """
    return tuple(
        Wanted(named.name, seen.partition, seen.cell)
        if (gone := told.get(number, 0)) <= seen.partition or gone not in levels
        else Wanted(named.name, gone, levels[gone].state.arrival)
        for number, named, body in _named(fame, levels)
        if (seen := _sighted(body)) is not None
    )


def _named(fame: Fame, levels: Mapping[int, Level]) -> Iterator[tuple[int, NamedCreature, Creature | None]]:
    ordered = sorted(fame.named.items(), key=lambda each: (each[1].greatness, -each[0]), reverse=True)
    for number, named in ordered:
        level = levels.get(named.partition)
        yield number, named, level.creatures.get(number) if level is not None else None


def _sighted(body: Creature | None) -> LevelCell | None:
    return body.ai.sighted if body is not None else None


def _text(named: NamedCreature, body: Creature | None, levels: Mapping[int, Level], told: PartitionId) -> str:
    parts = [f"{named.name}, level {named.level}, {_where(named, told, _sighted(body), levels)}"]
    if named.victims:
        parts.append(f"slew {rendering.list_names(named.victims)}")
    campaign = levels[min(levels)].campaign if levels else None
    if campaign is None:
        return "; ".join(parts)
    learned = [campaign.traits[key].name for key in body.learned] if body is not None else []
    if learned:
        parts.append(f"has {rendering.list_names(tuple(learned))}")
    return "; ".join([*parts, *_reward(campaign, named)])


def _where(
    named: NamedCreature, told: PartitionId, seen: LevelCell | None, levels: Mapping[int, Level]
) -> str:
    if seen is None or seen.partition not in levels or seen.partition < told:
        return f"on depth {rendering.depth_text(told or named.partition)}"
    grid = levels[seen.partition].grid
    middle = grid.height // 2 * grid.width + grid.width // 2
    side = "middle" if seen.cell == middle else grid.compass(middle, seen.cell)
    return f"last seen on depth {rendering.depth_text(seen.partition)}, in the {side}"


def _reward(campaign: Campaign, named: NamedCreature) -> list[str]:
    """Return what its death brings besides the usual; nothing where revenge brings nothing."""
    rules = campaign.named
    brings = []
    if rules.revenge_percent:
        brings.append(f"{rules.revenge_percent * max(1, named.grown)} % more experience")
    if rules.trophies or campaign.trophies:
        brings.append("a trophy")
    return [f"reward: {rendering.list_names(tuple(brings))}"] if brings else []
