"""Players read of events in the order in which they happened: an arrival before the newcomer's words and deeds."""

import pytest

from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Climb, Wait
from gloam_shared.protocol.messages.chat import ChatLine, MapPing, MapPinged, SendChat, Speak, Spoken
from gloam_shared.protocol.messages.lives import Died
from support.server.parties import company, noticed, turn, until
from support.server.sim_server import SimClient


def told(client: SimClient) -> list[str]:
    """Return everything that a player reads besides the log, in its order."""
    return [
        f"{message.name}: {message.text}" if message.name else message.text
        for message in client.hear()
        if isinstance(message, ChatLine | Spoken)
    ]


@pytest.mark.parametrize(
    "say",
    [SendChat("hi"), Speak("say", "hi"), Speak("whisper", "hi", "Anna")],
    ids=["chat", "say", "whisper"],
)
def test_words_come_after_the_arrival_of_their_speaker(say: SendChat | Speak) -> None:
    """An arrival is reported after a delay, but before the first words of the newcomer, and once."""
    server, (anna, bert) = company("Anna", "Bert")
    noticed(server)
    anna.hear(), bert.hear()
    cora = server.join("Cora")
    cora.send(say)
    server.advance(100)
    assert told(anna) == ["Cora comes into the dungeon.", "Cora: hi"]
    assert [friend.name for friend in anna.view.party] == ["Anna", "Bert", "Cora"]
    noticed(server)
    assert told(anna) == []
    assert not [line for line in told(cora) if "comes" in line]


def test_a_ping_comes_after_the_arrival_of_its_player() -> None:
    server, (anna,) = company("Anna")
    noticed(server)
    anna.hear()
    cora = server.join("Cora")
    cora.send(MapPing("come", 1, server.body(cora).cell))
    server.advance(100)
    kinds = [type(each) for each in anna.hear() if isinstance(each, ChatLine | MapPinged)]
    assert kinds == [ChatLine, MapPinged]


def test_a_death_comes_after_the_arrival_of_the_dead() -> None:
    server, (anna,) = company("Anna")
    noticed(server)
    cora = server.join("Cora")
    anna.hear()
    turn(server, cora)
    server.body(cora).hp = 1
    server.put("ogre", server.body(cora).cell)
    until(lambda: cora.of_kind(Died), lambda: (anna.command(Wait()), turn(server, cora)), times=30)
    noticed(server)
    lines_told = told(anna)
    assert lines_told[0] == "Cora comes into the dungeon."
    assert lines_told[1].startswith("Cora was killed by an ogre on depth 1.")
    assert len(lines_told) == 2


def test_a_first_depth_comes_after_the_arrival() -> None:
    server, (anna,) = company("Anna")
    noticed(server)
    cora = server.join("Cora")
    anna.hear()
    server.walk_to(cora, Terrain.STAIRS_DOWN)
    turn(server, cora, Climb(down=True))
    server.advance(100)
    assert told(anna) == ["Cora comes into the dungeon.", "Cora is the first to reach depth 2."]
