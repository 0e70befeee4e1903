"""The link that first asks for the dungeons of a host: it logs in where there is one, and ends where there are several."""

import pytest

from gloam_client.net.many_dungeons import ManyDungeons
from gloam_client.net.protocol_client import CLIENT_ABILITIES, ProtocolClient
from gloam_shared.protocol.codec import encode
from gloam_shared.protocol.framing import first_frame
from gloam_shared.protocol.messages.dungeons import DUNGEONS, AskDungeons, DungeonRow, Dungeons
from gloam_shared.protocol.messages.login import Joined, Login, Welcome, hello_of
from gloam_shared.protocol.messages.watching import WatchLogin
from gloam_shared.protocol.registry import PROTOCOL_OLDEST, PROTOCOL_VERSION
from support.client.joined_client import TOKEN, sent, wire

HELLO = hello_of(PROTOCOL_VERSION, "test", PROTOCOL_OLDEST, (*CLIENT_ABILITIES, DUNGEONS))
LOGIN = Login("Ann", TOKEN)
ONE = Dungeons("first", (DungeonRow("first", "The Gloam", 0, served=True),))
TWO = Dungeons("first", (*ONE.rows, DungeonRow("second", "The Cave", 7374, served=True)))


def asking(*abilities: str, watches: bool = False) -> ProtocolClient:
    """Return a link that a server with these abilities has greeted."""
    link = ProtocolClient("Ann", TOKEN, "test", watches=watches, asks_dungeons=True)
    link.connected(0)
    assert sent(link) == [HELLO]
    link.receive(first_frame(encode(Welcome(PROTOCOL_VERSION, "gloam", 0, 8, abilities=abilities))), 0)
    return link


def test_an_older_server_gets_the_login() -> None:
    assert sent(asking()) == [LOGIN]
    assert sent(asking("watch", watches=True)) == [WatchLogin("Ann", TOKEN)]


@pytest.mark.parametrize("found", [ONE, Dungeons("")])
def test_one_dungeon_is_entered_on_the_same_line(found: Dungeons) -> None:
    link = asking(DUNGEONS)
    assert sent(link) == [AskDungeons()]
    link.receive(wire(found), 0)
    assert sent(link) == [LOGIN]
    link.receive(wire(Joined("Ann", 0, 1)), 0)
    link.connected(10)
    assert LOGIN in sent(link), "after a cut nothing is asked for"


def test_several_dungeons_end_the_conversation() -> None:
    link = asking(DUNGEONS, "watch", watches=True)
    sent(link)
    with pytest.raises(ManyDungeons) as offer:
        link.receive(wire(TWO), 0)
    assert offer.value.found == TWO
    assert sent(link) == []


def test_a_list_that_was_not_asked_for_changes_nothing() -> None:
    link = asking()
    sent(link)
    link.receive(wire(TWO, Joined("Ann", 0, 1), TWO), 0)
    assert link.joined
    assert sent(link) == []
