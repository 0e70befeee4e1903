"""The key table: one meaning a key, in every state and preset, and nothing where later commands will sit."""

import pytest

from gloam_client.input import keymap
from gloam_client.screens.common.help import lines
from gloam_client.screens.play import Play
from gloam_client.state.client_effects import ShowMessage
from gloam_client.state.model import Model, Push
from gloam_client.state.options import Options
from gloam_shared.geometry import DIRECTIONS

STATES = sorted({row.state for row in keymap.table("vi")})
EVERY = [(preset, state) for preset in keymap.PRESETS for state in STATES]


@pytest.mark.parametrize(("preset", "state"), EVERY)
def test_no_key_has_two_meanings_in_a_state(preset: str, state: str) -> None:
    keys = [key for row in keymap.rows(preset, state) for key in row.keys]

    assert sorted(set(keys)) == sorted(keys)


@pytest.mark.parametrize("preset", keymap.PRESETS)
def test_help_shows_every_row_of_the_table(preset: str) -> None:
    model = Model(screens=(Play(),), options=Options(keys=preset))
    hints_shown = lines(model, "play", "")

    for row in keymap.table(preset):
        assert (" ".join(keymap.key_label(key) for key in row.keys), row.help) in hints_shown


@pytest.mark.parametrize("state", STATES)
def test_help_begins_keys_state_asked(state: str) -> None:
    """Help begins with the keys of the state that asked."""
    model = Model(screens=(Play(),))
    first = next(words for key, words in lines(model, state, "") if key)

    assert first in [row.help for row in keymap.rows("vi", state)]


@pytest.mark.parametrize("preset", keymap.PRESETS)
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_direction_stepped_and_run_without_keypad(preset: str, direction: tuple[int, int]) -> None:
    """Every direction can be stepped and run without keypad or function keys."""
    for verb in ("step", "run"):
        intents = [
            name for name, way in keymap.DIRECTION_OF.items() if way == direction and name.startswith(verb)
        ]
        keys = [key for row in keymap.rows(preset, "play") for key in row.keys if row.intent in intents]
        assert any(len(key) == 1 and key.isalpha() for key in keys)


def test_the_wasd_preset_steps_with_w_a_s_d() -> None:
    steps = [keymap.intent("wasd", "play", key) for key in "wasd"]

    assert steps == ["step north", "step west", "step south", "step east"]


def test_wasd_preset_drops_wields_and_uses() -> None:
    """The wasd preset drops wields and uses with capitals."""
    assert [keymap.intent("wasd", "play", key) for key in "WDA"] == ["wield", "drop", "use"]
    assert [keymap.intent("vi", "play", key) for key in "wda"] == ["wield", "drop", "use"]


@pytest.mark.rule("JG.20", "TG.27", "RG.22", "F18", "J10.13")
def test_one_table_joins_the_keys_of_the_three_games() -> None:
    keys = {
        ",": "pick up", "g": "pick up", "i": "inventory", "d": "drop", "e": "eat", "w": "wield", "T": "take off",
        "q": "quaff", "r": "read", "t": "throw", "f": "fire", "c": "cast", "C": "close", "v": "give", "a": "use",
        "x": "look", ";": "look", "?": "help", ">": "descend", "<": "ascend", ".": "wait", "KP_5": "wait",
    }  # fmt: skip
    assert keys == {key: keymap.intent("vi", "play", key) for key in keys}


@pytest.mark.parametrize("preset", keymap.PRESETS)
def test_thing_reported_used_keys_play(preset: str) -> None:
    """The keys that use an item are the same in its description and in play."""
    for use in keymap.USES:
        assert keymap.key_for(preset, "examine", use) == keymap.key_for(preset, "play", use)


@pytest.mark.rule("RG.25")
def test_home_resets_the_cursor() -> None:
    """Home brings a cursor back, and the other corner keys move it."""
    for state in ("cursor", "target"):
        assert keymap.intent("vi", state, "HOME") == keymap.intent("vi", state, "@") == "self"
        assert keymap.intent("vi", state, "y") == keymap.intent("vi", state, "7") == "step north-west"
    assert keymap.intent("vi", "play", "HOME") == "step north-west"


@pytest.mark.rule("TG.6")
def test_key_without_command_says_and_no_turn() -> None:
    """A key without a command says so and is no turn."""
    assert keymap.intent("vi", "play", "F7") is None
    reaction = Play().on_key(Model(screens=(Play(),)), "F7")

    assert reaction.intents == (ShowMessage("No command on F7; ? shows the keys.", "quiet"),)


@pytest.mark.parametrize("preset", keymap.PRESETS)
def test_every_intent_of_play_does_something(preset: str) -> None:
    model = Model(screens=(Play(),))
    for row in keymap.rows(preset, "play"):
        reaction = Play().on_key(model, row.keys[0])
        assert reaction.intents or isinstance(reaction.change, Push)


@pytest.mark.parametrize("state", sorted(set(STATES) - {"say", "help", "title", "secret"}))
def test_help_and_escape_work_in_every_state(state: str) -> None:
    assert keymap.intent("vi", state, "?") == "help"
    below = state in ("dead", "stopped")
    assert keymap.intent("vi", state, "ESC") == (None if below else "back")


@pytest.mark.parametrize("state", sorted(set(STATES) - {"title"}))
def test_neither_escape_nor_enter_quits(state: str) -> None:
    assert not {keymap.intent("vi", state, key) for key in ("ESC", "ENTER")} & {"quit", "yes", "stop"}


@pytest.mark.parametrize(
    ("key", "expected"),
    [("k", "k"), (" ", "Space"), ("KP_7", "Keypad 7"), ("CTRL_C", "Ctrl-C"), ("SHIFT_UP", "Shift-Up")],
)
def test_keys_are_reported_as_people_read_them(key: str, expected: str) -> None:
    assert expected == keymap.key_label(key)
