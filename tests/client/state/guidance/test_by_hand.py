"""The step that helps a badly hurt player among foes."""

from msgspec.structs import replace

from gloam_client.state.guidance.by_hand import step_by_hand
from gloam_shared.appearance import Terrain
from gloam_shared.view.menace import Menace
from gloam_shared.view.view import Creature, CreatureFlag, View
from support.client.fake_server import level_view

HERE = level_view()
HUNTS = int(CreatureFlag.HOSTILE | CreatureFlag.HOLDS_YOU)


def beside(menace: Menace | None = None, *, away: int = 1, floor: bool = True) -> View:
    """Return a view of a hall with a foe to the east."""
    own = [one for one in HERE.creatures if one.marks & CreatureFlag.SELF]
    foe = Creature(90, HERE.cell + away, 9, 9, 3, HUNTS, "k", "red", "kobold", 8, 2, menace=menace)
    ground = bytearray([Terrain.FLOOR if floor else Terrain.WALL]) * len(HERE.terrain)
    return replace(HERE, creatures=(*own, foe), terrain=bytes(ground))


def test_a_step_leads_away_from_slow_foes() -> None:
    step = step_by_hand(beside())
    assert step is not None
    assert step in ("step west", "step north-west", "step south-west")


def test_faster_foes_and_shooters_are_struck() -> None:
    for menace in (Menace(speed=2_000), Menace(ranged=5, reach=4), Menace(casts=1, spell_range=5)):
        assert step_by_hand(beside(menace)) == "step east"


def test_a_step_leads_out_of_the_reach_of_a_spear() -> None:
    """One step from beside it is not enough, and it is struck; from two cells away one is."""
    spear = Menace(reach=2)
    assert step_by_hand(beside(spear)) == "step east"
    assert step_by_hand(beside(spear, away=2)) in ("step west", "step north-west", "step south-west")


def test_a_foe_is_struck_where_there_is_no_room() -> None:
    assert step_by_hand(beside(floor=False)) == "step east"


def test_under_fire_a_step_leads_to_cover() -> None:
    slinger = beside(Menace(ranged=5, reach=6), away=4)
    step = step_by_hand(slinger)
    assert step is not None
    assert step in ("step east", "step north-east", "step south-east")
    width = HERE.place.width
    ground = bytearray(slinger.terrain)
    for cell in (HERE.cell - width + 1, HERE.cell - width + 2, HERE.cell - 2 * width + 2):
        ground[cell] = Terrain.WALL
    assert step_by_hand(replace(slinger, terrain=bytes(ground))) in ("step north", "step north-west")


def test_without_a_hunter_in_reach_there_is_no_step() -> None:
    assert step_by_hand(beside(Menace(speed=2_000), away=4)) is None
    assert step_by_hand(replace(HERE, creatures=())) is None
