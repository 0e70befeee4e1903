"""The items out of sight, as the client keeps them in mind."""

from itertools import chain

import pytest
from msgspec.structs import replace

from gloam_client.render.descriptions import describe_cell
from gloam_client.render.frame import draw
from gloam_client.state import client_events
from gloam_client.state.map.item_memory import LEVELS_MAX, THINGS_MAX, ItemMemory, update_item_memory
from gloam_client.state.model import Model
from gloam_client.update import update
from gloam_shared.protocol.messages.login import Joined, Welcome
from gloam_shared.view.place import Place
from gloam_shared.view.view import FloorItem, Item, View
from support.client.fake_server import level_view
from support.client.model_in_play import heard, picture, playing, press

HERE = level_view()
APPLE = Item(30, HERE.cell + 3, 1, "%", "red", "apple")


def in_the_dark(view: View) -> View:
    """Return a view of the same place in which nothing is seen."""
    return replace(view, sight=bytes(len(view.sight)), items=())


def hear(model: Model, *views: View) -> Model:
    for view in views:
        model = update(model, heard(view=view), 0)[0]
    return model


def test_thing_sight_recalled() -> None:
    """A thing out of sight is recalled until its cell is seen without it."""
    seen = replace(HERE, items=(APPLE,))
    model = hear(playing(), seen, in_the_dark(HERE))
    assert model.floor_items == {APPLE.cell: APPLE}
    assert "%" in picture(model)
    assert not hear(model, HERE).floor_items


def test_it_is_drawn_faint_where_it_is_only_recalled() -> None:
    seen = hear(playing(), replace(HERE, items=(APPLE,)))
    faint = [hear(seen, view) for view in (seen.view, in_the_dark(HERE))]
    assert [
        [
            style.dim
            for char, style in chain.from_iterable(draw(model).cells)
            if char == "%" and style.color == "red"
        ]
        for model in faint
    ] == [[False], [True]]


def test_each_level_is_recalled_by_itself() -> None:
    below = replace(in_the_dark(HERE), place=replace(HERE.place, depth=2))
    model = hear(playing(), replace(HERE, items=(APPLE,)), below)
    assert not model.floor_items
    assert hear(model, in_the_dark(HERE)).floor_items == {APPLE.cell: APPLE}


def test_lies_under_feet_recalled_top() -> None:
    """A pile under one's feet is recalled by its top item."""
    pile = (FloorItem(4, "/", "white", "sword"), FloorItem(5, "%", "red", "apple"))
    blind = replace(in_the_dark(HERE), pile=pile)
    lying = update_item_memory({}, blind)[1]
    assert lying == {HERE.cell: Item(5, HERE.cell, 2, "%", "red", "apple")}
    assert update_item_memory({1: lying}, in_the_dark(HERE)) == {1: {}}


def test_no_more_many_levels_kept_and_newest_stay() -> None:
    """No more than this many levels are kept and the newest stay."""
    known: ItemMemory = {}
    for depth in (*range(1, LEVELS_MAX + 10), 20):
        known = update_item_memory(known, replace(HERE, place=replace(HERE.place, depth=depth)))
    assert len(known) == LEVELS_MAX
    assert list(known)[-2:] == [LEVELS_MAX + 9, 20]


def test_new_life_recalls_nothing_and_comes_back() -> None:
    """A new life recalls nothing, and a life that is resumed recalls all."""
    model = hear(playing(), replace(HERE, items=(APPLE,)))
    back = update(model, heard(Joined("Ann", 3, 1), view=in_the_dark(HERE)), 0)[0]
    assert back.floor_items == {APPLE.cell: APPLE}
    assert not update(model, heard(Joined("Ann", 3, 2), view=in_the_dark(HERE)), 0)[0].floor_items


@pytest.mark.rule("RG.25")
def test_campaign_says_terrain_alone_recalled() -> None:
    """Terrain alone is recalled where the campaign says so."""
    welcome = Welcome(1, "The Birthday", 1, 8, recall="terrain")
    model = update(playing(), heard(welcome), 0)[0]
    model = hear(model, replace(HERE, items=(APPLE,)), in_the_dark(HERE))
    assert not model.floor_items
    assert "%" not in picture(model)


def test_lies_sight_found_same() -> None:
    """And what lies out of sight there is found all the same."""
    model = update(playing(), heard(Welcome(1, "The Birthday", 1, 8, recall="terrain")), 0)[0]
    model = hear(model, replace(HERE, items=(APPLE,)), in_the_dark(HERE))
    assert "An apple." in picture(press(model, "/")[0])


def test_earlier_run_kept_recalled_but_seen_gone() -> None:
    """Knowledge that an earlier run kept is recalled except for items that are seen to be gone."""
    kept: ItemMemory = {1: {APPLE.cell: APPLE}, 2: {3: APPLE}}
    dark = update(hear(playing(), in_the_dark(HERE)), client_events.MemoryLoaded(kept), 0)[0]
    assert dark.memory.recall == kept
    lit = update(hear(playing(), HERE), client_events.MemoryLoaded(kept), 0)[0]
    assert lit.memory.recall == {1: {}, 2: {3: APPLE}}


def test_another_realm_behind_line_takes_nothing() -> None:
    """Another realm behind the line takes nothing over."""
    model = update(playing(), heard(Welcome(1, "Gloam", 1, 8, realm="ab")), 0)[0]
    model = hear(model, replace(HERE, items=(APPLE,)))
    same, other = (
        update(model, heard(Welcome(1, "Gloam", 1, 8, realm=realm), view=model.view), 0)[0]
        for realm in ("ab", "cd")
    )
    assert (bool(same.memory.recall), bool(other.memory.recall)) == (True, False)


@pytest.mark.rule("RG.25")
def test_sight_found_same() -> None:
    """And what is in sight there is found all the same."""
    model = update(playing(), heard(Welcome(1, "The Birthday", 1, 8, recall="terrain")), 0)[0]
    model = hear(model, replace(HERE, items=(APPLE,)))
    assert "An apple." in picture(press(model, "x", "TAB")[0])
    assert "An apple." in picture(press(model, "/")[0])


def test_life_answered_nothing_recalls_nothing() -> None:
    """The world behind the line may be a new one, with a first life of its own."""
    model = hear(playing(), replace(HERE, items=(APPLE,)))
    assert not update(model, heard(Joined("Ann", 0, 1), view=in_the_dark(HERE)), 0)[0].floor_items


def test_many_things_level_sight_kept() -> None:
    """Only this many things of a level out of sight are kept and a smaller level none beyond it."""
    things = tuple(Item(at, at, 1, "%", "red", "apple") for at in range(THINGS_MAX + 50))
    known = update_item_memory(update_item_memory({}, replace(HERE, items=things)), in_the_dark(HERE))
    assert list(known[1]) == list(range(50, THINGS_MAX + 50))
    small = replace(in_the_dark(HERE), sight=bytes(60), terrain=bytes(60), place=Place(1, 60, 1, ""))
    assert list(update_item_memory(known, small)[1]) == list(range(50, 60))


def test_line_cursor_not_drawn_over_recalled() -> None:
    """The line of the cursor is not drawn over what is recalled."""
    model = hear(playing(), replace(HERE, items=(APPLE,)), in_the_dark(HERE))
    looking, _ = press(model, "x", *"lllll")
    row = next(row for row in picture(looking).split("\n") if "{" in row and "}" in row)
    assert "@12%{.}" in row


def test_a_look_tells_that_it_is_only_recalled() -> None:
    lines = describe_cell(in_the_dark(HERE), APPLE.cell, lying={APPLE.cell: APPLE})
    assert lines[0].startswith("You recall")
    assert "% - An apple. You last saw it like this." in lines
    seen = describe_cell(replace(HERE, items=(APPLE,)), APPLE.cell, lying={APPLE.cell: APPLE})
    assert [words for words in seen if "apple" in words] == ["% - An apple."]


def test_the_cursor_finds_what_is_only_recalled() -> None:
    model = hear(playing(), replace(HERE, items=(APPLE,)), in_the_dark(HERE))
    assert "An apple. You last saw it like this." in picture(press(model, "x", "TAB")[0])
