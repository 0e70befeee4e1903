"""What lay where it is out of sight now, as the client keeps it in mind."""

from msgspec.structs import replace

from client.screens.playing import heard, picture, playing, press
from gloam_client.model import Model
from gloam_client.recall import LEVELS_MAX, Recall, recalled
from gloam_client.render.frame import draw
from gloam_client.render.words import cell_words
from gloam_client.update import update
from gloam_shared.messages import Joined, Welcome
from gloam_shared.view import Item, Thing, View
from support.fake_server import level_view

HERE = level_view()
APPLE = Item(30, HERE.cell + 3, 1, "%", "red", "apple")


def in_the_dark(view: View) -> View:
    """Return a view of the same place in which nothing is seen."""
    return replace(view, sight=bytes(len(view.sight)), items=())


def hear(model: Model, *views: View) -> Model:
    for view in views:
        model = update(model, heard(view=view), 0)[0]
    return model


def test_a_thing_out_of_sight_is_recalled_until_its_cell_is_seen_without_it() -> None:
    seen = replace(HERE, items=(APPLE,))
    model = hear(playing(), seen, in_the_dark(HERE))
    assert model.lying == {APPLE.cell: APPLE}
    assert "%" in picture(model)
    assert not hear(model, HERE).lying


def test_it_is_drawn_faint_where_it_is_only_recalled() -> None:
    seen = hear(playing(), replace(HERE, items=(APPLE,)))
    faint = [hear(seen, view) for view in (seen.view, in_the_dark(HERE))]
    assert [
        [style.dim for char, style in draw(model).cells if char == "%" and style.colour == "red"]
        for model in faint
    ] == [[False], [True]]


def test_each_level_is_recalled_by_itself() -> None:
    below = replace(in_the_dark(HERE), place=replace(HERE.place, depth=2))
    model = hear(playing(), replace(HERE, items=(APPLE,)), below)
    assert not model.lying
    assert hear(model, in_the_dark(HERE)).lying == {APPLE.cell: APPLE}


def test_what_lies_under_ones_feet_is_recalled_by_its_top_one() -> None:
    pile = (Thing(4, "/", "white", "sword"), Thing(5, "%", "red", "apple"))
    blind = replace(in_the_dark(HERE), pile=pile)
    lying = recalled({}, blind)[1]
    assert lying == {HERE.cell: Item(5, HERE.cell, 2, "%", "red", "apple")}
    assert recalled({1: lying}, in_the_dark(HERE)) == {1: {}}


def test_no_more_than_so_many_levels_are_kept_and_the_newest_stay() -> None:
    known: Recall = {}
    for depth in (*range(1, LEVELS_MAX + 10), 20):
        known = recalled(known, replace(HERE, place=replace(HERE.place, depth=depth)))
    assert len(known) == LEVELS_MAX
    assert list(known)[-2:] == [LEVELS_MAX + 9, 20]


def test_a_new_life_recalls_nothing_and_one_that_comes_back_all() -> None:
    model = hear(playing(), replace(HERE, items=(APPLE,)))
    back = update(model, heard(Joined("Ann", 3, 1), view=in_the_dark(HERE)), 0)[0]
    assert back.lying == {APPLE.cell: APPLE}
    assert not update(model, heard(Joined("Ann", 3, 2), view=in_the_dark(HERE)), 0)[0].lying


def test_rg25_where_the_campaign_says_so_terrain_alone_is_recalled() -> None:
    welcome = Welcome(1, "The Birthday", 1, 8, recall="terrain")
    model = update(playing(), heard(welcome), 0)[0]
    model = hear(model, replace(HERE, items=(APPLE,)), in_the_dark(HERE))
    assert not model.lying


def test_a_look_tells_that_it_is_only_recalled() -> None:
    told = cell_words(in_the_dark(HERE), APPLE.cell, lying={APPLE.cell: APPLE})
    assert told[0].startswith("You recall")
    assert "% - An apple. So you saw it last." in told
    assert "% - An apple. So you saw it last." not in cell_words(HERE, APPLE.cell, lying={APPLE.cell: APPLE})


def test_the_cursor_finds_what_is_only_recalled() -> None:
    model = hear(playing(), replace(HERE, items=(APPLE,)), in_the_dark(HERE))
    assert "An apple. So you saw it last." in picture(press(model, "x", "TAB")[0])
