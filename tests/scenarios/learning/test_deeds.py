"""Traits that change what a creature does: each is seen in what it does (rule F98)."""

import pytest
from msgspec.structs import replace

from gloam_server.content.campaign import Campaign
from gloam_server.rules.dice import Dice
from gloam_server.rules.growth import least_experience_beyond
from gloam_server.world.growth.learning import give_practice, learn_traits
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.powers import damage_type_of, power_percent
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Wait
from support.content.campaigns import shipped, with_rules
from support.scenarios.scenario import Scenario, kinds, read_events

GLOAM = shipped("gloam")


def having(drawing: str, kind: str, trait: str, *, dark: str = "") -> Scenario:
    """Return a scenario where the creature `k` of a kind has learned a trait, and the player stands many blows."""
    scenario = Scenario(
        drawing, campaign=with_rules(GLOAM, "learning", leaves_above=0), dark=dark, k=kind, K="slinger"
    )
    scenario["k"].learned = [trait]
    level = scenario["k"].level + 2
    scenario.set_progress("k", level=level, experience=least_experience_beyond(GLOAM.experience, level - 1))
    scenario.set_health("1", hp=9_000, hp_max=9_000)
    return scenario


def teaching(kind: str, *traits: str, **rules: int) -> Campaign:
    campaign = with_rules(GLOAM, "learning", **rules)
    return replace(
        campaign,
        creatures={**campaign.creatures, kind: replace(campaign.creatures[kind], learns=traits)},
    )


def gain_levels(campaign: Campaign, levels: int, seed: int = 1) -> list[str]:
    """Return what a rat has learned after this many levels, one after the other."""
    scenario = Scenario("#1..r#", campaign=campaign, r="rat")
    for at in range(levels):
        scenario["r"].level += 1
        learn_traits(TurnContext(scenario.level, Dice(seed, 1, at)), scenario["r"], 1)
    return scenario["r"].learned


@pytest.mark.rule("F98")
def test_every_second_level_brings_a_deed() -> None:
    campaign = teaching("rat", "stout", "keen", "scent", "thief", trait_percent=0, deed_every=2)
    assert gain_levels(campaign, 1) == []
    assert sorted(gain_levels(campaign, 4)) == ["scent", "thief"]
    assert len(gain_levels(campaign, 9)) == 2, "numbers alone come by chance only"


@pytest.mark.rule("F98")
def test_several_levels_at_once_bring_as_much() -> None:
    campaign = teaching("rat", "scent", "thief", trait_percent=0, deed_every=2)
    scenario = Scenario("#1..r#", campaign=campaign, r="rat")
    scenario["r"].level += 3
    learn_traits(TurnContext(scenario.level, Dice(1, 1, 1)), scenario["r"], 3)
    assert len(scenario["r"].learned) == 1


@pytest.mark.rule("F98", "F65")
@pytest.mark.parametrize(
    "trait", sorted(GLOAM.traits.keys() & {key for kind in GLOAM.creatures.values() for key in kind.learns})
)
def test_each_trait_is_told_in_one_line(trait: str) -> None:
    """The line says what changes, and a look at the creature names the trait, too."""
    for kind in [kind for kind in GLOAM.creatures.values() if trait in kind.learns]:
        scenario = Scenario("#1..k#", campaign=teaching(kind.key, trait, trait_percent=100), k=kind.key)
        scenario["k"].level += 2
        context = TurnContext(scenario.level, Dice(1, 1, 1))
        learn_traits(context, scenario["k"], 2)
        if scenario["k"].learned:
            break  # else its kind has it anyway, as those that open doors
    assert scenario["k"].learned == [trait]
    lines = read_events(context.events, scenario["1"])
    assert [line.partition(kind.name)[2] for line in lines] == [f" {GLOAM.traits[trait].told}."]
    scenario["k"].born_level = 1
    seen = next(one for one in scenario.view().creatures if one.cell == scenario["k"].cell)
    assert seen.fame == (f"learned {GLOAM.traits[trait].name}",)


@pytest.mark.rule("F98")
def test_gloam_teaches_deeds_more_than_numbers() -> None:
    """24 traits at least; numbers alone are a third of them at most, and each kind that learns can learn a deed."""
    traits = [trait for trait in GLOAM.traits.values() if trait.told]
    assert len(traits) >= 24
    assert 3 * sum(not trait.is_deed for trait in traits) <= len(traits)
    learned = {key for kind in GLOAM.creatures.values() for key in kind.learns}
    assert {trait.key for trait in traits} == learned
    without = [
        kind.key
        for kind in GLOAM.creatures.values()
        if kind.learns and not any(GLOAM.traits[key].is_deed for key in kind.learns)
    ]
    assert without == []


@pytest.mark.rule("F91", "F97")
def test_practice_is_by_depth_and_by_who_plays_now() -> None:
    campaign = with_rules(GLOAM, "learning", practice_percent=(0, 0, 99))
    gained = {}
    for partition, drawing in ((2, "#1..k#"), (3, "#1..k#"), (3, "#12.k#")):
        scenario = Scenario(drawing, campaign=campaign, partition=partition, k="kobold")
        scenario.level.state.company = dict.fromkeys(range(1, 9), 0)
        give_practice(TurnContext(scenario.level, Dice(5, 1, 1)), scenario["k"])
        gained[partition, drawing] = scenario["k"].experience
    assert gained[2, "#1..k#"] == 0
    assert gained[3, "#1..k#"] // 2 == gained[3, "#12.k#"] > 0


@pytest.mark.rule("F98")
def test_a_hurler_throws_what_lies_there() -> None:
    scenario = having("#1....k.#", "kobold", "hurler")
    scenario.lay("club", scenario["k"].cell)
    seen = [line for _ in range(2) for line in read_events(scenario.turn(("1", Wait())), scenario["1"])]
    assert any("throws" in line and "club" in line for line in seen)
    assert scenario.level.distance(scenario["k"], scenario["1"]) == 5, "it throws instead of coming"


@pytest.mark.rule("F98")
def test_a_hurler_with_nothing_to_throw_comes() -> None:
    scenario = having("#1....k.#", "kobold", "hurler")
    for _ in range(4):
        scenario.turn(("1", Wait()))
    assert scenario.level.distance(scenario["k"], scenario["1"]) == 1


DOOR = """
########
#1.....#
#......#
###'####
#..k...#
########
"""


@pytest.mark.rule("F98")
def test_a_doorward_stands_in_its_door_and_waits() -> None:
    """It goes to the door, strikes a player beside it, and hunts after a while."""
    scenario = having(DOOR, "kobold", "doorward")
    for _ in range(12):
        scenario.turn(("1", Wait()))
    assert scenario.where("k") == (3, 3)
    for _ in range(40):
        scenario.turn(("1", Wait()))
    assert scenario.where("k") != (3, 3)


@pytest.mark.rule("F98")
def test_a_healer_closes_the_wounds_of_its_kin() -> None:
    scenario = having("#1..##kK#", "kobold", "healer")
    scenario.set_health("K", hp=1)
    scenario.turn(("1", Wait()))
    assert scenario["K"].hp == 1 + scenario["K"].hp_max // 5
    for _ in range(9):
        scenario.turn(("1", Wait()))
    assert scenario["K"].hp < scenario["K"].hp_max, "it heals those only who are badly hurt"


@pytest.mark.rule("F98")
def test_a_breaker_leaves_no_door() -> None:
    scenario = having("#1.+k.#", "jackal", "breaker")
    scenario.hunt("k", "1")
    scenario["k"].learned.append("scent")
    events = scenario.turn(("1", Wait()))
    assert "breaks_door" in kinds(events)
    assert scenario.level.terrain[3] == Terrain.FLOOR


@pytest.mark.rule("F98")
def test_a_thief_takes_what_hangs_loose_and_runs() -> None:
    scenario = having("#1k......#", "kobold", "thief")
    scenario.give("1", "potion_healing")
    for _ in range(20):
        scenario.turn(("1", Wait()))
    assert scenario["k"].ai.loot
    assert scenario.level.distance(scenario["k"], scenario["1"]) > 1


@pytest.mark.rule("F98")
def test_an_ambusher_hides_and_springs() -> None:
    scenario = having("#1.....##k..#", "crab", "ambusher")
    scenario.turn(("1", Wait()))
    scenario.wild()
    assert scenario["k"].hidden


@pytest.mark.rule("F98")
def test_a_shadow_goes_out_of_the_light() -> None:
    scenario = having("#1..........k...#", "wolf", "shadow", dark="#............xxx#")
    scenario.turn(("1", Wait()))
    assert scenario.where("k")[0] >= 12


@pytest.mark.rule("F98", "F111")
def test_a_burning_one_strikes_with_fire() -> None:
    scenario = having("#1k.#", "shaman", "burning")
    assert damage_type_of(GLOAM, scenario["k"]) == "fire"
    assert power_percent(GLOAM, scenario["k"], "resist", "fire") == 50


@pytest.mark.rule("F98", "F111")
def test_the_blows_of_a_venomous_one_poison() -> None:
    scenario = having("#1k.#", "rat", "venomous")
    for _ in range(40):
        scenario.turn(("1", Wait()))
        if scenario["1"].lasting:
            break
    assert [state.spell for state in scenario["1"].lasting] == ["poison"]
