"""The menu of all actions: what makes sense now stands first, steps and runs last."""

import pytest
from msgspec.structs import replace

from gloam_client.input import keymap
from gloam_client.screens.suggested_actions import suggested_actions
from gloam_shared.protocol.messages.play import Pace
from gloam_shared.view.view import InventoryItem, ItemFlag
from support.client.fake_server import level_view
from support.client.model_in_play import EASE, HELD, picture, playing, press

CARRYING = replace(
    level_view(), inventory=(InventoryItem(0, "!", "red", "red potion", ItemFlag.QUAFFABLE, 0, 0, 0),)
)


@pytest.mark.parametrize("pace", [EASE, HELD])
def test_menu_begins_bottom_line_shows_order(pace: Pace) -> None:
    """The menu begins with what the bottom line shows in its order."""
    model = playing(CARRYING, pace)
    words = {row.intent: row.help for row in keymap.rows("vi", "play")}
    shown = [words[action] for action in suggested_actions(model)]
    menu = picture(press(model, "ENTER")[0])

    assert len(shown) >= 3
    places = [menu.index(each) for each in shown]
    assert places == sorted(places)


def test_what_is_useful_follows_the_danger() -> None:
    first = [picture(press(playing(CARRYING, pace), "ENTER")[0]).split("Actions")[1] for pace in (EASE, HELD)]
    help_texts = {row.intent: row.help for row in keymap.rows("vi", "play")}

    assert first[0].index(help_texts["explore"]) < first[0].index(help_texts["wait"])
    assert (
        first[1].index(help_texts["fight"])
        < first[1].index(help_texts["wait"])
        < first[1].index(help_texts["explore"])
    )
