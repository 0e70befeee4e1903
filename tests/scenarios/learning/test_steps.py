"""Monsters learn by steps: what a death is worth to them, and how far they grow on a depth (rules F39, F73)."""

import pytest
from msgspec.structs import replace

from gloam_server.rules import growth
from gloam_server.rules.dice import Dice
from gloam_server.rules.growth import KillValue, step_award
from gloam_server.world.combat.damage import apply_damage
from gloam_server.world.growth.experience import gain_experience
from gloam_server.world.growth.learning import highest_level
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.events import ExperienceGained, LevelGained
from support.content.campaigns import arena, shipped, with_rules
from support.scenarios.scenario import Scenario, facts

GLOAM = shipped("gloam")
EQUAL = KillValue(20, 8, 3, 4)


def worth(victim: KillValue, killer: KillValue = EQUAL) -> int:
    return step_award(GLOAM.experience, GLOAM.learning, victim, killer)


def slain(scenario: Scenario, victim: str, by: str) -> list[tuple[int, int]]:
    """Let one slay another; return who gained how much."""
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    apply_damage(context, scenario[victim], 500, scenario[by], "")
    return [(gain.creature, gain.amount) for gain in facts(context.events, ExperienceGained)]


@pytest.mark.rule("F73")
@pytest.mark.parametrize("level", [1, 2, 4, 9, 20])
def test_three_equal_deaths_are_a_level(level: int) -> None:
    rules = GLOAM.experience
    equal = replace(EQUAL, level=level)
    below = growth.least_experience_beyond(rules, level - 1) if level > 1 else 0
    step = worth(equal, equal)
    assert 2 * step < growth.least_experience_beyond(rules, level) - below <= 3 * step


@pytest.mark.rule("F73")
def test_stronger_victim_more_weak_teach_next_nothing() -> None:
    """The stronger the victim the more and the weak teach next to nothing."""
    gained = [worth(replace(EQUAL, level=level)) for level in range(1, 9)]
    assert gained == sorted(gained)
    assert gained[0] * 15 <= gained[3], "three levels below, next to nothing"
    assert worth(EQUAL, replace(EQUAL, level=8)) == 0
    assert worth(replace(EQUAL, level=40)) == worth(replace(EQUAL, level=8))
    assert 3 * gained[3] - 3 < worth(replace(EQUAL, level=8)) <= 3 * gained[3]
    assert worth(replace(EQUAL, hp_max=5)) * 3 < gained[3], "a weak kind of the same level"
    assert worth(replace(EQUAL, attack=0)) == 0, "a fungus teaches nothing"
    assert worth(replace(EQUAL, generation=1)) * 2 <= gained[3]


@pytest.mark.rule("F73", "F40")
def test_player_is_worth_two_levels_and_no_player_more() -> None:
    """A player is worth two levels and no player more."""
    killer = KillValue(19, 9, 3, 1)
    player = KillValue(31, 7, 3, 1, player=True)
    assert worth(player, killer) == 125
    assert worth(replace(player, level=30), killer) == 125


@pytest.mark.rule("F73")
def test_only_the_killer_learns_from_a_player() -> None:
    """Of two that hurt a player, the one that gave the last blow learns; without steps both do."""
    for campaign, learners in ((GLOAM, "k"), (with_rules(arena(), "experience", credit="full"), "kK")):
        scenario = Scenario("#k1K#", campaign=campaign, k="kobold", K="kobold")
        scenario.owe("1", "K", 5)
        assert [number for number, _ in slain(scenario, "1", "k")] == [
            scenario[each].number for each in learners
        ]


@pytest.mark.rule("F73")
def test_players_keep_the_award_of_the_campaign() -> None:
    scenario = Scenario("#1k.#", campaign=GLOAM, k="kobold")
    assert slain(scenario, "k", "1") == [(scenario["1"].number, 10)]


@pytest.mark.rule("F73")
def test_a_classic_knows_no_steps() -> None:
    campaign = shipped("jsrogue")
    scenario = Scenario("#bk.#", campaign=campaign, b="bat", k="kobold")
    bat, kobold = scenario["b"], scenario["k"]
    expected = growth.award(
        campaign.experience, KillValue(kobold.hp_max, kobold.attack, kobold.defence, kobold.level), bat.level
    )
    assert slain(scenario, "k", "b") == [(bat.number, expected)]


@pytest.mark.rule("F39")
@pytest.mark.parametrize(
    ("difficulty", "born", "highest"), [(100, 1, 5), (199, 1, 5), (400, 1, 6), (400, 6, 8)]
)
def test_growth_ends_four_above_depth_five_above(difficulty: int, born: int, highest: int) -> None:
    """Growth ends four above the depth and five above birth."""
    scenario = Scenario("#1..k#", campaign=GLOAM, partition=2, k="kobold")
    scenario.level.state.difficulty = difficulty
    kobold = scenario["k"]
    kobold.level = kobold.born_level = born
    kobold.experience = growth.least_experience_beyond(GLOAM.experience, born - 1) if born > 1 else 0
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    for _ in range(50):
        gain_experience(context, kobold, 1_000)
    assert kobold.level == highest == highest_level(scenario.level, kobold)
    assert facts(context.events, LevelGained)[-1].level == highest


@pytest.mark.rule("F39")
def test_one_above_bound_depth_grows_no_more_loses() -> None:
    """One above the bound of its depth grows no more and loses nothing."""
    scenario = Scenario("#1..k#", campaign=GLOAM, k="kobold")
    kobold = scenario["k"]
    kobold.level = kobold.born_level = 9
    kobold.experience = before = growth.least_experience_beyond(GLOAM.experience, 8)
    gain_experience(TurnContext(scenario.level, Dice(1, 1, 1)), kobold, 10_000)
    assert kobold.level == 9
    assert kobold.experience >= before
