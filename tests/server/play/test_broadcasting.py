"""The times at which the server sends: an own turn immediately, others' in batches, no more than a client reads."""

from itertools import pairwise
from unittest.mock import Mock

import pytest

from gloam_shared import limits
from gloam_shared.protocol.commands import Move, Wait
from gloam_shared.protocol.messages.chat import ChatLine, SendChat
from gloam_shared.protocol.messages.login import Bye, Error
from gloam_shared.protocol.messages.play import Acknowledge, Heartbeat, Refresh, Thinking, Update
from support.server.parties import SPACING_MS, actions, company, turn, updates
from support.server.sim_server import SimClient, SimServer


def silent(client: SimClient) -> None:
    """Let a client read, but never acknowledge by itself."""
    client.link.tick = Mock()  # type: ignore[method-assign]  # it would send what is owed


def jostle(server: SimServer, player: SimClient, friend: SimClient) -> None:
    """Let a player change places with a friend beside them: everybody sees it."""
    player.command(Move(*player.view.place.grid.towards(player.view.cell, friend.view.cell)))
    server.advance(SPACING_MS)


def test_ones_own_turn_is_shown_at_once() -> None:
    server, (anna,) = company("Anna")
    anna.hear()
    began_ms = server.now_ms
    number = anna.command(Wait())
    assert [each.done for each in updates(anna)] == [number]
    assert server.now_ms == began_ms


def test_what_others_do_is_gathered_for_50_ms() -> None:
    server, (anna, bert, carl) = company("Anna", "Bert", "Carl")
    server.advance(200)
    carl.hear()
    times: list[int] = []
    for _ in range(40):
        for player, friend in ((anna, bert), (bert, anna)):
            player.command(Move(*player.view.place.grid.towards(player.view.cell, friend.view.cell)))
            times += [server.now_ms for _ in updates(carl)]
            server.advance(10)
            times += [server.now_ms for _ in updates(carl)]
    gaps = [after - before for before, after in pairwise(times)]
    assert len(times) >= 4
    assert min(gaps) >= limits.GATHER_MS - 1


def test_at_most_three_patches_are_unacknowledged() -> None:
    server, (anna, bert, carl) = company("Anna", "Bert", "Carl")
    server.advance(200)
    silent(anna)
    anna.hear()
    for _ in range(10):
        jostle(server, bert, carl)
    assert len(updates(anna)) == limits.UNACKNOWLEDGED_MAX


def test_then_the_newest_state_comes_as_one_patch() -> None:
    server, (anna, bert, carl) = company("Anna", "Bert", "Carl")
    server.advance(200)
    silent(anna)
    for _ in range(10):
        jostle(server, bert, carl)
    anna.hear()
    newest = anna.link._line.updates.patch
    anna.send(Acknowledge(newest))
    server.advance(20)
    caught_up = updates(anna)
    assert len(caught_up) == 1
    seen = {each.name: each.cell for each in anna.view.creatures}
    assert (seen["Bert"], seen["Carl"]) == (server.body(bert).cell, server.body(carl).cell)


def test_one_who_does_not_acknowledge_still_acts() -> None:
    server, (anna,) = company("Anna")
    server.advance(200)
    silent(anna)
    newest = anna.link._line.updates.patch
    for done in range(1, 8):
        anna.link._line.updates.patch = newest
        turn(server, anna)
        assert actions(server, anna) == done
    assert anna.link.done == limits.UNACKNOWLEDGED_MAX


@pytest.mark.rule("A36")
@pytest.mark.parametrize("patch", [1_000, 0], ids=["never sent", "back"])
def test_an_impossible_ack_ends_the_connection(patch: int) -> None:
    """An acknowledgement of what was never sent, or of older views, ends the connection."""
    server, (anna,) = company("Anna")
    turn(server, anna)
    server.advance(200)
    anna.send(Acknowledge(patch))
    server.advance(20)
    assert [bye.code for bye in anna.of_kind(Bye)] == ["ack"]
    assert not anna.up


@pytest.mark.rule("A37")
def test_whole_view_sent_once_two_seconds() -> None:
    """The whole view is sent again once in two seconds."""
    server, (anna,) = company("Anna")
    anna.hear()
    wholes = []
    for _ in range(10):
        anna.send(Refresh())
        server.advance(200)
        wholes += [each for each in updates(anna) if each.whole]
    assert len(wholes) == 1
    server.advance(200)
    anna.send(Refresh())
    server.advance(60)
    assert [each.whole for each in updates(anna)] == [True]
    assert anna.view.cell == server.body(anna).cell


def test_view_waits_full_line_sent_when_room() -> None:
    """A view that waits for a full line is sent when there is room."""
    server, (anna, bert, carl) = company("Anna", "Bert", "Carl")
    server.advance(200)
    anna.hear()
    anna.connection.pauseProducing()
    jostle(server, bert, carl)
    server.advance(500)
    assert updates(anna) == []
    anna.connection.resumeProducing()
    server.advance(60)
    assert len(updates(anna)) == 1


def test_what_is_said_reaches_everybody_at_once() -> None:
    _, (anna, bert) = company("Anna", "Bert")
    bert.send(SendChat("hello"))
    for client in (anna, bert):
        assert client.chat() == [ChatLine("Bert", "hello")]


def test_chat_does_not_wait_for_the_disk() -> None:
    server, (anna, bert) = company("Anna", "Bert", write_s=5.0)
    anna.command(Wait())
    bert.send(SendChat("hello"))
    assert anna.chat() == [ChatLine("Bert", "hello")]
    assert actions(server, anna) == 1


@pytest.mark.rule("A47")
def test_what_a_terminal_would_obey_is_taken_out() -> None:
    _, (anna, bert) = company("Anna", "Bert")
    bert.send(SendChat("\x1b[2Jhi\x07 \u202ethere\x9d"))
    bert.send(SendChat("\x1b\x07\x00"))
    assert anna.chat() == [ChatLine("Bert", "[2Jhi there")]


@pytest.mark.rule("A51")
def test_more_than_five_lines_at_once_are_too_fast() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    for count in range(6):
        bert.send(SendChat(f"hello {count}"))
    assert len(anna.chat()) == 5
    assert [error.code for error in bert.of_kind(Error)] == ["slow"]
    server.advance(1_000)
    bert.send(SendChat("hello again"))
    assert len(anna.chat()) == 6


@pytest.mark.rule("A51")
def test_floods_chat_two_minutes() -> None:
    """bound: CHAT_SHUT_S."""
    server, (anna, bert) = company("Anna", "Bert")
    for count in range(limits.CHAT_TRIED_MAX):
        bert.send(SendChat(f"hello {count}"))
        server.clock.advance(0.1)
    assert [bye.code for bye in bert.of_kind(Bye)] == ["slow"]
    assert not bert.up
    assert len(anna.chat()) <= limits.CHAT_SAID_MAX

    came = []
    for wait_s in (limits.CHAT_SHUT_S - 1, 1, 1):
        server.clock.advance(wait_s)
        again = SimClient(server, "Bert", b"Bert".ljust(32, b"."))
        server.clients.append(again)
        server.settle()
        came.append(again.link.joined)
        again.cut()

    assert came == [False, True, True]


@pytest.mark.rule("A51")
@pytest.mark.parametrize(("length", "codes"), [(199, []), (200, []), (201, ["length"])])
def test_a_line_has_at_most_200_cells(length: int, codes: list[str]) -> None:
    _, (anna, bert) = company("Anna", "Bert")
    bert.send(SendChat("x" * length))
    assert [error.code for error in bert.of_kind(Error)] == codes
    assert len(anna.chat()) == 1 - len(codes)


@pytest.mark.rule("A53")
def test_what_looks_like_a_template_is_shown_as_it_is() -> None:
    _, (anna, bert) = company("Anna", "Bert")
    words = "{0.__class__} %s {x!r:>99999999}"
    bert.send(SendChat(words))
    assert anna.chat() == [ChatLine("Bert", words)]


def test_a_reader_of_a_list_delays_no_one() -> None:
    server, (anna,) = company("Anna")
    written = len(server.writer.appended)
    anna.send(Thinking())
    assert len(server.writer.appended) == written


def test_the_line_is_felt_every_five_seconds() -> None:
    server, (anna,) = company("Anna")
    anna.hear()
    server.advance(20_500)
    assert len([each for each in anna.hear() if isinstance(each, Heartbeat)]) == 4
    assert anna.up


def test_silent_fifteen_seconds_cut_off() -> None:
    """A player who is silent for fifteen seconds is cut off."""
    server, (anna,) = company("Anna")
    anna.reading = False  # so no heartbeat is answered
    server.advance(14_000)
    assert anna.up
    server.advance(2_500)
    assert not anna.up
    assert not server.dungeon.levels[1].players()


def test_no_viewer_gets_the_same_view_twice() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    server.advance(5_000)
    anna.hear()
    server.advance(20_000)
    assert [each for each in anna.hear() if isinstance(each, Update)] == []
    assert bert.up
