"""The side panel: creatures as bars, what lies here, the inventory, and a small map of the level: U31."""

from msgspec import structs
from msgspec.structs import replace

from gloam_client.render.damage_summary import DamageSummary, summary_lines
from gloam_client.render.frame import draw
from gloam_client.render.panels.minimap import minimap_rows
from gloam_client.render.panels.side_panel import draw_side, side_row
from gloam_client.state.model import Model
from gloam_client.state.new_view import note_items
from gloam_client.terminal.canvas import Canvas, Rect
from gloam_shared.appearance import Terrain
from gloam_shared.view.view import Creature, CreatureFlag, FloorItem, InventoryItem, ItemFlag, Stat, View
from support.client.fake_server import level_view
from support.client.model_in_play import picture, playing


def panel(model: Model, width: int, height: int) -> list[str]:
    canvas = Canvas(width, height)
    draw_side(canvas, Rect(0, 0, width, height), model)
    return [row.rstrip() for row in canvas.rows()]


def full_view(items: int = 3) -> View:
    view = level_view()
    rat = Creature(20, view.cell + 1, 5, 10, 1, CreatureFlag.HOSTILE, "r", "brown", "rat", 4)
    return replace(
        view,
        creatures=(*view.creatures, rat),
        pile=(FloorItem(90, "%", "red", "apple"), FloorItem(91, ")", "white", "dagger")),
        inventory=tuple(InventoryItem(at, "*", "white", f"rock {at}", 0, 0, 0, 0) for at in range(items)),
    )


def test_a_creature_is_a_bar_of_its_health() -> None:
    """A bar of at most 12 signs at the end of a creature's line is full as far as its health: U35 without colors."""
    canvas = Canvas(52, 8)
    draw_side(canvas, Rect(0, 0, 52, 8), playing(full_view()))
    row = next(line for line in canvas.rows() if "rat 5/10 L1" in line)
    assert row.endswith(" ######------")


def test_a_line_without_room_has_no_bar() -> None:
    canvas = Canvas(24, 8)
    draw_side(canvas, Rect(0, 0, 24, 8), playing(full_view()))
    assert not any("#" in row for row in canvas.rows() if "rat" in row)


def test_the_panel_lists_pile_and_inventory() -> None:
    rows = panel(playing(full_view()), 40, 20)
    here, carried = rows.index("Here"), rows.index("You carry")
    assert rows[here + 1 : here + 3] == ["dagger", "apple"]
    assert rows[carried + 1 : carried + 4] == ["a rock 0", "b rock 1", "c rock 2"]


def test_the_panel_says_how_much_it_leaves_out() -> None:
    rows = panel(playing(full_view(20)), 40, 20)
    assert rows[-1].startswith("and ")
    shown = sum("rock" in row for row in rows)
    assert rows[-1] == f"and {20 - shown} more"


def carrying(*things: tuple[int, str, int]) -> View:
    """Return a view with items: slot, name and traits of each."""
    items = (InventoryItem(slot, "*", "white", name, traits, 0, 0, 0) for slot, name, traits in things)
    return replace(level_view(), inventory=tuple(items))


def test_a_short_list_of_items_has_the_newest() -> None:
    """U30: what the sheet names is left out first, then the oldest item; a slot that is free again is filled first."""
    rocks = [(at, f"rock {at}", 0) for at in range(3, 20)]
    first = carrying((0, "sword", ItemFlag.WIELDED), (1, "apple", 0), *rocks)
    gone = carrying((0, "sword", ItemFlag.WIELDED), (1, "apple", 0), *rocks[1:])
    then = carrying((0, "sword", ItemFlag.WIELDED), (1, "apple", 0), (2, "map", 0), *rocks[1:])
    model = playing(first)
    for view in (gone, then):
        model = note_items(model, structs.replace(model, view=view))
    rows = panel(model, 40, 14)
    shown = rows[rows.index("You carry") + 1 :]
    assert shown[0] == "c map"
    assert shown[-2:] == ["t rock 19", f"and {19 - len(shown) + 1} more"]
    assert "a sword" not in " ".join(shown)


def test_a_list_with_room_has_every_item_by_letter() -> None:
    before = playing(carrying((1, "apple", 0)))
    model = note_items(before, structs.replace(before, view=carrying((0, "map", 0), (1, "apple", 0))))
    rows = panel(model, 40, 14)
    assert rows[rows.index("You carry") + 1 :][:2] == ["a map", "b apple"]


def test_health_and_mana_are_bars() -> None:
    view = full_view()
    sheet = list(view.sheet)
    sheet[Stat.HP], sheet[Stat.MANA], sheet[Stat.MANA_MAX] = 10, 2, 8
    rows = panel(playing(replace(view, sheet=tuple(sheet))), 40, 20)
    assert rows[:2] == [f"Health 10/40{' ' * 16}###---------", f"Mana 2/8{' ' * 20}###---------"]


def test_a_level_larger_than_the_map_is_drawn_small() -> None:
    """A small map of the whole level stands in the panel where the level does not fit the map: U54."""
    tall = "\n".join(["#" * 100, *["#" + "." * 98 + "#"] * 58, "#" * 100])
    large = playing(level_view(drawing=tall))
    wide = picture(structs.replace(large, surface=structs.replace(large.surface, size=(120, 60))))
    assert "The whole level" in wide
    small = wide[wide.index("The whole level") :]
    assert "@" in small
    base = playing()
    assert "The whole level" not in picture(
        structs.replace(base, surface=structs.replace(base.surface, size=(200, 60)))
    )


def test_a_block_shows_what_matters_most_in_it() -> None:
    wall, floor, down, unknown = Terrain.WALL, Terrain.FLOOR, Terrain.STAIRS_DOWN, Terrain.UNKNOWN
    terrain = bytes([wall, floor, unknown, unknown, wall, wall, down, floor, wall, wall, unknown, unknown])
    assert minimap_rows(terrain, 4, 2, 2) == (".>", "# ")
    assert minimap_rows(terrain, 4, 1, 1) == ("#.  ", "##>.", "##  ")


def test_the_side_panel_stands_beside_a_narrow_level() -> None:
    """At 80x24 the level of 50 columns leaves room for the panel, and no row is longer than the window."""
    narrow = "\n".join(["#" * 50, *["#" + "." * 48 + "#"] * 25, "#" * 50])
    model = playing(replace(level_view(drawing=narrow), inventory=full_view().inventory))
    rows = list(draw(model).rows())
    assert any("Nothing in sight" in row for row in rows)
    assert any("a rock 0" in row for row in rows)
    assert {len(row) for row in rows} == {80}


def narrow(model: Model) -> list[str]:
    """Return the rows of a screen of 60 x 20."""
    return picture(replace(model, surface=replace(model.surface, size=(60, 20)))).split("\n")


def test_narrow_screens_show_hunters_above_the_map() -> None:
    """Terminals without a panel beside the map had no list of foes at all."""
    view = level_view()
    hunts = int(CreatureFlag.HOSTILE | CreatureFlag.HOLDS_YOU)
    foes = tuple(
        Creature(20 + at, view.cell + 1 + at, 5, 10, 3, hunts, "r", "brown", name, 4)
        for at, name in enumerate(("rat", "kobold", "gnawer", "cave lizard"))
    )
    row = narrow(playing(replace(view, creatures=(*view.creatures, *foes))))[1]
    assert row.startswith("rat L3 easy 50% E1  kobold L3 easy 50% E2 +2")
    assert narrow(playing(view))[1].startswith("Goal")


def test_a_ring_is_among_what_one_wears() -> None:
    """Its name says that it is a ring: "Ring ring of toads" said so twice."""
    view = carrying((0, "tunic", ItemFlag.WORN), (1, "ring of toads", ItemFlag.RING | ItemFlag.PUT_ON))
    rows = panel(playing(view), 40, 20)
    assert "Wearing tunic, ring of toads" in rows


def test_narrow_lines_keep_danger_and_distance() -> None:
    """In the narrowest panel words of the kind are cut first; mark, level, danger and way stay."""
    view = level_view()
    hunts = int(CreatureFlag.HOSTILE | CreatureFlag.HOLDS_YOU)
    kobold = Creature(20, view.cell + 1, 60, 60, 1, hunts, "k", "brown", "kobold shaman", 9)
    bogbit = Creature(21, view.cell + 4, 90, 90, 12, hunts, "o", "red", "Bogbit the Terrible", 30, 9)
    rows = panel(playing(replace(view, creatures=(*view.creatures, kobold, bogbit))), 24, 10)
    assert "k kob..! L1 dangerous E1" in rows
    assert "o Bogbi..! L12 deadly E4" in rows


def test_the_danger_of_a_group_stands_whole() -> None:
    """A panel too narrow for "In sight: dangerous together" has the danger alone."""
    view = level_view()
    hunts = int(CreatureFlag.HOSTILE | CreatureFlag.HOLDS_YOU)
    rats = [Creature(20 + at, view.cell + 1 + at, 9, 9, 2, hunts, "r", "brown", "rat", 7) for at in range(3)]
    model = playing(replace(view, creatures=(*view.creatures, *rats)))
    assert "In sight: dangerous together" in panel(model, 30, 10)
    assert "dangerous together" in panel(model, 24, 10)


def rats_around(number: int) -> View:
    """Return a view with this number of rats in a row east of the player."""
    view = level_view()
    rats = [Creature(20 + at, view.cell + 1 + at, 9, 9, 1, 0, "r", "brown", "rat", 7) for at in range(number)]
    mine = tuple(one for one in view.creatures if one.marks & CreatureFlag.SELF)
    return replace(view, creatures=(*mine, *rats))


def test_a_short_list_of_creatures_tells_how_many() -> None:
    """The creatures that a low panel leaves out are counted; a list of all has no such line, and takes no row more."""
    rows = panel(playing(rats_around(7)), 40, 6)
    assert sum(row.startswith("r rat") for row in rows) == 4
    assert rows[-1] == "and 3 more"
    all_rows = panel(playing(rats_around(5)), 40, 6)
    assert sum(row.startswith("r rat") for row in all_rows) == 5


def test_a_left_out_creature_is_not_chosen() -> None:
    model, area = playing(rats_around(7)), Rect(0, 0, 40, 6)
    chosen = [side_row(area, model, row) for row in range(6)]
    assert [row is not None and row.item is not None for row in chosen] == [False, *[True] * 4, False]


def test_a_low_panel_names_fewer_causes_of_damage() -> None:
    """The sum of the last turns is not cut within its brackets: a cause without room is left out."""
    summary = DamageSummary(41, 61, (("the rat", 41), ("the digger mole", 20)))
    whole = ["Last 10 turns: 41 dealt,", "61 taken (the rat 41, the", "digger mole 20)"]
    assert summary_lines(summary, 25, 3) == whole
    assert summary_lines(summary, 25, 2) == [whole[0], "61 taken (the rat 41)"]
    assert summary_lines(summary, 25, 1) == [whole[0]]
    assert summary_lines(DamageSummary(), 25, 3) == []
