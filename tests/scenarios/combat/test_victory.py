"""Victory by the prize: carried out, or used; and leaving like a coward without it."""

import pytest

from gloam_server.world import actions
from gloam_server.world.actions import prize_and_exit
from gloam_server.world.actions.prize_and_exit import ConfirmExit, Exit
from gloam_server.world.model.events import ItemDestroyed, PlayerDied, RoundAdvanced
from gloam_server.world.model.inputs import Envelope, Leave, Output, PlayerAction, Respawn, Turn
from gloam_server.world.model.outcome import Impossible
from gloam_server.world.transition.apply import Result
from gloam_shared.appearance import Terrain
from gloam_shared.level_numbers import ROUNDS_MAX, level_number
from gloam_shared.protocol.commands import ActionCommand, Climb, Use, Wait
from support.content.campaigns import prize
from support.scenarios.scenario import Scenario, facts, kinds, read_events

OUT = Climb(down=False)


def at_the_exit(*things: str, rule: str = "escape") -> Scenario:
    scenario = Scenario("#12#", campaign=prize(rule))
    scenario.level.dig(1, Terrain.EXIT)
    scenario.give("1", *things)
    return scenario


def does(scenario: Scenario, command: ActionCommand) -> Result:
    return scenario.apply(Turn((PlayerAction(scenario["1"].number, 1, command),)))


def ends(outputs: tuple[Output, ...]) -> list[PlayerDied]:
    return [output for output in outputs if isinstance(output, PlayerDied)]


@pytest.mark.rule("TG.30")
def test_who_brings_the_bear_out_has_won() -> None:
    scenario = at_the_exit("apple", "bear")
    result = does(scenario, OUT)
    [life] = ends(result.outputs)
    assert (life.won, life.by) == (True, "bringing out the teddy bear")
    assert not scenario.alive("1")
    assert read_events(result.events, scenario["2"])[0] == (
        "Player1 has won by bringing out the teddy bear, and leaves the dungeon in glory!"
    )


@pytest.mark.rule("F53")
def test_the_bear_leaves_with_its_bearer() -> None:
    """The bear leaves play with its bearer, and is found again where it was made."""
    scenario = at_the_exit("apple", "bear")
    [_, bear] = scenario["1"].carried
    result = does(scenario, OUT)
    assert [gone.item for gone in facts(result.events, ItemDestroyed)] == [bear.number]
    assert Envelope(1, Respawn("bear")) in result.outputs
    assert [item.name for item in scenario.level.piles[1]] == ["apple"]


@pytest.mark.rule("F53")
def test_what_is_restored_lies_on_the_floor_once() -> None:
    scenario = at_the_exit()
    for _ in range(2):
        scenario.apply(Respawn("bear", (0, 4, 2)))
    assert [item.kind for _, item in scenario.level.items_at()] == ["bear"]


@pytest.mark.rule("TG.30")
def test_without_bear_hesitates_first() -> None:
    """Without the bear the player hesitates first, and reads why."""
    scenario = at_the_exit()
    events = list(does(scenario, OUT).events)
    assert read_events(events, scenario["1"]) == [
        "Without the teddy bear this life would end as a coward's. Go up once more, and it does."
    ]
    assert scenario.alive("1")
    assert isinstance(actions.plan(scenario.level, scenario["1"], OUT), Exit)


@pytest.mark.rule("TG.30")
def test_who_goes_up_again_at_once_died_fleeing() -> None:
    scenario = at_the_exit("apple")
    does(scenario, OUT)
    [life] = ends(does(scenario, OUT).outputs)
    assert (life.won, life.by) == (False, "cowardice")
    assert [item.name for item in scenario.level.piles[1]] == ["apple"]


@pytest.mark.rule("TG.30")
def test_any_other_key_starts_the_hesitation_again() -> None:
    scenario = at_the_exit()
    does(scenario, OUT)
    does(scenario, Wait())
    assert isinstance(actions.plan(scenario.level, scenario["1"], OUT), ConfirmExit)
    assert ends(does(scenario, OUT).outputs) == []


@pytest.mark.rule("TG.30")
def test_no_one_leaves_where_winning_is_different() -> None:
    scenario = at_the_exit("bear", rule="use")
    assert isinstance(actions.plan(scenario.level, scenario["1"], OUT), Impossible)


@pytest.mark.rule("RG.30")
def test_who_uses_the_prize_ends_in_glory() -> None:
    scenario = at_the_exit("apple", "bear", rule="use")
    result = does(scenario, Use(1))
    [life] = ends(result.outputs)
    assert (life.won, life.by) == (True, "using the teddy bear")
    assert Envelope(1, Respawn("bear")) in result.outputs
    assert kinds(result.events)[:3] == ["ItemDestroyed", "uses", "wins"]


@pytest.mark.rule("RG.30")
def test_nothing_else_is_used() -> None:
    scenario = at_the_exit("apple", rule="use")
    assert actions.plan(scenario.level, scenario["1"], Use(0)) == Impossible(
        "You have no use for the apple.", "wrong_kind"
    )
    assert isinstance(actions.plan(scenario.level, scenario["1"], Use(9)), Impossible)


@pytest.mark.rule("RG.32")
def test_without_further_rounds_end_offered() -> None:
    """Without further rounds only the end is offered."""
    scenario = at_the_exit("bear", rule="use")
    assert actions.plan(scenario.level, scenario["1"], Use(0, again=True)) == Impossible(
        "There is no further round here.", "no_round"
    )


@pytest.mark.rule("F53")
def test_using_the_prize_moves_no_one_else() -> None:
    scenario = at_the_exit("bear", rule="use")
    does(scenario, Use(0))
    assert scenario.where("2") == (2, 0)
    assert scenario.alive("2")


@pytest.mark.rule("F53")
def test_the_prize_stays_when_its_bearer_leaves() -> None:
    """The prize stays in the dungeon when its bearer leaves play."""
    scenario = at_the_exit("apple", "bear")
    scenario.apply(Leave(scenario["1"].number))
    assert [item.name for item in scenario["1"].carried] == ["apple"]
    assert [item.kind for item in scenario.level.piles[1]] == ["bear"]


@pytest.mark.rule("F53")
def test_prize_falls_bearer_and_no_keepsake() -> None:
    """The prize falls with its bearer and is no keepsake."""
    scenario = Scenario("#1O#", campaign=prize("escape"), O="ogre")
    scenario.give("1", "bear", "apple")
    scenario.set_health("1", hp=1)
    [life] = ends(does(scenario, Wait()).outputs)
    assert [(left.name, left.offered) for left in life.remains] == [("teddy bear", False), ("apple", True)]
    assert "bear" in [item.kind for item in scenario.level.piles[1]]


@pytest.mark.rule("RG.32")
def test_goes_unhurt_win_more_and_keeps() -> None:
    """A player who goes on is unhurt, has a win more and keeps all else."""
    scenario = Scenario("#12#", campaign=prize("use", again=True))
    scenario.give("1", "sword", "bear")
    player = scenario["1"]
    player.hp, player.experience = 3, 8
    result = does(scenario, Use(1, again=True))
    assert ends(result.outputs) == []
    assert RoundAdvanced(player, 2) in result.outputs
    assert (player.hp, player.experience, player.statistics.wins) == (40, 8, 1)
    assert [item.kind for item in player.carried] == ["sword"]
    assert not scenario.alive("1")


@pytest.mark.rule("RG.32")
def test_after_the_last_round_there_is_only_the_end() -> None:
    scenario = Scenario("#12#", campaign=prize("use", again=True), partition=level_number(ROUNDS_MAX, 1))
    scenario.give("1", "bear")
    assert isinstance(actions.plan(scenario.level, scenario["1"], Use(0, again=True)), Impossible)
    assert actions.plan(scenario.level, scenario["1"], Use(0)) == prize_and_exit.Use(0, again=False)
