"""Duels over the wire: both agree at no cost of time, and both get an answer and a message."""

import pytest

from gloam_server.world.model.inputs import FreeAction
from gloam_shared.geometry import DIRECTIONS
from gloam_shared.narration.rendering import render_line
from gloam_shared.protocol.commands import Duel, Move
from gloam_shared.view.view import CreatureFlag, Stat
from support.server.parties import SPACING_MS, actions, answers, company, held, threatened, turn
from support.server.sim_server import SimClient, SimServer


def handle(client: SimClient) -> int:
    return client.view.fact(Stat.HANDLE)


def agree(server: SimServer, one: SimClient, other: SimClient, *, to: bool = True) -> int:
    number = one.command(Duel(handle(other), to))
    server.advance(SPACING_MS)
    return number


def marks(viewer: SimClient, other: SimClient) -> int:
    return next(each.marks for each in viewer.view.creatures if each.handle == handle(other))


@pytest.mark.rule("F13")
def test_two_agree_without_a_turn_and_are_enemies() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    before = actions(server, anna)
    number = agree(server, anna, bert)
    assert anna.link.done == number
    assert not marks(anna, bert) & CreatureFlag.HOSTILE
    agree(server, bert, anna)
    assert actions(server, anna) == before
    assert marks(anna, bert) & CreatureFlag.HOSTILE
    assert marks(bert, anna) & CreatureFlag.HOLDS_YOU
    assert held(server, anna)
    assert held(server, bert)
    assert render_line(anna.view.log.lines[-1]) == "Your duel with Bert begins!"


@pytest.mark.rule("F13")
def test_each_waits_for_the_other_and_strikes() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    turn(server, bert)  # a player who has acted can be hurt
    agree(server, anna, bert)
    agree(server, bert, anna)
    level = server.level_of(anna)
    cells = {level.grid.step(server.body(anna).cell, *way): way for way in DIRECTIONS}
    anna.command(Move(*cells[server.body(bert).cell]))
    server.advance(SPACING_MS)
    assert server.body(bert).hp == 40  # they are waited for
    turn(server, bert)
    assert server.body(bert).hp < 40


@pytest.mark.rule("F13", "F03")
def test_two_who_never_moved_fight() -> None:
    """Their first blow is taken, though both have just joined."""
    server, (anna, bert) = company("Anna", "Bert")
    agree(server, anna, bert)
    agree(server, bert, anna)
    level = server.level_of(anna)
    cells = {level.grid.step(server.body(anna).cell, *way): way for way in DIRECTIONS}
    anna.command(Move(*cells[server.body(bert).cell]))
    turn(server, bert)
    assert server.body(bert).hp < 40


@pytest.mark.rule("F13")
def test_a_taken_back_consent_is_peace_at_once() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    agree(server, anna, bert)
    agree(server, bert, anna)
    agree(server, anna, bert, to=False)
    assert not held(server, bert)
    assert not marks(bert, anna) & CreatureFlag.HOSTILE


@pytest.mark.rule("A62")
def test_an_impossible_duel_is_refused_freely() -> None:
    """A duel that cannot be agreed is refused in one sentence and costs nothing."""
    server, (anna, bert) = company("Anna", "Bert")
    before = actions(server, anna)
    anna.hear()
    gone = agree(server, anna, anna)
    never = anna.command(Duel(1, agree=True))
    back = anna.command(Duel(handle(bert), agree=False))
    server.advance(SPACING_MS)
    assert answers(anna) == [(gone, "gone"), (never, "gone"), (back, "cannot")]
    assert actions(server, anna) == before


@pytest.mark.rule("A45")
def test_a_consent_sent_twice_over_a_cut_is_given_once() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    threatened(server, anna, bert)  # so that their body stays
    anna.command(Duel(handle(bert)))
    anna.cut()
    anna.dial()
    server.advance(SPACING_MS)
    given = [each for each in server.inputs(1) if isinstance(each, FreeAction)]
    assert len(given) == 1
    assert server.body(anna).consents == [server.body(bert).number]
    assert anna.link.unanswered is None
