"""Players who are away, and cut lines: marks, bodies on guard, and the one timer of the world."""

from copy import deepcopy

import pytest

from gloam_server.rules.absence import UNATTENDED_TURNS_MAX
from gloam_shared.protocol.commands import Move, Wait
from gloam_shared.protocol.messages.chat import SendChat
from gloam_shared.protocol.messages.login import Goodbye
from gloam_shared.protocol.messages.play import Away
from gloam_shared.view.view import CreatureFlag
from support.server.parties import actions, company, held, mark_of, noticed, threatened, turn, until
from support.server.sim_server import SimServer


def bodies(server: SimServer) -> int:
    return len(server.dungeon.levels[1].players())


@pytest.mark.rule("F23")
def test_a_silent_minute_shows_as_away() -> None:
    """After a minute of silence the party shows that the player is away."""
    server, (_, bert) = company("Anna", "Bert")
    server.advance(59_000)
    assert mark_of(bert, "Anna") == 0
    server.advance(1_500)
    noticed(server)
    assert mark_of(bert, "Anna") == CreatureFlag.AWAY
    assert [each.marks & CreatureFlag.AWAY for each in bert.view.creatures if each.name == "Anna"] == [
        CreatureFlag.AWAY
    ]


def test_he_may_say_so_himself() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    noticed(server)
    anna.send(Away())
    noticed(server)
    assert mark_of(bert, "Anna") == CreatureFlag.AWAY


@pytest.mark.parametrize("command", [Wait(), Move(0, 0)], ids=["a turn", "refused"])
def test_any_command_takes_the_mark_off(command: Wait | Move) -> None:
    server, (anna, bert) = company("Anna", "Bert")
    noticed(server)
    anna.send(Away())
    noticed(server)
    assert mark_of(bert, "Anna") == CreatureFlag.AWAY
    turn(server, anna, command)
    noticed(server)
    assert mark_of(bert, "Anna") == 0


def test_speaking_takes_the_mark_off() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    noticed(server)
    anna.send(Away())
    noticed(server)
    anna.send(SendChat("hello"))
    noticed(server)
    assert mark_of(bert, "Anna") == 0


def test_being_away_changes_no_rule_of_time() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    threatened(server, anna, bert)
    bert.send(Away())
    anna.command(Wait())
    server.advance(1_900)
    assert actions(server, anna) == 0
    server.advance(120)
    assert actions(server, anna) == 1


def test_body_line_cut_leaves_at_once() -> None:
    """A body whose line is cut leaves immediately when nothing holds it."""
    server, (anna, bert) = company("Anna", "Bert")
    noticed(server)
    anna.cut()
    server.advance(60)
    assert bodies(server) == 1
    noticed(server)
    assert [friend.name for friend in bert.view.party] == ["Bert"]
    assert [each.name for each in bert.view.creatures] == ["Bert"]


@pytest.mark.rule("F63")
def test_held_stays_guard_ten_turns_second() -> None:
    """Held it stays on guard for ten turns of one second."""
    server, (anna,) = company("Anna")
    threatened(server, anna)
    turn(server, anna)
    body = server.body(anna)
    anna.cut()
    for alone in range(1, UNATTENDED_TURNS_MAX + 1):
        server.advance(800)
        assert (body.actions, bodies(server)) == (alone, 1)
        server.advance(220)
        assert body.actions == alone + 1
    assert bodies(server) == 0


def test_leaves_soon_nothing_holds_any_more() -> None:
    """It leaves as soon as nothing holds it any more."""
    server, (anna,) = company("Anna")
    statue = threatened(server, anna)
    anna.cut()
    server.advance(2_500)
    assert bodies(server) == 1
    server.banish(statue)
    assert bodies(server) == 0


def test_goodbye_danger_leaves_body_guard() -> None:
    """A goodbye in danger leaves the body on guard too."""
    server, (anna, bert) = company("Anna", "Bert")
    threatened(server, anna, bert)
    noticed(server)
    anna.send(Goodbye())
    noticed(server)
    assert bodies(server) == 2
    assert mark_of(bert, "Anna") == CreatureFlag.CUT_OFF


def test_no_turn_waits_for_a_lost_connection() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    threatened(server, anna, bert)
    anna.cut()
    bert.command(Wait())
    assert actions(server, bert) == 1


def test_beside_connected_friend_no_turn_taken() -> None:
    """Beside a connected friend no turn is taken by itself."""
    server, (anna, bert) = company("Anna", "Bert")
    threatened(server, anna, bert)
    body = server.body(anna)
    anna.cut()
    server.advance(20_000)
    assert (body.actions, actions(server, bert), bodies(server)) == (0, 0, 2)


def test_its_ten_turns_may_be_turns_of_a_friend() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    threatened(server, anna, bert)
    anna.cut()
    for _ in range(UNATTENDED_TURNS_MAX):
        assert bodies(server) == 2
        turn(server, bert)
    assert bodies(server) == 1
    assert held(server, bert)


def test_nothing_runs_once_no_one_is_connected() -> None:
    """Nothing is left to do once no one is connected and no body is in play."""
    server, (anna, bert) = company("Anna", "Bert")
    threatened(server, anna, bert)
    anna.cut()
    bert.cut()
    server.advance(15_000)
    assert bodies(server) == 0
    assert server.timers() == 0


def test_returns_same_body_same_health() -> None:
    """They returns to the same body with the same health."""
    server, (anna,) = company("Anna")
    kobold = server.put("kobold", server.body(anna).cell)
    until(lambda: server.body(anna).hp < 40, lambda: turn(server, anna))
    server.banish(kobold)
    body, hp = server.body(anna), server.body(anna).hp
    for _ in range(20):
        turn(server, anna)  # until no enemy is remembered
    assert server.body(anna).hp == hp
    anna.cut()
    server.advance(60)
    assert bodies(server) == 0
    anna.dial()
    server.advance(60)

    again = server.body(anna)
    assert (again.number, again.hp, again.cell) == (body.number, hp, body.cell)


@pytest.mark.rule("A33")
@pytest.mark.parametrize("resumes", [True, False], ids=["with the token", "by a login from elsewhere"])
def test_returns_while_body_stands_gets(resumes: bool) -> None:
    """A player who returns while their body stands gets it as it is."""
    server, (anna,) = company("Anna")
    kobold = server.put("kobold", server.body(anna).cell)
    until(lambda: server.body(anna).hp < 40, lambda: turn(server, anna))
    server.banish(kobold)
    threatened(server, anna)
    body = server.body(anna)
    anna.cut()
    server.advance(3_500)
    assert body.actions, "on guard it has acted by itself"
    before = deepcopy(body)
    if resumes:
        anna.dial()
    else:
        anna = server.join("Anna")
    server.advance(5_000)

    assert server.body(anna) is body
    assert body == before, "no heal, no other place, nothing that had to wait is ready"
    assert len(server.dungeon.levels[1].players()) == 1


def test_after_crash_held_body_stands_guard() -> None:
    """After a crash a held body stands on guard for its ten turns."""
    server, (anna,) = company("Anna")
    threatened(server, anna)
    server.crash()
    later = server.again()
    later.engine.loop.wake()
    later.advance(UNATTENDED_TURNS_MAX * 1_000 + 100)
    assert bodies(later) == 0
    assert later.timers() == 0


def test_after_a_crash_no_turn_waits_for_the_absent() -> None:
    """After a crash no one waits for players who have not returned."""
    server, (anna, bert) = company("Anna", "Bert")
    threatened(server, anna, bert)
    server.crash()
    later = server.again()
    again = later.join("Bert")
    turn(later, again)
    assert actions(later, again) == 1
