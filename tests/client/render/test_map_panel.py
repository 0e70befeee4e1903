"""The map: nothing important differs by color alone."""

from itertools import combinations

import pytest
import wcwidth
from msgspec import structs
from msgspec.structs import replace

from gloam_client.render.frame import draw
from gloam_client.render.panels import map_panel
from gloam_client.state.model import Model
from gloam_client.state.options import Options
from gloam_client.state.players.party import PLAYER_COLORS
from gloam_client.terminal.canvas import LIGHTS, Canvas, Cell, Rect, Style
from gloam_client.terminal.terrain_glyphs import GlyphSet, glyph_set, terrain_glyph
from gloam_client.update import update
from gloam_server.app.campaign_files import read_campaign
from gloam_server.content.shipped import SHIPPED
from gloam_shared.appearance import COLORS, TINTS, Terrain
from gloam_shared.protocol.messages.parties import PartyMember, PartyState
from gloam_shared.view.place import Look
from gloam_shared.view.view import Creature, CreatureFlag, Friend, Item, View
from support.client.fake_server import level_view
from support.client.model_in_play import heard, picture, playing

WAYS = [
    CreatureFlag.PLAYER | CreatureFlag.SELF,
    CreatureFlag.PLAYER,
    CreatureFlag(0),
    CreatureFlag.HOSTILE,
    CreatureFlag.HOSTILE | CreatureFlag.HOLDS_YOU,
    CreatureFlag.HOSTILE | CreatureFlag.ASLEEP,
]


def without_colour(cell: Cell) -> tuple[str, Style]:
    return cell[0], cell[1]._replace(color="")


def creature(marks: int, glyph_: str = "r") -> Creature:
    return Creature(1, 5, 3, 5, 1, marks, "@" if marks & CreatureFlag.PLAYER else glyph_, "brown", "rat")


@pytest.mark.parametrize("glyphs", GlyphSet)
def test_terrains_differ_more_colour_and_seen(glyphs: GlyphSet) -> None:
    """Terrains differ by more than color and so do seen and remembered."""
    kinds = [terrain for terrain in Terrain if terrain is not Terrain.UNKNOWN]
    cells = [
        without_colour(map_panel.terrain_cell(terrain, seen=seen, glyphs=glyphs))
        for terrain in kinds
        for seen in (False, True)
    ]

    for one, other in combinations(cells, 2):
        assert one != other


def test_self_others_foes_and_sleepers_differ() -> None:
    """Self others foes and sleepers differ by more than color."""
    looks = {marks: without_colour(map_panel.creature_cell(creature(marks))) for marks in WAYS if marks}
    for one, other in combinations(looks.values(), 2):
        assert one != other


def test_body_reversed_and_friend_underlined() -> None:
    """The own body is reversed and a friend underlined."""
    assert map_panel.creature_cell(creature(CreatureFlag.PLAYER | CreatureFlag.SELF))[1].reverse
    assert map_panel.creature_cell(creature(CreatureFlag.PLAYER))[1].underline
    assert not map_panel.creature_cell(creature(CreatureFlag.PLAYER))[1].reverse


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("r", "r"),
        ("", "?"),
        ("\x1b[2J", "["),
        ("界", "?"),
        ("x\u0301", "?"),
        ("☀\ufe0f", "?"),
        ("\u202e", "?"),
    ],
)
def test_glyph_server_made_safe_character(given: str, shown: str) -> None:
    """A glyph from the server is made one safe character."""
    assert shown == map_panel.glyph(given)


def test_an_unknown_colour_or_terrain_does_no_harm() -> None:
    view = level_view()
    view = replace(
        view,
        terrain=bytes([255]) + view.terrain[1:],
        creatures=(replace(view.creatures[0], colour="no such colour"),),
    )
    canvas = Canvas(80, 24)
    map_panel.draw_map(map_panel.MapWindow(canvas, Rect(0, 0, 80, 24), view, (0, 0)), glyphs=GlyphSet.UNICODE)

    assert canvas.cells[0][0][0] == " "


def test_map_drawn_camera_looks() -> None:
    """The map is drawn where the camera looks and never outside its area."""
    view = level_view(at=(10, 4))
    canvas = Canvas(40, 12)
    area = Rect(5, 2, 20, 6)
    window = map_panel.MapWindow(canvas, area, view, (3, 1))
    map_panel.draw_map(window, glyphs=GlyphSet.ASCII)
    map_panel.draw_overlay(window, map_panel.Overlay(), view.cell)

    where = window.on_screen(view.cell)
    assert where == (12, 5)
    assert list(canvas.rows())[5][11:14] == "{@}"
    outside = [
        char
        for row, cells in enumerate(canvas.cells)
        for column, (char, _) in enumerate(cells)
        if not (5 <= column < 25 and 2 <= row < 8)
    ]
    assert {" "} == set(outside)


def test_mark_stays_level_and_covers_nothing_lies() -> None:
    """A mark stays on the level and covers nothing that lies or is marked."""
    view = level_view()
    width, area = view.place.width, Rect(4, 2, 30, 8)

    def drawn(*calls: int, lying: tuple[int, ...] = ()) -> list[str]:
        canvas = Canvas(40, 12)
        items = {cell: Item(1, cell, 1, "?", "gray", "scroll") for cell in lying}
        window = map_panel.MapWindow(canvas, area, view, (0, 0), items)
        map_panel.draw_map(window, glyphs=GlyphSet.ASCII)
        map_panel.draw_pings(window, dict.fromkeys(calls, "danger"))
        return list(canvas.rows())

    assert drawn(2 * width)[4][:6] == "    #X", "nothing left of the map's first column"
    assert drawn(2 * width + 5)[4][8:11] == "X.X"
    assert drawn(2 * width + 5, lying=(2 * width + 4,))[4][8:11] == "?.X"
    assert drawn(2 * width + 5, 2 * width + 6)[4][8:12] == "X..X"


@pytest.mark.parametrize("key", SHIPPED)
def test_no_creature_or_thing_reported_terrain(key: str) -> None:
    """Creatures and items differ from terrain by more than color."""
    shipped = read_campaign(key)
    awake = [
        map_panel.creature_cell(Creature(1, 5, 3, 5, 1, marks, kind.glyph, kind.colour, kind.name))
        for kind in shipped.creatures.values()
        for marks in (CreatureFlag.HOSTILE, CreatureFlag.HOSTILE | CreatureFlag.HOLDS_YOU)
    ]
    things = [
        map_panel.item_cell(Item(1, 5, 1, kind.glyph, kind.colour, kind.name))
        for kind in shipped.items.values()
    ]
    for glyphs in GlyphSet:
        ground = {without_colour(map_panel.terrain_cell(one, seen=True, glyphs=glyphs)) for one in Terrain}
        for cell in (*awake, *things):
            assert without_colour(cell) not in ground


MARKS = {
    "path": set(map_panel.PATH[0]),
    "beyond": set(map_panel.BEYOND[0]),
    "cursor": set(map_panel.CURSOR),
    **{word: set(marks) for word, (marks, _) in map_panel.CALL_MARKS.items()},
}


@pytest.mark.parametrize("key", SHIPPED)
def test_a_mark_is_no_sign_of_a_campaign(key: str) -> None:
    """P18: pings, the cursor and its path are taken for no item, creature or terrain, in any set of glyphs."""
    shipped = read_campaign(key)
    signs = {kind.glyph for kind in shipped.creatures.values()} | {
        kind.glyph for kind in shipped.items.values()
    }
    signs |= {
        terrain_glyph(terrain, glyphs, seen=seen)
        for terrain in Terrain
        for glyphs in GlyphSet
        for seen in (False, True)
    }
    for name, marks in MARKS.items():
        assert not marks & (signs | {"@"}), name
        assert all(mark.isascii() for mark in marks)


def test_no_two_marks_are_alike() -> None:
    """They differ without color."""
    for (_, one), (_, other) in combinations(MARKS.items(), 2):
        assert not one & other


def company(*names: str) -> View:
    """Return a view with other players on the map, and in the realm, in this order."""
    view = level_view(at=(10, 4))
    bodies = [
        Creature(40 + at, view.cell + 2 + at, 5, 5, 1, CreatureFlag.PLAYER, "@", "white", name)
        for at, name in enumerate(names)
    ]
    friends = [Friend(name, 1, 1, 4, CreatureFlag.PLAYER) for name in names]
    return replace(view, creatures=(*view.creatures, *bodies), party=(*view.party, *friends))


def colours_of(model: Model) -> list[str]:
    """Return the colors of the other players on the map, from west to east."""
    rows = draw(model).cells
    return [look.color for row in rows for sign, look in row[:30] if sign == "@" and not look.reverse]


def test_players_have_colors_of_their_own() -> None:
    """P18: each another one, none of danger and health, and the same however long the company is."""
    names = ("Bert", "Cleo", "Dora", "Emil", "Fred")
    colours = colours_of(playing(company(*names)))
    assert len(set(colours)) == 5
    assert set(colours) <= set(PLAYER_COLORS)
    assert not set(PLAYER_COLORS) & {"red", "darkred", "orange", "yellow", "green", "lightgreen"}
    codes = [COLORS[name][1] for name in PLAYER_COLORS]
    assert len(set(codes)) == len(PLAYER_COLORS)
    assert not set(codes) & {COLORS[name][1] for name in ("red", "orange", "yellow", "green")}


def test_a_player_keeps_the_color() -> None:
    """Others join and leave, and the server orders names; a name has the same color for all who see it alone."""
    model = playing(company("Emil", "Cleo"))
    emil, cleo = colours_of(model)
    model, _ = update(model, heard(view=company("Anna", "Bert", "Cleo", "Dora", "Emil")), 0)
    assert colours_of(model)[2::2] == [cleo, emil]
    model, _ = update(model, heard(view=company("Cleo", "Emil")), 0)
    assert colours_of(model) == [cleo, emil]
    assert colours_of(playing(company("Cleo"))) == [cleo]


def test_more_players_than_colors_share_some() -> None:
    names = tuple(f"Player{number}" for number in range(9))
    colours = colours_of(playing(company(*names)))
    assert len(colours) == 9
    assert set(colours) == set(PLAYER_COLORS)


def test_panels_name_players_in_their_colors() -> None:
    """The side panel and the party bar, so that a color on the map has a name."""
    model = playing(company("Bert", "Cleo"))
    bert, cleo = colours_of(model)
    wide = structs.replace(model, surface=structs.replace(model.surface, size=(140, 40)))
    told = {
        name: next(look.color for sign, look in row[60:] if sign == "@")
        for row in draw(wide).cells
        for name in ("Bert", "Cleo")
        if name in "".join(sign for sign, _ in row[60:]) and "@" in [sign for sign, _ in row[60:]]
    }
    assert told == {"Bert": bert, "Cleo": cleo}
    members = tuple(PartyMember(name, 1, 40, 40, 1, -1, 0, 0) for name in ("Ann", "Bert", "Cleo"))
    for size in ((80, 24), (140, 40)):
        party, _ = update(
            structs.replace(model, surface=structs.replace(model.surface, size=size)),
            heard(PartyState(members, 2), view=model.view),
            0,
        )
        shown = [
            (row[x][1].color, "".join(sign for sign, _ in row[x + 1 : x + 7]).strip())
            for row in draw(party).cells
            for x in range(len(row) - 7)
            if row[x][0] == "@"
        ]
        assert (bert, "Bert") in [(tint, words[:4]) for tint, words in shown]
        assert (cleo, "Cleo") in [(tint, words[:4]) for tint, words in shown]


@pytest.mark.parametrize("glyphs", GlyphSet)
def test_no_two_kinds_terrain_share_glyph_whether(glyphs: GlyphSet) -> None:
    """No two kinds of terrain share a glyph whether in sight or remembered."""
    shown = [
        {map_panel.terrain_cell(terrain, seen=seen, glyphs=glyphs)[0] for seen in (False, True)}
        for terrain in Terrain
    ]
    for one, other in combinations(shown, 2):
        assert not one & other


@pytest.mark.parametrize("glyphs", GlyphSet)
def test_u33_each_glyph_is_one_column_wide(glyphs: GlyphSet) -> None:
    """U33: three sets, each glyph one column wide, the PC set's glyphs in code page 437."""
    for terrain in Terrain:
        for seen in (False, True):
            shown = terrain_glyph(terrain, glyphs, seen=seen)
            assert wcwidth.wcswidth(shown) == len(shown) == 1
            assert glyphs is not GlyphSet.ASCII or shown.isascii()
            assert glyphs is not GlyphSet.CP437 or shown in "○☼" or shown.encode("cp437")


def test_u33_the_set_follows_option_and_terminal() -> None:
    """U33: a terminal without Unicode gets ASCII; an option chooses among the rest, and the map changes immediately."""
    assert glyph_set("auto", unicode=True) is GlyphSet.UNICODE
    assert glyph_set("cp437", unicode=True) is GlyphSet.CP437
    assert {glyph_set(wanted, unicode=False) for wanted in ("auto", "ascii")} == {GlyphSet.ASCII}
    model = structs.replace(base := playing(), surface=structs.replace(base.surface, unicode=True))
    plain = structs.replace(model, surface=structs.replace(model.surface, unicode=False))
    shown = {
        wanted: picture(
            structs.replace(plain if wanted is GlyphSet.ASCII else model, options=Options(glyphs=wanted))
        )
        for wanted in GlyphSet
    }
    assert "█" in shown[GlyphSet.CP437]
    assert "▒" in shown[GlyphSet.UNICODE]
    assert shown[GlyphSet.ASCII].isascii()


@pytest.mark.rule("TG.28")
def test_the_path_covers_no_creature_and_no_item() -> None:
    """The path is drawn by a glyph and covers neither creatures nor items."""
    view = level_view(at=(10, 4))
    rat = Creature(20, view.cell + 2, 3, 5, 1, CreatureFlag.HOSTILE, "r", "brown", "rat")
    view = replace(view, creatures=(*view.creatures, rat))
    canvas = Canvas(40, 12)
    area = Rect(0, 0, 40, 12)
    overlay = map_panel.Overlay(path=tuple(view.cell + by for by in (1, 2, 3)), beyond=(view.cell + 4,))
    window = map_panel.MapWindow(canvas, area, view, (0, 0))
    map_panel.draw_map(window, glyphs=GlyphSet.ASCII)
    map_panel.draw_overlay(window, overlay, view.cell + 6)

    assert list(canvas.rows())[4][10:18] == "@1r3;{.}"
    assert canvas.cells[4][11][1].color == "magenta"


def test_a_blast_shows_without_colour() -> None:
    view = level_view(at=(10, 4))
    canvas = Canvas(40, 12)
    window = map_panel.MapWindow(canvas, Rect(0, 0, 40, 12), view, (0, 0))
    map_panel.draw_map(window, glyphs=GlyphSet.ASCII)
    map_panel.draw_overlay(window, map_panel.Overlay(blast=(view.cell + 3,)), view.cell)

    style = canvas.cells[4][13][1]
    assert style.reverse
    assert style.underline


def test_grown_monster_named_one_differ_from_fresh() -> None:
    """Also where each of them is after the player."""
    looks = [
        without_colour(map_panel.creature_cell(creature(CreatureFlag.HOSTILE | marks)))
        for marks in (CreatureFlag(0), CreatureFlag.GROWN, CreatureFlag.GROWN | CreatureFlag.NAMED)
    ]
    assert len(set(looks)) == 3
    after_you = CreatureFlag.HOSTILE | CreatureFlag.HOLDS_YOU
    assert map_panel.creature_cell(creature(after_you)) != map_panel.creature_cell(
        creature(after_you | CreatureFlag.GROWN)
    )


LOOK = Look("▚", "∙", ("teal", "green"), ("brown", "gray"), "moss")


def drawn_with(look: Look | None, glyphs: GlyphSet) -> list[Cell]:
    view = level_view(at=(10, 4))
    view = replace(view, sight=b"\1" * len(view.sight), place=replace(view.place, look=look))
    width, height = view.place.width, view.place.height
    canvas = Canvas(width, height)
    window = map_panel.MapWindow(canvas, Rect(0, 0, width, height), view, (0, 0), lights=True)
    map_panel.draw_map(window, glyphs=glyphs)
    return [cell for row in canvas.cells for cell in row]


def test_a_place_has_signs_and_two_colors_of_its_own() -> None:
    signs = {(sign, style.color) for sign, style in drawn_with(LOOK, GlyphSet.UNICODE)}
    assert {("▚", "teal"), ("▚", "green"), ("∙", "brown"), ("∙", "gray")} <= signs
    assert not {sign for sign, _ in signs} & {"▒", "·"}


def test_the_light_of_a_place_has_its_tint() -> None:
    lights = {style.light for _, style in drawn_with(LOOK, GlyphSet.UNICODE)}
    moss = TINTS.index("moss") * LIGHTS
    assert lights == {0, *range(moss + 1, moss + LIGHTS + 1)}


def test_without_unicode_a_place_has_colors_alone() -> None:
    signs = {(sign, style.color) for sign, style in drawn_with(LOOK, GlyphSet.ASCII)}
    assert {("#", "teal"), ("#", "green"), (".", "brown")} <= signs


@pytest.mark.parametrize(
    "look",
    [
        Look("\x1b[2J", "wide", ("no such",), (), "no such"),
        Look("", "", (), (), ""),
        Look("漢", "@", ("red",) * 9, ("red",), "ember"),
    ],
)
def test_a_look_from_a_server_is_not_trusted(look: Look) -> None:
    """Only signs of the closed lists are drawn, and an unknown color becomes gray: A27."""
    shown = drawn_with(look, GlyphSet.UNICODE)
    assert {sign for sign, _ in shown} <= {"▒", "·", " ", "@", "r", "%"} | {
        sign for sign, _ in drawn_with(None, GlyphSet.UNICODE)
    }
    assert {style.color for _, style in shown} <= set(COLORS)
