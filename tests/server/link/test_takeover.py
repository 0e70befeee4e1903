"""A turn process dies, and the next one takes over: connections stay, and what they asked for is carried out once."""

import pytest

from gloam_server.link.link_messages import Address, Opened, Resumed, encode
from gloam_server.net.connection_counts import AdmissionStatus
from gloam_server.world.model.inputs import UnattendedTurn
from gloam_shared.protocol.commands import Wait
from gloam_shared.protocol.messages.chat import ChatLine, SendChat
from gloam_shared.protocol.messages.login import Bye, Joined
from gloam_shared.protocol.messages.records import AskLadder, Ladder
from support.link.sim_takeover import StandbyServer
from support.server.parties import SPACING_MS, turn
from support.server.sim_server import SimClient


@pytest.fixture
def company() -> tuple[StandbyServer, SimClient, SimClient]:
    server = StandbyServer()
    players = server.join("Anna"), server.join("Bert")
    assert {each.connection.number >> 32 for each in players} == {1, 2}
    turn(server, players[0], Wait())
    return server, *players


def test_connections_stay_and_play_goes_on(company: tuple[StandbyServer, SimClient, SimClient]) -> None:
    """Both clients get `Joined` and the whole level; no player reads of an arrival or a departure."""
    server, anna, bert = company
    for client in (anna, bert):
        client.hear()
    server.take_over()
    server.advance(SPACING_MS)
    for client in (anna, bert):
        assert client.up
        assert len(client.of_kind(Joined)) == 1
        assert not client.chat()
    before = server.body(anna).actions
    turn(server, anna, Wait())
    turn(server, bert, Wait())
    assert server.body(anna).actions == before + 1
    assert (anna.link.unanswered, bert.link.unanswered) == (None, None)
    assert [each.name for each in server.engine.players.connected()] == ["Anna", "Bert"]


def test_a_crowd_is_taken_in_together() -> None:
    """Each transaction may cost a sync: 40 players who were read one after another waited for 40 of them."""
    server = StandbyServer(write_s=0.05)
    players = [server.join(f"Bot{chr(97 + at // 8)}{chr(97 + at % 8)}") for at in range(40)]
    server.advance(5_000)
    for client in players:
        client.hear()
    server.take_over()
    server.advance(500)
    assert all(len(client.of_kind(Joined)) == 1 for client in players)


def test_an_unanswered_command_is_carried_out_once(
    company: tuple[StandbyServer, SimClient, SimClient],
) -> None:
    """A command in the gap, and one that the dead process had made durable without an answer: each is carried out once."""
    server, anna, bert = company
    before = server.body(anna).actions, server.body(bert).actions
    for view in server.views:
        view.down.is_open = False  # nothing more is shown
    bert.command(Wait())
    server.advance(SPACING_MS)
    assert server.body(bert).actions == before[1] + 1
    for view in server.views:
        view.up.is_open = False
        view.end_of_link.lost()
    anna.command(Wait())
    server.take_over()
    server.advance(SPACING_MS)
    assert (server.body(anna).actions, server.body(bert).actions) == (before[0] + 1, before[1] + 1)
    assert (anna.link.unanswered, bert.link.unanswered) == (None, None)


def test_what_is_asked_in_the_gap_is_answered(company: tuple[StandbyServer, SimClient, SimClient]) -> None:
    """Chat and a question wait for the next process; a login that it finds under way is repeated."""
    server, anna, bert = company
    for view in server.views:
        view.up.is_open = view.down.is_open = False
        view.end_of_link.lost()
    anna.send(SendChat("Tea is ready."))
    bert.send(AskLadder())
    carl = SimClient(server, "Carl", b"c" * 32)
    server.clients.append(carl)
    server.take_over()
    server.advance(200)
    assert ChatLine("Anna", "Tea is ready.") in bert.chat()
    assert bert.of_kind(Ladder)
    assert carl.of_kind(Joined)


def test_a_hung_process_is_refused_by_the_fence(company: tuple[StandbyServer, SimClient, SimClient]) -> None:
    """The process before still runs, and has a command: its append is refused, it stops, and shows nothing."""
    server, anna, _ = company
    former = server.engine
    server.take_over(cuts=False)
    assert server.fatal == []
    former.loop.submit(1, UnattendedTurn())
    server.advance(SPACING_MS)
    (why,) = server.fatal
    assert "taken this world over" in why
    turn(server, anna, Wait())
    assert anna.link.unanswered is None


def test_bodies_wait_for_a_view_process_that_is_late(
    company: tuple[StandbyServer, SimClient, SimClient],
) -> None:
    """Anna's view process is gone: her body stays for five seconds, and leaves then."""
    server, anna, bert = company
    gone = next(
        view for view in server.views if view.up.is_open and anna.connection.number >> 32 == view.number
    )
    gone.kill()
    server.views.remove(gone)
    server.take_over()
    turn(server, bert, Wait())
    assert len(server.engine.players.in_play()) == 2
    server.advance(5_000)
    turn(server, bert, Wait())
    assert len(server.engine.players.in_play()) == 1


def test_who_was_banned_meanwhile_is_refused(company: tuple[StandbyServer, SimClient, SimClient]) -> None:
    server, anna, _ = company
    account = server.store.directory.account_by_name("anna")
    assert account is not None
    server.store.directory.ban(account.number, server.wall_s + 3_600)
    server.take_over()
    server.advance(SPACING_MS)
    assert [each.code for each in anna.of_kind(Bye)] == ["banned"]


def test_a_player_whom_nobody_knows_is_refused(company: tuple[StandbyServer, SimClient, SimClient]) -> None:
    """By hand: a view process claims a player with another's number."""
    server, anna, _ = company
    view = server.views[0]
    number = (view.number << 32) + 99
    view.up.send(encode(Opened(number, Address("v4", "127.0.0.1", 9), AdmissionStatus.ADMITTED)))
    view.up.send(encode(Resumed(number, 4_711, "Anna", frozenset())))
    server.advance(SPACING_MS)
    assert anna.up
    assert len(server.engine.players.connected()) == 2


def test_a_second_takeover_keeps_the_numbers(company: tuple[StandbyServer, SimClient, SimClient]) -> None:
    server, anna, bert = company
    numbers = anna.connection.number, bert.connection.number
    for _ in range(3):
        server.take_over()
        turn(server, anna, Wait())
        turn(server, bert, Wait())
    assert (anna.connection.number, bert.connection.number) == numbers
    late = server.begin_view()
    assert late.number > max(each.number for each in server.views[:-1])
