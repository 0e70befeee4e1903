"""Keys of the player's own: with any binding, every key has one meaning and every action a key."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gloam_client.input import keymap, other_games
from gloam_client.input.own_keys import BoundKeys, KeyChoice, OwnKeys, bound_of, choice_of, preset_of
from gloam_client.input.rebinding import bind, faults, is_bindable
from gloam_client.player_store import PlayerStore
from gloam_client.screens.common.help import lines
from gloam_client.screens.play import Play
from gloam_client.state.model import Model
from gloam_client.state.options import Options
from gloam_client.state.settings.key_file import load_keys, save_keys

INTENTS = [row.intent for row in keymap.rows("vi", "play")]
KEYS = [*sorted({key for row in keymap.table("vi") for key in row.keys}), "é", "F5", "CTRL_T", "Z", " "]
BINDINGS = st.lists(st.tuples(st.sampled_from(INTENTS), st.sampled_from(KEYS)), max_size=12)
STATES = sorted({row.state for row in keymap.table("vi")})


def bound_to(choice: KeyChoice, *bindings: tuple[str, str]) -> KeyChoice:
    for intent, key in bindings:
        choice = bind(choice, intent, key).choice
    return choice


@pytest.mark.parametrize("preset", keymap.PRESETS)
@given(bindings=BINDINGS)
def test_u18_any_keys_leave_a_whole_table(preset: str, bindings: list[tuple[str, str]]) -> None:
    """U18: after any bindings each key has one meaning in each state, and each action of play has a key."""
    choice = bound_to(preset, *bindings)
    for state in STATES:
        keys = [key for row in keymap.rows(choice, state) for key in row.keys]
        assert len(keys) == len(set(keys)), state
    rows = {row.intent: row for row in keymap.rows(choice, "play")}
    assert list(rows) == [row.intent for row in keymap.rows(preset, "play")]
    for row in keymap.rows(preset, "play"):
        fixed = [key for key in row.keys if not is_bindable(key)]
        assert set(fixed) <= set(rows[row.intent].keys)
    assert not faults(OwnKeys(preset, bound_of(choice)))


@given(bindings=BINDINGS, preset=st.sampled_from(keymap.PRESETS))
def test_u18_help_and_hints_follow(bindings: list[tuple[str, str]], preset: str) -> None:
    """U18: help shows each bound key, hints show the first key of each action, and that key does it."""
    choice = bound_to(preset, *bindings)
    model = Model(screens=(Play(),), options=Options(keys=choice))
    shown = lines(model, "play", "")
    for row in keymap.rows(choice, "play"):
        assert (" ".join(keymap.key_label(key) for key in row.keys), row.help) in shown
        assert keymap.key_for(choice, "play", row.intent) == keymap.key_label(row.keys[0])
        assert all(keymap.intent(choice, "play", key) == row.intent for key in row.keys)
    for key in KEYS:
        if keymap.intent(choice, "play", key) is None:
            other_games.our_key(choice, key)


def test_u18_a_taken_key_is_exchanged_and_named() -> None:
    """U18: a key that another action has is exchanged for the replaced one, and the sentence names both."""
    done = bind("vi", "rest", "z")
    assert keymap.intent(done.choice, "play", "z") == "rest"
    assert keymap.intent(done.choice, "play", "R") == "zap"
    assert done.words == "z is now: rest until healthy and full of mana. It was: zap a wand; that has R now."
    assert bind(done.choice, "rest", "z").choice == done.choice


@pytest.mark.parametrize(
    "key", ["ESC", "ENTER", "CTRL_C", "CTRL_Z", "?", "Q", "UP", "KP_5", "あ", "\x1b", "e\u0301"]
)
def test_u18_some_keys_always_mean_the_same(key: str) -> None:
    refused = bind("vi", "rest", key)
    assert (refused.choice, refused.done) == ("vi", False)


def test_u18_the_only_key_of_an_action_stays() -> None:
    """U18: an action without another key keeps its own where there is none to exchange."""
    refused = bind("vi", "menu", "R")
    assert not refused.done
    assert "the only key for this: rest" in refused.words


def test_u18_walking_follows_everywhere() -> None:
    """U18: a new key for walking also aims, looks and answers where it means nothing else, and help names it."""
    choice = bound_to("vi", ("step north", "w"), ("step east", "x"))
    assert keymap.intent(choice, "direction", "w") == keymap.intent(choice, "cursor", "w") == "step north"
    assert keymap.intent(choice, "cursor", "x") == "back"
    assert keymap.intent(choice, "cursor", "UP") == "step north"
    assert keymap.walking_words(choice)[0] == " or hjwxyubn"
    assert keymap.intent(choice, "play", "k") == "wield"
    assert keymap.intent(choice, "examine", "k") == "wield"


@given(bindings=BINDINGS, preset=st.sampled_from(keymap.PRESETS))
def test_u18_keys_are_kept_in_a_file(
    tmp_path_factory: pytest.TempPathFactory, bindings: list[tuple[str, str]], preset: str
) -> None:
    """U18: keys are saved beside the options, and read again; without any there is no file."""
    path = tmp_path_factory.mktemp("keys") / "options.toml"
    options = Options(keys=bound_to(preset, *bindings))
    PlayerStore(path.parent, path).save_options(options, Options())
    assert PlayerStore(path.parent, path).load_options() == (options, ())
    assert path.with_name("keys.toml").exists() == bool(bound_of(options.keys))
    PlayerStore(path.parent, path).save_options(Options(keys=preset_of(options.keys)), options)
    assert not path.with_name("keys.toml").exists()


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("not toml", "Expected"),
        ("rest = 3", '"rest" is no preset'),
        ('[dvorak]\nrest = ["z"]', '"dvorak" is no preset'),
        ('[vi]\nrest = "z"', "\"rest\" is 'z'"),
        ("[vi]\nrest = [3]", "must be a list of keys"),
        ("[vi]\nrest = []", '"rest" has no key'),
        ('[vi]\nfly = ["F5"]', '"fly" is no action'),
        ('[vi]\nrest = ["z"]', 'z has two meanings, "rest" and "zap"'),
        ('[vi]\nrest = ["ESC"]', "ESC"),
        ('[vi]\n"step north" = ["k"]', '"step north" must keep UP'),
        ('[vi]\nrest = ["no such key"]', "cannot have"),
        ("#" * 100_000, "longer than 65536 bytes"),
    ],
)
def test_a_broken_key_file_is_kept_aside(tmp_path: Path, text: str, named: str) -> None:
    """A broken file is named with its fault, kept under another name, and the preset counts."""
    path = tmp_path / "keys.toml"
    path.write_text(text, encoding="utf-8")
    bound, said = load_keys(path)
    assert bound == ()
    assert named in said
    assert "kept as keys.toml.broken" in said
    assert path.with_name("keys.toml.broken").read_text(encoding="utf-8") == text
    assert not path.exists()


def test_both_presets_keep_their_own_keys(tmp_path: Path) -> None:
    """Keys belong to a preset: turning the option keeps the keys of both."""
    bound = (BoundKeys("vi", "rest", ("F5",)), BoundKeys("wasd", "rest", ("F6",)))
    save_keys(bound, tmp_path / "keys.toml")
    assert load_keys(tmp_path / "keys.toml") == (bound, "")
    assert keymap.intent(choice_of("vi", bound), "play", "F5") == "rest"
    assert keymap.intent(choice_of("wasd", bound), "play", "F6") == "rest"
    assert keymap.intent(choice_of("wasd", bound), "play", "F5") is None
