"""The recap of a life that is over, from a whole server."""

from gloam_shared.protocol.messages.lives import Died, Recap
from gloam_shared.protocol.messages.login import Joined
from gloam_shared.protocol.registry import ABILITIES
from gloam_shared.view.view import Stat
from support.server.parties import SPACING_MS, all_wait, company, noticed, turn, until
from support.server.sim_server import SimClient, SimServer


def killed(*names: str) -> tuple[SimServer, SimClient, int]:
    """Return a server whose first player an ogre has killed, and the health that the player had."""
    server, players = company(*names)
    anna = players[0]
    turn(server, anna)
    health = anna.view.fact(Stat.HP)
    server.put("ogre", server.body(anna).cell)
    until(lambda: anna.of_kind(Died), lambda: turn(server, anna))
    return server, anna, health


def test_recap_names_source_and_all_its_damage() -> None:
    """U47: the recap has the last ten turns' damage by source, and it accounts for the health that was lost."""
    _, anna, health = killed("Anna")
    (recap,) = anna.of_kind(Recap)
    (taken,) = recap.damage
    assert taken.source == "ogre"
    assert taken.amount >= health
    assert 1 <= taken.blows <= recap.turns == 10
    assert recap.lesson


def test_recap_ends_with_this_life_of_the_line() -> None:
    server, anna, _ = killed("Anna")
    anna.begin_again()
    server.advance(SPACING_MS)
    until(lambda: len(anna.of_kind(Died)) == 2, lambda: turn(server, anna))
    line = anna.of_kind(Recap)[-1].line
    assert [each.name for each in line] == ["Anna", "Anna II"]
    assert {each.by for each in line} == {"ogre"}


def test_recap_comes_again_after_a_cut() -> None:
    server, anna, _ = killed("Anna")
    before = anna.of_kind(Recap)
    anna.cut()
    anna.hear()
    anna.dial()
    server.advance(SPACING_MS)
    assert anna.of_kind(Recap) == before


def test_next_life_begins_at_once_under_the_same_name() -> None:
    """U48: one message begins the next life, in the same party, without any wait of the server."""
    server, players = company("Anna", "Bert")
    anna = players[0]
    turn(server, anna)
    ogre = server.put("ogre", server.body(anna).cell)
    until(lambda: anna.of_kind(Died), lambda: all_wait(server, players))
    server.banish(ogre)
    began_ms = server.now_ms
    anna.begin_again()
    until(lambda: anna.of_kind(Joined)[-1].life == 2 and anna.view.fact(Stat.HP), lambda: server.advance(20))
    assert server.now_ms - began_ms <= 5_000
    assert anna.of_kind(Joined)[-1].name == "Anna"
    noticed(server)
    assert {friend.name for friend in anna.view.party} == {"Anna", "Bert"}


def test_client_without_the_ability_gets_no_recap() -> None:
    server, (anna,) = company("Anna")
    anna.cut()
    anna.link._abilities = tuple(each for each in ABILITIES if each != "recap")
    anna.dial()
    server.advance(200)
    turn(server, anna)
    server.put("ogre", server.body(anna).cell)
    until(lambda: anna.of_kind(Died), lambda: turn(server, anna))
    assert not anna.of_kind(Recap)
