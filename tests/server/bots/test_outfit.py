"""What a bot does about things, and that an adventurer lives by it."""

import pytest

from gloam_server.bots.adventurer import Adventurer
from gloam_server.bots.outfit import CARRIED_MAX, FOODS_MAX, see_to_oneself
from gloam_server.views.projection import project
from gloam_shared.commands import AnyCommand, Eat, Move, PickUp, Wear, Wield
from gloam_shared.messages import Answer, Died
from gloam_shared.narration import tell
from gloam_shared.view import Log, View
from support.campaigns import arena, shipped
from support.realm import SimServer
from support.scenario import Scenario


def view_of(scenario: Scenario) -> View:
    return project(scenario.level, scenario["1"], marks={}, party=(), log=Log())


def course(scenario: Scenario, most: int = 20) -> list[AnyCommand]:
    """Let the bot see to itself until it has nothing more to do; return what it did."""
    done: list[AnyCommand] = []
    while (command := see_to_oneself(view_of(scenario))) is not None:
        assert len(done) < most, f"the bot goes on and on: {done[-4:]}"
        assert isinstance(command, Eat | Wield | Wear | PickUp | Move)
        scenario.turn(("1", command))
        done.append(command)
    return done


def test_it_takes_up_the_best_of_what_it_carries_and_then_rests() -> None:
    scenario = Scenario("#1.#", campaign=shipped("jsrogue"))
    scenario.give("1", "pumpkin", "dagger", "sword", "tunic", "platemail", "pumpkin")
    assert course(scenario) == [Wield(2), Wear(4)]


def test_one_pumpkin_is_not_changed_from_hand_to_body_for_ever() -> None:
    scenario = Scenario("#1.#")
    scenario.give("1", "pumpkin")
    assert course(scenario) == [Wield(0)]
    scenario.give("1", "pumpkin")
    assert course(scenario) == [Wear(1)]


@pytest.mark.parametrize(("food", "expected"), [(50, [Eat(1)]), (100, [])])
def test_it_eats_when_it_is_hungry_and_not_before(food: int, expected: list[AnyCommand]) -> None:
    scenario = Scenario("#1.#", campaign=arena(hunger="starve_or_choke"))
    scenario.give("1", "rock", "apple")
    scenario["1"].food = food
    assert course(scenario) == expected


def test_it_fetches_what_is_of_use_and_leaves_the_rest() -> None:
    scenario = Scenario("#1....#")
    for x, kind in ((2, "rock"), (3, "sword"), (4, "apple")):
        scenario.lay(kind, x)
    commands = course(scenario)
    assert [command for command in commands if not isinstance(command, Move | PickUp)] == [Wield(0)]
    assert scenario.names("1") == ["a sword", "b apple"]


def test_it_carries_no_more_than_enough() -> None:
    scenario = Scenario("#1.#", campaign=shipped("jsrogue"))
    scenario.give("1", *["apple"] * FOODS_MAX)
    scenario.lay("apple", 1)
    assert course(scenario) == []
    scenario.give("1", *["rock"] * (CARRIED_MAX - FOODS_MAX))
    scenario.lay("sword", 1)
    assert course(scenario) == []


def test_an_adventurer_lives_by_what_it_finds_in_the_cave() -> None:
    server = SimServer(shipped("jsrogue"), seed=5)
    client, bot = server.join("Bot"), Adventurer()
    said: set[str] = set()
    for _ in range(900):
        if client.of_kind(Died):
            break
        heard = len(client.got)
        client.command(bot.decide(client.view))
        server.advance(60)
        for message in client.got[heard:]:
            if isinstance(message, Answer):
                bot.hear(client.view, message)
        said.update(tell(line).split(" ")[1] for line in client.view.log.lines if line.subject == "you")
    assert {"pick", "see"} <= said
    assert client.view.inventory
