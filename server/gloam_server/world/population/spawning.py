"""Spawning: creating creatures and items on a level, by its campaign and its difficulty."""

from typing import Final

from gloam_server.content.creatures import Behavior
from gloam_server.rules import growth
from gloam_server.rules.line_of_sight import field_of_view
from gloam_server.world.generation.placement.creature_placement import PlacedCreature, scatter_creatures
from gloam_server.world.generation.placement.item_placement import PlacedItem, scatter_items
from gloam_server.world.growth.beacons import lay_unlit_beacon
from gloam_server.world.growth.experience import raise_levels
from gloam_server.world.growth.learning import (
    give_practice,
    highest_to_stay,
    make_veteran,
    veteran_level,
    veteran_levels,
)
from gloam_server.world.items.floor_items import create_item, drop_item
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature, new_creature
from gloam_server.world.model.devices.device_state import scattered_ground
from gloam_server.world.model.inputs import PopulateLevel
from gloam_server.world.model.level import Level
from gloam_server.world.model.modifiers import tasks_of
from gloam_server.world.population.starting_gear import give_starting_gear, reveal_creature

_WAKEFUL: Final[frozenset[Behavior]] = frozenset({"ambush", "guard", "lurk", "swim"})
"""The tasks of creatures that wait awake."""


def populate_level(context: TurnContext, input_: PopulateLevel) -> None:
    """Place the generated creatures and items of a level, each creature raised by the levels of its depth."""
    level = context.level
    avoid = None
    if input_.unseen_from >= 0:
        sight = level.campaign.player_kind.sight
        avoid = field_of_view(level.transparent(), input_.unseen_from, sight)
    spawns = scatter_creatures(
        level.campaign,
        level.realm_seed,
        level.partition,
        _ground(level),
        monsters=input_.monsters,
        difficulty=input_.difficulty,
        avoid=avoid,
        number=level.sequence,
    )
    for spawn in (*spawns, *input_.spawns):
        if level.can_hold_kind(spawn.kind, spawn.cell) and spawn.cell not in level.occupied:
            doze(context, spawn_creature(context, spawn))
    level.state.share = sum(is_from_level(level, creature) for creature in level.creatures.values())
    _scatter(context, input_)
    lay_unlit_beacon(context)


def _ground(level: Level) -> bytes:
    """Return where chance may put creatures and items."""
    devices = level.state.devices
    return scattered_ground(level.terrain, devices.sealed if devices else ())


def spawn_creature(context: TurnContext, spawn: PlacedCreature) -> Creature:
    """Create one creature on a free cell, at its starting level and with its kind's starting gear."""
    level = context.level
    creature = new_creature(level.campaign.creatures[spawn.kind], level.new_id())
    level.add(creature, spawn.cell, context.dice)
    bound = highest_to_stay(level)
    above = creature.level + (spawn.levels if spawn.levels >= 0 else -1 - spawn.levels)
    highest = above if bound is None else min(above, bound)
    gained = veteran_levels(context, creature) if spawn.levels >= 0 else 0
    raise_to_level(context, creature, max(creature.level, veteran_level(highest, gained)))
    if gained:
        make_veteran(context, creature, gained)
    give_practice(context, creature)
    give_starting_gear(context, creature)
    if spawn.levels < 0:
        creature.bond = "captive"
        reveal_creature(creature)
    else:
        creature.asleep = int(level.campaign.creatures[spawn.kind].sleeps)
    return creature


def doze(context: TurnContext, creature: Creature) -> None:
    """Let a part of the creatures that a level is made with, or filled up for an heir, sleep (rule F122)."""
    level = context.level
    temper = level.temper
    own = None if temper is None else temper.sleepers_percent
    percent = level.campaign.hearing.sleepers_percent if own is None else own
    if creature.levels_grown:
        percent = max(percent, level.campaign.hearing.grown_percent)
    if creature.asleep or creature.bond == "captive" or level.campaign.creatures[creature.kind].boss:
        return
    if not _WAKEFUL.intersection(tasks_of(level.campaign, creature)) and context.dice.chance(
        "dozes", creature.number, percent
    ):
        creature.asleep, creature.ai.dozes = 1, True


def is_from_level(level: Level, creature: Creature) -> bool:
    """Return whether a creature counts for the level's population: no player, no boss, and no summon."""
    return not creature.account and not creature.owner and not level.campaign.creatures[creature.kind].boss


def _scatter(context: TurnContext, input_: PopulateLevel) -> None:
    """Place the items of a level on their generated cells (rules JG.17, JG.18)."""
    level = context.level
    finds = scatter_items(
        level.campaign,
        level.realm_seed,
        level.partition,
        _ground(level),
        items=input_.items,
        unique=input_.unique,
        number=level.sequence,
    )
    for find in (*finds, *input_.finds):
        place_spawn(context, find)


def place_spawn(context: TurnContext, find: PlacedItem) -> None:
    """Put one new item with its level and bonus on its cell."""
    item = create_item(context, context.level.campaign.items[find.kind], find.cell, name=find.name)
    item.power, item.bonus, item.choice = find.power, find.bonus, find.choice
    drop_item(context, item, find.cell)


def raise_to_level(context: TurnContext, creature: Creature, level: int) -> None:
    """Give a new creature the experience of each threshold up to a level, and the gains of those levels."""
    rules = context.level.campaign.experience
    creature.born_level = level
    while creature.level < level:
        threshold = growth.least_experience_beyond(rules, creature.level)
        creature.experience = max(creature.experience, threshold)
        raise_levels(context, creature, quiet=True)
