"""Players who die, or join late, begin beside their friends (rule F92)."""

import pytest
from msgspec.structs import replace

from gloam_server.content.campaign import Campaign
from gloam_server.content.campaign_schema import CatchUpRules
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Climb
from gloam_shared.protocol.messages.lives import JoinFriend, NewLife
from gloam_shared.protocol.messages.login import Error, Joined
from support.content.campaigns import shipped
from support.server.parties import SPACING_MS, clear, noticed, slain, turn
from support.server.sim_server import SimClient, SimServer

GLOAM = shipped("gloam")


def friends(*names: str, campaign: Campaign = GLOAM) -> tuple[SimServer, list[SimClient]]:
    """Return a server and players; the first is on depth 2, where nothing else lives."""
    server = SimServer(campaign=campaign)
    players = [server.join(name) for name in names]
    server.advance(200)
    clear(server, players[0])
    server.walk_to(players[0], Terrain.STAIRS_DOWN)
    turn(server, players[0], Climb(down=True))
    noticed(server)
    clear(server, players[0])
    return server, players


def dead_beside(server: SimServer, victim: SimClient, friend: SimClient) -> None:
    """Let a player die; the killer, who goes down to the friend's level, is taken away there."""
    slain(server, victim)
    clear(server, friend)


def ask(server: SimServer, player: SimClient, life: int = 1, friend: str = "") -> None:
    player.send(JoinFriend(life, None, friend))
    server.advance(SPACING_MS)


@pytest.mark.rule("F92")
def test_the_dead_begin_beside_a_friend() -> None:
    """U48: one message after death, and the heir stands beside the friend."""
    server, (ann, bert) = friends("Ann", "Bert")
    dead_beside(server, bert, ann)
    ask(server, bert)
    assert bert.of_kind(Joined)[-1].life == 2
    assert server.level_of(bert) is server.level_of(ann)
    assert server.level_of(ann).grid.distance(server.body(ann).cell, server.body(bert).cell) == 1
    server.advance(SPACING_MS)
    assert bert.view.place.depth == 2


@pytest.mark.rule("F92")
def test_a_newcomer_goes_to_a_named_friend() -> None:
    """U55: who has just begun at the entrance goes to a friend with one message; the life goes on."""
    server, (ann, bert) = friends("Ann", "Bert")
    ask(server, bert, friend="aNN")
    assert server.level_of(bert) is server.level_of(ann)
    assert bert.view.place.depth == 2
    assert bert.of_kind(Error) == []


@pytest.mark.rule("F92")
def test_a_refusal_says_why() -> None:
    """A friend who is not there, an old life, a foe, another campaign: one sentence each, and nothing changes."""
    server, (ann, bert) = friends("Ann", "Bert")
    ask(server, bert, friend="Carl")
    server.body(bert).actions = 301
    ask(server, bert)
    server.body(bert).actions = 3
    server.put("kobold", server.body(bert).cell)
    server.advance(SPACING_MS)
    ask(server, bert)

    assert [error.text for error in bert.of_kind(Error)] == [
        "Carl is not in the dungeon now; a life at the entrance can begin at any time.",
        "Only a life that has just begun can go to a friend's side at once; take the stairs.",
        "A foe holds you here; get away from it first.",
    ]
    assert {error.code for error in bert.of_kind(Error)} == {"friend"}
    assert server.level_of(bert) is not server.level_of(ann)


@pytest.mark.rule("F92")
def test_no_life_begins_beside_a_foe() -> None:
    """A friend in danger is no place to begin: the newcomer would die beside them, and the foe would learn from it."""
    server, (ann, bert) = friends("Ann", "Bert")
    dead_beside(server, bert, ann)
    foe = server.put("kobold", server.body(ann).cell, server.level_of(ann).partition)
    server.advance(SPACING_MS)
    ask(server, bert)
    assert [error.text for error in bert.of_kind(Error)] == [
        "Ann is in danger now; wait until the fight is over, or begin at the entrance."
    ]
    server.banish(foe, server.level_of(ann).partition)
    server.advance(SPACING_MS)
    ask(server, bert)
    assert server.level_of(bert) is server.level_of(ann)


@pytest.mark.rule("F92")
def test_a_classic_begins_at_the_entrance() -> None:
    """Without `[catch_up]` in its campaign a realm refuses, and the player is still free to begin."""
    server, (_, bert) = friends("Ann", "Bert", campaign=replace(GLOAM, catch_up=CatchUpRules()))
    slain(server, bert)
    ask(server, bert)
    assert [error.text for error in bert.of_kind(Error)] == [
        "In this campaign every life begins at the entrance; begin there."
    ]
    bert.send(NewLife(1))
    server.advance(SPACING_MS)
    assert bert.of_kind(Joined)[-1].life == 2


@pytest.mark.rule("F92")
def test_a_life_asks_again_and_gets_nothing() -> None:
    """Thirty requests by hand, at any pace: one way, no items, and a sentence; a life that began there has had its way."""
    server, (ann, bert) = friends("Ann", "Bert")
    cora = server.join("Cora")
    server.advance(200)
    ask(server, bert)
    dead_beside(server, cora, ann)
    ask(server, cora)
    before = {player: [item.number for item in server.body(player).carried] for player in (bert, cora)}
    for _ in range(15):
        for player, life in ((bert, 1), (cora, 2)):
            player.send(JoinFriend(life, None, "Ann"))
            ask(server, player, life, friend="Ann")

    assert server.level_of(bert) is server.level_of(cora) is server.level_of(ann)
    for player, items in before.items():
        assert [item.number for item in server.body(player).carried] == items
        texts = {error.text for error in player.of_kind(Error) if error.code == "friend"}
        assert texts == {"This life has gone to a friend's side before; the next life can go to one again."}


@pytest.mark.rule("F92")
def test_a_wish_for_an_older_life_begins_nothing() -> None:
    """A message that arrives twice begins one life."""
    server, (ann, bert) = friends("Ann", "Bert")
    dead_beside(server, bert, ann)
    ask(server, bert)
    body = server.body(bert).number
    ask(server, bert)
    assert server.body(bert).number == body
