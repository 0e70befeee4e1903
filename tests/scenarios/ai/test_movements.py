"""The movements of a fight, and the hall that a boss splits (rules F125, F126)."""

import pytest
from msgspec.structs import replace

from gloam_server.content.campaign import Campaign
from gloam_server.content.creatures import Movement
from gloam_server.world.actions import plan
from gloam_server.world.generation.connectivity.regions import find_regions
from gloam_server.world.model.modifiers import tasks_of
from gloam_server.world.model.outcome import Impossible
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Climb, Wait
from support.content.campaigns import arena, shipped
from support.scenarios.scenario import E, Scenario, read_events

HALL = """
    ###############
    #.............#
    #.............#
    #1.....O......#
    #.............#
    #.............#
    ###############
    """


def splitting() -> Campaign:
    """Return the arena, where an ogre splits the hall at half of its health and fights on as before below."""
    campaign = arena()
    movements = (
        Movement(below_percent=100, told="looks up", tasks=("hunt",)),
        Movement(below_percent=50, told="stamps its foot", tasks=("split", "hunt")),
    )
    ogre = replace(campaign.creatures["ogre"], movements=movements, sight=12)
    human = replace(campaign.player_kind, sight=12)
    return replace(campaign, creatures={**campaign.creatures, "ogre": ogre, "human": human})


def wait(scenario: Scenario) -> list[str]:
    return read_events(scenario.turn(("1", Wait())), scenario["1"])


def rock(scenario: Scenario) -> int:
    return scenario.level.terrain.count(Terrain.WALL)


@pytest.mark.rule("F125")
def test_each_change_of_movement_is_read() -> None:
    """Its health says which movement it is in; players who see it read of each change."""
    scenario = Scenario("#1.O#", campaign=splitting(), O="ogre")
    scenario.set_health("1", hp=5_000, hp_max=5_000)
    scenario.set_stats("O", attack=0)
    assert wait(scenario) == ["The ogre looks up!"]
    assert wait(scenario) == []
    scenario.set_health("O", hp=100)
    assert wait(scenario)[0] == "The ogre stamps its foot!"
    scenario.set_health("O", hp=200)
    assert wait(scenario)[0] == "The ogre looks up!"


@pytest.mark.rule("F126")
def test_rock_rises_between_and_cuts_nothing_off() -> None:
    """The wall has gaps, the level stays whole, and the hall splits once."""
    scenario = Scenario(HALL, campaign=splitting(), O="ogre")
    before = rock(scenario)
    scenario.set_health("O", hp=100)
    assert "The ogre splits the hall: rock rises from the ground!" in wait(scenario)
    risen = rock(scenario) - before
    assert risen > 0
    level = scenario.level
    assert len(find_regions(level.terrain, level.grid, level.campaign.directions).cells) == 1
    wait(scenario)
    assert rock(scenario) == before + risen


@pytest.mark.rule("F126")
def test_no_corridor_is_closed() -> None:
    """Nothing rises where the rock would cut the level apart."""
    scenario = Scenario("###########\n#1.....O..#\n###########", campaign=splitting(), O="ogre")
    before = rock(scenario)
    scenario.set_health("O", hp=100)
    wait(scenario)
    assert rock(scenario) == before


@pytest.mark.rule("F191")
@pytest.mark.parametrize("way", ["<", ">", "O"])
def test_a_movement_that_seals_bars_the_stairs(way: str) -> None:
    """A player can leave before it begins, and again once the wounds of the boss have closed; no creature is held."""
    scenario = Scenario(f"#1{way}......G#", campaign=shipped("gloam"), G="gloam")
    scenario.go("1", E)
    climb = Climb(down=way != "<")
    for percent, barred in ((76, False), (75, True), (25, True), (100, False)):
        scenario.set_health("G", hp=scenario["G"].hp_max * percent // 100)
        outcome = plan(scenario.level, scenario["1"], climb)
        text = outcome.text if isinstance(outcome, Impossible) else ""
        assert text.startswith("The dark lies on this way") is barred
    scenario.level.remove(scenario["1"])
    scenario.set_health("G", hp=1)
    scenario.level.move(scenario["G"], 2)
    assert isinstance(plan(scenario.level, scenario["G"], climb), Impossible) is (way == "O")


@pytest.mark.rule("F125")
@pytest.mark.parametrize(("percent", "does"), [(100, "cast"), (70, "split"), (45, "call"), (20, "track")])
def test_the_gloam_has_four_movements(percent: int, does: str) -> None:
    scenario = Scenario("#1....G#", campaign=shipped("gloam"), G="gloam")
    scenario.set_health("G", hp=scenario["G"].hp_max * percent // 100)
    tasks = tasks_of(scenario.level.campaign, scenario["G"])
    assert does in tasks
    assert [each for each in ("split", "call", "track") if each in tasks] == [does] * (does != "cast")
