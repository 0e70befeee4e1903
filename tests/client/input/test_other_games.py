"""The commonest keys of DCSS, Brogue and NetHack, pressed in play: each does something here or names our key that does."""

import pytest
from msgspec.structs import replace

from gloam_client.input import keymap, other_games
from gloam_client.state.options import Options
from support.client.model_in_play import picture, playing, press

GAMES = {
    "DCSS": "z Z s S A M I P W E F D V X % ^ = ! # $ \\ & * \" ( ) [ ] { } | ~ ` ' 0 "
    "CTRL_A CTRL_F CTRL_G CTRL_O CTRL_P CTRL_Q CTRL_R CTRL_S CTRL_T CTRL_W CTRL_X "
    "o TAB 5 . , g i d e w T q r t f a v c C x G _ @ ; : ? < > p R Q",
    "Brogue": "z Z s S A D E I M V X e r t a c d w x i o T R Q < > ? , ; : . @ & ~ # = TAB CTRL_X",
    "NetHack": "z Z s S P W A D E F I M V X # $ % & * ( ) [ ] { } | = \\ ^ \" ! ` ' 0 F1 "
    "CTRL_A CTRL_F CTRL_O CTRL_P CTRL_R CTRL_T CTRL_X a c d e f g i m o p q r t v w x O T Q R . , : ; < > ? @ _",
}
"""The keys on which each game has commands; letters that walk or run there as here are left out."""


@pytest.mark.parametrize("preset", keymap.PRESETS)
@pytest.mark.parametrize("key", [" ", *sorted({key for keys in GAMES.values() for key in keys.split()})])
def test_each_key_does_something_or_names_ours(preset: str, key: str) -> None:
    model = replace(playing(), options=Options(keys=preset))
    if keymap.intent(preset, "play", key) is not None:
        return
    after, wanted = press(model, key)
    ours = after.flash.text.rstrip(".").rpartition(" ")[2]

    assert wanted == []
    assert after.flash.text.startswith(f"{keymap.key_label(key)}: ")
    assert after.flash.text in picture(after)
    assert ours in [keymap.key_label(one) for row in keymap.rows(preset, "play") for one in row.keys]


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("Z", "Z: cast is c."),
        ("^", "^: look is x."),
        ("|", "|: items is i."),
        (" ", "Space: wait is 5."),
    ],
)
def test_the_sentence_is_short(key: str, expected: str) -> None:
    assert press(playing(), key)[0].flash.text == expected


@pytest.mark.parametrize("game", GAMES)
def test_many_keys_of_each_game_have_nothing_here(game: str) -> None:
    keys = [key for key in GAMES[game].split() if keymap.intent("vi", "play", key) is None]
    assert len(keys) >= 9


def test_a_working_key_gets_no_refusal() -> None:
    dead = [key for key in (*map(chr, range(33, 127)), "TAB", "ENTER") if other_games.our_key("vi", key)]
    doing = [key for key in dead if keymap.intent("vi", "play", key) is not None]
    assert not doing
