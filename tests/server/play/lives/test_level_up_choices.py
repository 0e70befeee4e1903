"""Level-up choices: at any time, never twice, and automatic after a minute in safety."""

import pytest

from gloam_server.rules.absence import DEFAULT_CHOICE_MS
from gloam_server.world.model.inputs import FreeAction
from gloam_shared.protocol.commands import Choose, Wait
from gloam_shared.protocol.messages.play import Thinking
from gloam_shared.view.view import Stat
from support.server import parties
from support.server.sim_server import SimServer


def frees(server: SimServer) -> int:
    return sum(isinstance(each, FreeAction) for each in server.inputs(1))


def test_a_choice_is_offered_and_taken_without_a_turn() -> None:
    server, (anna,) = parties.with_a_choice("Anna")
    assert anna.view.fact(Stat.POINTS) == 1
    before, attack = parties.actions(server, anna), server.body(anna).attack
    number = anna.command(Choose(0))
    server.advance(parties.SPACING_MS)
    assert (parties.actions(server, anna), server.body(anna).attack) == (before, attack + 2)
    assert not anna.view.choices
    assert anna.link.done == number


def test_taken_fight_without_anybodys_waiting() -> None:
    """It may be taken in a fight without anybodys waiting."""
    server, (anna, bert) = parties.with_a_choice("Anna", "Bert")
    parties.threatened(server, anna, bert)
    before = parties.actions(server, anna), parties.actions(server, bert)
    anna.command(Choose(2))
    server.advance(parties.SPACING_MS)
    assert server.body(anna).hp_max == 50
    assert (parties.actions(server, anna), parties.actions(server, bert)) == before


@pytest.mark.rule("A46")
def test_a_second_one_is_refused() -> None:
    server, (anna,) = parties.with_a_choice("Anna")
    anna.command_at_once(Choose(0))
    number = anna.command_at_once(Choose(0))
    assert parties.answers(anna) == [(number, "state")]
    assert server.body(anna).attack == 12


@pytest.mark.rule("A46")
def test_a_second_request_waits_for_the_first() -> None:
    """A second request is refused while the first is still being written."""
    server, (anna,) = parties.with_a_choice("Anna", write_s=0.2)
    anna.command(Wait())
    anna.command_at_once(Choose(0))
    number = anna.command_at_once(Choose(0))
    server.advance(2_000)
    assert (number, "state") in parties.answers(anna)
    assert frees(server) == 1
    assert server.body(anna).attack == 12


@pytest.mark.rule("A46")
def test_what_is_not_offered_is_refused() -> None:
    server, (anna,) = parties.with_a_choice("Anna")
    number = anna.command(Choose(4))
    assert parties.answers(anna) == [(number, "choice")]
    assert server.body(anna).points == 1


def test_without_a_level_there_is_nothing_to_choose() -> None:
    server, (anna,) = parties.company("Anna")
    number = anna.command(Choose(0))
    assert parties.answers(anna) == [(number, "state")]
    assert frees(server) == 0


def test_after_a_minute_in_safety_health_is_chosen() -> None:
    server, (anna,) = parties.with_a_choice("Anna")
    server.advance(DEFAULT_CHOICE_MS - 2_000)
    assert server.body(anna).points == 1
    server.advance(2_500)
    assert (server.body(anna).points, server.body(anna).hp_max) == (0, 50)
    assert not anna.view.choices
    assert anna.view.fact(Stat.HP_MAX) == 50


def test_nothing_is_chosen_while_the_player_reads() -> None:
    """A player who says that a list is open chooses: the minute begins again at each such message."""
    server, (anna,) = parties.with_a_choice("Anna")
    for _ in range(10):
        anna.send(Thinking())
        server.advance(DEFAULT_CHOICE_MS // 4)
    assert server.body(anna).points == 1
    server.advance(DEFAULT_CHOICE_MS)
    assert server.body(anna).points == 0


def test_reading_long_before_saves_no_choice() -> None:
    """Only a message within the minute counts; a flood of the messages changes nothing more."""
    server, (anna,) = parties.with_a_choice("Anna")
    for _ in range(20):
        anna.send(Thinking())
    server.advance(DEFAULT_CHOICE_MS + 2_500)
    assert server.body(anna).points == 0


def test_in_danger_nothing_is_chosen_for_him() -> None:
    server, (anna,) = parties.with_a_choice("Anna")
    statue = parties.threatened(server, anna)
    server.advance(DEFAULT_CHOICE_MS * 2)
    assert server.body(anna).points == 1
    server.banish(statue)
    for _ in range(21):
        parties.turn(server, anna)
    server.advance(DEFAULT_CHOICE_MS - 5_000)
    assert server.body(anna).points == 1, "the minute begins again"


def test_who_is_not_there_keeps_his_choice() -> None:
    server, (anna,) = parties.with_a_choice("Anna")
    anna.cut()
    server.advance(DEFAULT_CHOICE_MS * 2)
    anna.dial()
    server.advance(parties.SPACING_MS)
    assert len(anna.view.choices) == 4
