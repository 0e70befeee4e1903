"""News of the realm: to all players as it happens, and to absent players when they return."""

import pytest

from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Climb, Wait
from gloam_shared.protocol.messages.chat import ChatLine
from gloam_shared.protocol.messages.lives import Died
from gloam_shared.protocol.messages.records import AskChronicle, AskHistory, Chronicle, History
from gloam_shared.view.view import CreatureFlag
from support.content.named_campaign import named_arena
from support.server.parties import SPACING_MS, company, heir_of, noticed, slain, turn, until
from support.server.party_requests import words
from support.server.sim_server import SimServer

FIRST = ChatLine("", "Anna is the first to reach depth 2.")


@pytest.mark.rule("F87")
def test_first_player_on_a_depth_is_news_for_others() -> None:
    """The first player on a depth is news for the others."""
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
    assert words(again)[:2] == ["While you were away:", FIRST.text]
    again.leave()
    noticed(server)
    third = server.join("Bert", bert.link.login.token)
    server.advance(SPACING_MS)
    assert "While you were away:" not in words(third)


@pytest.mark.rule("F87")
def test_comes_back_dead_reads_too_and_not_of_death() -> None:
    """A player who returns dead reads it too and not of the own death."""
    server, (anna, bert) = company("Anna", "Bert")
    slain(server, bert)
    bert.leave()
    noticed(server)
    slain(server, anna)
    again = server.join("Bert", bert.link.login.token)
    server.advance(SPACING_MS)
    assert words(again)[0] == "While you were away:"
    assert [line.split()[0] for line in words(again)[1:]] == ["Anna"]


@pytest.mark.rule("F87", "F88")
def test_chronicle_and_history_answer_who_asks() -> None:
    """A player who asks reads the chronicle and the past of a monster."""
    server, (anna,) = company("Anna")
    slain(server, anna)
    anna.send(AskHistory(1))
    assert anna.of_kind(History) == [History(1)]
    anna.send(AskChronicle())
    [chronicle] = anna.of_kind(Chronicle)
    assert chronicle.named == ()
    assert [life.name for life in chronicle.lives] == ["Anna"]
    assert chronicle.events[-1].startswith("Anna was killed by an ogre on depth 1.")
    heir_of(server, anna)
    kobold = server.put("kobold", server.body(anna).cell)
    server.advance(SPACING_MS)
    handle = server.level_of(anna).handles[kobold.number]
    anna.send(AskHistory(handle))
    assert anna.of_kind(History)[-1].born_level == 1


@pytest.mark.rule("F86", "F57")
@pytest.mark.parametrize("waits", range(3))
def test_a_name_is_earned_once_whenever_plug_is_pulled(waits: int) -> None:
    """After any cut the realm and the level agree on which creature bears which name, and players read of it once."""
    server = SimServer(named_arena())
    anna = server.join("Anna")
    ogre = server.put("ogre", server.body(anna).cell)
    until(lambda: anna.of_kind(Died), lambda: turn(server, anna))
    for _ in range(waits):
        server.advance(10)
    server.crash()
    server = server.again()
    [bearer] = [body for body in server.dungeon.levels[1].creatures.values() if body.kind == "ogre"]
    assert (bearer.number, bearer.name) == (ogre.number, "Grom the ogre")
    assert [each.name for each in server.dungeon.realm.fame.named.values()] == ["Grom the ogre"]
    entries = server.dungeon.realm.events.entries
    assert [type(entry).__name__ for entry in entries] == ["LifeEnded", "NameRose"]


@pytest.mark.rule("F86", "F87", "F89")
def test_death_tells_name_that_killer_has_earned() -> None:
    """A death tells the name that the killer has earned by it."""
    server = SimServer(named_arena())
    anna, bert = server.join("Anna"), server.join("Bert")
    server.put("ogre", server.body(anna).cell)

    def wait() -> None:
        bert.command(Wait())
        turn(server, anna)

    until(lambda: anna.of_kind(Died) or bert.of_kind(Died), wait)
    dead, alive = (anna, bert) if anna.of_kind(Died) else (bert, anna)
    assert dead.of_kind(Died)[0].by == "Grom the ogre"
    assert "Grom the ogre is level" in dead.of_kind(Died)[0].life[-1]
    rose = [line for line in words(alive) if line.endswith("has made a name for itself: Grom the ogre.")]
    assert len(rose) == 1
    named = [one for one in alive.view.creatures if one.marks & CreatureFlag.NAMED]
    assert [one.name for one in named] == ["Grom the ogre"]
