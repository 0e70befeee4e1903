"""The light on the map: around the player and around braziers, only in sight, and only the look of it."""

from msgspec.structs import replace

from gloam_client.render.falling_light import light_levels
from gloam_client.render.panels.map_panel import MapWindow, draw_map
from gloam_client.state.records import SurfaceFacts
from gloam_client.terminal.canvas import LIGHTS, Canvas, Rect
from gloam_client.terminal.terrain_glyphs import GlyphSet
from gloam_shared.appearance import Terrain
from gloam_shared.view.view import View
from support.client.fake_server import level_view
from support.client.model_in_play import playing

HALL = "\n".join(["#" * 40, *["#" + "." * 38 + "#"] * 9, "#" * 40])


def hall() -> View:
    view = level_view(drawing=HALL, at=(20, 5))
    return replace(view, sight=b"\1" * len(view.terrain))


def levels(view: View, row: int = 5) -> list[int]:
    width = view.place.width
    return list(light_levels(view)[row * width : (row + 1) * width])


def test_light_falls_off_with_the_distance() -> None:
    row = levels(hall())
    assert row[20] == LIGHTS
    right, left = row[20:], row[20::-1]
    assert right == sorted(right, reverse=True)
    assert left == sorted(left, reverse=True)
    assert row[1] == row[38] == 0
    assert set(row) == set(range(LIGHTS + 1))


def test_nothing_out_of_sight_is_lit() -> None:
    view = hall()
    seen = bytearray(len(view.sight))
    seen[view.cell] = 1
    found = light_levels(replace(view, sight=bytes(seen)))
    assert [cell for cell, level in enumerate(found) if level] == [view.cell]


def test_a_brazier_in_sight_gives_light() -> None:
    view = hall()
    terrain = bytearray(view.terrain)
    terrain[5 * view.place.width + 35] = Terrain.BRAZIER
    lit = replace(view, terrain=bytes(terrain))
    assert levels(lit)[35] == LIGHTS
    hidden = bytearray(view.sight)
    hidden[5 * view.place.width + 35] = 0
    assert not any(levels(replace(lit, sight=bytes(hidden)))[31:])


def test_light_near_the_edge_stays_in_its_row() -> None:
    view = level_view(drawing=HALL, at=(38, 5))
    view = replace(view, sight=b"\1" * len(view.terrain))
    assert not any(levels(view)[:20])
    assert not any(levels(view, 6)[:20])


def drawn(*, lights: bool) -> Canvas:
    canvas, view = Canvas(40, 11), hall()
    draw_map(MapWindow(canvas, Rect(0, 0, 40, 11), view, (0, 0), lights=lights), glyphs=GlyphSet.UNICODE)
    return canvas


def test_light_changes_no_sign() -> None:
    dark, lit = drawn(lights=False), drawn(lights=True)
    assert list(dark.rows()) == list(lit.rows())
    assert not any(style.light for row in dark.cells for _, style in row)
    assert {style.light for row in lit.cells for _, style in row} == set(range(LIGHTS + 1))
    assert [[style._replace(light=0) for _, style in row] for row in lit.cells] == [
        [style for _, style in row] for row in dark.cells
    ]


def test_a_surface_without_light_asks_for_none() -> None:
    assert not SurfaceFacts().lights
    assert not playing().surface.lights
