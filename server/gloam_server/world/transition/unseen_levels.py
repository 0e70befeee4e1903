"""The levels below the deepest one that a player has seen, made again for a campaign that has got drawn rooms (rule F164).

As the content migration it is neither a rule nor an input: an upgrade runs it, and the realm starts from its result.
"""

from collections.abc import Iterator, Sequence
from itertools import cycle
from typing import Final

from msgspec.structs import replace

from gloam_server.content.campaign import Campaign
from gloam_server.rules.dice import Dice
from gloam_server.world.generation import LevelMap, NoDungeon, generate_round
from gloam_server.world.generation.connectivity.regions import find_regions
from gloam_server.world.items.floor_items import drop_item
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature, Item
from gloam_server.world.model.ids import partition_of_id
from gloam_server.world.model.inputs import PopulateLevel
from gloam_server.world.model.level import Level
from gloam_server.world.population.new_levels import initial_population, make_levels
from gloam_server.world.realm.realm import ARRIVAL_LEVEL
from gloam_server.world.transition.apply import apply
from gloam_server.world.transition.dungeon import Dungeon
from gloam_server.world.transition.version import RULES_VERSION
from gloam_shared.appearance import Terrain

_WAYS_DOWN: Final = (Terrain.STAIRS_DOWN, Terrain.HOLE)
_WAYS_UP: Final = (Terrain.STAIRS_UP,)


def seen_levels(dungeon: Dungeon) -> frozenset[int]:
    """Return the levels where players were. Worlds of older rules do not list them, but each notes whose goods it had."""
    traces = [at for at, level in dungeon.levels.items() if level.state.claimed or level.memory]
    return frozenset((ARRIVAL_LEVEL, *dungeon.realm.visited, *traces))


def remake_unseen(dungeon: Dungeon, former: Campaign) -> range:
    """Make the levels below the deepest seen one again if the former campaign had no drawn rooms; return which.

    They are as in a new realm of this seed. Creatures and items that came from elsewhere, and those with a name, stay.
    """
    campaign, depths = dungeon.campaign, len(dungeon.levels)
    first = max(seen_levels(dungeon)) + 1
    unseen, none = range(first, depths + 1), range(0)
    if former.rooms or not campaign.rooms or depths != campaign.depths or dungeon.closed.intersection(unseen):
        return none
    try:
        maps = generate_round(campaign, dungeon.seed)
    except NoDungeon:
        return none
    made = make_levels(campaign, dungeon.seed, maps)
    if len(made) != depths or not unseen or not _join(dungeon.levels[first - 1], made[first]):
        return none
    peopled = _populations(dungeon, made, maps[first - 1 :])
    for partition in unseen:
        level = _begun(made[partition], dungeon.levels[partition], peopled[partition])
        dungeon.levels[partition] = level
    return unseen


def _join(upper: Level, lower: Level) -> bool:
    """Join the stairs of a level that stays with the stairs of a new one; return whether all can be reached so."""
    down, up = _cells(upper, _WAYS_DOWN), _cells(lower, _WAYS_UP)
    if not _are_joined(upper, down) or not _are_joined(lower, up):
        return False
    upper.state.links.update(zip(down, cycle(up), strict=False))
    lower.state.links.update(zip(up, cycle(down), strict=False))
    return True


def _are_joined(level: Level, cells: Sequence[int]) -> bool:
    """Return whether one can walk between all these cells, and there is one."""
    regions = find_regions(level.terrain, level.grid, level.campaign.directions)
    return len({regions.of[cell] for cell in cells}) == 1


def _cells(level: Level, kinds: Sequence[Terrain]) -> list[int]:
    return [cell for cell, terrain in enumerate(level.terrain) if terrain in kinds]


def _populations(
    dungeon: Dungeon, made: dict[int, Level], maps: Sequence[LevelMap]
) -> dict[int, PopulateLevel]:
    """Return what the new levels hold: each unique item is once in the realm, wherever the former levels had it."""
    unique = {kind.key for kind in dungeon.campaign.unique_items}
    kept = {item.kind for item in _kept_items(dungeon, maps[0].partition)}
    inputs = {floor.partition: initial_population(made[floor.partition], floor, len(made)) for floor in maps}
    inputs = {
        at: replace(
            each,
            unique=tuple(key for key in each.unique if key not in kept),
            finds=tuple(find for find in each.finds if find.kind not in unique & kept),
        )
        for at, each in inputs.items()
    }
    laid = {key for each in inputs.values() for key in each.unique}
    laid.update(find.kind for each in inputs.values() for find in each.finds)
    lost = {item.kind for at in inputs for item in _items(dungeon.levels[at])} & unique - laid - kept
    top = inputs[maps[0].partition]
    return {**inputs, maps[0].partition: replace(top, unique=(*top.unique, *sorted(lost)))}


def _kept_items(dungeon: Dungeon, first: int) -> Iterator[Item]:
    for partition, level in dungeon.levels.items():
        if partition < first:
            yield from _items(level)
        else:
            yield from (item for body in _strangers(level) for item in body.carried)
            yield from (item for pile in level.piles.values() for item in pile if _is_strange(level, item))
    for life in dungeon.realm.lives.values():
        if life.kept is not None:
            yield from life.kept.carried


def _items(level: Level) -> Iterator[Item]:
    yield from (item for pile in level.piles.values() for item in pile)
    yield from (item for body in level.creatures.values() for item in body.carried)


def _strangers(level: Level) -> list[Creature]:
    """Return the creatures that came from elsewhere or have a name: players may look for them."""
    return [body for _, body in sorted(level.creatures.items()) if body.title or _is_strange(level, body)]


def _is_strange(level: Level, thing: Creature | Item) -> bool:
    return partition_of_id(thing.number) != level.partition


def _begun(level: Level, former: Level, people: PopulateLevel) -> Level:
    """Let a new level take the place of a former one: it goes on with its inputs and IDs, and has its strangers beside the stairs."""
    state, before = level.state, former.state
    state.minted, state.heard, state.beacons = before.minted, before.heard, before.beacons
    state.rules_version, state.libraries = RULES_VERSION, before.libraries
    apply(level, people)
    state.sequence = before.sequence
    context = TurnContext(level, Dice(level.realm_seed, level.partition, state.sequence))
    stairs = _cells(level, _WAYS_UP)[0]
    for body in _strangers(former):
        cell = level.nearest_free_cell(stairs)
        if cell is not None:
            former.remove(body)
            _forget_cells(body, level.partition)
            level.add(body, cell, context.dice)
    for pile in former.piles.values():
        for item in [each for each in pile if _is_strange(former, each)]:
            drop_item(context, item, stairs)
    return level


def _forget_cells(body: Creature, partition: int) -> None:
    """Let a creature forget its places on a level that is another one now."""
    ai = body.ai
    ai.last_seen, ai.home, ai.sighted = (
        None if at is None or at.partition == partition else at for at in (ai.last_seen, ai.home, ai.sighted)
    )
