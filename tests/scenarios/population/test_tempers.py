"""Tempers of depths: what a level is made with, and what a player reads on arrival (rule F124)."""

from collections import Counter

import pytest
from msgspec.structs import replace

from gloam_server.content.campaign import Campaign
from gloam_server.content.fights.tempers import Temper
from gloam_server.world.generation import PlacedCreature, generate_round
from gloam_server.world.generation.level_kinds import draw_temper
from gloam_server.world.model.inputs import Arrive, Leave, PopulateLevel
from support.content.campaigns import arena, shipped, with_rules
from support.scenarios.scenario import Scenario, read_events

GLOAM = shipped("gloam")
QUIET = Temper(key="quiet", words="It is quiet.", depths=(1, 2), sleepers_percent=100)


def tempered(*tempers: Temper) -> Campaign:
    return replace(arena(), tempers=tempers)


@pytest.mark.rule("F124")
def test_a_first_arrival_reads_of_the_temper() -> None:
    """A player reads the sentence once on each level."""
    scenario = Scenario("#1.#", campaign=tempered(QUIET))
    scenario.level.state.temper = "quiet"
    other = Scenario("#2.#", campaign=tempered(QUIET))["2"]
    read = read_events(scenario.apply(Arrive(other, 2, (2, 1, 0))).events, other)
    assert "It is quiet." in read
    scenario.apply(Leave(other.number))
    again = read_events(scenario.apply(Arrive(other, 2, (2, 2, 0))).events, other)
    assert "It is quiet." not in again


@pytest.mark.rule("F124")
def test_a_temper_says_how_many_sleep() -> None:
    """The share of the temper stands for the campaign's."""
    campaign = with_rules(tempered(QUIET), "hearing", sleepers_percent=0)
    for temper, asleep in (("quiet", 1), ("", 0)):
        scenario = Scenario("1........", campaign=campaign)
        scenario.level.state.temper = temper
        scenario.apply(PopulateLevel(0, 0, spawns=(PlacedCreature("kobold", 4, 0),)))
        assert [each.asleep for each in scenario.level.monsters()] == [asleep]


@pytest.mark.rule("F124")
def test_the_seed_draws_tempers_of_the_depth() -> None:
    """The same seed draws the same; each temper of gloam is drawn on its depths, and on no other."""
    drawn = Counter[tuple[str, int]]()
    for seed in range(60):
        for depth in range(1, GLOAM.depths + 1):
            temper = draw_temper(GLOAM, seed, depth, depth)
            assert temper is draw_temper(GLOAM, seed, depth, depth)
            if temper is not None:
                assert temper.depths[0] <= depth <= temper.depths[1]
                drawn[temper.key, 0] += 1
    assert {key for key, _ in drawn} == {temper.key for temper in GLOAM.tempers}


@pytest.mark.thorough
@pytest.mark.rule("F124")
def test_a_temper_changes_what_a_level_is_made_with() -> None:
    """It changes numbers, light, special places and traps, and nothing of the depth's difficulty below."""
    many = Temper(
        key="many",
        words="Many.",
        depths=(1, 26),
        monsters_percent=200,
        lit_percent=0,
        traps=3,
        springs=("fire_trap",),
    )
    plain = generate_round(replace(GLOAM, tempers=()), 5)
    made = generate_round(replace(GLOAM, tempers=(many,)), 5)
    assert all(any(level.dark) for level in made[:26])
    assert [level.temper for level in made] == ["many"] * 26 + [""]
    assert all("fire_trap" in dict(level.traps).values() or level.traps for level in made[:26])
    crowds = [
        sum(sum(each.count for each in level.creatures) for level in levels) for levels in (plain, made)
    ]
    assert crowds[1] > crowds[0] * 3 // 2
    assert abs(made[-1].difficulty - plain[-1].difficulty) < 300


@pytest.mark.rule("F124")
@pytest.mark.parametrize("campaign", ["jsrogue", "rltut", "ruggrogue"])
def test_no_classic_has_tempers(campaign: str) -> None:
    assert shipped(campaign).tempers == ()
