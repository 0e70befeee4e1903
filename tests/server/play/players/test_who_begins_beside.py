"""The players who may begin a life beside a player: their party, all, or no one; never one that they block (F92)."""

import pytest

from gloam_server.storage.chat_store import IgnoredPlayer
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import EnterPlay, Leave
from gloam_shared import limits
from gloam_shared.protocol.messages.lives import BESIDE_CHOICE, JoinFriend, WhoBeside
from gloam_shared.protocol.messages.login import Error
from gloam_shared.protocol.messages.parties import AnswerInvite, InviteToParty
from support.content.campaigns import shipped
from support.server.parties import SPACING_MS, noticed
from support.server.party_requests import player_of
from support.server.sim_server import SimClient, SimServer

pytestmark = pytest.mark.rule("F92")
NO = "Ann does not let you begin at their side; a life at the entrance can begin at any time."


def three(*, party: bool = True) -> tuple[SimServer, SimClient, SimClient, SimClient]:
    """Return a server, Ann on depth 2, and Bert and Cora at the entrance; Bert is in Ann's party."""
    server = SimServer(campaign=shipped("gloam"))
    ann, bert, cora = (server.join(name) for name in ("Ann", "Bert", "Cora"))
    server.advance(200)
    server.engine.loop.submit(1, Leave(server.body(ann).number))
    server.settle()
    account = ann.connection.player
    server.dungeon.realm.lives[account].partition = 2
    server.engine.loop.submit(REALM_PARTITION, EnterPlay(account, "Ann"))
    server.advance(SPACING_MS)
    for creature in server.level_of(ann).monsters():
        server.banish(creature, 2)
    noticed(server)
    if party:
        ann.send(InviteToParty("Bert"))
        server.settle()
        bert.send(AnswerInvite("Ann"))
    server.advance(limits.PARTY_EVERY_MS + SPACING_MS)
    return server, ann, bert, cora


def allow(server: SimServer, player: SimClient, who: WhoBeside) -> None:
    """Let a player say it as their client does."""
    player.link.allow_beside(who)
    server.settle()


def admitted(server: SimServer, guest: SimClient, friend: str = "Ann") -> bool:
    """Let a guest ask, by name or with ""; return whether they have changed level."""
    before = server.level_of(guest)
    guest.send(JoinFriend(1, None, friend))
    server.advance(SPACING_MS)
    return server.level_of(guest) is not before


def refusals(client: SimClient) -> list[str]:
    return [error.text for error in client.of_kind(Error) if error.code == "friend"]


def test_by_default_the_party_is_let_in() -> None:
    server, _, bert, cora = three()
    assert not admitted(server, cora)
    assert refusals(cora) == [NO]
    assert admitted(server, bert)
    assert refusals(bert) == []


@pytest.mark.thorough
def test_without_a_party_everyone_is_let_in() -> None:
    server, _, bert, cora = three(party=False)
    assert admitted(server, bert)
    assert admitted(server, cora)


def test_all_lets_strangers_in() -> None:
    server, ann, _, cora = three()
    allow(server, ann, "all")
    assert admitted(server, cora)


def test_no_one_shuts_out_the_party_too() -> None:
    server, ann, bert, cora = three()
    allow(server, ann, "none")
    assert not admitted(server, bert)
    assert not admitted(server, cora)
    assert refusals(bert) == refusals(cora) == [NO]
    allow(server, ann, "party")
    assert admitted(server, bert)


def test_who_is_blocked_reads_the_same_refusal() -> None:
    """A56: a block is not given away: its words are those for every other no."""
    server, ann, bert, _ = three()
    account = bert.connection.player
    player_of(server, ann).audience.ignored[account] = IgnoredPlayer(account, "Bert", blocked=True)
    allow(server, ann, "all")
    assert not admitted(server, bert)
    assert refusals(bert) == [NO]


def test_without_a_name_one_who_allows_it_is_found() -> None:
    """The deepest friend says no; the life begins beside another, or the refusal says that no friend allows it."""
    server, ann, bert, cora = three(party=False)
    allow(server, ann, "none")
    assert not admitted(server, cora, "")  # Bert, who allows it, is beside Cora already
    assert refusals(cora) == []
    allow(server, bert, "none")
    assert not admitted(server, cora, "")
    assert refusals(cora) == [
        "No friend in the dungeon lets you begin at their side; a life at the entrance can begin at any time."
    ]


def test_the_word_lasts_over_a_cut_and_a_login() -> None:
    """A resume keeps it; after a login the client says it again."""
    server, ann, bert, _ = three()
    allow(server, ann, "none")
    ann.cut()
    ann.dial()
    server.advance(SPACING_MS)
    assert player_of(server, ann).beside == "none"

    again = server.join("Ann")
    assert player_of(server, ann).beside == "party"
    again.link.beside = "none"
    again.cut()
    again.link._resume = b""
    again.dial()
    noticed(server)
    assert player_of(server, ann).beside == "none"
    assert not admitted(server, bert)


def test_an_older_client_or_server_says_nothing() -> None:
    """Without the ability on both sides no such message is sent, and the default holds."""
    server = SimServer(campaign=shipped("gloam"))
    ann = server.join("Ann")
    ann.link._abilities = tuple(each for each in ann.link._abilities if each != BESIDE_CHOICE)
    ann.link.beside = "none"
    ann.cut()
    ann.dial()
    allow(server, ann, "none")
    assert player_of(server, ann).beside == "party"
