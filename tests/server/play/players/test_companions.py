"""Companions on a whole server: over stairs, cuts, departures, a ban, crashes and deaths none is lost or doubled (rule F115)."""

from typing import Literal, get_args

import pytest
from msgspec import UNSET

from gloam_lab.invariants import check_invariants
from gloam_server.rules.growth import least_experience_beyond
from gloam_server.world.combat.companions import companion_of
from gloam_server.world.model.creature import Creature
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Climb
from gloam_shared.protocol.messages.lives import ChooseKit
from gloam_shared.protocol.messages.login import Goodbye
from support.content.campaigns import shipped
from support.server.parties import SPACING_MS, clear, slain, turn
from support.server.party_requests import player_of
from support.server.sim_server import SimClient, SimServer

GLOAM = shipped("gloam")
WOLF_FRIEND = next(at for at, kit in enumerate(GLOAM.kits) if kit.companion)

Parting = Literal["banned", "kicked", "cut", "goodbye"]

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


@pytest.mark.rule("F91")
def test_a_companion_rises_below_a_quiet_depth() -> None:
    """On depth 1 it keeps its level; one depth down it has the level that its experience is enough for."""
    server, ann, _ = hunting()
    server.walk_to(ann, Terrain.STAIRS_DOWN)
    wolf = wolf_of(server, ann)
    wolf.experience = least_experience_beyond(GLOAM.experience, wolf.level)
    before = wolf.level
    server.level_of(ann).move(wolf, beside(server, ann))
    turn(server, ann, Climb(down=True))
    assert server.level_of(ann).depth == 2
    assert wolf_of(server, ann).level == before + 1


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
    join_the_wolf(server, wolf)


def join_the_wolf(server: SimServer, wolf: int) -> None:
    """Join as Ann, and check that her wolf stands beside her and nowhere else."""
    ann = server.join("Ann")
    server.advance(200)
    assert wolf_of(server, ann).number == wolf
    assert everywhere(server) == [wolf]


def test_a_crash_beside_a_companion_keeps_one() -> None:
    server, ann, wolf = hunting()
    turn(server, ann)
    server.crash()
    join_the_wolf(server.again(), wolf)


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


def left_behind(server: SimServer, ann: SimClient) -> None:
    """Let Ann take the stairs down without her wolf, which is too far away to follow."""
    server.walk_to(ann, Terrain.STAIRS_DOWN)
    level, body = server.level_of(ann), server.body(ann)
    far = max(server.ground(ann), key=lambda cell: (level.grid.distance(cell, body.cell), -cell))
    level.move(wolf_of(server, ann), far)
    turn(server, ann, Climb(down=True))
    clear_others(server, ann)
    assert companion_of(server.level_of(ann), server.body(ann)) is None


@pytest.mark.by_hand
@pytest.mark.parametrize("restarts", [False, True])
def test_a_companion_left_behind_waits_for_its_owner(restarts: bool) -> None:
    """It stays bonded on its level until the owner returns there, also after a restart."""
    server, ann, wolf = hunting()
    left_behind(server, ann)
    assert everywhere(server) == [wolf]
    if restarts:
        server.stop()
        server = server.again()
        ann = server.join("Ann")
        server.advance(200)
    turn(server, ann, Climb(down=False))
    assert wolf_of(server, ann).number == wolf
    assert everywhere(server) == [wolf]


@pytest.mark.by_hand
@pytest.mark.parametrize("how", get_args(Parting))
@pytest.mark.parametrize("beside", [True, False])
def test_a_companion_is_there_after_any_parting(how: Parting, beside: bool) -> None:
    """Its owner is banned, kicked, cut off or leaves, on its level or another: there is one wolf, and it is theirs."""
    server, ann, wolf = hunting()
    if not beside:
        left_behind(server, ann)
    if how == "cut":
        ann.cut()
    elif how == "goodbye":
        ann.send(Goodbye())
    else:
        server.host.expel(player_of(server, ann), how, f"The host has {how} you.")
    server.advance(60_000)
    assert everywhere(server) == [wolf]
    ann = server.join("Ann")
    server.advance(200)
    if not beside:
        turn(server, ann, Climb(down=False))
    assert wolf_of(server, ann).number == wolf
    assert everywhere(server) == [wolf]


@pytest.mark.by_hand
def test_a_companion_left_behind_outlives_its_owner() -> None:
    """The owner dies on another level: the wolf is a friend without an owner, and the heir may have one of their own."""
    server, ann, wolf = hunting()
    left_behind(server, ann)
    slain(server, ann)
    assert everywhere(server) == []
    friend = server.dungeon.levels[1].creatures[wolf]
    assert (friend.bond, friend.owner, friend.ally) == (UNSET, 0, True)
    ann.begin_again()
    server.advance(200)
    ann.send(ChooseKit(2, WOLF_FRIEND))
    server.advance(SPACING_MS)
    assert everywhere(server) == [wolf_of(server, ann).number] != [wolf]
