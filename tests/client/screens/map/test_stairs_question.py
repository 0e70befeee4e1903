"""Before stairs down: asked only of who wants to be asked, and only on them."""

import re

import pytest
from msgspec import structs
from msgspec.structs import replace

from gloam_client.screens.map.find_friends import leads_to_friend
from gloam_client.state import client_events
from gloam_client.state.client_effects import SendCommand
from gloam_client.state.model import Model
from gloam_client.state.options import Options
from gloam_client.update import update
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Climb
from gloam_shared.view.view import CreatureFlag, Friend
from support.client.fake_server import level_view
from support.client.model_in_play import heard, picture, playing, press, to_option

DOWN = SendCommand(Climb(down=True))


def standing_on(terrain: Terrain, *, ask: str = "on") -> Model:
    """Return a client whose body stands on a terrain."""
    ground = bytearray(level_view().terrain)
    ground[level_view().cell] = terrain
    model = playing(replace(level_view(), terrain=bytes(ground)))
    return structs.replace(model, options=Options(ask_stairs=ask))


@pytest.mark.rule("RG.33")
def test_stairs_down_question_asked() -> None:
    """On stairs down the question is asked and yes descends."""
    model, wanted = press(standing_on(Terrain.STAIRS_DOWN), ">")
    assert (wanted, model.top.state) == ([], "confirm")
    for words in ("Stairs down", "Descend to the next level?"):
        assert words in picture(model)
    assert "Are you sure?" not in picture(model)
    model, wanted = press(model, "y")
    assert (wanted, model.top.state) == ([DOWN], "play")


@pytest.mark.rule("RG.33")
@pytest.mark.parametrize("key", ["n", "ENTER", "ESC"])
def test_whatever_is_not_yes_stays_on_the_level(key: str) -> None:
    model, wanted = press(standing_on(Terrain.STAIRS_DOWN), ">", key)
    assert (wanted, model.top.state) == ([], "play")


@pytest.mark.rule("RG.33")
def test_the_menu_asks_too() -> None:
    model, wanted = press(standing_on(Terrain.STAIRS_DOWN), "ENTER", ">")
    assert (wanted, model.top.state) == ([], "confirm")
    assert press(model, "y")[1] == [DOWN]


@pytest.mark.rule("RG.33")
@pytest.mark.parametrize("terrain", [Terrain.FLOOR, Terrain.STAIRS_UP, Terrain.HOLE])
def test_elsewhere_nothing_is_asked(terrain: Terrain) -> None:
    assert press(standing_on(terrain), ">")[1] == [DOWN]


@pytest.mark.rule("RG.33")
def test_unless_it_is_wanted_nothing_is_asked() -> None:
    assert Options().ask_stairs == "off"
    assert press(standing_on(Terrain.STAIRS_DOWN, ask="off"), ">")[1] == [DOWN]


@pytest.mark.rule("RG.33")
def test_up_the_stairs_nothing_is_asked() -> None:
    assert press(standing_on(Terrain.STAIRS_UP), "<")[1] == [SendCommand(Climb(down=False))]


@pytest.mark.rule("RG.33")
def test_the_way_to_a_friend_asks_too() -> None:
    model = standing_on(Terrain.STAIRS_DOWN)
    below = Friend("Bert", 3, 1, 4, CreatureFlag.PLAYER)
    model, _ = update(model, heard(view=replace(model.view, party=(*model.view.party, below))), 0)
    assert leads_to_friend(model)
    model, wanted = press(model, "G")
    assert (wanted, model.top.state) == ([], "confirm")
    assert press(model, "y")[1] == [DOWN]


def test_while_the_line_is_cut_that_is_said_instead() -> None:
    cut, _ = update(
        standing_on(Terrain.STAIRS_DOWN), client_events.ConnectionLost("The connection is lost.", 0, 500), 0
    )
    model, wanted = press(cut, ">")
    assert (wanted, model.top.state) == ([], "play")
    assert "The connection is lost" in model.flash.text


@pytest.mark.rule("RG.33", "F59")
def test_the_options_offer_the_question() -> None:
    model, _ = press(playing(), *to_option("ask_stairs"), "RIGHT")
    assert model.options.ask_stairs == "on"
    assert re.search(r"Ask before stairs +\[on\]", picture(model))
