"""Accounts that logged in and never acted go after a day, with everything that the realm holds of them."""

from gloam_server.world.model.inputs import ForgetLife
from gloam_server.world.realm.realm import was_played
from gloam_shared import limits
from gloam_shared.protocol.commands import Wait
from support.content.campaigns import shipped
from support.server.parties import SPACING_MS, carrying
from support.server.sim_server import SimServer

GUESTS = 20


def visited(server: SimServer, name: str, *commands: Wait, given: bool = False) -> int:
    """Let a player log in, give some commands and leave; return their account."""
    client = server.join(name, host=f"10.1.{len(server.clients)}.1")
    server.advance(SPACING_MS)
    for command in commands:
        client.command(command)
        server.advance(SPACING_MS)
    if given:
        carrying(server, client, "knife")
    client.leave()
    server.advance(100)
    return client.connection.player


def test_lives_that_never_acted_are_forgotten() -> None:
    """bound: UNUSED_S. A hundred scripted logins leave neither lives nor map memory."""
    server = SimServer(campaign=shipped("gloam"))
    realm, level = server.dungeon.realm, server.dungeon.levels[1]
    acted = visited(server, "Acted", Wait())
    given = visited(server, "Given", given=True)
    before = len(server.dungeon.serialize(0))
    guests = [visited(server, f"Guest{at}") for at in range(GUESTS)]
    assert set(guests) < set(realm.lives)
    server.wall_s += limits.UNUSED_S + 1
    late = visited(server, "Late")

    assert set(realm.lives) == set(realm.born) == {acted, given, guests[-1], late}, "the newest number stays"
    assert not any(
        number for number in level.memory if number not in {realm.lives[a].number for a in realm.lives}
    )
    assert len(server.dungeon.serialize(0)) < before * 2
    again = visited(server, "Guest0", Wait())
    assert again not in guests


def test_players_of_removed_accounts_are_forgotten() -> None:
    """The server's memory of players does not grow with logins that never acted."""
    server = SimServer()
    for at in range(GUESTS):
        visited(server, f"Guest{at}")
    server.wall_s += limits.UNUSED_S + 1
    visited(server, "Late")
    assert sorted(server.engine.players.names()) == [f"Guest{GUESTS - 1}", "Late"]
    back = server.join("Guest3")
    assert server.engine.players.in_dungeon(back.connection.player)
    assert "Guest3" in server.engine.players.names()


def test_kill_between_account_and_life_leaves_no_life() -> None:
    """The account goes in one transaction and the life in a later one; the next start makes up for it."""
    server = SimServer()
    guest, acted = visited(server, "Guest"), visited(server, "Acted", Wait())
    _, gone = server.store.directory.drop_unused(lambda account: account == acted, server.wall_s + 1, 0)
    assert gone == [guest]
    server.crash()
    again = server.again()
    assert guest in again.dungeon.realm.lives
    newest = again.join("Newest").connection.player
    again.advance(SPACING_MS)
    assert set(again.dungeon.realm.lives) == {acted, newest}


def test_a_realm_refuses_to_forget_who_played() -> None:
    """By inputs alone: neither a life that acted nor one in play goes."""
    server = SimServer(campaign=shipped("gloam"))
    acted = visited(server, "Acted", Wait())
    present = server.join("Here").connection.player
    for account in (acted, present, 999):
        server.dungeon.apply_input(0, ForgetLife(account))
    assert set(server.dungeon.realm.lives) == {acted, present}
    assert was_played(server.dungeon.realm, acted)
    assert not was_played(server.dungeon.realm, 999)


def test_what_was_forgotten_stays_forgotten() -> None:
    """The input is in the journal: after a crash the realm is as before."""
    server = SimServer(campaign=shipped("gloam"))
    visited(server, "Guest")
    visited(server, "Other", Wait())
    server.wall_s += limits.UNUSED_S + 1
    visited(server, "Late")
    state = server.dungeon.state_hash()
    assert any(isinstance(each, ForgetLife) for each in server.inputs(0))
    server.crash()
    assert server.again().dungeon.state_hash() == state
