"""Founding: levels from their maps, and the input that first brings their creatures and things into being. Pure."""

from collections.abc import Sequence

from gloam_server.content.definitions import Campaign
from gloam_server.rules.sight import field_of_view
from gloam_server.world.generation import (
    LevelMap,
    arrival_place,
    difficulty,
    laid,
    settled,
    unique_things,
)
from gloam_server.world.inputs import Populate
from gloam_server.world.level import Level


def make_levels(campaign: Campaign, seed: int, maps: Sequence[LevelMap]) -> dict[int, Level]:
    """Return the levels of these maps by place; nobody lives there yet."""
    return {floor.place: _made(campaign, seed, floor) for floor in maps}


def first_population(level: Level, floor: LevelMap, depths: int) -> Populate:
    """Return what a new level begins with, of a round of so many depths; nobody stands in sight of the arrival place."""
    campaign, seed, rules = level.campaign, level.realm_seed, level.rules
    avoid = None
    if level.arrival >= 0:
        avoid = field_of_view(level.transparent(), level.arrival, campaign.player_kind.sight)
    uniform = rules.populace == "uniform"
    common = rules.items if rules.goods == "uniform" else 0
    return Populate(
        difficulty=difficulty(campaign, seed, floor.depth) if uniform else 0,
        monsters=rules.monsters if uniform else 0,
        unseen_from=level.arrival,
        items=common,
        unique=unique_things(campaign, seed, floor.depth, depths) if floor.place == floor.depth else (),
        spawns=settled(seed, level.place, level.width, floor.terrain, floor.creatures, avoid=avoid),
        finds=laid(seed, level.place, level.width, floor.terrain, floor.goods),
    )


def _made(campaign: Campaign, seed: int, floor: LevelMap) -> Level:
    return Level(
        campaign=campaign,
        realm_seed=seed,
        place=floor.place,
        kind=floor.kind,
        width=floor.width,
        height=floor.height,
        terrain=bytearray(floor.terrain),
        dark=floor.dark if any(floor.dark) else b"",
        traps=dict(floor.traps),
        links=dict(floor.links),
        arrival=arrival_place(campaign, seed, floor) if floor.depth == 1 else -1,
        difficulty=floor.difficulty,
    )
