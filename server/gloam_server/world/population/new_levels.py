"""Founding: levels from their maps, and the input that creates their first creatures and items. Pure."""

from collections.abc import Iterable, Sequence

from msgspec import UNSET, UnsetType

from gloam_server.content.campaign import Campaign
from gloam_server.rules import difficulty_budget
from gloam_server.rules.dice import Dice
from gloam_server.rules.line_of_sight import field_of_view
from gloam_server.world.generation import (
    LevelMap,
    PlacedItem,
    arrival_cell,
    difficulty,
    place_creatures,
    place_items,
    prize_cell,
    unique_things,
)
from gloam_server.world.generation.placement.loot_schemes import LOOT_SCHEMES
from gloam_server.world.generation.placement.population_schemes import POPULATION_SCHEMES
from gloam_server.world.model.devices.device_state import Device, Devices, scattered_ground
from gloam_server.world.model.inputs import PopulateLevel
from gloam_server.world.model.level import Level
from gloam_server.world.model.level_state import LevelState
from gloam_server.world.model.surfaces.surface_changes import lay_surfaces, origin_of
from gloam_shared.level_numbers import round_of_level


def make_levels(campaign: Campaign, seed: int, maps: Sequence[LevelMap]) -> dict[int, Level]:
    """Return the levels of these maps by place, without creatures."""
    return {floor.partition: _level_from_map(campaign, seed, floor, len(maps)) for floor in maps}


def initial_population(level: Level, floor: LevelMap, depths: int) -> PopulateLevel:
    """Return the creatures and items of a new level in a round of this many depths.

    None in sight of the arrival cell.
    """
    campaign, seed, rules = level.campaign, level.realm_seed, level.level_kind
    avoid = None
    if level.state.arrival >= 0:
        avoid = field_of_view(level.transparent(), level.state.arrival, campaign.player_kind.sight)
    scattered = POPULATION_SCHEMES[rules.populace].count_scattered(rules)
    unique = _unique_items(campaign, seed, floor, depths)
    prize = campaign.victory.item
    ground = scattered_ground(floor.terrain, floor.sealed)
    finds = place_items(seed, level.partition, level.grid.width, ground, floor.goods)
    if level.state.prize >= 0 and prize in unique:
        unique = tuple(key for key in unique if key != prize)
        finds = (*finds, PlacedItem(prize, level.state.prize))
    return PopulateLevel(
        difficulty=difficulty(campaign, seed, floor.depth) if scattered else 0,
        monsters=scattered,
        unseen_from=level.state.arrival,
        items=LOOT_SCHEMES[rules.goods].count_scattered(rules),
        unique=unique,
        spawns=place_creatures(
            campaign, seed, level.partition, level.grid.width, ground, floor.creatures, avoid=avoid
        ),
        finds=finds,
    )


def _unique_items(campaign: Campaign, seed: int, floor: LevelMap, depths: int) -> tuple[str, ...]:
    """Return the unique items of a level: in a later round only its prize; the others are in the first."""
    found = unique_things(campaign, seed, floor.depth, depths)
    if round_of_level(floor.partition) == 1:
        return found
    return tuple(key for key in found if key == campaign.victory.item)


def difficulty_offset(levels: Iterable[Level]) -> int:
    """Return the bonus of the next round's gear in hundredths of a level (rule RG.32).

    It is the sum over the rounds before. Each round starts at difficulty 1 again, so it adds its last depth's
    difficulty beyond that.
    """
    reached: dict[int, int] = {}
    for level in levels:
        round_ = round_of_level(level.partition)
        reached[round_] = max(reached.get(round_, 0), level.state.difficulty - difficulty_budget.FIRST)
    return sum(reached.values())


def _level_from_map(campaign: Campaign, seed: int, floor: LevelMap, depths: int) -> Level:
    state = LevelState(
        partition=floor.partition,
        kind=floor.kind,
        width=floor.width,
        height=floor.height,
        terrain=bytearray(floor.terrain),
        dark=floor.dark if any(floor.dark) else b"",
        traps=dict(floor.traps),
        links=dict(floor.links),
        arrival=arrival_cell(campaign, seed, floor) if floor.depth == 1 else -1,
        difficulty=floor.difficulty,
        share=0,
        prize=prize_cell(floor) if floor.depth == depths and campaign.victory.item else -1,
        temper=floor.temper or UNSET,
        devices=_devices_of(floor),
    )
    level, dice = Level(state, campaign, seed), Dice(seed, floor.partition, 0)
    for key in dict.fromkeys(laid for _, laid in floor.surfaces):
        cells = [cell for cell, laid in floor.surfaces if laid == key]
        lay_surfaces(level, campaign.surfaces[key], cells, dice, origin_of(None))
    return level


def _devices_of(floor: LevelMap) -> Devices | UnsetType:
    placed = {planned.cell: Device(planned.kind, list(planned.works)) for planned in floor.devices}
    return Devices(placed, list(floor.sealed)) if placed else UNSET
