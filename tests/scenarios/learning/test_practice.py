"""Practice (rule F91), veterans (F133) and what wounds teach (F134): not on the depths where lives begin."""

import pytest
from msgspec.structs import replace

from gloam_server.rules.growth import least_experience_beyond
from gloam_server.world.ai.descent import has_outgrown
from gloam_server.world.growth.learning import earned_level, highest_to_stay
from gloam_server.world.model.creature import Creature, Victim
from gloam_server.world.model.inputs import Arrive, PlayerAction, RecordRenown, Turn
from gloam_server.world.transition.apply import Result
from gloam_server.world.transition.dungeon import new_dungeon, populate
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Climb, Wait
from support.content.campaigns import shipped, with_rules
from support.scenarios.scenario import Scenario, kinds, read_events

GLOAM = shipped("gloam")


def progress(creature: Creature) -> tuple[int, int]:
    """Return the experience of a creature within its level, and the whole of that level."""
    start = least_experience_beyond(GLOAM.experience, creature.level - 1) if creature.level > 1 else 0
    return creature.experience - start, least_experience_beyond(GLOAM.experience, creature.level) - start


def fight(partition: int) -> Scenario:
    """Let two peoples at odds fight on a depth until one of them is dead."""
    scenario = Scenario(f"#1{'.' * 30}k..r#", campaign=GLOAM, partition=partition, k="kobold", r="rat")
    scenario.set_health("r", hp=1)
    while scenario.alive("r"):
        scenario.wild()
    return scenario


def climb_beside_a_grown_kobold(partition: int, levels: int) -> Scenario:
    scenario = Scenario("#1k...#", campaign=GLOAM, partition=partition, k="kobold")
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
    for partition in range(2, 8):
        creatures = [each for each in dungeon.levels[partition].creatures.values() if not each.account]
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
    assert fight(partition=2)["k"].experience > 0
    assert fight(partition=1)["k"].experience == 0


@pytest.mark.rule("F91", "F40")
@pytest.mark.parametrize(("partition", "grown"), [(1, False), (2, True)])
def test_a_player_teaches_their_killer(partition: int, grown: bool) -> None:
    """On the first depth the killer grows only after it has left: the friends of its victim do not meet it grown."""
    scenario = Scenario("#1k....#", campaign=GLOAM, partition=partition, k="kobold")
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
    below = Scenario("#1.....#", campaign=GLOAM, partition=2)
    below.apply(Arrive(scenario["k"], below["1"].cell + 1, (1, 1, 0)))
    assert below.level.creatures[scenario["k"].number].level == 2


@pytest.mark.rule("F91", "F03")
@pytest.mark.parametrize(("partition", "levels", "follows"), [(2, 0, True), (2, 1, False), (3, 1, True)])
def test_the_grown_follow_no_player_up_to_depth_1(partition: int, levels: int, follows: bool) -> None:
    scenario = climb_beside_a_grown_kobold(partition, levels)
    assert ("follows" in kinds(scenario.events)) == follows


def wait(scenario: Scenario) -> Result:
    return scenario.apply(Turn((PlayerAction(scenario["1"].number, 0, Wait()),)))


def natives(partition: int, seed: int = 3, **rules: int) -> list[Creature]:
    """Return the creatures of a new level that can grow, with the bound that holds for them."""
    campaign = with_rules(GLOAM, "learning", **rules)
    dungeon = new_dungeon(campaign, seed)
    populate(dungeon)
    return [
        each
        for each in dungeon.levels[partition].creatures.values()
        if campaign.creatures[each.kind].grows and each.bond != "captive"
    ]


@pytest.mark.thorough
@pytest.mark.rule("F133")
def test_all_may_be_veterans_of_one_level_or_two() -> None:
    grown = [each.levels_grown for each in natives(9, veterans_percent=100)]
    assert {1, 2} <= set(grown) <= {0, 1, 2}
    assert {each.levels_grown for each in natives(9, veterans_percent=0)} == {0}


@pytest.mark.thorough
@pytest.mark.rule("F133", "F98")
def test_a_veteran_has_learned_what_its_levels_teach() -> None:
    old = [each for each in natives(9, veterans_percent=100, deed_every=1) if each.levels_grown]
    assert old
    assert all(each.learned for each in old if GLOAM.creatures[each.kind].learns)


@pytest.mark.thorough
@pytest.mark.rule("F133", "F97")
@pytest.mark.parametrize("partition", [1, 2, 3])
def test_no_veteran_is_above_what_its_depth_keeps(partition: int) -> None:
    campaign = with_rules(GLOAM, "learning", veterans_percent=100)
    dungeon = new_dungeon(campaign, 5)
    populate(dungeon)
    level = dungeon.levels[partition]
    bound = highest_to_stay(level)
    assert bound is not None
    assert all(each.level <= bound for each in level.monsters() if each.levels_grown)
    assert partition > 1 or not any(each.levels_grown for each in level.monsters())


@pytest.mark.thorough
@pytest.mark.rule("F133")
def test_veterans_are_lower_than_others() -> None:
    """They learned traits with their levels, and would otherwise be stronger than others of their depth."""
    old, new = (natives(7, veterans_percent=percent) for percent in (100, 0))
    assert len(old) == len(new)
    lower = [other.level - one.level for one, other in zip(old, new, strict=True)]
    assert set(lower) == {0, 1, 2}
    assert all(gap <= (other.level - 1) // 2 for gap, other in zip(lower, new, strict=True))


@pytest.mark.thorough
@pytest.mark.rule("F133", "F122")
@pytest.mark.parametrize(("percent", "least"), [(0, 0), (100, 1)])
def test_veterans_sleep_more(percent: int, least: int) -> None:
    campaign = with_rules(
        with_rules(GLOAM, "hearing", grown_percent=percent, sleepers_percent=0),
        "learning",
        veterans_percent=100,
    )
    campaign = replace(campaign, tempers=())
    dungeon = new_dungeon(campaign, 5)
    populate(dungeon)
    bodies = dungeon.levels[9].monsters()
    dozing = [each for each in bodies if each.ai.dozes]
    assert len(dozing) >= least
    assert all(each.levels_grown for each in dozing)
    assert bool(dozing) == bool(percent)


@pytest.mark.rule("F133")
def test_a_seen_veteran_asks_for_a_name() -> None:
    scenario = Scenario("#1...k.#", campaign=with_rules(GLOAM, "learning", leaves_above=0), k="kobold")
    scenario["k"].level += GLOAM.named.levels
    asked = [
        [
            output
            for output in wait(scenario).outputs
            if isinstance(getattr(output, "input", None), RecordRenown)
        ]
        for _ in range(2)
    ]
    assert [len(each) for each in asked] == [1, 0]


@pytest.mark.rule("F134")
@pytest.mark.parametrize(("partition", "percent", "learns"), [(2, 50, True), (2, 0, False), (1, 50, False)])
def test_a_wound_teaches_below_quiet_depths(partition: int, percent: int, *, learns: bool) -> None:
    campaign = with_rules(GLOAM, "learning", wound_percent=percent)
    scenario = Scenario("#1k#", campaign=campaign, partition=partition, k="kobold")
    scenario.set_health("1", hp=60, hp_max=60)
    before = scenario["k"].experience
    for _ in range(6):
        scenario.turn(("1", Wait()))
    assert scenario["1"].hp < 60
    assert (scenario["k"].experience > before) == learns


@pytest.mark.rule("F134")
def test_a_monster_grows_in_a_fight() -> None:
    campaign = with_rules(GLOAM, "learning", wound_percent=100)
    scenario = Scenario("#1k#", campaign=campaign, partition=3, k="kobold")
    scenario.set_health("1", hp=300, hp_max=300)
    lines: list[str] = []
    for _ in range(400):
        lines += read_events(wait(scenario).events, scenario["1"])
        if scenario["k"].levels_grown:
            break
    assert scenario["k"].levels_grown == 1
    assert any("kobold" in line and "level" in line for line in lines), lines[-5:]
