"""Heirs: the next life carries the line on, with a keepsake of the last; nothing is doubled on the way."""

from collections import Counter

import pytest

from gloam_server.world.realm.chronicle import LifeEnded
from gloam_shared.narration.rendering import render_line
from gloam_shared.protocol.commands import PickUp
from gloam_shared.protocol.messages.chat import ChatLine
from gloam_shared.protocol.messages.lives import NewLife
from gloam_shared.protocol.messages.play import Update
from support.server.parties import SPACING_MS, carrying, company, heir_of, slain, turn
from support.server.sim_server import SimClient, SimServer


def everything(server: SimServer) -> Counter[int]:
    """Count every thing of the realm by its number: lying, carried, and with bodies out of play."""
    found: Counter[int] = Counter()
    for level in server.dungeon.levels.values():
        found.update(item.number for _, item in level.items_at())
        found.update(item.number for body in level.creatures.values() for item in body.carried)
    for life in server.dungeon.realm.lives.values():
        found.update(item.number for item in (life.kept.carried if life.kept else ()))
    return found


def lines(client: SimClient) -> list[str]:
    return [render_line(line) for line in client.view.log.lines]


@pytest.mark.rule("F55")
def test_dead_reported_life_and_offered() -> None:
    """The dead are shown their life and offered what they had."""
    server, (anna,) = company("Anna")
    carrying(server, anna, "sword", "apple")
    died = slain(server, anna)
    assert died.keepsakes == ("sword", "apple")
    assert len(died.life) == 5
    assert died.life[0] == "Anna, the first of the line."
    assert died.life[4].startswith("Died on depth 1. What killed you is level ")
    assert not died.won


@pytest.mark.rule("F55")
def test_heir_carries_keepsake_and_name_line() -> None:
    """An heir carries one keepsake and their name in the line."""
    server, (anna,) = company("Anna")
    [sword, _] = carrying(server, anna, "sword", "apple")
    died = slain(server, anna)
    heir_of(server, anna, 0)
    body = server.body(anna)
    assert [item.number for item in body.carried] == [sword]
    assert (body.name, body.family) == ("Anna", "Anna II")
    assert "You carry a sword, kept from your last life." in lines(anna)
    grave = [item.name for item in server.dungeon.levels[1].piles[died.cell]]
    assert grave == ["grave of Anna", "apple", "Anna corpse"]
    assert slain(server, anna).life[0] == "Anna II, of the line of Anna."


@pytest.mark.rule("F55")
def test_a_slower_friend_is_passed_and_informed() -> None:
    """A player whose friend was faster gets no keepsake, and reads so."""
    server, (anna, bert) = company("Anna", "Bert")
    [sword] = carrying(server, anna, "sword")
    died = slain(server, anna)
    server.walk(bert, died.cell)
    turn(server, bert, PickUp())
    heir_of(server, anna, 0)
    assert server.body(anna).carried == []
    assert sword in [item.number for item in server.body(bert).carried]
    assert "Your keepsake is no longer in the grave: another player took it first." in lines(anna)
    assert everything(server)[sword] == 1


@pytest.mark.rule("F55")
@pytest.mark.parametrize("keepsake", [None, 1, 25])
def test_none_or_one_that_was_not_offered_is_none(keepsake: int | None) -> None:
    server, (anna,) = company("Anna")
    [sword] = carrying(server, anna, "sword")
    slain(server, anna)
    heir_of(server, anna, keepsake)
    assert server.body(anna).carried == []
    assert everything(server)[sword] == 1


@pytest.mark.rule("F46")
def test_a_keepsake_asked_for_twice_is_had_once() -> None:
    server, (anna,) = company("Anna")
    [sword, apple] = carrying(server, anna, "sword", "apple")
    slain(server, anna)
    anna.link.send(NewLife(1, 0))
    anna.link.send(NewLife(1, 1))
    server.advance(SPACING_MS)
    assert [item.number for item in server.body(anna).carried] == [sword]
    assert [everything(server)[each] for each in (sword, apple)] == [1, 1]


@pytest.mark.rule("F57")
def test_keepsake_once_whenever_plug_pulled() -> None:
    """A keepsake is had once whenever the plug is pulled."""
    for pulled_after in (0, 1):
        server, (anna,) = company("Anna")
        [sword] = carrying(server, anna, "sword")
        server.stop()  # what a test put there is in a snapshot, not in the journal
        server = anna.server = server.again()
        server.clients.append(anna)
        anna.up = False
        anna.dial()
        server.advance(SPACING_MS)
        slain(server, anna)
        anna.link.send(NewLife(1, 0))
        anna.pump()
        if pulled_after:
            server.advance(SPACING_MS)
        server.crash()
        server = anna.server = server.again()
        server.clients.append(anna)
        anna.dial()
        server.advance(SPACING_MS)
        if server.engine.players.in_dungeon(anna.connection.player) is None:
            heir_of(server, anna, 0)
        assert everything(server)[sword] == 1
        assert [item.number for item in server.body(anna).carried] == [sword]


@pytest.mark.rule("F55")
def test_reported_death_server() -> None:
    """The server sends news of a death to the other players, after the blow."""
    server, (anna, bert) = company("Anna", "Bert")
    slain(server, anna)
    [event] = server.dungeon.realm.events.entries
    assert isinstance(event, LifeEnded)
    said = ChatLine("", f"Anna was killed by an ogre on depth 1. It is level {event.killer_level} now.")
    blow = next(
        at
        for at, message in enumerate(bert.got)
        if isinstance(message, Update) and any(line.kind == "kills" for line in bert.link.view.log.lines)
    )
    assert said in bert.got[blow:]
    assert said not in anna.of_kind(ChatLine)


@pytest.mark.rule("F56")
def test_the_chronicle_keeps_how_each_life_ended() -> None:
    server, (anna,) = company("Anna")
    slain(server, anna)
    heir_of(server, anna)
    slain(server, anna)
    chapters = [(chapter.name, chapter.won, chapter.by) for chapter in server.dungeon.realm.chronicle]
    assert chapters == [("Anna", False, "ogre"), ("Anna II", False, "ogre")]


@pytest.mark.rule("F46")
def test_many_deaths_no_thing_doubled_or_lost() -> None:
    """Through many deaths no thing is doubled or lost."""
    server, (anna, bert) = company("Anna", "Bert")
    things = carrying(server, anna, "sword", "apple", "tunic") + carrying(server, bert, "melon", "rock")
    for at in range(6):
        victim = (anna, bert)[at % 2]
        slain(server, victim)
        heir_of(server, victim, at % 3)
        counted = everything(server)
        assert set(counted.values()) == {1}
        assert all(counted[number] == 1 for number in things)
