"""News of the realm: to all players as it happens, and to who was away when they come back."""

import pytest

from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Climb
from gloam_shared.protocol.messages import AskHistory, AskNews, ChatLine, History, News
from support.server.parties import SPACING_MS, company, heir_of, noticed, slain, turn
from support.server.sim_server import SimClient

FIRST = ChatLine("", "Anna is the first to reach depth 2.")


def told(client: SimClient) -> list[str]:
    return [line.text for line in client.of_kind(ChatLine) if not line.name]


@pytest.mark.rule("F87")
def test_the_first_player_on_a_depth_is_news_for_the_others() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    server.walk_to(anna, Terrain.STAIRS_DOWN)
    turn(server, anna, Climb(down=True))
    server.advance(SPACING_MS)
    assert bert.of_kind(ChatLine).count(FIRST) == 1
    assert FIRST not in anna.of_kind(ChatLine)


@pytest.mark.rule("F87")
def test_who_comes_back_reads_what_was_missed_once() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    bert.leave()
    noticed(server)
    server.walk_to(anna, Terrain.STAIRS_DOWN)
    turn(server, anna, Climb(down=True))
    again = server.join("Bert", bert.link.login.token)
    server.advance(SPACING_MS)
    assert told(again)[:2] == ["While you were away:", FIRST.text]
    again.leave()
    noticed(server)
    third = server.join("Bert", bert.link.login.token)
    server.advance(SPACING_MS)
    assert "While you were away:" not in told(third)


@pytest.mark.rule("F87")
def test_who_comes_back_dead_reads_it_too_and_not_of_the_own_death() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    slain(server, bert)
    bert.leave()
    noticed(server)
    slain(server, anna)
    again = server.join("Bert", bert.link.login.token)
    server.advance(SPACING_MS)
    assert told(again)[0] == "While you were away:"
    assert [line.split()[0] for line in told(again)[1:]] == ["Anna"]


@pytest.mark.rule("F87", "F88")
def test_the_chronicle_and_the_past_of_a_monster_are_told_to_who_asks() -> None:
    server, (anna,) = company("Anna")
    slain(server, anna)
    anna.send(AskHistory(1))
    assert anna.of_kind(History) == [History(1)]
    anna.send(AskNews())
    [news] = anna.of_kind(News)
    assert news.named == ()
    assert news.events[-1].startswith("Anna was killed by an ogre on depth 1.")
    heir_of(server, anna)
    kobold = server.put("kobold", server.body(anna).cell)
    server.advance(SPACING_MS)
    handle = server.level_of(anna).handles[kobold.number]
    anna.send(AskHistory(handle))
    assert anna.of_kind(History)[-1].born_level == 1
