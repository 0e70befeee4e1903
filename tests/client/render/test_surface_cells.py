"""Surfaces on the map and in words: fire and ice are drawn below items and creatures, with any set of glyphs and no color."""

from msgspec.structs import replace

from gloam_client.linear.play_news import NOTHING_SAID, tell
from gloam_client.render.falling_light import light_levels
from gloam_client.render.panels.map_panel import MapWindow, draw_map
from gloam_client.state.map.reachability import steps_to
from gloam_client.terminal.canvas import Canvas, Rect
from gloam_client.terminal.terrain_glyphs import GlyphSet
from gloam_shared.view.surfaces import SurfaceFlag, SurfaceLook
from gloam_shared.view.view import View
from support.client.fake_server import level_view
from support.client.model_in_play import playing

HALL = "\n".join(["#" * 20, *["#" + "." * 18 + "#"] * 5, "#" * 20])
FIRE = SurfaceLook(
    "fire", "It burns.", "^", "ʌ", "orange", 5, 1, int(SurfaceFlag.SPREADS | SurfaceFlag.SHINES)
)
ICE = SurfaceLook("ice", "It bears.", "-", "-", "white")


def hall(*laid: tuple[int, int, int]) -> View:
    """Return a hall with the player at its left end, and surfaces as column, row and number."""
    view = level_view(drawing=HALL, at=(3, 3))
    cells = bytearray(len(view.terrain))
    for x, y, number in laid:
        cells[y * view.place.width + x] = number
    return replace(view, sight=b"\1" * len(view.terrain), surfaces=bytes(cells), surface_looks=(FIRE, ICE))


def drawn(view: View, glyphs: GlyphSet) -> Canvas:
    canvas = Canvas(20, 7)
    draw_map(MapWindow(canvas, Rect(0, 0, 20, 7), view, (0, 0)), glyphs=glyphs)
    return canvas


def test_surfaces_have_signs_in_each_set_of_glyphs() -> None:
    view = hall((8, 3, 1), (9, 3, 2))
    for glyphs, sign in ((GlyphSet.ASCII, "^"), (GlyphSet.CP437, "^"), (GlyphSet.UNICODE, "ʌ")):
        row = drawn(view, glyphs).cells[3]
        assert (row[8][0], row[9][0]) == (sign, "-")


def test_what_harms_is_reversed_and_needs_no_color() -> None:
    row = drawn(hall((8, 3, 1), (9, 3, 2)), GlyphSet.ASCII).cells[3]
    assert row[8][1].reverse
    assert not row[9][1].reverse


def test_bodies_stand_on_surfaces() -> None:
    view = hall((3, 3, 1), (9, 3, 7))
    row = drawn(view, GlyphSet.ASCII).cells[3]
    assert (row[3][0], row[9][0]) == ("@", ".")


def test_fire_gives_light_on_the_map() -> None:
    far = hall((17, 1, 1))
    width = far.place.width
    assert light_levels(far)[1 * width + 17] > light_levels(hall())[1 * width + 17]


def test_ways_go_around_what_harms() -> None:
    wall_of_fire = hall(*((6, y, 1) for y in range(1, 6)))
    assert max(cell % 20 for cell in steps_to(wall_of_fire)) == 5
    assert max(cell % 20 for cell in steps_to(hall(*((6, y, 2) for y in range(1, 6))))) == 18


def test_lines_of_text_say_where_a_fire_is() -> None:
    model = playing(hall((8, 3, 1)))
    lines, said = tell(NOTHING_SAID, model)
    assert "fire, 5 east" in lines
    lines, said = tell(said, model)
    assert not [line for line in lines if "fire" in line]
    lines, said = tell(said, playing(hall((4, 3, 1))))
    assert "fire, 1 east" in lines
