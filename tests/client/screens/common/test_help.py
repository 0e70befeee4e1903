"""Help: the keys of every state."""

import pytest
from msgspec.structs import replace

from gloam_client.input import keymap
from gloam_client.screens.common.help import Help, lines
from gloam_client.state.options import Options
from gloam_client.update import update
from gloam_shared.protocol.messages.login import Welcome
from support.client.model_in_play import heard, picture, playing, press


def test_the_keys_of_the_state_that_asked_come_first() -> None:
    model = playing()
    for state in ("cursor", "menu", "history", "dead"):
        first = next(key for key, _ in lines(model, state, "") if key)
        keys = {" ".join(keymap.key_label(key) for key in row.keys) for row in keymap.rows("vi", state)}
        assert first in keys


def test_typing_searches_and_backspace_widens_again() -> None:
    model, _ = press(playing(), "?", *"stairs")
    assert "go down these stairs" in picture(model)
    assert "rest until healthy" not in picture(model)
    model, _ = press(model, *["BACKSPACE"] * 6)
    assert "Arrows, the keypad or hjklyubn move" in picture(model)


def test_a_search_in_vain_says_so() -> None:
    assert "No key matches. Backspace erases." in picture(press(playing(), "?", *"zzz")[0])


def read(width: int, preset: str = "vi") -> list[str]:
    """Return all rows of the help of play in a window of this width, high enough for them."""
    model = replace(
        base := playing(), options=Options(keys=preset), surface=replace(base.surface, size=(width, 1_000))
    )
    model = replace(model, screens=(*model.screens, Help("play")))
    return [row[1:].split("|")[0].rstrip() for row in picture(model).split("\n") if row.startswith("|")]


@pytest.mark.parametrize("preset", keymap.PRESETS)
@pytest.mark.parametrize("width", [60, 80, 109])
def test_key_and_word_read_window(width: int, preset: str) -> None:
    """Every key and every word can be read in every window."""
    page = read(width, preset)
    keys = " ".join(row[:24] for row in page).split()
    words = " ".join(row[24:] for row in page).split()
    for row in keymap.table(preset):
        assert set(" ".join(map(keymap.key_label, row.keys)).split()) <= set(keys)
        assert " ".join(row.help.split()) in " ".join(words)
    assert any(row[1:23] == "Enter . 5 Keypad 5 f t" for row in page)
    assert any(row[1:23] == "Esc Enter n N Q Ctrl-C" for row in page)


def test_it_is_marked_where_the_list_goes_on_below() -> None:
    model, _ = press(playing(), "?")
    assert "Down shows more" in picture(model)
    assert "Down shows more" not in picture(press(model, *["PGDN"] * 50)[0])
    assert "Down shows more" not in picture(press(model, *"stairs")[0])


@pytest.mark.parametrize("width", [60, 80])
def test_it_tells_how_to_dig_and_which_letters_walk(width: int) -> None:
    text = " ".join(" ".join(read(width)).split())
    assert "D and a direction dig, if your kind can dig" in text
    assert "Arrows, the keypad or hjklyubn move; Shift-arrows or HJKLYUBN run." in text
    text = " ".join(" ".join(read(width, "wasd")).split())
    assert "Arrows, the keypad, wasd or hjklyubn move; Shift-arrows or HJKLYUBN run." in text
    assert "Ctrl-D and a direction dig" in text


def test_space_pages_until_something_is_searched_for() -> None:
    model, _ = press(playing(), "?", " ")
    assert picture(model) == picture(press(playing(), "?", "PGDN")[0])
    assert "Keys: go down" in picture(press(model, *"go down")[0])


def test_scrolling_ends_at_the_last_line() -> None:
    model, _ = press(playing(), "?", *["PGDN"] * 50)
    end = picture(model)
    assert picture(press(model, "DOWN")[0]) == end
    assert picture(press(model, "UP")[0]) != end


@pytest.mark.rule("JG.23")
def test_help_ends_with_what_the_campaign_is_about() -> None:
    model, _ = update(
        playing(), heard(Welcome(1, "The Cave", 0, 8, "A stench drifts from the cave. Find it.")), 0
    )
    assert "stench" not in picture(press(model, "?")[0])
    screen = picture(press(model, "?", *["PGDN"] * 60)[0])
    assert "A stench drifts from the cave. Find it." in screen
    assert "stench" not in picture(press(model, "?", *"stairs")[0])


@pytest.mark.rule("F16")
def test_help_costs_nothing_and_escape_leaves_it() -> None:
    model, wanted = press(playing(), "?", "ESC")
    assert (wanted, model.top.state) == ([], "play")
