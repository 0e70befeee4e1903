"""Time as players live it: alone it waits for ever, beside a friend in danger never long."""

import pytest

from gloam_shared import limits
from gloam_shared.commands import AnyCommand, Choose, Fight, Move, PickUp, Stop, Wait
from gloam_shared.geometry import towards
from gloam_shared.messages import Bye, Error, Pace, Thinking
from server.app.company import SPACING_MS, actions, answers, company, held, threatened, turn, until
from support.realm import SimClient, SimServer


def waiting_times(server: SimServer, eager: SimClient, times: int) -> list[int]:
    """Return how long a player's commands waited for a silent friend, one after another."""
    return [waiting_time(server, eager) for _ in range(times)]


def waiting_time(server: SimServer, eager: SimClient) -> int:
    before, began_ms = actions(server, eager), server.now_ms
    eager.command(Wait())
    until(lambda: actions(server, eager) > before, lambda: server.advance(10), times=1_300)
    waited_ms = server.now_ms - began_ms
    server.advance(SPACING_MS)
    return waited_ms


def test_alone_every_command_is_one_turn_at_once() -> None:
    server, (anna,) = company("Anna")
    for done in range(1, 6):
        turn(server, anna)
        assert actions(server, anna) == done


def test_alone_the_dungeon_waits_for_ever() -> None:
    server, (anna,) = company("Anna")
    threatened(server, anna)
    before = server.dungeon.levels[1].sequence
    server.advance(60_000)

    assert server.dungeon.levels[1].sequence == before


def test_alone_in_danger_nobody_is_waited_for() -> None:
    server, (anna,) = company("Anna")
    threatened(server, anna)
    anna.command(Wait())

    assert actions(server, anna) == 1


def test_two_turns_are_at_least_50_ms_apart() -> None:
    server, (anna,) = company("Anna")
    anna.command(Wait())
    anna.command(Wait())
    assert actions(server, anna) == 1
    server.advance(40)
    assert actions(server, anna) == 1
    server.advance(20)
    assert actions(server, anna) == 2


def test_in_quiet_halls_nobody_waits_for_a_friend() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    for _ in range(3):
        turn(server, anna)

    assert (actions(server, anna), actions(server, bert)) == (3, 0)


def test_held_players_wait_for_each_other() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    threatened(server, anna, bert)
    turn(server, anna)
    assert (actions(server, anna), actions(server, bert)) == (0, 0)
    turn(server, bert)
    assert (actions(server, anna), actions(server, bert)) == (1, 1)


def test_patience_ends_two_seconds_after_the_oldest_command() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    threatened(server, anna, bert)
    (waited_ms,) = waiting_times(server, anna, 1)

    assert 2_000 <= waited_ms <= 2_020


def test_who_is_not_heard_in_time_is_on_guard() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    statue = threatened(server, anna, bert)
    waiting_times(server, anna, 1)

    assert actions(server, bert) == 1
    assert server.body(bert).command == 0
    assert statue.hp == statue.hp_max, "guarding strikes back only at an attacker"


def test_a_newer_command_does_not_start_the_waiting_again() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    threatened(server, anna, bert)
    anna.command(Wait())
    server.advance(1_500)
    anna.command(Wait())
    server.advance(600)

    assert actions(server, anna) == 1


def test_the_third_player_counts_from_the_oldest_command_too() -> None:
    server, (anna, bert, carl) = company("Anna", "Bert", "Carl")
    threatened(server, anna, bert, carl)
    anna.command(Wait())
    server.advance(1_000)
    bert.command(Wait())
    server.advance(1_020)

    assert [actions(server, each) for each in (anna, bert, carl)] == [1, 1, 1]


def test_each_miss_in_a_row_halves_the_patience_down_to_a_quarter_second() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    threatened(server, anna, bert)

    assert waiting_times(server, anna, 6) == pytest.approx([2_000, 1_000, 500, 250, 250, 250], abs=20)


def test_a_command_restores_the_patience() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    threatened(server, anna, bert)
    waiting_times(server, anna, 3)
    bert.command(Wait())
    turn(server, anna)

    assert waiting_times(server, anna, 1) == pytest.approx([2_000], abs=20)


def choosing_times(server: SimServer, eager: SimClient, other: SimClient, times: int) -> list[int]:
    """Return how long a player's commands waited for a friend who says at each that they choose."""
    waited_ms = []
    for _ in range(times):
        other.send(Thinking())
        waited_ms.append(waiting_time(server, eager))
    return waited_ms


def test_who_has_a_list_open_is_waited_for_eight_seconds() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    threatened(server, anna, bert)
    bert.send(Thinking())

    assert waiting_times(server, anna, 2) == pytest.approx([8_000, 2_000], abs=20)


@pytest.mark.parametrize(("missing", "waited_ms"), [(-1, 8_000), (0, 8_000), (1, 12_000)])
def test_below_half_of_ones_health_it_is_twelve_seconds(missing: int, waited_ms: int) -> None:
    server, (anna, bert) = company("Anna", "Bert")
    threatened(server, anna, bert)
    body = server.body(bert)
    body.hp = (body.hp_max + 1) // 2 - missing
    bert.send(Thinking())

    assert waiting_times(server, anna, 1) == pytest.approx([waited_ms], abs=20)


def test_a_list_that_opens_while_the_turn_waits_lengthens_it() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    threatened(server, anna, bert)
    before = actions(server, anna)
    anna.command(Wait())
    server.advance(1_900)
    bert.send(Thinking())
    server.advance(6_000)
    assert actions(server, anna) == before
    turn(server, bert)
    assert actions(server, anna) == before + 1, "the choice is made, and the turn runs at once"


def test_who_only_says_that_they_choose_holds_a_fight_up_for_two_turns() -> None:
    """A player in another's fight who does nothing but think cannot hold its turns up for good."""
    server, (anna, bert) = company("Anna", "Bert")
    threatened(server, anna, bert)

    assert choosing_times(server, anna, bert, 6) == pytest.approx(
        [8_000, 8_000, 2_000, 1_000, 500, 250], abs=20
    )


def test_saying_it_all_the_time_lengthens_no_turn_further() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    threatened(server, anna, bert)
    waited_ms = []
    for _ in range(4):
        before, began_ms = actions(server, anna), server.now_ms
        anna.command(Wait())
        while actions(server, anna) == before:
            bert.send(Thinking())
            server.advance(100)
        waited_ms.append(server.now_ms - began_ms)

    assert waited_ms == pytest.approx([8_000, 8_000, 2_000, 1_000], abs=120)


def test_choices_count_again_after_a_turn_of_ones_own() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    threatened(server, anna, bert)
    choosing_times(server, anna, bert, 3)
    bert.command(Wait())
    turn(server, anna)

    assert choosing_times(server, anna, bert, 3) == pytest.approx([8_000, 8_000, 2_000], abs=20)


@pytest.mark.parametrize("refused", [Stop(), PickUp()])
def test_a_command_that_waits_for_no_turn_restores_nothing(refused: AnyCommand) -> None:
    server, (anna, bert) = company("Anna", "Bert")
    threatened(server, anna, bert)
    waited_ms = []
    for _ in range(5):
        bert.send(Thinking())
        bert.command_at_once(refused)
        waited_ms.append(waiting_time(server, anna))

    assert waited_ms == pytest.approx([8_000, 8_000, 2_000, 1_000, 500], abs=20)


def test_the_others_are_told_who_chooses_and_how_long() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    threatened(server, anna, bert)
    anna.command(Wait())
    server.advance(1_000)
    assert (anna.link.pace.for_names, anna.link.pace.choosing) == (("Bert",), ())
    bert.send(Thinking())
    server.advance(20)

    for told in (anna.link.pace, bert.link.pace):
        assert (told.for_names, told.choosing) == (("Bert",), ("Bert",))
        assert told.ms == pytest.approx(7_000, abs=20)
    turn(server, bert)
    assert anna.link.pace == Pace(held=True)


def test_a_realms_patience_scales_what_a_choice_is_given() -> None:
    server, (anna, bert) = company("Anna", "Bert", patience_ms=600)
    threatened(server, anna, bert)
    bert.send(Thinking())

    assert waiting_times(server, anna, 1) == pytest.approx([2_400], abs=20)


def test_from_five_held_players_up_patience_is_one_second() -> None:
    server, players = company("Anna", "Bert", "Carl", "Dora", "Emil")
    threatened(server, *players)

    assert waiting_times(server, players[0], 1) == pytest.approx([1_000], abs=20)


def test_a_realm_sets_its_own_patience() -> None:
    server, (anna, bert) = company("Anna", "Bert", patience_ms=600)
    threatened(server, anna, bert)

    assert waiting_times(server, anna, 1) == pytest.approx([600], abs=20)


def test_a_friend_out_of_danger_is_not_waited_for() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    server.walk(bert, server.ground(bert)[-1])
    threatened(server, anna)
    assert not held(server, bert)
    anna.command(Wait())

    assert (actions(server, anna), actions(server, bert) > 5) == (1, True)


def test_the_pace_tells_whom_the_turn_waits_for() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    threatened(server, anna, bert)
    anna.hear()
    anna.command(Wait())
    server.advance(limits.PACE_AFTER_MS + 10)

    told = anna.link.pace
    assert (told.held, told.waiting, told.for_names) == (True, True, ("Bert",))
    assert 0 < told.ms <= 2_000
    turn(server, bert)
    assert anna.link.pace == Pace(held=True, waiting=False, plan=False)


def paces(client: SimClient) -> list[Pace]:
    """Return how time stood as a player was told it since last time."""
    return [message for message in client.hear() if isinstance(message, Pace)]


def test_whoever_is_waited_for_learns_it_at_once_and_who_waits_when_it_lasts() -> None:
    """bound: PACE_AFTER_MS."""
    server, (anna, bert) = company("Anna", "Bert")
    threatened(server, anna, bert)
    server.advance(200)
    anna.hear(), bert.hear()
    anna.command(Wait())

    assert [pace.for_names for pace in paces(bert)] == [("Bert",)]
    server.advance(limits.PACE_AFTER_MS - 10)
    assert paces(anna) == []
    server.advance(20)
    assert [(pace.waiting, pace.for_names) for pace in paces(anna)] == [(True, ("Bert",))]


def test_a_wait_that_is_soon_over_is_not_told_to_who_waits() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    threatened(server, anna, bert)
    server.advance(200)
    anna.hear()
    for _ in range(5):
        anna.command(Wait())
        server.advance(60)
        turn(server, bert)

    assert paces(anna) == []
    assert actions(server, anna) == 5


def test_keys_that_come_faster_than_twenty_a_second_are_told_no_pace() -> None:
    server, (anna,) = company("Anna")
    server.advance(200)
    anna.hear()
    for _ in range(20):
        anna.command(Wait())
        server.advance(30)

    assert paces(anna) == []
    assert actions(server, anna) > 10


def test_a_wait_is_told_once_however_much_happens_meanwhile() -> None:
    server, (anna, bert, carl) = company("Anna", "Bert", "Carl")
    server.walk(carl, server.ground(carl)[-1])
    threatened(server, anna, bert)
    server.advance(200)
    anna.hear(), bert.hear()
    anna.command(Wait())
    for _ in range(10):
        carl.command(Wait())
        server.advance(60)

    assert (len(paces(anna)), len(paces(bert))) == (1, 1)


def test_the_pace_is_told_also_while_the_disk_is_always_busy() -> None:
    server, (anna, bert, carl) = company("Anna", "Bert", "Carl", write_s=0.04)
    server.walk(carl, server.ground(carl)[-1])
    threatened(server, anna, bert)
    anna.hear()
    anna.command(Wait())
    for _ in range(12):
        carl.command(Wait())
        server.advance(30)

    assert ("Bert",) in [pace.for_names for pace in anna.hear() if isinstance(pace, Pace)]


def test_auto_fight_is_one_command_and_does_not_count_as_the_next() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    threatened(server, anna, bert)
    anna.command(Fight())
    turn(server, bert)
    assert [actions(server, each) for each in (anna, bert)] == [1, 1]
    turn(server, bert)

    assert [actions(server, each) for each in (anna, bert)] == [1, 1], "Anna was not asked"
    server.advance(2_000)
    assert [actions(server, each) for each in (anna, bert)] == [2, 2]


def test_after_an_auto_fight_a_friend_is_not_hurried() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    threatened(server, anna, bert)
    anna.command(Fight())
    turn(server, bert)
    server.advance(5_000)

    assert [actions(server, each) for each in (anna, bert)] == [1, 1], "nobody wants anything"


def test_a_level_up_choice_takes_back_no_command_that_waits() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    threatened(server, anna, bert)
    anna.command(Wait())
    anna.command_at_once(Choose(0))  # refused: there is none
    turn(server, bert)

    assert [actions(server, each) for each in (anna, bert)] == [1, 1]


def test_what_turns_impossible_before_the_turn_costs_nothing_and_is_asked_again() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    server.advance(SPACING_MS)
    anna.command(Wait())
    number = anna.command(Move(*towards(anna.view.cell, bert.view.cell, anna.view.place.width)))
    threatened(server, anna, bert)  # and whoever is held keeps his place
    turn(server, bert)

    assert (number, "cannot") in answers(anna)
    assert [actions(server, each) for each in (anna, bert)] == [1, 0]
    turn(server, anna)
    assert [actions(server, each) for each in (anna, bert)] == [2, 1]


@pytest.mark.parametrize("every_ms", [34, 50, 52, 60, 66, 70, 82, 100])
def test_whatever_the_rhythm_of_a_held_key_it_is_no_flood(every_ms: int) -> None:
    server, (anna,) = company("Anna")
    for _ in range(30_000 // every_ms):
        anna.command(Wait())
        server.advance(every_ms)

    assert not [each for each in anna.got if isinstance(each, Error | Bye)]
    assert anna.up
