"""Players whose connections are in two view processes: they share one dungeon."""

import pytest

from gloam_shared import limits
from gloam_shared.protocol.commands import Wait
from gloam_shared.protocol.messages.chat import ChatLine, SendChat
from gloam_shared.protocol.messages.login import Bye
from gloam_shared.protocol.messages.play import Answer, Update
from gloam_shared.protocol.messages.records import AskLadder, Ladder
from gloam_shared.protocol.messages.watching import SetWatchable
from support.server.parties import SPACING_MS, noticed, turn
from support.server.sim_server import SimClient, SimServer


@pytest.fixture
def company() -> tuple[SimServer, SimClient, SimClient]:
    server = SimServer(views=2)
    players = server.join("Anna"), server.join("Bert")
    assert {each.connection.number >> 32 for each in players} == {1, 2}
    noticed(server)
    return server, *players


def test_each_sees_and_hears_the_other(company: tuple[SimServer, SimClient, SimClient]) -> None:
    server, anna, bert = company
    anna.send(SendChat("Tea is ready."))
    server.advance(SPACING_MS)
    assert ChatLine("Anna", "Tea is ready.") in bert.chat()
    assert "Anna" in [each.name for each in bert.view.creatures]
    assert [each.name for each in anna.view.party] == ["Anna", "Bert"]
    assert anna.view.party == bert.view.party


def test_a_turn_of_one_is_shown_to_the_other(company: tuple[SimServer, SimClient, SimClient]) -> None:
    server, anna, bert = company
    number = turn(server, anna, Wait())
    turn(server, bert, Wait())
    assert server.body(anna).command == number
    assert (anna.link.unanswered, bert.link.unanswered) == (None, None)
    assert not [each for each in anna.of_kind(Answer) if each.code not in ("done", "replaced")]


def test_a_login_elsewhere_replaces_the_former(company: tuple[SimServer, SimClient, SimClient]) -> None:
    """The new connection is in another view process than the one that it replaces."""
    server, anna, _ = company
    again = SimClient(server, "Anna", b"Anna".ljust(32, b"."))
    if again.connection.number >> 32 == anna.connection.number >> 32:
        again.cut()
        again.dial()
    server.clients.append(again)
    server.advance(SPACING_MS)
    assert [each.code for each in anna.of_kind(Bye)] == ["replaced"]
    assert again.up
    turn(server, again, Wait())
    assert again.link.unanswered is None


def test_a_player_who_returns_goes_on_at_the_other(company: tuple[SimServer, SimClient, SimClient]) -> None:
    server, anna, _ = company
    former, seen = anna.connection.number >> 32, anna.view.terrain
    anna.cut()
    server.use_next_view()  # the next connection is the other's
    anna.dial()
    server.advance(SPACING_MS)
    assert anna.up
    assert anna.view.terrain == seen
    assert {former, anna.connection.number >> 32} == {1, 2}


def test_the_ladder_is_shown(company: tuple[SimServer, SimClient, SimClient]) -> None:
    server, anna, _ = company
    anna.send(AskLadder())
    server.advance(SPACING_MS)
    assert anna.of_kind(Ladder)


def test_a_watcher_elsewhere_sees_the_same(company: tuple[SimServer, SimClient, SimClient]) -> None:
    """The watcher's view process makes the views itself, and keeps to the delay."""
    server, anna, _ = company
    anna.send(SetWatchable(True))
    dora = SimClient(server, "Dora", b"d" * 32, watches=True)
    if dora.connection.number >> 32 == anna.connection.number >> 32:
        dora.cut()
        dora.dial()
    assert {each.connection.number >> 32 for each in (anna, dora)} == {1, 2}
    server.clients.append(dora)
    server.advance(SPACING_MS)
    dora.link.watch("Anna")
    server.advance(1_000)
    assert dora.of_kind(Update) == []
    server.advance(limits.WATCH_DELAY_S * 1_000)
    assert (dora.view.cell, dora.view.log) == (anna.view.cell, anna.view.log)
