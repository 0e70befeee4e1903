"""The bottom line at ease: it offers strikes at sleepers, and rest only where nothing unseen strikes."""

import pytest
from msgspec.structs import replace

from gloam_client.screens.map.exploration import mark_explored
from gloam_client.screens.suggested_actions import suggested_actions
from gloam_shared.appearance import Terrain
from gloam_shared.view.surfaces import SurfaceFlag, SurfaceLook
from gloam_shared.view.view import Creature, CreatureFlag, Stat, View
from support.client.fake_server import level_view
from support.client.model_in_play import playing

HERE = level_view()


def with_facts(view: View, **facts: int) -> View:
    sheet = list(view.sheet)
    for name, value in facts.items():
        sheet[Stat[name.upper()]] = value
    return replace(view, sheet=tuple(sheet))


def asleep(*cells: int, attack: int = 3, level: int = 1) -> View:
    """Return a hall with sleeping foes this many cells east of the player."""
    floor = replace(
        HERE, terrain=bytes([Terrain.FLOOR]) * len(HERE.terrain), sight=bytes([1]) * len(HERE.terrain)
    )
    marks = CreatureFlag.HOSTILE | CreatureFlag.ASLEEP
    foes = [
        Creature(90 + at, HERE.cell + cells, 4, 4, level, marks, "r", "gray", "rat", attack, 1)
        for at, cells in enumerate(cells)
    ]
    return replace(with_facts(floor, level=5, attack=20, defence=8), creatures=(*HERE.creatures, *foes))


def test_an_easy_sleeper_is_fought_before_going_on() -> None:
    """A life gains its first levels from sleepers; a hurt player rests first."""
    assert suggested_actions(playing(asleep(3, level=2)))[0] == "fight"
    assert suggested_actions(playing(with_facts(asleep(3, level=2), hp=30)))[0] == "rest"


@pytest.mark.parametrize(
    "view", [asleep(3), asleep(3, level=2, attack=0), asleep(*range(2, 9), level=2, attack=30)]
)
def test_useless_and_deadly_sleepers_sleep_on(view: View) -> None:
    assert "fight" not in suggested_actions(playing(view))


def test_who_is_hunted_by_the_unseen_does_not_rest() -> None:
    """Shots out of the dark end each rest: a badly hurt player leaves by stairs, any other goes on."""
    up = bytearray([Terrain.FLOOR] * len(HERE.terrain))
    up[HERE.cell - 2] = Terrain.STAIRS_UP
    for hp, leaves in ((30, False), (10, True)):
        hurt = with_facts(replace(HERE, terrain=bytes(up)), hp=hp)
        assert suggested_actions(playing(hurt))[0] == "rest"
        model = playing(hurt)
        shown = suggested_actions(replace(model, pace=replace(model.pace, held=True)))
        assert "rest" not in shown
        assert (shown[0] == "ascend") is leaves


def test_beside_fire_a_hurt_player_goes_on() -> None:
    """The server refuses to rest there, so the first key would do nothing for ever (lives 1 and 14 of the first key)."""
    fire = SurfaceLook(
        "fire", "It burns.", "^", "^", "red", 4, 0, int(SurfaceFlag.SPREADS | SurfaceFlag.ENDS)
    )
    cells = bytearray(len(HERE.terrain))
    cells[HERE.cell + 1] = 1
    burning = replace(with_facts(HERE, hp=30), surfaces=bytes(cells), surface_looks=(fire,))
    assert suggested_actions(playing(with_facts(HERE, hp=30)))[0] == "rest"
    assert "rest" not in suggested_actions(playing(burning))


def test_a_lever_is_offered_where_nothing_leads_on() -> None:
    """Without it the line offered a look only, for ever (life 13 of the first key)."""
    lever = SurfaceLook("lever", "Pull it.", "/", "/", "red", 0, 0, int(SurfaceFlag.STAYS))
    ground = bytearray([Terrain.WALL] * len(HERE.terrain))
    ground[HERE.cell] = Terrain.FLOOR
    cells = bytearray(len(ground))
    cells[HERE.cell + 1] = 1
    shut_in = replace(HERE, terrain=bytes(ground))
    beside = replace(shut_in, surfaces=bytes(cells), surface_looks=(lever,))
    assert suggested_actions(mark_explored(playing(shut_in)))[0] == "look"
    assert suggested_actions(mark_explored(playing(beside)))[0] == "step east"
