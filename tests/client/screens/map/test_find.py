"""Finding again what one has seen."""

from msgspec import structs
from msgspec.structs import replace

from gloam_client.screens.map.exploration import mark_explored
from gloam_client.screens.play import Play
from gloam_client.state.client_effects import SendCommand, ShowMessage
from gloam_client.state.model import Model
from gloam_client.update import update
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Travel
from gloam_shared.view.surfaces import SurfaceFlag, SurfaceLook
from gloam_shared.view.view import FloorItem, Item, View
from support.client.fake_server import level_view
from support.client.model_in_play import heard, picture, playing, press

HERE = level_view()
BARE = replace(HERE, terrain=bytes([Terrain.FLOOR]) * len(HERE.terrain))
APPLE = Item(30, HERE.cell + 5, 1, "%", "red", "apple")
SWORD = Item(31, HERE.cell + 2, 3, "/", "white", "sword")


def lines(model: Model, *keys: str) -> list[str]:
    """Return what the list shows that `/` opens, after these keys."""
    inside = [
        row.split("|") for row in picture(press(model, "/", *keys)[0]).split("\n") if row.count("|") == 2
    ]
    return [row[1].strip() for row in inside if row[1].strip()]


def on(view: View, depth: int) -> View:
    return replace(view, place=replace(view.place, depth=depth), items=())


def seen(*views: View) -> Model:
    """Return a client that has seen these, the last of them now."""
    model = playing(views[0])
    for view in views[1:]:
        model = update(model, heard(view=view), 0)[0]
    return model


def with_stairs(view: View, **ways: int) -> View:
    """Return a view with stairs so far from the body: down=3 lies three cells east of it."""
    terrain = bytearray(view.terrain)
    for way, away in ways.items():
        terrain[view.cell + away] = Terrain.STAIRS_DOWN if way == "down" else Terrain.STAIRS_UP
    return replace(view, terrain=bytes(terrain))


def test_things_and_places_listed_nearest_first() -> None:
    """Things and places are listed the nearest first and one is traveled to."""
    model = playing(with_stairs(replace(BARE, items=(APPLE, SWORD)), up=-4, down=3))
    assert lines(model) == [
        "2 steps east         / - A sword, and 2 more.",
        "3 steps east         A rock staircase leading downwards.",
        "4 steps west         A rock staircase leading upwards.",
        "5 steps east         % - An apple.",
    ]
    model, wanted = press(model, "/", "DOWN", "DOWN", "DOWN", "ENTER")
    assert (model.top.state, wanted) == ("play", [SendCommand(Travel(APPLE.cell))])


def test_typing_searches() -> None:
    model = playing(with_stairs(replace(BARE, items=(APPLE, replace(SWORD, count=1))), down=3))
    assert lines(model, *"DOWNW") == ["3 steps east         A rock staircase leading downwards."]
    assert press(model, "/", *"appl", "ENTER")[1] == [SendCommand(Travel(APPLE.cell))]
    assert lines(model, *"appx") == ["Nothing that you know of matches. Backspace erases."]
    assert lines(model, *"appx", "BACKSPACE") == ["5 steps east         % - An apple."]
    nothing, wanted = press(model, "/", *"appx", "ENTER", "UP", "PGDN")
    assert (nothing.top.state, wanted) == ("find", [])


def test_the_list_is_that_of_the_moment() -> None:
    model, _ = press(playing(replace(BARE, items=(APPLE,))), "/")
    model, _ = update(model, heard(view=replace(BARE, items=(SWORD,))), 0)
    assert press(model, "ENTER")[1] == [SendCommand(Travel(SWORD.cell))]
    cut, wanted = press(structs.replace(model, connection=model.connection._replace(state="down")), "ENTER")
    assert wanted == []
    assert cut.flash.text == "The connection is lost: nothing is sent until it is back."
    model, _ = update(model, heard(view=on(BARE, 2)), 0)
    assert press(model, "ENTER")[1] == []


def test_lies_another_level_round_leads_stairs() -> None:
    """An item on another level of the round leads to the stairs towards it."""
    deep, upper = replace(on(BARE, 3), items=(APPLE,)), replace(on(BARE, 1), items=(SWORD,))
    other_round = replace(on(BARE, 101), items=(SWORD,))
    model = seen(deep, upper, other_round, with_stairs(on(BARE, 2), down=3))
    assert lines(model)[1:] == [
        "Depth 1              / - A sword, and 2 more.",
        "Depth 3              % - An apple.",
    ]
    assert press(model, "/", *"apple", "ENTER")[1] == [SendCommand(Travel(HERE.cell + 3))]
    refused, wanted = press(model, "/", *"sword", "ENTER")
    assert (wanted, refused.flash.text) == ([], "You do not know a way to depth 1 on this level; o explores.")
    whole = mark_explored(model)
    assert press(whole, "/", *"sword", "ENTER")[0].flash.text == (
        "You do not know a way to depth 1 on this level; a gate, water or a creature may bar it."
    )


def test_stairs_are_led_to_and_never_taken() -> None:
    model = seen(replace(on(BARE, 3), items=(APPLE,)), with_stairs(on(BARE, 2), down=0))
    model, wanted = press(model, "/", "ENTER")
    assert (model.top.state, wanted) == ("play", [])
    assert model.flash.text == "The way to depth 3 is here: > takes it."


def test_far_stands_smallest_window() -> None:
    """The distance stands in the smallest window too and a long list scrolls."""
    name = "potion of great healing and of a long name that nobody gave it"
    things = tuple(Item(at, at, 1, "!", "red", name) for at in range(60))
    model = structs.replace(
        base := playing(replace(BARE, items=things)), surface=structs.replace(base.surface, size=(60, 20))
    )
    first, last = lines(model), lines(model, *["PGDN"] * 9)
    assert 5 < len(first) == len(last) < 60
    assert not set(first[:-2]) & set(last[:-2])
    assert lines(model, "UP") == last
    assert all(line.split()[1] in ("step", "steps") for line in first[:-2] + last[:-2])
    [paged], [stepped] = (press(model, "/", *keys, "ENTER")[1] for keys in (["PGDN", "PGUP"], ["DOWN", "UP"]))
    assert paged == stepped


def test_a_search_without_results_says_so() -> None:
    message = ShowMessage("You know of no items and no stairs on this level; o explores.", "quiet")
    assert Play().on_key(playing(BARE), "/").intents == (message,)
    assert Play().on_key(Model(screens=(Play(),)), "/").intents == (
        ShowMessage("Not in the dungeon yet; wait a moment.", "quiet"),
    )


def test_devices_are_found_again() -> None:
    """A lever that was seen is listed, and travel leads to it; fire is no device."""
    lever = SurfaceLook("lever", "It moves a gate.", "!", "!", "white", marks=int(SurfaceFlag.STAYS))
    fire = SurfaceLook("fire", "It burns.", "^", "^", "red", harm=3)
    cells = bytearray(len(BARE.terrain))
    cells[BARE.cell + 4], cells[BARE.cell + 2] = 1, 2
    model = playing(replace(BARE, items=(), surfaces=bytes(cells), surface_looks=(lever, fire)))
    assert lines(model) == ["4 steps east         A lever."]
    assert press(model, "/", "ENTER")[1] == [SendCommand(Travel(BARE.cell + 4))]


def test_what_lies_under_others_is_named_last() -> None:
    """The view has the top item of a pile and their number: where nothing else matches, the piles are listed."""
    model = playing(replace(BARE, items=(APPLE, replace(SWORD, name="imp corpse"))))
    assert lines(model, *"golden") == [
        "Nothing that you know of matches; it may lie in a pile:",
        "2 steps east         2 more under an imp corpse.",
    ]
    assert press(model, "/", *"golden", "ENTER")[1] == [], "no pile is marked by itself"
    assert press(model, "/", *"golden", "DOWN", "ENTER")[1] == [SendCommand(Travel(SWORD.cell))]
    assert lines(model, *"corpse") == ["2 steps east         / - An imp corpse, and 2 more."]


def test_a_list_that_became_empty_has_no_mark() -> None:
    """The player had marked a line; then nothing of the list is known any more."""
    model = press(playing(replace(BARE, items=(APPLE, SWORD))), "/", "DOWN")[0]
    empty = structs.replace(model, view=BARE, memory=structs.replace(model.memory, recall={}))
    assert press(empty, "ENTER")[1] == press(empty, "DOWN", "ENTER")[1] == []


def test_what_lies_underfoot_is_found_by_name() -> None:
    """It stands behind all else on the level, so that Enter still leads to the nearest item."""
    pile = (FloorItem(40, "!", "yellow", "golden potion"), FloorItem(41, "%", "red", "imp corpse"))
    model = playing(replace(BARE, items=(APPLE,), pile=pile))
    assert lines(model) == [
        "5 steps east         % - An apple.",
        "Here                 % - An imp corpse.",
        "Here                 ! - A golden potion.",
    ]
    after, wanted = press(model, "/", *"golden", "ENTER")
    assert (after.top.state, wanted) == ("play", [])
    assert after.flash.text == "It lies here: , picks it up."
