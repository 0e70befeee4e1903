"""Death is permanent: the server reports it immediately, and the player decides when the next life begins."""

import pytest

from gloam_server.storage.errors import StorageFull
from gloam_server.views.texts.news import greatest_lives
from gloam_server.world.realm.chronicle import ChronicleEntry
from gloam_shared.geometry import DIRECTIONS
from gloam_shared.limits import CHRONICLE_SHOWN_MAX
from gloam_shared.protocol.commands import Duel, Move, Wait
from gloam_shared.protocol.messages.lives import Died, NewLife
from gloam_shared.protocol.messages.login import Bye, Joined
from gloam_shared.protocol.messages.play import Acknowledge, Update
from gloam_shared.protocol.messages.records import AskChronicle, Chronicle
from gloam_shared.view.view import CreatureFlag, Stat
from support.server.parties import SPACING_MS, all_wait, answers, company, threatened, turn, until
from support.server.sim_server import SimClient, SimServer
from support.storage.memory_store import MemoryStore


def dead(*names: str) -> tuple[SimServer, list[SimClient]]:
    """Return a company whose first member has been killed by an ogre, which is gone."""
    server, players = company(*names)
    anna = players[0]
    turn(server, anna)  # a player who has acted can be hurt
    ogre = server.put("ogre", server.body(anna).cell)
    until(lambda: anna.of_kind(Died), lambda: all_wait(server, players))
    server.banish(ogre)
    return server, players


def test_a_dead_player_learns_cause_and_depth() -> None:
    server, (anna,) = dead("Anna")
    (died,) = anna.of_kind(Died)
    assert (died.by, died.depth, died.level, died.kills) == ("ogre", 1, 1, 0)
    assert died.turns >= 1
    assert [death.name for death in server.store.directory.deaths()] == ["Anna"]


@pytest.mark.rule("A41")
def test_the_dead_command_nothing() -> None:
    server, (anna,) = dead("Anna")
    anna.hear()
    number = anna.command(Wait())
    assert answers(anna) == [(number, "cannot")]
    assert anna.link.unanswered is None
    assert not server.fatal


def answered_to(player: SimClient) -> list[int]:
    """Return the numbers up to which the updates say that commands are answered."""
    return [update.done for update in player.of_kind(Update)]


def duel_to_the_death() -> tuple[SimServer, SimClient, SimClient]:
    """Return a duel in which Bert's next blow ends Anna's life."""
    server, (anna, bert) = company("Anna", "Bert")
    for each in (anna, bert):
        turn(server, each)  # a player who has acted can be hurt
    for one, other in ((anna, bert), (bert, anna)):
        one.command(Duel(other.view.fact(Stat.HANDLE), True))
        server.advance(SPACING_MS)
    server.body(anna).hp, server.body(bert).attack = 1, 90
    return server, anna, bert


def strike(server: SimServer, one: SimClient, other: SimClient) -> int:
    grid = server.level_of(one).grid
    ways = {grid.step(server.body(one).cell, *way): way for way in DIRECTIONS}
    return one.command(Move(*ways[server.body(other).cell]))


@pytest.mark.rule("A41")
@pytest.mark.parametrize("strikes_back", [False, True])
def test_the_command_of_the_last_turn_is_answered(strikes_back: bool) -> None:
    """A player who is struck dead before their own action in the same turn has an answer all the same."""
    server, anna, bert = duel_to_the_death()
    strike(server, bert, anna)
    number = strike(server, anna, bert) if strikes_back else anna.command(Wait())
    server.advance(SPACING_MS)
    assert anna.of_kind(Died)
    assert max(answered_to(anna)) >= number
    assert anna.link.unanswered is None


@pytest.mark.rule("A41")
def test_a_free_command_at_death_is_answered() -> None:
    """Words in a duel or a trade that cost no turn are answered, too, when the life is over."""
    server, anna, bert = duel_to_the_death()
    strike(server, bert, anna)
    anna.command(Wait())
    anna.command(Duel(bert.view.fact(Stat.HANDLE), False))
    server.advance(SPACING_MS)
    until(lambda: anna.of_kind(Died), lambda: (strike(server, bert, anna), turn(server, anna)))
    assert anna.link.unanswered is None
    anna.begin_again()
    server.advance(SPACING_MS)
    turn(server, anna)
    assert server.body(anna).actions == 1


def test_a_new_life_has_the_same_name_and_another_body() -> None:
    server, (anna,) = dead("Anna")
    old = anna.view.fact(Stat.HANDLE)
    anna.begin_again()
    server.advance(SPACING_MS)
    assert anna.of_kind(Joined)[-1] == Joined("Anna", 0, 2)
    body = server.body(anna)
    assert (body.name, body.hp, body.level, body.actions) == ("Anna", 40, 1, 0)
    assert [each.handle for each in anna.view.creatures if each.marks & CreatureFlag.SELF] != [old]
    turn(server, anna)
    assert server.body(anna).actions == 1


def test_what_was_left_lies_where_he_fell() -> None:
    server, (anna,) = dead("Anna")
    (died,) = anna.of_kind(Died)
    anna.begin_again()
    server.advance(SPACING_MS)
    server.walk(anna, died.cell)
    assert [(item.cell, item.name) for item in anna.view.items] == [(died.cell, "Anna corpse")]


def test_a_new_life_remembers_nothing() -> None:
    server, (anna,) = company("Anna")
    server.walk(anna, server.ground(anna)[-1])
    ogre = server.put("ogre", server.body(anna).cell)
    until(lambda: anna.of_kind(Died), lambda: turn(server, anna))
    known = sum(map(bool, anna.view.terrain))
    server.banish(ogre)
    anna.begin_again()
    server.advance(SPACING_MS)
    assert 0 < sum(map(bool, anna.view.terrain)) < known


def test_friends_see_it_happen_and_play_on() -> None:
    server, (anna, bert) = dead("Anna", "Bert")
    assert [friend.name for friend in bert.view.party] == ["Bert"]
    assert ("kills", "ogre", "Anna") in [
        (line.kind, line.subject, line.object) for line in bert.view.log.lines
    ]
    before = server.body(bert).actions
    turn(server, bert)
    assert server.body(bert).actions == before + 1
    assert anna.up


def test_comes_back_after_death_reported_and_begins() -> None:
    """A player who returns after a death sees it again, and begins the next life when they want."""
    server, (anna,) = dead("Anna")
    messages = anna.of_kind(Died)
    anna.cut()
    anna.hear()
    anna.dial()
    server.advance(SPACING_MS)
    assert anna.of_kind(Joined)[-1].life == 1
    assert anna.of_kind(Died) == messages
    assert not server.dungeon.levels[1].players()
    anna.begin_again()
    server.advance(SPACING_MS)
    assert anna.of_kind(Joined)[-1].life == 2
    assert server.body(anna).hp == 40


def test_dies_while_line_cut_reported_when_comes_back() -> None:
    """A player who dies while disconnected sees the death when they return."""
    server, (anna,) = company("Anna")
    server.put("ogre", server.body(anna).cell)
    turn(server, anna)
    anna.cut()
    until(lambda: not server.dungeon.realm.lives, lambda: server.advance(1_000))
    anna.dial()
    server.advance(SPACING_MS)
    assert anna.of_kind(Died)[-1].by == "ogre"
    anna.begin_again()
    server.advance(SPACING_MS)
    assert anna.of_kind(Joined)[-1].life == 2


def test_turn_killed_shown() -> None:
    """The client gets the turn that killed the player. It answers their last command."""
    server, (anna,) = company("Anna")
    server.put("ogre", server.body(anna).cell)
    until(lambda: anna.of_kind(Died), lambda: turn(server, anna))
    assert anna.link.unanswered is None
    assert anna.view.fact(Stat.HP) == 0
    assert (anna.view.log.lines[-1].kind, anna.view.log.lines[-1].object) == ("kills", "you")


def test_a_new_life_twice_is_one() -> None:
    server, (anna,) = dead("Anna")
    anna.link.send(NewLife(1))
    anna.link.send(NewLife(1))
    server.advance(SPACING_MS)
    turn(server, anna)
    assert len(server.dungeon.levels[1].players()) == 1
    assert anna.up


def test_new_life_asked_twice_not_begin() -> None:
    """A new life asked for twice does not begin the one after the next."""
    server, (anna,) = dead("Anna")
    anna.begin_again()
    server.advance(SPACING_MS)
    ogre = server.put("ogre", server.body(anna).cell)
    until(lambda: len(anna.of_kind(Died)) == 2, lambda: turn(server, anna))
    server.banish(ogre)
    anna.link.send(NewLife(1))  # a second Enter, which a slow line brings only now
    server.advance(SPACING_MS)
    assert list(server.dungeon.realm.born.values()) == [2]
    assert not server.dungeon.realm.lives
    anna.begin_again()
    server.advance(SPACING_MS)

    assert anna.of_kind(Joined)[-1].life == 3
    assert server.body(anna).hp == 40


def test_late_acknowledgement_old_life_no_harm() -> None:
    """A late acknowledgement of the old life does no harm."""
    server, (anna,) = company("Anna")
    for _ in range(10):
        turn(server, anna)
    ogre = server.put("ogre", server.body(anna).cell)
    until(lambda: anna.of_kind(Died), lambda: turn(server, anna))
    server.banish(ogre)
    seen = len(anna.of_kind(Update))
    anna.link.send(NewLife(1))
    anna.pump()
    server.clock.advance(0)  # the new life has begun, but what tells of it is still on its way
    anna.link.send(Acknowledge(seen))
    server.advance(SPACING_MS)

    assert anna.of_kind(Bye) == []
    assert anna.up
    turn(server, anna)
    assert anna.view.cell == server.body(anna).cell


def test_owed_acknowledgements_died_sees_next() -> None:
    """A player who owed acknowledgements when they died sees their next life."""
    server, (anna,) = company("Anna")
    turn(server, anna)
    ogre = server.put("ogre", server.body(anna).cell)
    anna.reading = False
    until(lambda: server.dungeon.realm.deaths, lambda: turn(server, anna))
    server.banish(ogre)
    anna.reading = True
    server.advance(200)
    anna.begin_again()
    server.advance(200)

    assert anna.view.cell == server.body(anna).cell
    for _ in range(5):
        number = turn(server, anna)
        assert anna.link.done == number


@pytest.mark.parametrize("crash", [False, True])
def test_command_old_life_not_carried_next(*, crash: bool) -> None:
    """A command of the old life is not carried out in the next."""
    server, (anna,) = company("Anna")
    turn(server, anna)
    ogre = server.put("ogre", server.body(anna).cell)
    until(lambda: anna.of_kind(Died), lambda: turn(server, anna))
    server.banish(ogre)
    anna.reading = False  # the new life begins, and the line breaks before that is heard
    anna.begin_again()
    server.advance(SPACING_MS)
    anna.cut()
    server.advance(SPACING_MS)
    if crash:
        server.crash()
        server = anna.server = server.again()
        server.clients.append(anna)
    anna.reading = True
    anna.dial()
    server.advance(2 * SPACING_MS)

    assert anna.of_kind(Joined)[-1] == Joined("Anna", 0, 2)
    assert server.body(anna).actions == 0
    assert anna.link.unanswered is None


def test_a_first_command_is_not_forgotten_over_a_cut() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    server.advance(200)
    threatened(server, anna, bert)
    number = anna.command(Wait())
    anna.cut()
    anna.dial()
    server.advance(SPACING_MS)
    assert anna.of_kind(Joined)[-1].life == 1
    assert anna.link.unanswered is not None
    turn(server, bert)
    assert server.body(anna).command == number


def test_new_life_began_line_since_cut_next_line() -> None:
    """A new life that began on a line since cut is had by the next line."""
    server, (anna, bert) = dead("Anna", "Bert")
    assert isinstance(server.store, MemoryStore)
    server.store.journal.fail_next(StorageFull("The disk is full."))
    bert.command(Wait())  # it is not written yet, so the new life begins in the next beat
    anna.begin_again()
    anna.cut()
    anna.dial()
    server.advance(2_000)
    anna.begin_again()
    server.advance(SPACING_MS)
    assert anna.of_kind(Joined)[-1] == Joined("Anna", 0, 2)
    assert anna.view.cell == server.body(anna).cell
    assert len(server.dungeon.levels[1].players()) == 2


def test_everybody_who_asks_reads_how_a_life_ended() -> None:
    """The chronicle answers the living and the dead alike, and a realm without deaths with an empty list."""
    _, players = company("Anna", "Bert")
    players[1].send(AskChronicle())
    assert players[1].of_kind(Chronicle) == [Chronicle()]
    _, players = dead("Anna", "Bert")
    for player in players:
        player.send(AskChronicle())
        (message,) = player.of_kind(Chronicle)
        assert [(life.name, life.won, life.by, life.depth, life.level) for life in message.lives] == [
            ("Anna", False, "ogre", 1, 1)
        ]


def test_greatest_lives_come_first() -> None:
    """Winners come before the deepest, those before the highest in level; the list is bounded."""

    def over(name: str, depth: int, level: int = 1, *, won: bool = False) -> ChronicleEntry:
        return ChronicleEntry(name=name, account=1, won=won, by="rat", depth=depth, level=level, turns=9)

    ended = [
        over("Ann", 3),
        over("Bob", 3, 2),
        over("Cyd", 2, won=True),
        *(over(f"D{at}", 1) for at in range(40)),
    ]
    names = [life.name for life in greatest_lives(ended)]
    assert names[:4] == ["Cyd", "Bob", "Ann", "D0"]
    assert len(names) == CHRONICLE_SHOWN_MAX
