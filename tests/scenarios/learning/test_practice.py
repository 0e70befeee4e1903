"""Practice: creatures begin part of the way to the next level, but not where lives begin (rule F91)."""

import pytest

from gloam_server.rules.growth import least_experience_beyond
from gloam_server.world.ai.descent import has_outgrown
from gloam_server.world.growth.learning import earned_level
from gloam_server.world.model.creature import Creature, Victim
from gloam_server.world.model.inputs import Arrive, PlayerAction, Turn
from gloam_server.world.transition.dungeon import new_dungeon, populate
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Climb, Wait
from support.content.campaigns import shipped
from support.scenarios.scenario import Scenario, kinds

GLOAM = shipped("gloam")


def progress(creature: Creature) -> tuple[int, int]:
    """Return the experience of a creature within its level, and the whole of that level."""
    start = least_experience_beyond(GLOAM.experience, creature.level - 1) if creature.level > 1 else 0
    return creature.experience - start, least_experience_beyond(GLOAM.experience, creature.level) - start


def fight(place: int) -> Scenario:
    """Let two peoples at odds fight on a depth until one of them is dead."""
    scenario = Scenario(f"#1{'.' * 30}k..r#", campaign=GLOAM, place=place, k="kobold", r="rat")
    scenario.set_health("r", hp=1)
    while scenario.alive("r"):
        scenario.wild()
    return scenario


def climb_beside_a_grown_kobold(place: int, levels: int) -> Scenario:
    scenario = Scenario("#1k...#", campaign=GLOAM, place=place, k="kobold")
    scenario.set_health("1", hp=500, hp_max=500)
    scenario["k"].level += levels
    scenario.level.dig(scenario["1"].cell, Terrain.STAIRS_UP)
    scenario.apply(Turn((PlayerAction(scenario["1"].number, 0, Wait()),)))
    scenario.apply(Turn((PlayerAction(scenario["1"].number, 0, Climb(down=False)),)))
    return scenario


@pytest.mark.rule("F91")
def test_creatures_come_with_practice_below_depth_1() -> None:
    """Each has a part of the experience of its next level, never the whole; no two realms give the same."""
    dungeon = new_dungeon(GLOAM, 3)
    populate(dungeon)
    for place in range(2, 8):
        creatures = [each for each in dungeon.levels[place].creatures.values() if not each.account]
        parts = [progress(each) for each in creatures]
        assert all(0 <= gained < whole for gained, whole in parts)
        assert len({gained * 100 // whole for gained, whole in parts}) > len(parts) // 2


@pytest.mark.rule("F91")
def test_no_creature_on_a_quiet_depth_has_practice() -> None:
    dungeon = new_dungeon(GLOAM, 3)
    populate(dungeon)
    creatures = [each for each in dungeon.levels[1].creatures.values() if not each.account]
    assert len(creatures) > 4
    assert {progress(each)[0] for each in creatures} == {0}


@pytest.mark.rule("F91", "F67")
def test_creatures_learn_from_creatures_below_depth_1() -> None:
    assert fight(place=2)["k"].experience > 0
    assert fight(place=1)["k"].experience == 0


@pytest.mark.rule("F91", "F40")
@pytest.mark.parametrize(("place", "grown"), [(1, False), (2, True)])
def test_a_player_teaches_their_killer(place: int, grown: bool) -> None:
    """On the first depth the killer grows only after it has left: the friends of its victim do not meet it grown."""
    scenario = Scenario("#1k....#", campaign=GLOAM, place=place, k="kobold")
    scenario.set_health("1", hp=1)
    scenario.set_stats("k", attack=90_000)
    while scenario.alive("1"):
        scenario.apply(Turn((PlayerAction(scenario["1"].number, 0, Wait()),)))
    killer = scenario["k"]
    assert (killer.level > killer.born_level) == grown
    assert earned_level(scenario.level, killer) > killer.born_level


@pytest.mark.rule("F91", "F66")
def test_a_killer_leaves_depth_1_and_grows_below() -> None:
    scenario = Scenario("#1k....#", campaign=GLOAM, k="kobold")
    scenario["k"].victims.append(Victim(1, "Anna"))
    scenario["k"].victim_count = 1
    scenario["k"].experience = least_experience_beyond(GLOAM.experience, 1)
    assert not has_outgrown(scenario.level, scenario["k"]), "there are no stairs"
    scenario.level.dig(scenario["1"].cell, Terrain.STAIRS_DOWN)
    assert has_outgrown(scenario.level, scenario["k"])
    below = Scenario("#1.....#", campaign=GLOAM, place=2)
    below.apply(Arrive(scenario["k"], below["1"].cell + 1, (1, 1, 0)))
    assert below.level.creatures[scenario["k"].number].level == 2


@pytest.mark.rule("F91", "F03")
@pytest.mark.parametrize(("place", "levels", "follows"), [(2, 0, True), (2, 1, False), (3, 1, True)])
def test_the_grown_follow_no_player_up_to_depth_1(place: int, levels: int, follows: bool) -> None:
    scenario = climb_beside_a_grown_kobold(place, levels)
    assert ("follows" in kinds(scenario.events)) == follows
