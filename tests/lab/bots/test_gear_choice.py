"""The choices of a bot about things, and that an adventurer lives by them."""

from itertools import chain

import pytest

from gloam_lab.bots import gear_choice
from gloam_lab.bots.adventurer import Adventurer
from gloam_lab.bots.bot_memory import BotMemory
from gloam_lab.bots.gear_choice import CARRIED_MAX, FOODS_MAX
from gloam_shared.narration.rendering import render_line
from gloam_shared.protocol.commands import ActionCommand, AnyCommand, Drop, Eat, Move, PickUp, Wear, Wield
from gloam_shared.protocol.messages.lives import Died
from gloam_shared.protocol.messages.play import Answer
from support.content.campaigns import arena, shipped
from support.scenarios.scenario import Scenario
from support.server.sim_server import SimServer


def next_wish(scenario: Scenario, memory: BotMemory) -> AnyCommand | None:
    """Return what the bot would do about things now."""
    view = scenario.view()
    memory.look(view)
    return next(
        chain(gear_choice.inventory_commands(view, memory), gear_choice.go_to_item(view, memory)), None
    )


def course(scenario: Scenario, most: int = 20) -> list[AnyCommand]:
    """Let the bot see to itself until it has nothing more to do; return what it did."""
    done: list[AnyCommand] = []
    memory = BotMemory()
    while (command := next_wish(scenario, memory)) is not None:
        assert len(done) < most, f"the bot goes on and on: {done[-4:]}"
        assert isinstance(command, ActionCommand)
        scenario.turn(("1", command))
        done.append(command)
    return done


def test_takes_best_carries_and_rests() -> None:
    """It takes up the best of what it carries and then rests."""
    scenario = Scenario("#1.#", campaign=shipped("jsrogue"))
    scenario.give("1", "pumpkin", "dagger", "sword", "tunic", "platemail", "pumpkin")
    assert course(scenario) == [Wield(2), Wear(4)]


def test_pumpkin_not_changed_hand_body_ever() -> None:
    """One pumpkin is not changed from hand to body for ever."""
    scenario = Scenario("#1.#")
    scenario.give("1", "pumpkin")
    assert course(scenario) == [Wield(0)]
    scenario.give("1", "pumpkin")
    assert course(scenario) == [Wear(1)]


@pytest.mark.parametrize(("food", "expected"), [(50, [Eat(1)]), (100, [])])
def test_it_eats_when_it_is_hungry_and_not_before(food: int, expected: list[AnyCommand]) -> None:
    scenario = Scenario("#1.#", campaign=arena(hunger="starve_or_choke"))
    scenario.give("1", "rock", "apple")
    scenario.set_food("1", food)
    assert course(scenario) == expected


def test_it_fetches_what_is_of_use_and_leaves_the_rest() -> None:
    scenario = Scenario("#1....#")
    for x, kind in ((2, "rock"), (3, "sword"), (4, "apple")):
        scenario.lay(kind, x)
    commands = course(scenario)
    assert [command for command in commands if not isinstance(command, Move | PickUp)] == [Wield(1)]
    assert scenario.names("1") == ["a rock", "b sword", "c apple"]


def test_what_it_knows_to_be_worth_nothing_it_leaves() -> None:
    scenario = Scenario("#1...#")
    memory = BotMemory()
    memory.junk.add("rock")
    scenario.lay("rock", 2)
    memory.look(scenario.view())
    assert next(gear_choice.go_to_item(scenario.view(), memory), None) is None


def test_it_carries_no_more_than_enough() -> None:
    scenario = Scenario("#1.#", campaign=shipped("jsrogue"))
    scenario.give("1", *["apple"] * FOODS_MAX)
    scenario.lay("apple", 1)
    assert course(scenario) == []


def test_full_things_drops_no_use() -> None:
    """Full of things it drops what is of no use and takes what is better."""
    scenario = Scenario("#1.#", campaign=shipped("jsrogue"))
    scenario.give("1", *["rock"] * CARRIED_MAX)
    scenario.lay("sword", 1)
    commands = course(scenario)
    assert any(isinstance(command, Wield) for command in commands)
    assert any(isinstance(command, Drop) for command in commands)
    assert len(scenario.names("1")) < CARRIED_MAX


def test_a_full_bot_keeps_and_fetches_its_missiles() -> None:
    """Stones to throw are of more use than a second club, also where the bot carries much."""
    scenario = Scenario("#1.#", campaign=shipped("gloam"))
    scenario.give("1", *["rock"] * 3, *["club"] * (CARRIED_MAX - 1))
    memory = BotMemory()
    view = scenario.view()
    memory.look(view)
    dropped = next(one for one in gear_choice.inventory_commands(view, memory) if isinstance(one, Drop))
    assert view.inventory[dropped.slot].name == "club"
    scenario.lay("rock", 2)
    assert gear_choice.is_wanted(view, memory, "rock")


def test_adventurer_picks_finds_cave() -> None:
    """An adventurer picks up what it finds in the cave."""
    server = SimServer(shipped("jsrogue"), seed=5)
    client, bot = server.join("Bot"), Adventurer()
    said: set[str] = set()
    for _ in range(900):
        if client.of_kind(Died) or ({"pick", "see"} <= said and client.view.inventory):
            break
        heard = len(client.got)
        client.command(bot.decide(client.view))
        server.advance(60)
        for message in client.got[heard:]:
            if isinstance(message, Answer):
                bot.hear(client.view, message)
        said.update(
            render_line(line).split(" ")[1] for line in client.view.log.lines if line.subject == "you"
        )
    assert {"pick", "see"} <= said
    assert client.view.inventory
