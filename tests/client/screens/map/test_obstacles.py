"""The offers of the bottom line where a fire, a trap or a foe is in the only way on."""

from msgspec.structs import replace

from gloam_client.screens.map.exploration import mark_explored, next_exit
from gloam_client.screens.suggested_actions import suggested_actions
from gloam_shared.appearance import Terrain
from gloam_shared.view.surfaces import SurfaceFlag, SurfaceLook
from gloam_shared.view.view import Creature, CreatureFlag, View
from support.client.fake_server import level_view
from support.client.model_in_play import playing

FIRE = SurfaceLook("fire", "It burns.", "^", "^", "orange", 5, 1, SurfaceFlag.SPREADS | SurfaceFlag.ENDS)
PLATE = SurfaceLook("plate", "It sinks.", "_", "_", "gray", 0, 0, SurfaceFlag.STAYS | SurfaceFlag.SINKS)
CORRIDOR = """
#######
#.....>
#######
"""
HERE = level_view(drawing=CORRIDOR, at=(2, 1))
IN_THE_WAY = HERE.cell + 1


def with_surface(look: SurfaceLook, view: View = HERE) -> View:
    """Return the view with a surface in the corridor, east of the player."""
    surfaces = bytearray(len(view.terrain))
    surfaces[IN_THE_WAY] = 1
    return replace(view, surfaces=bytes(surfaces), surface_looks=(look,))


def with_terrain(terrain: Terrain, view: View = HERE) -> View:
    """Return the view with this terrain in the corridor, east of the player."""
    cells = bytearray(view.terrain)
    cells[IN_THE_WAY] = terrain
    return replace(view, terrain=bytes(cells))


def test_a_fire_in_the_only_way_is_waited_for() -> None:
    """Seed 15 of the flagship: the line offered to fight it, and no time passed."""
    shown = suggested_actions(playing(with_surface(FIRE)))
    assert shown[0] == "wait"
    assert "fight" not in shown


def test_a_plate_in_the_only_way_is_stepped_on() -> None:
    assert suggested_actions(playing(with_surface(PLATE)))[0] == "step east"


def test_a_foe_in_the_only_way_to_the_stairs_is_fought() -> None:
    foe = Creature(9, IN_THE_WAY, 9, 9, 1, CreatureFlag.HOSTILE, "F", "white", "pale fungus")
    shown = suggested_actions(mark_explored(playing(replace(HERE, creatures=(*HERE.creatures, foe)))))
    assert "fight" in shown


def test_a_trap_before_the_stairs_is_stepped_on() -> None:
    """Seed 13 of the flagship: all was explored, the stairs were known, and the line said that there was no way on."""
    model = mark_explored(playing(with_terrain(Terrain.TRAP)))
    assert suggested_actions(model)[0] == "step east"
    assert (
        next_exit(model).advice
        == "Something is in the only way to the stairs down: get past it step by step."
    )


def test_free_stairs_are_gone_to() -> None:
    assert suggested_actions(mark_explored(playing(HERE)))[0] == "descend"
