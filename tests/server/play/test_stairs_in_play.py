"""Stairs: between levels that know nothing of each other."""

from gloam_server.world.model.inputs import Arrive, Turn
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Climb, Wait
from gloam_shared.protocol.messages.records import AskMapMemory, MapMemory
from gloam_shared.view import run_length
from support.server.parties import SPACING_MS, actions, answers, at_the_stairs, company, held, turn


def test_the_stairs_lead_to_the_next_level() -> None:
    server, (anna,) = at_the_stairs("Anna")
    turn(server, anna, Climb(down=True))
    assert server.level_of(anna).partition == anna.view.place.depth == 2
    assert anna.view.cell == server.body(anna).cell
    assert not server.dungeon.levels[1].players()


def test_lead_back_and_seen_remembered() -> None:
    """They lead back too and what was seen is remembered."""
    server, (anna,) = at_the_stairs("Anna")
    known = anna.view.terrain
    turn(server, anna, Climb(down=True))
    server.walk_to(anna, Terrain.STAIRS_UP)
    turn(server, anna, Climb(down=False))
    assert anna.view.place.depth == 1
    assert all(new == old for new, old in zip(anna.view.terrain, known, strict=True) if old)


def test_without_stairs_underfoot_way_known_taken() -> None:
    """Without stairs underfoot the way to known ones is taken."""
    server, (anna,) = at_the_stairs("Anna")
    server.walk(anna, server.ground(anna)[-1])
    turn(server, anna, Climb(down=True))
    assert anna.link.pace.plan
    server.advance(3_000)
    assert server.level_of(anna).terrain[anna.view.cell] == Terrain.STAIRS_DOWN


def test_none_known_refused_and_costs_nothing() -> None:
    """A way that is not known is refused and costs nothing."""
    server, (anna,) = company("Anna")
    anna.hear()
    number = anna.command(Climb(down=False))
    server.advance(SPACING_MS)
    assert answers(anna) == [(number, "cannot")]
    assert actions(server, anna) == 0


def test_an_enemy_beside_him_follows_in_the_same_turn() -> None:
    server, (anna,) = at_the_stairs("Anna")
    ogre = server.put("ogre", server.body(anna).cell)
    turn(server, anna, Climb(down=True))
    below = server.dungeon.levels[2]
    assert ogre.number in below.creatures
    assert below.grid.distance(below.creatures[ogre.number].cell, server.body(anna).cell) == 1
    assert held(server, anna)


def test_what_does_not_hunt_does_not_follow() -> None:
    server, (anna,) = at_the_stairs("Anna")
    statue = server.put("statue", server.body(anna).cell)
    turn(server, anna, Climb(down=True))
    assert statue.number in server.dungeon.levels[1].creatures


def test_who_arrives_is_not_hurt_before_he_has_acted() -> None:
    server, (anna,) = at_the_stairs("Anna")
    server.put("ogre", server.body(anna).cell)
    turn(server, anna, Climb(down=True))
    hp = server.body(anna).hp
    server.advance(30_000)
    assert server.body(anna).hp == hp


def test_no_one_on_either_level_is_delayed() -> None:
    server, (anna, bert) = at_the_stairs("Anna", "Bert")
    server.put("ogre", server.body(anna).cell)
    before = actions(server, bert)
    turn(server, anna, Climb(down=True))
    turn(server, bert)
    turn(server, bert)
    turn(server, anna, Wait())
    assert actions(server, bert) == before + 2
    assert server.body(bert).hp == 40


def test_an_empty_level_gets_no_inputs() -> None:
    server, (anna,) = at_the_stairs("Anna")
    turn(server, anna, Climb(down=True))
    server.advance(SPACING_MS)
    left = len(server.inputs(1))
    for _ in range(10):
        turn(server, anna)
    assert len(server.inputs(1)) == left
    arrivals = [each for each in server.inputs(2) if isinstance(each, Arrive)]
    turns = [each for each in server.inputs(2) if isinstance(each, Turn)]
    assert (len(arrivals), len(turns)) == (1, 10)


def test_a_level_he_left_can_be_recalled() -> None:
    server, (anna,) = at_the_stairs("Anna")
    known = anna.view.terrain
    turn(server, anna, Climb(down=True))
    anna.hear()
    anna.send(AskMapMemory(1))
    [map_memory] = [each for each in anna.hear() if isinstance(each, MapMemory)]
    assert (map_memory.depth, map_memory.width, map_memory.height) == (1, 30, 12)
    assert run_length.apply_values(bytes(30 * 12), map_memory.packed, map_memory.width) == known
    assert len(map_memory.packed) < 30 * 12 / 2


def test_of_a_level_he_never_saw_nothing_is_recalled() -> None:
    _, (anna,) = company("Anna")
    anna.send(AskMapMemory(2))
    anna.send(AskMapMemory(99))
    assert anna.of_kind(MapMemory) == [MapMemory(2, 0, 0, b""), MapMemory(99, 0, 0, b"")]
