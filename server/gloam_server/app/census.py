"""The census of a campaign: the contents of new realms of several seeds, and the contents that no realm can ever have.

A creature, item or spell can also appear later: by a summons, a spell or a grave. The census follows these references.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, Literal, TypeAlias, get_args

import msgspec
from msgspec import Struct, field

from gloam_server.content.campaign import Campaign
from gloam_server.content.items import LEFT_BY_THE_DEAD
from gloam_server.content.shipped import ROOMS_FILE
from gloam_server.world.generation import LevelMap
from gloam_server.world.model.level import Level
from gloam_server.world.transition.dungeon import Dungeon, new_dungeon, populate

_DESCRIPTIVE: Final = frozenset({"key", "name", "words", "glyph", "colour", "hates", "tasks", "haunts"})

RARE_PERCENT: Final = 5
"""Contents of fewer than this number of 100 realms are rare: most players never see them."""

Novelty: TypeAlias = Literal["kind of level", "drawn room", "device", "behavior"]
"""The sorts of things that a depth may show first; a behavior is a task or a spell of a creature."""
NOVELTIES: Final[tuple[Novelty, ...]] = get_args(Novelty)


class Census(Struct):
    """The number of realms, and for each kind the number of new realms that have it."""

    realms: int = 0
    creatures: Counter[str] = field(default_factory=Counter)
    items: Counter[str] = field(default_factory=Counter)
    features: Counter[str] = field(default_factory=Counter)
    rooms: Counter[str] = field(default_factory=Counter)
    """The drawn rooms."""
    traits: Counter[str] = field(default_factory=Counter)
    """The traits that creatures of the realm can learn."""
    springs: Counter[str] = field(default_factory=Counter)
    """The spells of traps."""
    highest: int = 0
    """The greatest difficulty of a depth, in whole levels."""
    shown: Counter[tuple[Novelty, str]] = field(default_factory=Counter)
    """The realms that show a novelty at all."""
    late: Counter[tuple[Novelty, str]] = field(default_factory=Counter)
    """The realms that show it in their second half first."""


def take_census(campaign: Campaign, seeds: Iterable[int]) -> Census:
    """Make a realm from each seed and count its contents. Raises NoDungeon for a seed that makes none."""
    census = Census()
    for seed in seeds:
        dungeon = new_dungeon(campaign, seed)
        census.realms += 1
        census.features.update({feature for each in dungeon.maps.values() for feature in each.features})
        census.rooms.update({room.key for each in dungeon.maps.values() for room in each.stamped})
        populate(dungeon)
        _count_novelties(census, dungeon)
        levels = dungeon.levels.values()
        bodies = [creature for level in levels for creature in level.creatures.values()]
        kinds = {creature.kind for creature in bodies}
        census.creatures.update(kinds)
        census.traits.update({key for kind in kinds for key in campaign.creatures[kind].learns})
        census.items.update(
            {kind for level in levels for kind in _items_of(level)} | _trophies(campaign, kinds)
        )
        census.springs.update({spell for level in levels for spell in level.traps.values()})
        census.highest = max(census.highest, *(level.state.difficulty // 100 for level in levels))
    return census


def count_late(census: Census) -> dict[Novelty, int]:
    """Return the number of things of each sort that belong to the second half.

    Those are the things that most realms which have them show first below the middle of their depths.
    """
    late = Counter(what for (what, key), count in census.late.items() if count * 2 > census.shown[what, key])
    return {what: late[what] for what in NOVELTIES}


def _count_novelties(census: Census, dungeon: Dungeon) -> None:
    """Count what a realm shows, and what of it only its second half has."""
    above: set[tuple[Novelty, str]] = set()
    whole: set[tuple[Novelty, str]] = set()
    for partition, level_map in dungeon.maps.items():
        shown = set(_novelties_of(dungeon.campaign, level_map, dungeon.levels[partition]))
        whole |= shown
        if level_map.depth * 2 <= len(dungeon.maps):
            above |= shown
    census.shown.update(whole)
    census.late.update(whole - above)


def _novelties_of(campaign: Campaign, level_map: LevelMap, level: Level) -> Iterator[tuple[Novelty, str]]:
    yield "kind of level", level_map.kind
    for room in level_map.stamped:
        yield "drawn room", room.key
        for entry in campaign.rooms[room.key].legend.values():
            if entry.device:
                yield "device", entry.device
    for creature in level.creatures.values():
        kind = campaign.creatures[creature.kind]
        moving = (task for movement in kind.movements for task in movement.tasks)
        for behavior in (*kind.tasks, *moving, *kind.casts):
            yield "behavior", behavior


def find_unreachable(campaign: Campaign, census: Census) -> list[str]:
    """Return one sentence for each creature, item, spell, place and room that no realm of the census can ever hold."""
    creatures, items, spells = _reachable(campaign, census)
    kinds = [
        ("creature", kind.key, kind.levels)
        for kind in campaign.creatures.values()
        if kind.key not in creatures
    ]
    kinds += [("item", kind.key, kind.levels) for kind in campaign.items.values() if kind.key not in items]
    places = sorted(
        {feature for kind in campaign.levels.values() if kind.features_max for feature in kind.features}
    )
    return [
        *(f"The {what} {key} never comes{_reason(levels, census)}." for what, key, levels in kinds),
        *(f"The spell {key} never comes: nothing uses it." for key in campaign.spells if key not in spells),
        *(
            f"The trait {key} never comes: no creature of the realms learns it, and neither a card nor a kit brings it."
            for key in campaign.traits
            if key not in _traits(campaign, creatures)
        ),
        *(
            f"The place {place} never comes in {census.realms} realms: it finds no site."
            for place in places
            if not census.features[place]
        ),
        *(
            f"The room {room} never comes in {census.realms} realms: give its places drawn_rooms, or draw it smaller."
            for room in campaign.rooms
            if not census.rooms[room]
        ),
        *(
            f"The device {key} never comes: no room of {ROOMS_FILE} has it."
            for key in campaign.devices
            if not any(
                entry.device == key for room in campaign.rooms.values() for entry in room.legend.values()
            )
        ),
    ]


def find_rare(census: Census) -> list[str]:
    """Return one sentence for each creature, item, place and room that fewer than `RARE_PERCENT` of the realms hold."""
    counted = (
        ("creature", census.creatures),
        ("item", census.items),
        ("trait", census.traits),
        ("place", census.features),
        ("room", census.rooms),
    )
    return [
        f"The {what} {key} is in {count} of {census.realms} realms only: raise its weight or widen its levels."
        for what, counts in counted
        for key, count in sorted(counts.items())
        if count * 100 < RARE_PERCENT * census.realms
    ]


def _reachable(campaign: Campaign, census: Census) -> tuple[set[str], set[str], set[str]]:
    """Return the creatures, items and spells that realms hold, or that come from what they hold."""
    companions = {kit.companion for kit in campaign.kits if kit.companion}
    creatures = {campaign.player, *census.creatures, *companions}
    items = {
        *census.items,
        *campaign.kit,
        *(item for kit in campaign.kits for item in kit.items),
        *(key for key in LEFT_BY_THE_DEAD if key in campaign.items),
    }
    items |= set(campaign.named.trophies if campaign.named.max else ())
    spells = {
        *census.springs,
        *(device.spell for device in campaign.devices.values() if device.spell),
        *(brand.casts for brand in campaign.brands if brand.casts),
    }
    while True:
        before = len(creatures) + len(items) + len(spells)
        sources = (
            *(campaign.creatures[key] for key in sorted(creatures)),
            *(campaign.items[key] for key in sorted(items)),
            *(campaign.spells[key] for key in sorted(spells)),
        )
        words = {word for source in sources for word in _references(msgspec.to_builtins(source))}
        creatures |= words & campaign.creatures.keys()
        items |= words & campaign.items.keys() | _trophies(campaign, creatures)
        spells |= words & campaign.spells.keys()
        if len(creatures) + len(items) + len(spells) == before:
            return creatures, items, spells


def _trophies(campaign: Campaign, kinds: set[str]) -> set[str]:
    """Return the trophies that named creatures of these kinds can leave (rule F101)."""
    if not campaign.named.max:
        return set()
    found = [campaign.creatures[key] for key in kinds]
    return {
        trophy.key
        for trophy in campaign.trophies.values()
        if any(
            trophy.people in ("", kind.people) and (not trophy.trait or trophy.trait in kind.learns)
            for kind in found
        )
    }


def _traits(campaign: Campaign, kinds: set[str]) -> set[str]:
    """Return the traits that creatures of these kinds learn, or that players get by kits and cards."""
    learned = {key for kind in kinds for key in campaign.creatures[kind].learns}
    chosen = {key for kit in campaign.kits for key in kit.traits}
    return learned | chosen | {key for key, trait in campaign.traits.items() if trait.card}


def _references(value: object) -> Iterator[str]:
    """Yield the words of a table that may be keys of other tables: all but those that only describe."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _references(each)
    elif isinstance(value, dict):
        for key, each in value.items():
            if key not in _DESCRIPTIVE:
                yield from _references(each)


def _items_of(level: Level) -> Iterator[str]:
    """Yield the kinds of items that lie on a level or are carried there."""
    for _, item in level.items_at():
        yield item.kind
    for creature in level.creatures.values():
        for item in creature.carried:
            yield item.kind


def _reason(levels: tuple[int, int] | None, census: Census) -> str:
    """Return why a kind with these levels does not appear, and the solution."""
    if levels is not None and levels[0] > census.highest:
        return (
            f": it begins at level {levels[0]}, and no depth of {census.realms} realms is harder than "
            f"level {census.highest}; lower its levels"
        )
    return f" in {census.realms} realms: give it a weight, levels of the depths, or a place in a list"
