"""A rule that fails in a turn costs the creature whose action failed, and the turn goes on without it (limits, section 2)."""

import pytest

from gloam_server.world.effects.upkeep import end_action
from gloam_server.world.items.floor_items import announce_pile
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.inputs import Remove, Respawn, Turn
from gloam_server.world.model.level import Level
from gloam_server.world.transition import apply as applying
from gloam_server.world.transition import turn as turns_of_the_world
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Climb, Move, Wait
from gloam_shared.protocol.messages.login import Bye
from gloam_shared.protocol.messages.play import Answer
from support.content.campaigns import arena_with
from support.run.fault_seam import FaultSeam
from support.server.failing_rules import FOREVER, Broken, Poison
from support.server.journal_checks import byes, things, whole
from support.server.parties import actions, armed_goblin, company, threatened, turn
from support.server.sim_server import SimServer

KING = """
[king]
name = "king"
glyph = "K"
colour = "yellow"
hp = 20
attack = 1
tasks = ["hunt", "wander"]
boss = true
spawns = false
"""


def removed(server: SimServer, partition: int = 1) -> list[int]:
    """Return that the journal of a level tells to have been taken out."""
    return [each.creature for each in server.inputs(partition) if isinstance(each, Remove)]


def test_monster_action_fails_vanishes(poison: Poison) -> None:
    """A monster whose action fails vanishes and the turn goes on without it."""
    server, (anna,) = company("Anna")
    kobold = server.put("kobold", server.body(anna).cell)
    rat = server.put("rat", server.body(anna).cell)
    poison.spoil(turns_of_the_world, end_action, server.level_of(anna), kobold)
    number = anna.command(Wait())
    server.advance(100)

    assert poison.failed == 1
    assert removed(server) == [kobold.number]
    assert kobold.number not in server.level_of(anna).creatures
    assert server.level_of(anna).creatures[rat.number].actions == 1, "the others act once, and no more"
    assert (actions(server, anna), anna.link.done) == (1, number)
    assert byes(anna) == []
    assert any(line.kind == "removed" and line.subject == "kobold" for line in anna.view.log.lines)
    turn(server, anna)
    whole(server)


def test_removal_stands_before_turn(poison: Poison) -> None:
    """The removal stands before the turn and in the same append."""
    server, (anna,) = company("Anna")
    kobold = server.put("kobold", server.body(anna).cell)
    poison.spoil(turns_of_the_world, end_action, server.level_of(anna), kobold)
    server.writer.appended.clear()
    turn(server, anna)
    [first, second] = server.inputs(1)[-2:]
    assert isinstance(first, Remove)
    assert isinstance(second, Turn)
    assert [record.partition for record in server.writer.appended[0]] == [1, 1]


def test_what_a_monster_carried_stays_where_it_stood(poison: Poison) -> None:
    server, (anna,) = company("Anna")
    goblin = armed_goblin(server, anna)
    before, cell = things(server.dungeon), goblin.cell
    poison.spoil(turns_of_the_world, end_action, server.level_of(anna), goblin)
    turn(server, anna)
    assert removed(server) == [goblin.number]
    assert [item.name for item in server.level_of(anna).piles[cell]] == ["sword"]
    assert things(server.dungeon) == before
    whole(server)


def test_player_action_fails_reported(poison: Poison) -> None:
    """A player whose action fails reads so, and returns unhurt with all items."""
    server, (anna, bert) = company("Anna", "Bert")
    body = server.body(anna)
    carried, hp, experience, before = [*body.carried], body.hp, body.experience, things(server.dungeon)
    poison.spoil(turns_of_the_world, end_action, server.level_of(anna), body)
    number = anna.command(Move(1, 0))
    server.advance(100)

    assert poison.failed == 1
    assert byes(anna) == ["fault"]
    assert "unhurt" in anna.of_kind(Bye)[0].text
    assert [each.number for each in anna.of_kind(Answer)] == [number]
    assert any(line.kind == "removed" and line.subject == "Anna" for line in bert.view.log.lines)
    assert things(server.dungeon) == before
    turn(server, bert)
    assert actions(server, bert) == 1

    anna.dial()
    server.advance(200)
    body = server.body(anna)
    assert (body.carried, body.hp, body.experience, body.actions) == (carried, hp, experience, 0)
    turn(server, anna)
    assert actions(server, anna) == 1
    assert byes(anna) == ["fault"], "what failed is not tried again by itself"
    whole(server)


def test_held_friends_command_answered(poison: Poison) -> None:
    """A held friend's command is answered when the failing player shares their turn."""
    server, (anna, bert) = company("Anna", "Bert")
    threatened(server, anna, bert)
    poison.spoil(turns_of_the_world, end_action, server.level_of(anna), server.body(anna))
    number = bert.command(Wait())
    anna.command(Wait())
    server.advance(100)
    assert byes(anna) == ["fault"]
    assert (bert.link.done, actions(server, bert)) == (number, 1)
    whole(server)


def test_held_two_together_gone_both_commands(poison: Poison) -> None:
    """Commands of two who were held together are done even when what held them is gone."""
    server, (anna, bert) = company("Anna", "Bert")
    statue = threatened(server, anna, bert)
    poison.spoil(turns_of_the_world, end_action, server.level_of(anna), statue)
    numbers = [player.command(Wait()) for player in (anna, bert)]
    server.advance(100)
    assert removed(server) == [statue.number]
    assert [player.link.done for player in (anna, bert)] == numbers
    assert (actions(server, anna), actions(server, bert)) == (1, 1)
    whole(server)


def test_two_who_fail_in_one_turn_are_both_taken_out(poison: Poison) -> None:
    server, (anna,) = company("Anna")
    level, cell = server.level_of(anna), server.body(anna).cell
    foes = [server.put("kobold", cell), server.put("ogre", cell)]
    for foe in foes:
        poison.spoil(turns_of_the_world, end_action, level, foe, times=5)
    number = anna.command(Wait())
    server.advance(100)
    assert sorted(removed(server)) == sorted(foe.number for foe in foes)
    assert (anna.link.done, actions(server, anna)) == (number, 1)
    whole(server)


def test_everybody_may_fail_and_the_server_stands(poison: Poison) -> None:
    server, (anna, bert) = company("Anna", "Bert")
    kobold = server.put("kobold", server.body(anna).cell)
    poison.spoil(turns_of_the_world, end_action, server.level_of(anna), times=2)
    for player in (anna, bert):
        player.command(Wait())
        server.advance(100)
    assert list(server.dungeon.levels[1].creatures) == [kobold.number], "its turn never came"
    assert (byes(anna), byes(bert)) == (["fault"], ["fault"])
    carl = server.join("Carl")
    turn(server, carl)
    assert actions(server, carl) == 1
    whole(server)


def test_half_turn_sent_another_level(poison: Poison) -> None:
    """A message that half a turn sent to another level never arrives."""
    server, (anna,) = company("Anna")
    server.walk_to(anna, Terrain.STAIRS_DOWN)
    ogre = server.put("ogre", server.body(anna).cell)
    poison.spoil(turns_of_the_world, end_action, server.level_of(anna), server.body(anna))
    turn(server, anna, Climb(down=True))
    assert byes(anna) == ["fault"]
    assert server.dungeon.levels[2].creatures == {}
    assert list(server.dungeon.levels[1].creatures) == [ogre.number]
    whole(server)


@pytest.mark.parametrize("who", ["the player", "their follower"])
def test_fails_midway_stairs_never_left_and_taken(poison: Poison, who: str) -> None:
    """A player who fails midway on the stairs never left and is taken out where they stood."""
    server, (anna,) = company("Anna")
    server.walk_to(anna, Terrain.STAIRS_DOWN)
    ogre, body = server.put("ogre", server.body(anna).cell), server.body(anna)
    culprit = body if who == "the player" else ogre
    poison.spoil(applying, announce_pile, server.dungeon.levels[2], culprit, times=2)
    turn(server, anna, Climb(down=True))

    assert removed(server, 1) == [culprit.number]
    assert removed(server, 2) == []
    if culprit is body:
        assert byes(anna) == ["fault"]
        assert server.dungeon.levels[2].creatures == {}
        anna.dial()
        server.advance(200)
        assert server.level_of(anna).partition == 1
    else:
        assert list(server.dungeon.levels[2].creatures) == [body.number]
        assert byes(anna) == []
    whole(server)


def test_player_sight_fails_taken_and_others_play(seam: FaultSeam) -> None:
    """A player whose sight fails is taken out and the others play on."""
    server, (anna, bert) = company("Anna", "Bert")
    sight, blind = Level.field_of_view, server.body(anna)
    other = server.body(bert).number

    def broken(level: Level, creature: Creature) -> bytes:
        if creature.number == blind.number and getattr(level.creatures.get(other), "actions", 0) == 1:
            raise Broken("sight")
        return sight(level, creature)

    with seam.fault(Level.field_of_view, broken):
        turn(server, bert)
    assert (byes(anna), byes(bert)) == (["fault"], [])
    assert actions(server, bert) == 1
    assert not server.dungeon.closed
    whole(server)


def test_boss_action_fails_rises_once_more(poison: Poison) -> None:
    """A boss whose action fails rises once more for without it no one could win."""
    server = SimServer(arena_with(creatures=KING))
    anna = server.join("Anna")
    level = server.level_of(anna)
    king = server.put("king", server.body(anna).cell)
    poison.spoil(turns_of_the_world, end_action, level, king)
    number = anna.command(Wait())
    server.advance(100)

    assert removed(server) == [king.number]
    [risen] = [body for body in server.level_of(anna).creatures.values() if body.kind == "king"]
    assert risen.number != king.number
    assert (anna.link.done, byes(anna)) == (number, [])
    poison.spoil(turns_of_the_world, end_action, server.level_of(anna), risen, times=FOREVER)
    for _ in range(40):
        turn(server, anna)
    assert len([each for each in server.inputs(1) if isinstance(each, Respawn)]) == 1
    whole(server)


def test_level_rules_fail_rid_creatures(poison: Poison) -> None:
    """A level whose rules fail for all is rid of its creatures one by one and stands."""
    server, (anna,) = company("Anna")
    for _ in range(12):
        server.put("kobold", server.body(anna).cell)
    foes = sum(not body.account for body in server.level_of(anna).creatures.values())
    for body in list(server.level_of(anna).creatures.values()):
        if not body.account:
            poison.spoil(turns_of_the_world, end_action, server.level_of(anna), body, times=FOREVER)
    number = anna.command(Wait())
    server.advance(100)
    assert (foes, len(removed(server))) == (12, 12)
    assert (anna.link.done, actions(server, anna)) == (number, 1)
    whole(server)
