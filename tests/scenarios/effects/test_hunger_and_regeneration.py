"""Hunger and regeneration of rltut and ruggrogue as played (rules TG.18, TG.25, RG.18, RG.19, F48, F49)."""

import pytest
from msgspec.structs import replace

from gloam_server.content.campaign import Campaign
from gloam_server.world.model.events import PlayerDied
from gloam_server.world.model.inputs import PlayerAction, Turn
from gloam_shared.protocol.commands import Climb, Eat, Move, Wait
from support.content.campaigns import arena, shipped, with_rules
from support.scenarios.scenario import E, Scenario, kinds, read_events


def stuffed() -> Campaign:
    """Return the arena by rltut's rules of food and regrowth: 666 of 1,000, a point of health in 100 turns."""
    campaign = with_rules(arena(), "hunger", rule="stuffed", start=666, max=1_000, per_step=1)
    campaign = with_rules(campaign, "hunger", per_dig=10, per_blow=2, per_point=1)
    campaign = with_rules(campaign, "regeneration", rule="thousandths")
    human = replace(campaign.player_kind, regeneration=10, mana=5, mana_regeneration=20)
    ogre = replace(campaign.creatures["ogre"], regeneration=10)
    return replace(campaign, creatures={**campaign.creatures, "human": human, "ogre": ogre})


def wait(scenario: Scenario, turns: int = 1) -> list[str]:
    """Let player 1 wait; return the messages."""
    events = []
    for _ in range(turns):
        events += scenario.turn(("1", Wait()))
    return read_events(events, scenario["1"])


@pytest.mark.rule("TG.18")
def test_actions_cost_their_hunger() -> None:
    """An action costs one, a step two, a blow three, a dig eleven."""
    scenario = Scenario("######\n##1.S#\n######", campaign=stuffed(), S="statue")
    costs = []
    for command in (Wait(), Move(1, 0), Move(1, 0), Move(-1, 0), Move(-1, 0)):
        before = scenario["1"].food
        scenario.turn(("1", command))
        costs.append(before - scenario["1"].food)
    assert costs == [1, 2, 3, 2, 11]
    before = scenario["1"].food
    scenario.turn(("1", None))
    assert before - scenario["1"].food == 1


@pytest.mark.rule("TG.18")
def test_each_point_that_grew_again_costs_one_more() -> None:
    scenario = Scenario("#1.#", campaign=stuffed())
    scenario.set_health("1", hp=30)
    scenario.set_mana("1", mana=3)
    wait(scenario, 100)
    assert (scenario["1"].hp, scenario["1"].mana) == (31, 5)
    assert scenario["1"].food == 666 - 100 - 1 - 2


@pytest.mark.rule("TG.18")
def test_overeats_larger_stomach_and_health_less() -> None:
    """A player who overeats has a larger stomach and one health less."""
    scenario = Scenario("#1.#", campaign=stuffed())
    scenario.give("1", "apple")
    scenario.set_food("1", 990)
    scenario.set_health("1", hp_part=-500)
    events = scenario.turn(("1", Eat(0)))
    assert read_events(events, scenario["1"])[:2] == [
        "You eat the apple.",
        "You can't believe your stomach can hold that much!",
    ]
    player = scenario["1"]
    assert (player.food, player.food_max, player.hp) == (1_020 - 1, 1_020, 39)


@pytest.mark.rule("TG.18")
def test_overeating_kills_who_has_one_health_left() -> None:
    scenario = Scenario("#1.2#", campaign=stuffed())
    scenario.give("1", "apple")
    scenario.set_food("1", 990)
    scenario.set_health("1", hp=1)
    result = scenario.apply(Turn((PlayerAction(scenario["1"].number, 7, Eat(0)),)))
    assert read_events(result.events, scenario["1"])[-1] == "Killed by overeating."
    [death] = [output for output in result.outputs if isinstance(output, PlayerDied)]
    assert death.by == "overeating"


@pytest.mark.rule("TG.18")
def test_below_one_a_player_starves_alone() -> None:
    scenario = Scenario("#1.2k#", campaign=stuffed(), k="statue")
    scenario.set_food("1", 2)
    assert wait(scenario) == []
    result = scenario.apply(Turn((PlayerAction(scenario["1"].number, 7, Wait()),)))
    assert read_events(result.events, scenario["1"]) == ["Starved to death."]
    [death] = [output for output in result.outputs if isinstance(output, PlayerDied)]
    assert death.by == "starvation"
    assert scenario.alive("k")


@pytest.mark.rule("TG.18")
def test_a_new_label_is_reported() -> None:
    scenario = Scenario("#1.#", campaign=stuffed())
    scenario.set_food("1", 250)
    assert wait(scenario) == ["You are hungry."]
    scenario.set_food("1", 890)
    scenario.give("1", "apple")
    assert read_events(scenario.turn(("1", Eat(0))), scenario["1"]) == [
        "You eat the apple.",
        "You are stuffed.",
    ]


@pytest.mark.rule("TG.25")
def test_health_and_mana_grow_by_cooldowns() -> None:
    """Health and mana grow by their own cooldowns, for players and monsters."""
    scenario = Scenario("#1.#\n####\n#O.#", campaign=stuffed(), O="ogre")
    scenario.set_health("1", hp=10)
    scenario.set_mana("1", mana=0)
    scenario.set_health("O", hp=100)
    wait(scenario, 200)
    assert (scenario["1"].hp, scenario["1"].mana, scenario["O"].hp) == (12, 4, 102)


@pytest.mark.rule("TG.25")
def test_health_grows_only_below_the_most() -> None:
    scenario = Scenario("#1.#", campaign=stuffed())
    wait(scenario, 150)
    assert (scenario["1"].hp, scenario["1"].mana, scenario["1"].food) == (40, 5, 666 - 150)


@pytest.mark.rule("F49")
def test_who_is_not_in_play_grows_nothing() -> None:
    scenario = Scenario("#1.2#", campaign=stuffed())
    scenario.set_health("2", hp=10)
    wait(scenario, 120)
    assert (scenario["2"].hp, scenario["2"].food) == (10, 666)


@pytest.mark.rule("F35")
def test_who_is_whole_again_has_no_score_to_settle() -> None:
    scenario = Scenario("#1.#", campaign=stuffed())
    scenario["1"].hp, scenario["1"].hurt_by = 39, {77: 12}
    wait(scenario)
    assert (scenario["1"].hp, scenario["1"].hurt_by) == (40, {})


def birthday(drawing: str = "#1.#") -> Scenario:
    return Scenario(drawing, campaign=shipped("ruggrogue"))


@pytest.mark.rule("RG.18")
@pytest.mark.parametrize(
    ("food", "words"),
    [
        (1_201, []),
        (751, ["You are getting hungry."]),
        (301, ["You are getting very hungry."]),
        (151, ["You are famished!"]),
        (1, ["You are starving!"]),
        (900, []),
    ],
)
def test_each_worse_state_is_reported_in_its_words(food: int, words: list[str]) -> None:
    scenario = birthday()
    scenario.set_food("1", food)
    assert wait(scenario) == words
    assert scenario["1"].food == food - 1


@pytest.mark.rule("RG.18")
def test_better_state_not_reported_and_much_lost() -> None:
    """A better hunger state has no message, and food above the limit is lost."""
    scenario = birthday()
    scenario.give("1", "ration")
    scenario.set_food("1", 900)
    assert read_events(scenario.turn(("1", Eat(0))), scenario["1"]) == ["You eat the ration."]
    assert scenario["1"].food == 1_500 - 1


@pytest.mark.rule("RG.18")
def test_healing_costs_one_more_when_it_heals() -> None:
    """Healing costs one more, and only while there is something to heal."""
    scenario = birthday()
    scenario.set_health("1", hp=29)
    wait(scenario, 10)
    assert (scenario["1"].hp, scenario["1"].food) == (30, 1_500 - 20)
    wait(scenario, 10)
    assert scenario["1"].food == 1_500 - 30


@pytest.mark.rule("RG.19")
@pytest.mark.parametrize(("food", "hp"), [(1_500, 30), (700, 30), (250, 3), (100, 3)])
def test_a_fed_player_heals_wholly_in_300_turns(food: int, hp: int) -> None:
    """Full, normal and hungry players heal wholly in 300 turns, others do not."""
    scenario = birthday()
    scenario.set_health("1", hp=3)
    for _ in range(300):
        scenario.set_food("1", food)
        wait(scenario)
    assert scenario["1"].hp == hp


@pytest.mark.rule("RG.19")
def test_starving_hurts_and_kills_in_400_turns() -> None:
    scenario = birthday("#1.2#")
    scenario.set_food("1", 0)
    lines = wait(scenario, 399)
    assert set(lines) == {"You ache with hunger!"}
    assert len(lines) == 29
    assert scenario["1"].hp == 1
    result = scenario.apply(Turn((PlayerAction(scenario["1"].number, 7, Wait()),)))
    assert read_events(result.events, scenario["1"]) == [
        "You ache with hunger!",
        "You have died of starvation!",
    ]
    [death] = [output for output in result.outputs if isinstance(output, PlayerDied)]
    assert death.by == "starvation"


@pytest.mark.rule("RG.19")
def test_starvation_on_stairs_hurts_at_the_next_action() -> None:
    """A player who starves on the stairs is hurt only by their next action."""
    scenario = birthday("#1>#")
    scenario.set_food("1", 0)
    scenario.set_health("1", hp=1, hp_part=-380)
    scenario.go("1", E)
    assert not scenario.alive("1")
    scenario = birthday("#>1#")
    scenario.set_food("1", 0)
    scenario.set_health("1", hp=1)
    scenario.go("1", (-1, 0))
    scenario.set_health("1", hp_part=-390)
    result = scenario.apply(Turn((PlayerAction(scenario["1"].number, 7, Climb(down=True)),)))
    assert [type(output).__name__ for output in result.outputs] == ["ChangedLevel"]
    assert kinds(result.events).count("aches") == 0


@pytest.mark.rule("RG.19")
def test_monsters_do_not_heal() -> None:
    scenario = Scenario("#1.#\n####\n#b.#", campaign=shipped("ruggrogue"), b="blob")
    scenario.set_health("b", hp=3)
    wait(scenario, 200)
    assert scenario["b"].hp == 3
