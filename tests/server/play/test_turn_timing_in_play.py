"""Time as players live it: alone it waits for ever, beside a friend in danger never long."""

import pytest

from gloam_server.engine.turns.turn_status_feed import CROWD_EVERY_MS
from gloam_shared import limits
from gloam_shared.protocol.commands import Choose, Fight, Move, Wait
from gloam_shared.protocol.messages.login import Bye, Error
from gloam_shared.protocol.messages.play import Pace
from support.run.effort import effort
from support.server import parties
from support.server.sim_server import SimClient

RHYTHMS = [34, 52, 100, 50, 60, 66, 70, 82]
"""Milliseconds between two keys. Tests take the first three, and the first four with CI=true."""


def test_alone_every_command_is_one_turn_at_once() -> None:
    server, (anna,) = parties.company("Anna")
    for done in range(1, 6):
        parties.turn(server, anna)
        assert parties.actions(server, anna) == done


def test_alone_the_dungeon_waits_for_ever() -> None:
    server, (anna,) = parties.company("Anna")
    parties.threatened(server, anna)
    before = server.dungeon.levels[1].sequence
    server.advance(60_000)
    assert server.dungeon.levels[1].sequence == before


def test_alone_in_danger_a_turn_does_not_wait() -> None:
    server, (anna,) = parties.company("Anna")
    parties.threatened(server, anna)
    anna.command(Wait())
    assert parties.actions(server, anna) == 1


def test_two_turns_are_at_least_50_ms_apart() -> None:
    server, (anna,) = parties.company("Anna")
    anna.command(Wait())
    anna.command(Wait())
    assert parties.actions(server, anna) == 1
    server.advance(40)
    assert parties.actions(server, anna) == 1
    server.advance(20)
    assert parties.actions(server, anna) == 2


def test_quiet_halls_do_not_wait_for_a_friend() -> None:
    server, (anna, bert) = parties.company("Anna", "Bert")
    for _ in range(3):
        parties.turn(server, anna)
    assert (parties.actions(server, anna), parties.actions(server, bert)) == (3, 0)


def test_held_players_wait_for_each_other() -> None:
    server, (anna, bert) = parties.company("Anna", "Bert")
    parties.threatened(server, anna, bert)
    parties.turn(server, anna)
    assert (parties.actions(server, anna), parties.actions(server, bert)) == (0, 0)
    parties.turn(server, bert)
    assert (parties.actions(server, anna), parties.actions(server, bert)) == (1, 1)


def test_patience_ends_two_seconds() -> None:
    """Patience ends two seconds after the oldest command."""
    server, (anna, bert) = parties.company("Anna", "Bert")
    parties.threatened(server, anna, bert)
    (waited_ms,) = parties.waiting_times(server, anna, 1)
    assert 2_000 <= waited_ms <= 2_020


def test_who_is_not_heard_in_time_is_on_guard() -> None:
    server, (anna, bert) = parties.company("Anna", "Bert")
    statue = parties.threatened(server, anna, bert)
    parties.waiting_times(server, anna, 1)
    assert parties.actions(server, bert) == 1
    assert server.body(bert).command == 0
    assert statue.hp == statue.hp_max, "guarding strikes back only at an attacker"


def test_newer_command_not_start_waiting() -> None:
    """A newer command does not start the waiting again."""
    server, (anna, bert) = parties.company("Anna", "Bert")
    parties.threatened(server, anna, bert)
    anna.command(Wait())
    server.advance(1_500)
    anna.command(Wait())
    server.advance(600)
    assert parties.actions(server, anna) == 1


def test_third_player_counts_oldest_command() -> None:
    """The third player counts from the oldest command too."""
    server, (anna, bert, carl) = parties.company("Anna", "Bert", "Carl")
    parties.threatened(server, anna, bert, carl)
    anna.command(Wait())
    server.advance(1_000)
    bert.command(Wait())
    server.advance(1_020)
    assert [parties.actions(server, each) for each in (anna, bert, carl)] == [1, 1, 1]


def test_miss_row_halves_patience_down_quarter() -> None:
    """Each miss in a row halves the patience down to a quarter second."""
    server, (anna, bert) = parties.company("Anna", "Bert")
    parties.threatened(server, anna, bert)
    assert parties.waiting_times(server, anna, 6) == pytest.approx([2_000, 1_000, 500, 250, 250, 250], abs=20)


def test_a_command_restores_the_patience() -> None:
    server, (anna, bert) = parties.company("Anna", "Bert")
    parties.threatened(server, anna, bert)
    parties.waiting_times(server, anna, 3)
    bert.command(Wait())
    parties.turn(server, anna)
    assert parties.waiting_times(server, anna, 1) == pytest.approx([2_000], abs=20)


def test_five_held_players_patience_second() -> None:
    """From five held players up patience is one second."""
    server, players = parties.company("Anna", "Bert", "Carl", "Dora", "Emil")
    parties.threatened(server, *players)
    assert parties.waiting_times(server, players[0], 1) == pytest.approx([1_000], abs=20)


def test_a_realm_sets_its_own_patience() -> None:
    server, (anna, bert) = parties.company("Anna", "Bert", patience_ms=600)
    parties.threatened(server, anna, bert)
    assert parties.waiting_times(server, anna, 1) == pytest.approx([600], abs=20)


def test_a_friend_out_of_danger_is_not_waited_for() -> None:
    server, (anna, bert) = parties.company("Anna", "Bert")
    server.walk(bert, server.ground(bert)[-1])
    parties.threatened(server, anna)
    assert not parties.held(server, bert)
    anna.command(Wait())
    assert (parties.actions(server, anna), parties.actions(server, bert) > 5) == (1, True)


def test_the_pace_names_who_the_turn_waits_for() -> None:
    server, (anna, bert) = parties.company("Anna", "Bert")
    parties.threatened(server, anna, bert)
    anna.hear()
    anna.command(Wait())
    server.advance(limits.PACE_AFTER_MS + 10)
    pace = anna.link.pace
    assert (pace.held, pace.waiting, pace.for_names) == (True, True, ("Bert",))
    assert 0 < pace.ms <= 2_000
    parties.turn(server, bert)
    assert anna.link.pace == Pace(held=True, waiting=False, plan=False)


def paces(client: SimClient) -> list[Pace]:
    """Return the `Pace` messages to a player since the last call."""
    return [message for message in client.hear() if isinstance(message, Pace)]


def test_waited_learns_at_once_and_waits() -> None:
    """bound: PACE_AFTER_MS."""
    server, (anna, bert) = parties.company("Anna", "Bert")
    parties.threatened(server, anna, bert)
    server.advance(200)
    anna.hear(), bert.hear()
    anna.command(Wait())
    assert [pace.for_names for pace in paces(bert)] == [("Bert",)]
    server.advance(limits.PACE_AFTER_MS - 10)
    assert paces(anna) == []
    server.advance(20)
    assert [(pace.waiting, pace.for_names) for pace in paces(anna)] == [(True, ("Bert",))]


def test_names_in_a_crowds_wait_are_gathered() -> None:
    """Each command of a crowd changes the names.

    Waiting players get them four times a second, and the end immediately.
    """
    names = ["Anna", "Bert", "Carl", "Dora", "Emil", "Fred", "Gert", "Hans", "Ines"]
    server, players = parties.company(*names)
    parties.threatened(server, *players)
    server.advance(1_000)
    anna, others = players[0], players[1:]
    anna.command(Wait())
    server.advance(limits.PACE_AFTER_MS + 10)
    paces(anna)
    for each in others[:3]:
        each.command(Wait())
        server.advance(20)
    assert paces(anna) == []
    server.advance(CROWD_EVERY_MS)
    assert [len(pace.for_names) for pace in paces(anna)] == [5]
    for each in others[3:]:
        each.command(Wait())
    server.advance(20)
    assert anna.link.pace == Pace(held=True, waiting=False, plan=False)


def test_wait_soon_over_not_reported_waits() -> None:
    """The server does not report a short wait."""
    server, (anna, bert) = parties.company("Anna", "Bert")
    parties.threatened(server, anna, bert)
    server.advance(200)
    anna.hear()
    for _ in range(5):
        anna.command(Wait())
        server.advance(60)
        parties.turn(server, bert)
    assert paces(anna) == []
    assert parties.actions(server, anna) == 5


def test_keys_come_faster() -> None:
    """Keys that arrive faster than twenty a second are shown no pace."""
    server, (anna,) = parties.company("Anna")
    server.advance(200)
    anna.hear()
    for _ in range(20):
        anna.command(Wait())
        server.advance(30)
    assert paces(anna) == []
    assert parties.actions(server, anna) > 10


def test_wait_reported_once_however_much_happens() -> None:
    """The server reports a wait once, however much happens meanwhile."""
    server, (anna, bert, carl) = parties.company("Anna", "Bert", "Carl")
    server.walk(carl, server.ground(carl)[-1])
    parties.threatened(server, anna, bert)
    server.advance(200)
    anna.hear(), bert.hear()
    anna.command(Wait())
    for _ in range(10):
        carl.command(Wait())
        server.advance(60)
    assert (len(paces(anna)), len(paces(bert))) == (1, 1)


def test_pace_reported_while_disk_always_busy() -> None:
    """The server sends the pace also while the disk is always busy."""
    server, (anna, bert, carl) = parties.company("Anna", "Bert", "Carl", write_s=0.04)
    server.walk(carl, server.ground(carl)[-1])
    parties.threatened(server, anna, bert)
    anna.hear()
    anna.command(Wait())
    for _ in range(12):
        carl.command(Wait())
        server.advance(30)
    assert ("Bert",) in [pace.for_names for pace in anna.hear() if isinstance(pace, Pace)]


def test_auto_fight_command_and_not_count_next() -> None:
    """Auto fight is one command and does not count as the next."""
    server, (anna, bert) = parties.company("Anna", "Bert")
    parties.threatened(server, anna, bert)
    anna.command(Fight())
    parties.turn(server, bert)
    assert [parties.actions(server, each) for each in (anna, bert)] == [1, 1]
    parties.turn(server, bert)
    assert [parties.actions(server, each) for each in (anna, bert)] == [1, 1], "Anna was not asked"
    server.advance(2_000)
    assert [parties.actions(server, each) for each in (anna, bert)] == [2, 2]


def test_after_an_auto_fight_a_friend_is_not_hurried() -> None:
    server, (anna, bert) = parties.company("Anna", "Bert")
    parties.threatened(server, anna, bert)
    anna.command(Fight())
    parties.turn(server, bert)
    server.advance(5_000)
    assert [parties.actions(server, each) for each in (anna, bert)] == [1, 1], "no player has a command"


def test_level_choice_takes_back_no_command_waits() -> None:
    """A level up choice takes back no command that waits."""
    server, (anna, bert) = parties.company("Anna", "Bert")
    parties.threatened(server, anna, bert)
    anna.command(Wait())
    anna.command_at_once(Choose(0))  # refused: there is none
    parties.turn(server, bert)
    assert [parties.actions(server, each) for each in (anna, bert)] == [1, 1]


def test_turns_impossible_turn_costs_nothing() -> None:
    """A command that turns impossible before the turn costs nothing and is asked again."""
    server, (anna, bert) = parties.company("Anna", "Bert")
    server.advance(parties.SPACING_MS)
    anna.command(Wait())
    number = anna.command(Move(*anna.view.place.grid.towards(anna.view.cell, bert.view.cell)))
    parties.threatened(server, anna, bert)  # and held players keep their place
    parties.turn(server, bert)
    assert (number, "cannot") in parties.answers(anna)
    assert [parties.actions(server, each) for each in (anna, bert)] == [1, 0]
    parties.turn(server, anna)
    assert [parties.actions(server, each) for each in (anna, bert)] == [2, 1]


@pytest.mark.thorough
@pytest.mark.parametrize("every_ms", RHYTHMS[: effort(3, 4)])
def test_whatever_rhythm_held_key_no_flood(every_ms: int) -> None:
    """A held key is no flood in any rhythm."""
    server, (anna,) = parties.company("Anna")
    for _ in range(30_000 // every_ms):
        anna.command(Wait())
        server.advance(every_ms)
    assert not [each for each in anna.got if isinstance(each, Error | Bye)]
    assert anna.up
