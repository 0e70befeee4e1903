"""Plans: one command, many turns; ended by anything its player would want to know of."""

from typing import Any

import pytest

from gloam_server.engine.turns import plan_steps
from gloam_server.engine.turns.plan_budget import PLANS_MAX
from gloam_server.rules.dice import Dice
from gloam_server.world.model.creature import Item
from gloam_shared.narration.rendering import render_line
from gloam_shared.protocol.commands import Explore, Fight, Move, Plan, Rest, Run, Stop, Travel, Wait
from gloam_shared.protocol.messages.chat import SendChat
from gloam_shared.protocol.messages.play import Answer, Update
from gloam_shared.view.view import View
from support.run.fault_seam import FaultSeam
from support.server.parties import actions, answers, company, held, turn, until
from support.server.sim_server import SimClient, SimServer


def exploring(*names: str) -> tuple[SimServer, list[SimClient]]:
    """Return a company whose first member explores."""
    server, players = company(*names)
    players[0].command(Explore())
    server.advance(100)
    assert players[0].link.pace.plan
    return server, players


def texts(client: SimClient) -> list[str]:
    return [each.text for each in client.hear() if isinstance(each, Answer)]


def stands_still(server: SimServer, client: SimClient) -> bool:
    """Return whether half a second passes without an action of the player's."""
    before = actions(server, client)
    server.advance(500)
    return actions(server, client) == before


def test_exploring_makes_all_known() -> None:
    server, (anna,) = company("Anna")
    for _ in range(60):
        number = anna.command(Explore())
        until(lambda: not anna.link.pace.plan, lambda: server.advance(50))
        answers = [each for each in anna.hear() if isinstance(each, Answer)]
        if answers and answers[-1].code == "explored":
            break
    assert answers[-1] == Answer(number, "explored", "There is nothing left to explore on this level.")
    assert number >= anna.link.done
    level, known = server.level_of(anna), anna.view.terrain
    seen = sum(1 for cell, terrain in enumerate(known) if terrain and terrain == level.terrain[cell])
    assert seen > 150


def test_a_journey_ends_where_it_was_to_end() -> None:
    server, (anna,) = company("Anna")
    start = anna.view.cell
    anna.command(Explore())
    server.advance(400)
    anna.command(Travel(start))
    anna.hear()
    server.advance(1_000)
    assert anna.view.cell == start
    assert [code for _, code in answers(anna)] == ["ended"]


def test_journey_no_way_known_ends_reason() -> None:
    """A journey to where no way is known ends with a reason."""
    server, (anna,) = company("Anna")
    anna.hear()
    anna.command(Travel(0))
    server.advance(100)
    assert texts(anna) == ["You do not know a way there."]
    assert actions(server, anna) == 0


@pytest.mark.parametrize("command", [Stop(), Travel(0)])
def test_answer_reported_not_reported_empty_patch(command: Plan | Stop) -> None:
    """An empty patch does not repeat an answer."""
    server, (anna, bert) = company("Anna", "Bert")
    bert.hear()
    bert.command(command)
    server.advance(100)
    turn(server, anna, Wait())
    server.advance(500)
    assert (
        len(answers_and_updates := [each for each in bert.hear() if isinstance(each, Answer | Update)]) == 1
    )
    assert isinstance(answers_and_updates[0], Answer)


def test_turn_changed_nothing_reported_done() -> None:
    """The server reports a turn without changes as done, and only to its player."""
    server, (anna, bert) = company("Anna", "Bert")
    turn(server, anna)
    server.advance(500)
    anna.hear(), bert.hear()
    number = turn(server, anna)
    server.advance(500)
    assert anna.link.done == number
    assert not bert.of_kind(Update)


def test_plans_replaced_before_turn_cost_no_view(seam: FaultSeam) -> None:
    """Plans that are replaced before their turn cost no view."""
    server, (anna,) = company("Anna")
    views, real = [], plan_steps.plain_view

    def counted(*args: Any, **fields: Any) -> View:
        views.append(args)
        return real(*args, **fields)

    seam.plant(real, counted, within=plan_steps)
    anna.command(Wait())
    anna.hear()
    numbers = [anna.command_at_once(Explore()) for _ in range(20)]
    assert views == []
    assert answers(anna) == [(number, "replaced") for number in numbers[:-1]]
    server.advance(50)

    assert len(views) == 1
    assert anna.link.pace.plan


@pytest.mark.parametrize("planning", [PLANS_MAX, PLANS_MAX + 1, PLANS_MAX + 2])
def test_beat_runs_bounded_number_plans(planning: int) -> None:
    """bound: PLANS_MAX."""
    server, players = company(*(f"Guest{at}" for at in range(planning + 1)))
    for player in players:
        player.command(Wait())
    server.writer.delay_s = 0.01
    for player in players[:-1]:
        player.command(Explore())
    players[-1].command(Wait())
    before = len(server.writer.appended)
    server.advance(200)
    beats = [
        len([each for each in batch if each.partition == 1]) for batch in server.writer.appended[before:]
    ]
    assert beats[:2] == [2, min(planning - 1, PLANS_MAX)], "the first plan has waited long enough"
    assert actions(server, players[-1]) == 2
    assert all(actions(server, player) > 1 for player in players)


def test_a_run_ends_at_the_wall() -> None:
    server, (anna,) = company("Anna")
    anna.command(Run(1, 0))
    server.advance(2_000)
    level, body = server.level_of(anna), server.body(anna)
    assert body.actions > 0
    assert not level.is_free(body.cell + 1)
    assert not anna.link.pace.plan


def test_who_is_healthy_needs_no_rest() -> None:
    _, (anna,) = company("Anna")
    anna.hear()
    number = anna.command(Rest())
    assert answers(anna) == [(number, "cannot")]


def test_plan_makes_step_50_ms_and_no_oftener() -> None:
    """A plan makes a step every 50 ms and no oftener."""
    server, (anna,) = exploring("Anna")
    before = actions(server, anna)
    server.advance(100)
    assert 1 <= actions(server, anna) - before <= 2


def test_a_new_enemy_ends_it_and_is_named() -> None:
    server, (anna,) = exploring("Anna")
    anna.hear()
    server.put("statue", server.body(anna).cell)
    server.advance(60)
    answers = [(each.code, each.text) for each in anna.hear() if isinstance(each, Answer)]
    assert answers == [("foe", "A statue comes into view.")]
    assert stands_still(server, anna)


@pytest.mark.parametrize(
    "plan", [Explore(), Travel(100), Run(1, 0), Rest()], ids=lambda plan: type(plan).__name__
)
def test_none_begins_while_an_enemy_holds_him(plan: Plan) -> None:
    server, (anna,) = company("Anna")
    server.put("statue", server.body(anna).cell)
    anna.hear()
    number = anna.command(plan)
    assert answers(anna) == [(number, "cannot")]
    assert actions(server, anna) == 0


def test_being_named_ends_it_and_says_why() -> None:
    server, (anna, bert) = exploring("Anna", "Bert")
    anna.hear()
    bert.send(SendChat("wait for me, anna!"))
    server.advance(20)
    answers = [each for each in anna.hear() if isinstance(each, Answer)]
    assert [each.code for each in answers] == ["ended"]
    assert "Bert" in answers[0].text
    assert stands_still(server, anna)
    assert not anna.link.pace.plan


def test_named_before_first_step_answers_same() -> None:
    """Being named before its first step answers it all the same."""
    server, (anna, bert) = company("Anna", "Bert")
    anna.command(Wait())
    number = anna.command(Explore())
    bert.send(SendChat("Anna?"))
    server.advance(100)
    assert (number, "ended") in answers(anna)
    assert anna.link.unanswered is None


def test_a_name_inside_another_word_is_no_name() -> None:
    server, (anna, bert) = exploring("Ann", "Bert")
    bert.send(SendChat("we have planned it"))
    server.advance(20)
    assert anna.link.pace.plan


def test_other_talk_does_not_end_it() -> None:
    server, (anna, bert) = exploring("Anna", "Bert")
    bert.send(SendChat("lovely cave"))
    assert not stands_still(server, anna)


@pytest.mark.parametrize("command", [Stop(), Wait(), Move(0, 0)], ids=["stop", "another", "refused"])
def test_any_command_ends_it(command: Stop | Wait | Move) -> None:
    server, (anna,) = exploring("Anna")
    turn(server, anna, command)
    assert stands_still(server, anna)
    assert not anna.link.pace.plan
    assert anna.link.unanswered is None


def test_a_cut_line_ends_it() -> None:
    server, (anna,) = exploring("Anna")
    anna.cut()
    anna.dial()
    server.advance(60)
    assert stands_still(server, anna)


def test_ends_at_once_friend_not_take_answer() -> None:
    """It ends immediately so that a friend does not take it for an answer."""
    server, (anna, bert) = exploring("Anna", "Bert")
    server.put("statue", server.body(anna).cell)
    if not held(server, bert):
        pytest.fail("the two must share a turn group")
    before = actions(server, anna)
    turn(server, bert)
    assert (actions(server, anna), actions(server, bert)) == (before, 0), "Anna has not been asked yet"


def test_fighting_is_refused_below_half_health() -> None:
    server, (anna,) = company("Anna")
    server.put("ogre", server.body(anna).cell + 3)
    server.body(anna).hp = 19
    server.advance(100)
    anna.hear()
    number = anna.command(Fight())
    assert answers(anna)[:1] == [(number, "cannot")]


def test_leaving_is_said_to_be_better_once_for_a_fight() -> None:
    """The first fighting command of a deadly fight is refused with the reason, and the next ones fight."""
    server, (anna,) = company("Anna")
    server.put("ogre", server.body(anna).cell + 3)
    server.advance(100)
    anna.hear()
    number = anna.command(Fight())
    told = [each for each in anna.hear() if isinstance(each, Answer)]
    assert [(each.number, each.code) for each in told] == [(number, "cannot")]
    assert [each.text for each in told] == [
        "An ogre is deadly: leaving is better. Fight again to fight all the same."
    ]
    again = anna.command(Fight())
    server.advance(100)
    assert [each for each in anna.hear() if isinstance(each, Answer) and each.code == "cannot"] == []
    assert anna.link.done >= again


def test_named_reported_while_write_under_way() -> None:
    """Players read about a new name also while a write is under way."""
    server, (anna, bert) = company("Anna", "Bert", write_s=0.3)
    number = anna.command(Explore())
    server.advance(100)
    bert.send(SendChat("Anna!"))
    assert answers(anna) == [(number, "ended")]


@pytest.mark.rule("RG.24")
def test_a_rest_is_shown_as_tending_wounds() -> None:
    server, (anna,) = company("Anna")
    server.body(anna).hp = 20
    anna.command(Rest())
    server.advance(100)
    assert [render_line(line) for line in anna.view.log.lines][-1] == "You tend to your wounds."


def test_exploring_stops_once() -> None:
    """Exploring stops once for each thing however often it is begun."""
    server, (anna,) = company("Anna")
    level = server.level_of(anna)
    for cell in [cell for cell in range(len(level.terrain)) if level.is_empty_floor(cell)][::8]:
        rock = Item(level.new_id(), "rock", f"rock of cell {cell}", "white")
        level.put_item(rock, cell, Dice(1, level.partition, rock.number))
    found = []
    for _ in range(200):
        anna.command(Explore())
        until(lambda: not anna.link.pace.plan, lambda: server.advance(50))
        messages = texts(anna)
        found += [text for text in messages if text.startswith("You found a rock")]
        if messages and messages[-1].startswith("There is nothing left"):
            break

    assert len(found) == len(set(found)) > 2, found
