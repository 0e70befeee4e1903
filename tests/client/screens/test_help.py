"""Help: the keys of every state."""

from client.screens.playing import heard, picture, playing, press
from gloam_client import keymap
from gloam_client.screens.help import lines
from gloam_client.update import update
from gloam_shared.messages import Welcome


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


def test_jg23_help_begins_with_what_the_campaign_is_about() -> None:
    model, _ = update(
        playing(), heard(Welcome(1, "The Cave", 0, 8, "A stench drifts from the cave. Find it.")), 0
    )
    told = picture(press(model, "?")[0])
    assert "A stench drifts from the cave. Find it." in told
    assert "stench" not in picture(press(model, "?", *"stairs")[0])


def test_f16_help_costs_nothing_and_escape_leaves_it() -> None:
    model, wanted = press(playing(), "?", "ESC")
    assert (wanted, model.top.state) == ([], "play")
