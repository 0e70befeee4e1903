"""All minds in one hall, many turns: nothing breaks, and the same seed gives the same end."""

import pytest

from gloam_server.rules.dice import Dice
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import new_creature
from gloam_server.world.population.starting_gear import give_starting_gear
from gloam_server.world.transition.serialization import serialize_level
from gloam_shared.protocol.commands import Wait
from support.content.behavior_campaigns import KINDS, bestiary
from support.scenarios.scenario import Scenario

HALL = """
    ########################
    #1...#.........~~~~....#
    #....#.........~~~~....#
    #....................###
    #..###.................#
    #......................#
    #.........####.........#
    #.........####....<....#
    #......................#
    #.....................2#
    ########################
    """


def zoo(seed: int) -> Scenario:
    """Return a hall with one of each kind of the bestiary, and things for them to want."""
    scenario = Scenario(HALL, campaign=bestiary(), seed=seed, dark=False)
    level, context = scenario.level, TurnContext(scenario.level, Dice(seed, 1, 0))
    keys = [line[1:-1] for line in KINDS.splitlines() if line.startswith("[")]
    free = context.dice.shuffle(
        "zoo", 0, [cell for cell in range(len(level.terrain)) if level.is_empty_floor(cell)]
    )
    for key, cell in zip(keys, free, strict=False):
        creature = new_creature(bestiary().creatures[key], level.new_id())
        level.add(creature, cell, context.dice)
        give_starting_gear(context, creature)
    for kind, cell in zip(("knife", "draught", "sword", "tunic"), free[-4:], strict=True):
        scenario.lay(kind, cell % scenario.width, cell // scenario.width)
    for name in "12":
        scenario.set_health(name, hp=2_000, hp_max=2_000)
        scenario.give(name, "apple", "rock", "knife")
    return scenario


def played(seed: int) -> bytes:
    scenario = zoo(seed)
    for _ in range(120):
        here = [name for name in "12" if scenario.alive(name)]
        for name in here:
            scenario.turn((name, Wait()))
        scenario.wild()
    return serialize_level(scenario.level)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(4))
def test_minds_together_keep_level_whole_and_same(seed: int) -> None:
    """All minds together keep the level whole and are the same again."""
    assert played(seed) == played(seed)
