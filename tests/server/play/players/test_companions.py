"""Companions on a whole server: over stairs, cuts, departures, a ban, crashes and deaths none is lost or doubled (rule F115)."""

import pytest

from gloam_lab.invariants import check_invariants
from gloam_server.world.combat.companions import companion_of
from gloam_server.world.model.creature import Creature
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Climb
from gloam_shared.protocol.messages.lives import ChooseKit
from gloam_shared.protocol.messages.login import Goodbye
from support.content.campaigns import shipped
from support.server.parties import SPACING_MS, clear, slain, turn
from support.server.sim_server import SimClient, SimServer

GLOAM = shipped("gloam")
WOLF_FRIEND = next(at for at, kit in enumerate(GLOAM.kits) if kit.companion)

pytestmark = pytest.mark.rule("F115")


def hunting() -> tuple[SimServer, SimClient, int]:
    """Return a server, a player with a wolf and nothing else on the level, and the number of the wolf."""
    server = SimServer(campaign=GLOAM)
    ann = server.join("Ann")
    server.advance(200)
    clear(server, ann)
    ann.send(ChooseKit(1, WOLF_FRIEND))
    server.advance(SPACING_MS)
    return server, ann, wolf_of(server, ann).number


def wolf_of(server: SimServer, player: SimClient) -> Creature:
    """Return the player's companion, which stands beside them."""
    level, body = server.level_of(player), server.body(player)
    check_invariants(level)
    wolf = companion_of(level, body)
    assert wolf is not None
    return wolf


def everywhere(server: SimServer) -> list[int]:
    """Return the number of each companion, on levels and in bodies that are out of play."""
    levels = server.dungeon.levels.values()
    standing = [body for level in levels for body in level.monsters() if body.bond == "companion"]
    kept = [life.kept for life in server.dungeon.realm.lives.values() if life.kept is not None]
    bodies = [*kept, *[body for level in levels for body in level.players()]]
    return [body.number for body in standing] + [
        body.companion.number for body in bodies if isinstance(body.companion, Creature)
    ]


def test_a_companion_takes_the_stairs_both_ways() -> None:
    server, ann, wolf = hunting()
    for stairs, down in ((Terrain.STAIRS_DOWN, True), (Terrain.STAIRS_UP, False)) * 2:
        server.walk_to(ann, stairs)
        server.level_of(ann).move(wolf_of(server, ann), beside(server, ann))
        turn(server, ann, Climb(down=down))
        clear_others(server, ann)
        assert wolf_of(server, ann).number == wolf
        assert everywhere(server) == [wolf]


def beside(server: SimServer, player: SimClient) -> int:
    """Return a free cell near a player."""
    cell = server.level_of(player).nearest_free_cell(server.body(player).cell)
    assert cell is not None
    return cell


def clear_others(server: SimServer, player: SimClient) -> None:
    """Take away all monsters but the companion."""
    level = server.level_of(player)
    for creature in [each for each in level.monsters() if each.bond != "companion"]:
        server.banish(creature, level.partition)


@pytest.mark.parametrize("crashes", [False, True])
def test_a_companion_leaves_and_returns_with_its_owner(crashes: bool) -> None:
    """Out of play it is in the owner's body; a restart changes nothing."""
    server, ann, wolf = hunting()
    ann.send(Goodbye())
    server.advance(2_000)
    assert list(server.dungeon.levels[1].players()) == []
    assert everywhere(server) == [wolf]
    if crashes:
        server.crash()
        server = server.again()
    ann = server.join("Ann")
    server.advance(200)
    assert wolf_of(server, ann).number == wolf
    assert everywhere(server) == [wolf]


def test_a_crash_beside_a_companion_keeps_one() -> None:
    server, ann, wolf = hunting()
    turn(server, ann)
    server.crash()
    server = server.again()
    ann = server.join("Ann")
    server.advance(200)
    assert wolf_of(server, ann).number == wolf
    assert everywhere(server) == [wolf]


def test_a_companion_of_the_dead_is_free() -> None:
    server, ann, wolf = hunting()
    server.body(ann).hp = 1
    server.level_of(ann).creatures[wolf].attack = 0
    slain(server, ann)
    ann.begin_again()
    server.advance(200)
    assert everywhere(server) == []
    assert companion_of(server.level_of(ann), server.body(ann)) is None
    ann.send(ChooseKit(2, WOLF_FRIEND))
    server.advance(SPACING_MS)
    assert everywhere(server) == [wolf_of(server, ann).number]
