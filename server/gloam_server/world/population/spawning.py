"""Creatures come into being on a level, as its campaign and its difficulty say."""

from gloam_server.rules import growth
from gloam_server.rules.line_of_sight import field_of_view
from gloam_server.world.combat.experience import raise_levels
from gloam_server.world.generation.placement.creature_placement import Spawn, population
from gloam_server.world.generation.placement.item_placement import Find, strewn
from gloam_server.world.items.floor_items import lay, make
from gloam_server.world.model.context import Stage
from gloam_server.world.model.creature import Creature, born
from gloam_server.world.model.inputs import Populate
from gloam_server.world.model.level import Level
from gloam_server.world.population.starting_gear import outfit


def populate(stage: Stage, input_: Populate) -> None:
    """Put the creatures of a level where the generation says, each raised by the levels of its depth, and its things."""
    level = stage.level
    avoid = None
    if input_.unseen_from >= 0:
        sight = level.campaign.player_kind.sight
        avoid = field_of_view(level.transparent(), input_.unseen_from, sight)
    spawns = population(
        level.campaign,
        level.realm_seed,
        level.place,
        bytes(level.terrain),
        monsters=input_.monsters,
        difficulty=input_.difficulty,
        avoid=avoid,
        number=level.sequence,
    )
    for spawn in (*spawns, *input_.spawns):
        if level.bears_kind(spawn.kind, spawn.cell) and spawn.cell not in level.occupied:
            bring(stage, spawn)
    level.share = sum(is_native(level, creature) for creature in level.creatures.values())
    _strew(stage, input_)


def bring(stage: Stage, spawn: Spawn) -> Creature:
    """Bring one creature into being on a free cell, at the level that it comes with and with what its kind starts with."""
    level = stage.level
    creature = born(level.campaign.creatures[spawn.kind], level.mint())
    level.add(creature, spawn.cell, stage.dice)
    grow_to(stage, creature, creature.level + spawn.levels)
    outfit(stage, creature)
    return creature


def is_native(level: Level, creature: Creature) -> bool:
    """Return whether a creature counts for the level's population: no player, no boss, and nobody's creature."""
    return not creature.account and not creature.owner and not level.campaign.creatures[creature.kind].boss


def _strew(stage: Stage, input_: Populate) -> None:
    """Lay the things of a level where the generation says (rules JG.17, JG.18)."""
    level = stage.level
    finds = strewn(
        level.campaign,
        level.realm_seed,
        level.place,
        bytes(level.terrain),
        items=input_.items,
        unique=input_.unique,
        number=level.sequence,
    )
    for find in (*finds, *input_.finds):
        put(stage, find)


def put(stage: Stage, find: Find) -> None:
    """Lay one new thing of its own level and bonus where it is to be found."""
    item = make(stage, stage.level.campaign.items[find.kind], find.cell)
    item.power, item.bonus = find.power, find.bonus
    lay(stage, item, find.cell)


def grow_to(stage: Stage, creature: Creature, level: int) -> None:
    """Give a creature the experience of each threshold up to a level, and what those levels bring: it came with them."""
    rules = stage.level.campaign.experience
    creature.born_level = level
    while creature.level < level:
        threshold = growth.least_experience_beyond(rules, creature.level)
        creature.experience = max(creature.experience, threshold)
        raise_levels(stage, creature, quiet=True)
