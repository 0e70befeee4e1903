"""A creature that goes down is on one level, whenever the plug is pulled (rule F66)."""

import pytest

from gloam_server.engine.recovery.replay import verify
from gloam_server.rules.growth import least_experience_beyond
from gloam_server.world.model.creature import new_creature
from gloam_server.world.model.inputs import Arrive
from gloam_server.world.transition.dungeon import Dungeon
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Wait
from support.content.campaigns import shipped
from support.server.parties import turn
from support.server.sim_server import SimServer

NUMBER = 99 * 1_024
GLOAM = shipped("gloam")


def homes(dungeon: Dungeon) -> list[int]:
    """Return the levels where the creature stands."""
    return [partition for partition, level in dungeon.levels.items() if NUMBER in level.creatures]


def send_grown(server: SimServer) -> None:
    """Let a kobold of level 3, which belongs on no level above, walk to a staircase down of level 1."""
    kobold = new_creature(GLOAM.creatures["kobold"], NUMBER)
    kobold.level, kobold.experience = 3, least_experience_beyond(GLOAM.experience, 2)
    kobold.learned = ["thick_hide"]
    stairs = server.dungeon.levels[1].terrain.index(Terrain.STAIRS_DOWN)
    server.engine.loop.submit(1, Arrive(kobold, stairs, (99, 1, 0)))


@pytest.mark.thorough
@pytest.mark.rule("F66")
@pytest.mark.parametrize("ms", [0, 400, 900])
def test_it_is_on_one_level_or_has_not_come_yet(ms: int) -> None:
    server = SimServer(GLOAM, write_s=0.3)
    anna = server.join("Anna")
    server.advance(2_000)
    send_grown(server)
    anna.command_at_once(Wait())
    server.advance(ms)
    server.crash()
    after = server.again()
    assert len(homes(after.dungeon)) <= 1
    assert verify(after.store, after.campaign)[1] == after.dungeon.state_hash()


@pytest.mark.thorough
@pytest.mark.rule("F66")
def test_what_went_down_and_what_learned_survive_crash() -> None:
    """A monster that went down and what it learned survive a crash. Unseen, it waits for some 100 turns."""
    server = SimServer(GLOAM)
    anna = server.join("Anna")
    server.advance(200)
    send_grown(server)
    server.settle()
    for _ in range(600):
        if homes(server.dungeon) != [1]:
            break
        turn(server, anna)
    [home] = homes(server.dungeon)
    assert home > 1
    server.crash()
    after = server.again()

    assert homes(after.dungeon) == [home]
    assert after.dungeon.levels[home].creatures[NUMBER].learned == ["thick_hide"]
    assert after.dungeon.state_hash() == server.dungeon.state_hash()
