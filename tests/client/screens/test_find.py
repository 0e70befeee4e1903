"""Finding again what one has seen."""

from msgspec.structs import replace

from client.screens.playing import heard, picture, playing, press
from gloam_client.intents import Note, Order
from gloam_client.model import Model
from gloam_client.screens.pick import Pick
from gloam_client.screens.play import Play
from gloam_client.update import update
from gloam_shared.appearance import Terrain
from gloam_shared.commands import Climb, Travel
from gloam_shared.view import Item, View
from support.fake_server import level_view

HERE = level_view()
BARE = replace(HERE, terrain=bytes([Terrain.FLOOR]) * len(HERE.terrain))
APPLE = Item(30, HERE.cell + 5, 1, "%", "red", "apple")
SWORD = Item(31, HERE.cell + 2, 3, "/", "white", "sword")


def words(model: Model) -> list[str]:
    """Return the lines of the list that `/` opens."""
    top = press(model, "/")[0].top
    assert isinstance(top, Pick)
    return [way.words for way in top.ways]


def on(view: View, depth: int) -> View:
    return replace(view, place=replace(view.place, depth=depth), items=())


def test_things_and_places_are_listed_the_nearest_first_and_one_is_travelled_to() -> None:
    terrain = bytearray(BARE.terrain)
    terrain[HERE.cell - 4], terrain[HERE.cell + 3] = Terrain.STAIRS_UP, Terrain.STAIRS_DOWN
    model = playing(replace(BARE, terrain=bytes(terrain), items=(APPLE, SWORD)))
    assert words(model) == [
        "/ - A sword, and 2 more. 2 steps east.",
        "% - An apple. 5 steps east.",
        "A rock staircase leading downwards. 3 steps east.",
        "A rock staircase leading upwards. 4 steps west.",
    ]
    assert "Find and travel there" in picture(press(model, "/")[0])
    assert press(model, "/", "b")[1] == [Order(Travel(APPLE.cell))]


def test_what_lies_on_another_level_leads_to_the_stairs_towards_it() -> None:
    model = playing(on(BARE, 3))
    for view in (replace(on(BARE, 3), items=(APPLE,)), replace(on(BARE, 1), items=(SWORD,)), on(BARE, 2)):
        model = update(model, heard(view=view), 0)[0]
    assert words(model) == ["% - An apple. On depth 3.", "/ - A sword, and 2 more. On depth 1."]
    assert press(model, "/", "a")[1] == [Order(Climb(down=True))]
    assert press(model, "/", "b")[1] == [Order(Climb(down=False))]


def test_who_knows_of_nothing_is_told_so() -> None:
    told = Note("You know of nothing that lies here, and of no way out.", "quiet")
    assert Play().on_key(playing(BARE), "/").intents == (told,)
    assert Play().on_key(Model(screens=(Play(),)), "/").intents == (Note("Nothing to find yet.", "quiet"),)
