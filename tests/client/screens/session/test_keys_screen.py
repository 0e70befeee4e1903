"""The screen on which actions get other keys."""

import pytest
from msgspec.structs import replace as changed

from gloam_client.input import keymap
from gloam_client.input.own_keys import bound_of
from gloam_client.state.client_effects import SendCommand, SetOptions
from gloam_client.state.model import Model
from gloam_client.state.options import Options
from gloam_shared.protocol.commands import Explore
from support.client.model_in_play import picture, playing, press

EXPLORE = ("O", "K", "DOWN", "DOWN", "ENTER")
"""The keys that ask for the new key of exploring."""


def on_screen(*keys: str) -> Model:
    return press(playing(), *keys)[0]


def test_u18_an_action_gets_a_new_key() -> None:
    """U18: choose an action, press its key: it counts immediately, here and in the bottom line, the menu and help."""
    model, wanted = press(playing(), *EXPLORE, "z")
    assert [SetOptions(model.options)] == wanted
    assert "z is now: explore" in picture(model)
    assert "* z" in picture(model)
    back = press(model, "ESC", "ESC")[0]
    assert [SendCommand(Explore(pick_up=True))] == press(back, "z")[1]
    assert "z explore" in picture(back).split("\n")[-1]
    assert "z         explore: walk" in picture(press(back, "ENTER")[0])
    assert "z                      explore: walk" in picture(press(back, "?")[0])


def test_u18_a_fixed_key_is_refused_with_a_sentence() -> None:
    model, wanted = press(playing(), *EXPLORE, "UP")
    assert wanted == []
    assert model.top.state == "new key"
    assert "Up always means the same" in picture(model)
    assert press(model, "?")[0].top.state == "help"
    assert press(model, "ESC")[0].top.state == "own keys"
    assert model.options == Options()


def test_u18_all_keys_can_be_reset() -> None:
    """U18: the keys of a preset return after a question."""
    model = on_screen(*EXPLORE, "z", "DELETE")
    assert model.top.state == "confirm"
    assert bound_of(press(model, "n")[0].options.keys)
    assert press(model, "y")[0].options == Options()


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (200, 60)])
def test_u18_every_action_is_in_view_when_marked(size: tuple[int, int]) -> None:
    model = changed(base := on_screen("O", "K"), surface=changed(base.surface, size=size))
    rows = keymap.rows("vi", "play")
    for row in sorted(rows, key=lambda one: one.section in ("Moving", "Running")):
        assert row.help[:24] in picture(model)
        model = press(model, "DOWN")[0]


def test_pages_of_the_keys_stop_at_their_ends() -> None:
    model = on_screen("O", "K", *["PGDN"] * 9)
    assert "run north-west" in picture(model)
    assert "let one turn pass" in picture(press(model, *["PGUP"] * 9)[0])
