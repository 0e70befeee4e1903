"""The creatures in sight of a bot, sorted, are those that the marks in its view name."""

from gloam_lab.balance.simulation import Simulation
from gloam_lab.bots.in_sight import in_sight
from gloam_server.views.projection import project
from gloam_server.world.transition.dungeon import Dungeon
from gloam_shared.view.view import CreatureFlag, Log
from support.content.campaigns import shipped


def test_they_are_those_that_the_marks_name() -> None:
    played = Simulation(shipped("gloam"), 4, 6, turns_max=60)
    found = [0, 0]

    def look(dungeon: Dungeon, place: int) -> None:
        if place not in dungeon.levels:
            return
        level = dungeon.levels[place]
        for body in level.players():
            creatures = project(level, body, marks={}, party=(), log=Log()).creatures
            marks = {each.handle: CreatureFlag(each.marks) for each in creatures}
            seen = in_sight(creatures)
            friends = {
                handle
                for handle, flag in marks.items()
                if CreatureFlag.PLAYER in flag and not flag & (CreatureFlag.SELF | CreatureFlag.HOSTILE)
            }
            assert {each.handle for each in seen.friends} == friends
            hostile = {handle for handle, flag in marks.items() if CreatureFlag.HOSTILE in flag}
            assert {each.handle for each in seen.enemies} == hostile
            holding = {handle for handle, flag in marks.items() if CreatureFlag.HOLDS_YOU in flag}
            assert {each.handle for each in seen.holders} == holding
            assert seen.own_name == body.name
            found[0] += len(friends)
            found[1] += len(hostile)

    played.after_input = look
    played.play()
    assert all(found), "the bots met neither friends nor enemies"
