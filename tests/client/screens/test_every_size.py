"""Every screen of play can be drawn in every window that the game is played in."""

import pytest
from msgspec.structs import replace as changed

from gloam_client.input import keymap
from gloam_client.input.own_keys import BoundKeys, choice_of
from gloam_client.render.frame import draw
from gloam_client.state import client_events
from gloam_client.state.model import HEIGHT_MIN, WIDTH_MIN, Model
from gloam_client.update import update
from gloam_shared.protocol.messages.lives import Died
from support.client.aiming_views import ready
from support.client.frames import SCREENS as SCREENS_KEPT
from support.client.frames import WINDOW_SIZES
from support.client.model_in_play import heard, picture, playing, press
from support.run.effort import effort

SCREENS = [
    "",
    "x",
    "f",
    "c",
    "t",
    "ta",
    "rb@\r",
    "i",
    "ia",
    "q",
    "v",
    "\r",
    "?",
    "m",
    "M",
    "V",
    "#",
    "O",
    ":",
    "+",
    "F",
    "Q",
]


def opened(keys: str) -> Model:
    able = changed(
        base := playing(ready()),
        world=changed(base.world, abilities=frozenset({"chronicle", "ladder", "parties"})),
    )
    return press(able, *("ENTER" if key == "\r" else key for key in keys))[0]


@pytest.mark.parametrize("size", WINDOW_SIZES)
@pytest.mark.parametrize("keys", SCREENS)
def test_a_screen_fills_its_window_and_no_more(keys: str, size: tuple[int, int]) -> None:
    rows = picture(changed(base := opened(keys), surface=changed(base.surface, size=size))).split("\n")
    assert [len(row) for row in rows] == [size[0]] * size[1]
    assert size[0] >= WIDTH_MIN
    assert size[1] >= HEIGHT_MIN


@pytest.mark.parametrize("name", ["play", "side_panel", "party", "inventory", "death_recap", "title"])
def test_no_size_of_window_breaks_a_frame(name: str) -> None:
    """U30, U31: at any size from 1x1 to 250x100 a frame has the size of its window."""
    model, step = SCREENS_KEPT[name](), effort(31, 11)
    for width in range(1, 251, step):
        for height in range(1, 101, step):
            for size in ((width, height), (251 - width, 101 - height)):
                rows = list(draw(changed(model, surface=changed(model.surface, size=size))).rows())
                assert [len(row) for row in rows] == [size[0]] * size[1]


@pytest.mark.thorough
@pytest.mark.parametrize("width", range(1, 251, 10))
def test_play_is_drawn_at_all_sizes(width: int) -> None:
    """U30: play and a list fill windows of 1x1 to 250x100 cells exactly, or say that these are too small."""
    playing_, listed = opened(""), opened("i")
    for columns in range(width, width + 10):
        for rows in range(1, 101):
            model = update(playing_ if rows % 4 else listed, client_events.Resized(columns, rows), 0)[0]
            drawn = picture(model).split("\n")
            assert [len(row) for row in drawn] == [columns] * rows
            if columns >= WIDTH_MIN and rows >= HEIGHT_MIN:
                assert "HP 40/40" in drawn[-2]
                assert "help" in drawn[-1]


@pytest.mark.parametrize("size", WINDOW_SIZES)
@pytest.mark.parametrize("won", [False, True])
def test_the_end_of_a_life_is_reported_in_every_window(size: tuple[int, int], won: bool) -> None:
    died = Died("rat", 2, 3, 45, 678, 9, 5, won, ("A line of the life. " * 9,) * 5, ("sword", "apple"))
    model, _ = update(playing(ready()), heard(died), 0)
    screen = picture(changed(model, surface=changed(model.surface, size=size)))
    assert ("You have won!" if won else "You are dead") in screen
    assert "a > sword" in screen


@pytest.mark.parametrize("keys", SCREENS)
def test_the_help_key_stands_on_the_bottom_line(keys: str) -> None:
    model = opened(keys)
    if model.top.state not in ("help", "say"):
        assert "? help" in picture(model).split("\n")[-1]


OWN = choice_of(
    "vi",
    [
        BoundKeys("vi", "step north", ("x", "UP", "8", "KP_8")),
        BoundKeys("vi", "look", ("k", ";")),
        BoundKeys("vi", "drop", ("F5",)),
    ],
)
EVERY_KEY = sorted({key for row in keymap.table("vi") for key in row.keys} | set("abcxyzé0") | {"F5", "F12"})


@pytest.mark.parametrize("keys", SCREENS)
def test_u18_each_key_answers_under_own_keys(keys: str) -> None:
    """U18: with keys of the player's own, each key in each screen does something or says that it does not."""
    able = opened(keys)
    model = changed(able, options=changed(able.options, keys=OWN))
    for key in EVERY_KEY:
        after, wanted = press(model, key)
        assert wanted or after.screens != model.screens or after.flash != model.flash, key
