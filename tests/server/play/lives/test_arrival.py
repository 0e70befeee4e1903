"""Joining: friends meet immediately, a name has one body, and a newer login takes it over."""

import pytest

from gloam_server.world.model.inputs import Arrive
from gloam_shared import limits
from gloam_shared.protocol.commands import Wait
from gloam_shared.protocol.messages.login import Bye, Error, Goodbye, Joined, Login
from gloam_shared.protocol.messages.play import Update
from gloam_shared.view.view import CreatureFlag
from support.server.parties import company, noticed, turn
from support.server.sim_server import SimClient, SimServer


def seen_by(client: SimClient, name: str) -> tuple[int, int]:
    """Return handle and cell of a creature as a client sees it."""
    return next((each.handle, each.cell) for each in client.view.creatures if each.name == name)


def test_two_players_arrive_beside_each_other() -> None:
    _, (anna, bert) = company("Anna", "Bert")
    assert anna.view.place.grid.distance(anna.view.cell, bert.view.cell) == 1


def test_two_players_see_other_and_same_handles() -> None:
    """Two players see each other and the same handles."""
    _, (anna, bert) = company("Anna", "Bert")
    for name in ("Anna", "Bert"):
        assert seen_by(anna, name) == seen_by(bert, name)


def test_each_player_knows_their_own_creature() -> None:
    _, (anna, bert) = company("Anna", "Bert")
    for client in (anna, bert):
        own = [each.name for each in client.view.creatures if each.marks & CreatureFlag.SELF]
        assert own == [client.link.name]


def test_the_party_names_everybody() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    noticed(server)
    for client in (anna, bert):
        assert [friend.name for friend in client.view.party] == ["Anna", "Bert"]


def test_a_join_is_reported_before_the_first_picture() -> None:
    _, (anna,) = company("Anna")
    kinds = [type(message) for message in anna.got]
    assert kinds.index(Joined) < kinds.index(Update)
    assert anna.of_kind(Joined) == [Joined("Anna", 0, 1)]


def test_another_device_does_not_get_the_name() -> None:
    server, (anna,) = company("Anna")
    thief = server.join("anna", token=b"another".ljust(32, b"."))
    assert [message.code for message in thief.of_kind(Error)] == ["name"]
    assert anna.up
    assert len(server.dungeon.levels[1].players()) == 1
    thief.send(Login("Carl", b"another".ljust(32, b".")))  # the line stands for another name
    server.advance(60)
    assert [each.name for each in thief.of_kind(Joined)] == ["Carl"]


@pytest.mark.rule("F58")
def test_a_newer_login_takes_the_body_over() -> None:
    server, (anna,) = company("Anna")
    turn(server, anna)
    body = server.body(anna)
    newer = SimClient(server, "Anna", b"Anna".ljust(32, b"."))
    server.clients.append(newer)
    server.advance(60)
    assert [bye.code for bye in anna.of_kind(Bye)] == ["replaced"]
    assert not anna.up
    assert server.body(newer) is body
    assert newer.of_kind(Joined) == [Joined("Anna", 1, 1)]
    assert len(server.dungeon.levels[1].players()) == 1
    turn(server, newer)
    assert body.actions == 2


@pytest.mark.rule("A32")
def test_the_fifth_login_of_twenty_wins() -> None:
    """bound: LOGINS_BURST."""
    server = SimServer(write_s=0.05)
    clients = [SimClient(server, "Anna", b"Anna".ljust(32, b".")) for _ in range(20)]
    server.clients += clients
    server.advance(4_000)
    let_in, late = clients[: limits.LOGINS_BURST], clients[limits.LOGINS_BURST :]
    for client in let_in[:-1]:
        assert [bye.code for bye in client.of_kind(Bye)] == ["replaced"]
    assert let_in[-1].up
    assert [[each.code for each in client.of_kind(Error)] for client in late] == [["wait"]] * 15
    assert len(server.dungeon.levels[1].players()) == 1
    assert len([each for each in server.inputs(1) if isinstance(each, Arrive)]) == 1
    assert len(let_in[-1].of_kind(Joined)) == 1


def test_two_logins_across_slow_write_reported_once() -> None:
    """Two logins during a slow write each get one answer."""
    server = SimServer(write_s=0.5)
    older = SimClient(server, "Anna", b"Anna".ljust(32, b"."))
    server.clients.append(older)
    server.advance(100)  # their account is looked for before the elder's arrival is written
    newer = SimClient(server, "Anna", b"Anna".ljust(32, b"."))
    server.clients.append(newer)
    server.advance(4_000)
    assert older.of_kind(Joined) == []
    assert len(newer.of_kind(Joined)) == 1
    assert newer.view.place.depth == 1


def test_says_goodbye_come_back_same_body() -> None:
    """A player who says goodbye can return to the same body."""
    server, (anna,) = company("Anna")
    turn(server, anna)
    number, cell = server.body(anna).number, server.body(anna).cell
    anna.send(Goodbye())
    server.advance(60)
    assert not anna.up
    assert not server.dungeon.levels[1].players()
    anna.dial()
    server.advance(60)
    assert (server.body(anna).number, server.body(anna).cell) == (number, cell)
    assert anna.of_kind(Joined)[-1] == Joined("Anna", 1, 1)


def test_a_full_dungeon_says_so() -> None:
    server = SimServer(players_max=1)
    server.join("Anna")
    bert = server.join("Bert")
    assert [bye.code for bye in bert.of_kind(Bye)] == ["full"]


def test_player_take_over_full_dungeon() -> None:
    """A player may take themselves over in a full dungeon."""
    server = SimServer(players_max=1)
    server.join("Anna")
    again = server.join("Anna")
    assert again.up
    turn(server, again, Wait())
    assert server.body(again).actions == 1
