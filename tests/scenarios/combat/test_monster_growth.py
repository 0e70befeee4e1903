"""Monsters gain experience and spend their points themselves (rules J14.8, J14.14)."""

import pytest

from gloam_server.world.model.events import Narration
from gloam_server.world.model.inputs import PopulateLevel
from gloam_shared.protocol.commands import Wait
from support.content.campaigns import arena, shipped
from support.scenarios.scenario import Scenario, experience_gained, kinds


def kill_of_a_player() -> tuple[Scenario, list[Narration]]:
    """Let an ogre kill a player, while another looks on."""
    scenario = Scenario("#2.1O#", O="ogre")
    scenario.set_health("1", hp=1)
    scenario.set_health("O", hp=150)
    return scenario, scenario.turn(("1", Wait()), ("2", None))


def test_a_monster_that_kills_a_player_learns_from_it() -> None:
    scenario, _ = kill_of_a_player()
    ogre = scenario["O"]
    assert not scenario.alive("1")
    assert experience_gained(scenario) == ogre.experience == 50  # 40 health and 10 attack, both of level 1
    assert ogre.level == 3
    assert ogre.points == 0


@pytest.mark.rule("J14.8")
def test_a_monster_spends_its_points_at_once() -> None:
    """A monster spends its points immediately, and viewers get a message."""
    scenario, events = kill_of_a_player()
    seen_events = [event for event in events if event.kind in {"stronger", "tougher", "healthier", "aware"}]
    assert len(seen_events) == 2
    assert all(event.actor_name == "ogre" for event in seen_events)
    assert all(scenario["2"].number in event.witnesses for event in seen_events)
    ogre = scenario["O"]
    grown = sum(
        (ogre.attack - 60, ogre.defence, (ogre.hp_max - 200) // 5, (ogre.sight - 5) * 2),
    )
    assert grown == 4  # each of two points brought 2 attack, 2 defense, 10 health or 1 sight


def test_a_monster_is_healed_by_its_level() -> None:
    scenario, _ = kill_of_a_player()
    assert scenario["O"].hp == scenario["O"].hp_max


@pytest.mark.rule("J14.8")
def test_every_ability_of_a_monster_may_grow() -> None:
    """Every ability of a monster may grow, and not always the same one."""
    seen = set()
    for seed in range(40):
        scenario = Scenario("#1O#", O="ogre", seed=seed)
        scenario.set_health("1", hp=1)
        seen.update(kinds(scenario.turn(("1", Wait()))))
    assert {"stronger", "tougher", "healthier", "aware"} <= seen


def test_unseen_growth_is_not_shown() -> None:
    scenario = Scenario(
        """
        ######
        #1O###
        ####2#
        ######
        """,
        O="ogre",
    )
    scenario.set_health("1", hp=1)
    events = scenario.turn(("1", Wait()))
    assert "advances" in kinds(events)
    assert all(scenario["2"].number not in event.witnesses for event in events)


def test_monster_kills_hates_gains_level() -> None:
    """A monster that kills what it hates gains a level."""
    scenario = Scenario("#kr#", k="kobold", r="rat")
    scenario.set_progress("k", experience=6)
    scenario.set_health("r", hp=1)
    events = scenario.wild()
    assert kinds(events)[:3] == ["strikes", "kills", "advances"]
    assert experience_gained(scenario) == 4  # 3 health and 1 attack
    assert scenario["k"].level == 2
    assert len(kinds(events)) == 4
    assert scenario["k"].points == 0


@pytest.mark.rule("J14.14")
@pytest.mark.parametrize("floor", [1, 2, 3, 6])
def test_monsters_of_floor_z_have_level_z_plus_one(floor: int) -> None:
    z = floor - 1
    scenario = Scenario("\n".join(["." * 20] * 10), campaign=shipped("jsrogue"), partition=floor)
    scenario.apply(PopulateLevel(difficulty=z, monsters=15))
    creatures = list(scenario.level.creatures.values())
    assert len(creatures) == 15
    assert {creature.level for creature in creatures} == {z + 1}
    assert {creature.experience for creature in creatures} == {z * z * 10}
    assert all(creature.points == 0 and creature.hp == creature.hp_max for creature in creatures)


@pytest.mark.rule("J14.14")
def test_each_level_of_a_floor_brought_one_gain() -> None:
    campaign = shipped("jsrogue")
    scenario = Scenario("\n".join(["." * 20] * 10), campaign=campaign)
    scenario.apply(PopulateLevel(difficulty=5, monsters=15))
    for creature in scenario.level.creatures.values():
        kind = campaign.creatures[creature.kind]
        points = (
            (creature.attack - kind.attack) // 2
            + (creature.defence - kind.defence) // 2
            + (creature.hp_max - kind.hp) // 10
            + (creature.sight - kind.sight)
        )
        assert points == 5
        assert creature.attack == 0 or kind.attack > 0
        assert creature.sight == 0 or kind.sight > 0


@pytest.mark.rule("J14.14")
def test_first_levels_of_monsters_are_not_announced() -> None:
    """Players read nothing about levels that monsters begin with."""
    scenario = Scenario("1...................", campaign=arena())
    result = scenario.apply(PopulateLevel(difficulty=3, monsters=5))
    assert result.events == ()
    assert len(scenario.level.creatures) == 6
