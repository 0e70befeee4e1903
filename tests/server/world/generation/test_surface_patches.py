"""Patches of surfaces on new levels: rule F157."""

from itertools import pairwise

import pytest

from gloam_server.content.campaign import Campaign
from gloam_server.content.loader import load
from gloam_server.world.generation import generate_round
from gloam_server.world.transition.dungeon import new_dungeon
from gloam_shared.appearance import Terrain
from support.content.surface_campaign import tinder_files


def overgrown() -> Campaign:
    files = tinder_files()
    patches = '[{ surface = "web", patches = 3, cells = 8 }, { surface = "oil", percent = 0 }]'
    files["levels.toml"] += f"surfaces = {patches}\n".encode()
    return load(files)


@pytest.mark.rule("F157")
def test_patches_lie_on_floor_and_join() -> None:
    for floor in generate_round(overgrown(), 5):
        cells = [cell for cell, key in floor.surfaces if key == "web"]
        assert 5 <= len(cells) <= 24
        assert {floor.terrain[cell] for cell in cells} == {Terrain.FLOOR}
        assert all(key == "web" for _, key in floor.surfaces)
        assert all(one < other for one, other in pairwise(cells))


@pytest.mark.rule("F157")
def test_new_levels_have_them_and_same_seed_same_cells() -> None:
    one, other = new_dungeon(overgrown(), 7), new_dungeon(overgrown(), 7)
    for number, level in one.levels.items():
        surfaces, again = level.state.surfaces, other.levels[number].state.surfaces
        assert surfaces
        assert again
        assert any(surfaces.cells)
        assert surfaces.cells == again.cells
        assert not surfaces.active
        if level.state.arrival >= 0:
            near = [cell for cell in level.grid.square(level.state.arrival, 4) if surfaces.cells[cell]]
            assert near == []
