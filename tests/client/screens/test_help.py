"""Help: the keys of every state."""

from client.screens.playing import picture, playing, press
from gloam_client import keymap
from gloam_client.screens.help import lines


def test_the_keys_of_the_state_that_asked_come_first() -> None:
    model = playing()
    for state in ("cursor", "menu", "history", "dead"):
        first = next(key for key, _ in lines(model, state, "") if key)
        keys = {" ".join(keymap.told(key) for key in row.keys) for row in keymap.rows("vi", state)}
        assert first in keys


def test_typing_searches_and_backspace_widens_again() -> None:
    model, _ = press(playing(), "?", *"stairs")
    assert "go down these stairs" in picture(model)
    assert "rest until healthy" not in picture(model)
    model, _ = press(model, *["BACKSPACE"] * 6)
    assert "Arrows, the keypad or hjklyubn move" in picture(model)


def test_a_search_in_vain_says_so() -> None:
    assert "No key does that. Backspace erases." in picture(press(playing(), "?", *"zzz")[0])


def test_scrolling_ends_at_the_last_line() -> None:
    model, _ = press(playing(), "?", *["PGDN"] * 50)
    end = picture(model)
    assert picture(press(model, "DOWN")[0]) == end
    assert picture(press(model, "UP")[0]) != end
