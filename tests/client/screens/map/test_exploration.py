"""A level where nothing is left to explore: what is said, what the key of exploring does then, and what the bottom line shows."""

import pytest
from msgspec.structs import replace

from gloam_client.screens.map.exploration import is_explored
from gloam_client.screens.suggested_actions import suggested_actions
from gloam_client.state.client_effects import SendCommand
from gloam_client.state.model import Model
from gloam_client.update import update
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Explore, Travel
from gloam_shared.protocol.messages.play import Answer
from gloam_shared.view.view import View
from support.client.fake_server import level_view
from support.client.model_in_play import heard, playing, press

TOLD = "There is nothing left to explore on this level; o explores."
ALL_KNOWN = level_view()


def level(*, down: bool = False, up: bool = False, depth: int = 2) -> View:
    """Return a level with or without stairs, in reach of the player."""
    stairs = {Terrain.STAIRS_DOWN, Terrain.STAIRS_UP, Terrain.HOLE, Terrain.EXIT}
    terrain = bytearray(Terrain.FLOOR if kind in stairs else kind for kind in ALL_KNOWN.terrain)
    terrain[ALL_KNOWN.cell + 2] = Terrain.STAIRS_DOWN if down else Terrain.FLOOR
    terrain[ALL_KNOWN.cell - 2] = Terrain.STAIRS_UP if up else Terrain.FLOOR
    return replace(ALL_KNOWN, terrain=bytes(terrain), place=replace(ALL_KNOWN.place, depth=depth))


def explored(view: View) -> Model:
    return update(playing(view), heard(Answer(1, "explored", TOLD), view=view), 0)[0]


def test_before_it_is_explored_the_key_explores() -> None:
    assert press(playing(level(down=True)), "o")[1] == [SendCommand(Explore(pick_up=True))]


def test_known_stairs_down_are_where_it_goes_next() -> None:
    model = explored(level(down=True))
    assert model.messages.entries[-1].text == f"{TOLD} o again goes to the stairs down."
    model, wanted = press(model, "o")
    assert wanted == [SendCommand(Travel(ALL_KNOWN.cell + 2))]
    shown = suggested_actions(model)
    assert shown.index("descend") < shown.index("explore")


def test_on_the_stairs_the_key_never_takes_them() -> None:
    view = level(down=True)
    terrain = bytearray(view.terrain)
    terrain[view.cell] = Terrain.STAIRS_DOWN
    model, wanted = press(explored(replace(view, terrain=bytes(terrain))), "o")
    assert wanted == []
    assert "> takes it" in model.flash.text
    assert "explore" not in suggested_actions(model)


def test_no_way_on_an_explored_level_names_what_bars() -> None:
    refused = Answer(2, "ended", "You do not know a way there.", reason="no_way")
    view = level()
    for model, advice in (
        (playing(view), "o explores further."),
        (explored(view), "A gate, water or a creature may bar it."),
    ):
        told = update(model, heard(refused, view=view), 0)[0]
        assert told.flash.text == f"You do not know a way there. {advice}"


def test_a_barred_level_is_not_explored() -> None:
    """The key explores as soon as the way is free; until then the stairs down go first."""
    view = level(down=True)
    bars = Answer(1, "ended", "A bat bars the only way: walk into it to fight.", reason="blocked")
    model = update(playing(view), heard(bars, view=view), 0)[0]
    assert model.messages.entries[-1].text == bars.text
    assert not is_explored(model)
    assert press(model, "o")[1] == [SendCommand(Explore(pick_up=True))]
    shown = suggested_actions(model)
    assert shown.index("descend") < shown.index("explore")
    ground = bytearray(view.terrain)
    ground[view.cell + 1] = Terrain.DOOR_CLOSED
    model, _ = update(model, heard(view=replace(view, terrain=bytes(ground))), 0)
    assert suggested_actions(model)[0] == "explore"


@pytest.mark.parametrize("depth", [2, 3])
def test_a_pocket_names_the_stairs_up(depth: int) -> None:
    model = explored(level(up=True, depth=depth))
    sentence = f"No way on from here: other stairs down are on depth {depth - 1} (press <), or dig."
    assert model.messages.entries[-1].text == f"{TOLD} {sentence}"
    model, wanted = press(model, "o")
    assert wanted == []
    assert sentence in model.flash.text
    assert "ascend" in suggested_actions(model)
    assert "explore" not in suggested_actions(model)


def test_on_the_first_depth_no_level_above_is_promised() -> None:
    assert "level" not in explored(level(up=True, depth=1)).messages.entries[-1].text.removeprefix(TOLD)


def test_stairs_beyond_reach_are_no_way_on() -> None:
    view = level(down=True, up=True)
    walled = bytearray(view.terrain)
    for cell in range(len(walled)):
        if cell % view.place.width == view.cell % view.place.width + 1:
            walled[cell] = Terrain.WALL
    assert "No way on from here" in explored(replace(view, terrain=bytes(walled))).messages.entries[-1].text


def test_new_ground_makes_unexplored_and_door() -> None:
    """New ground makes it unexplored and a door does not."""
    view = level(down=True)
    door = bytearray(view.terrain)
    door[view.cell + 1] = Terrain.DOOR_CLOSED
    model = explored(replace(view, terrain=bytes(door)))
    door[view.cell + 1] = Terrain.DOOR_OPEN
    model, _ = update(model, heard(view=replace(view, terrain=bytes(door))), 0)
    assert is_explored(model)
    door[view.cell + 1] = Terrain.FLOOR
    model, _ = update(model, heard(view=replace(view, terrain=bytes(door))), 0)
    assert not is_explored(model)
    assert press(model, "o")[1] == [SendCommand(Explore(pick_up=True))]
