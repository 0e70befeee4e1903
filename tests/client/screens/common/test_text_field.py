"""The one editor of typed lines: keys, clusters, cells, the part that shows, and the fields that use it."""

import pytest
from msgspec.structs import replace as changed

from gloam_client.input import keymap
from gloam_client.input.key_table import EDITING
from gloam_client.net.own_worlds import OwnWorld
from gloam_client.screens.common.help import lines
from gloam_client.screens.common.text_field import TextField
from gloam_client.screens.play import Play
from gloam_client.screens.replays.replay_view import ReplayView
from gloam_client.screens.session.chat_line import ChatScreen
from gloam_client.screens.session.secret_line import Asked, SecretScreen
from gloam_client.screens.title.servers import ServersScreen
from gloam_client.screens.title.title import Title
from gloam_client.screens.title.worlds import WorldsScreen
from gloam_client.state.client_effects import SendMessage
from gloam_client.state.home import Home
from gloam_client.state.model import Model
from gloam_client.state.replaying import ReplayShown
from gloam_client.terminal.canvas import Canvas
from gloam_shared import limits
from gloam_shared.protocol.messages.chat import SendChat
from gloam_shared.text import cells
from support.client.model_in_play import picture, playing, press

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
THAI = "\u0e01\u0e33"
INTENTS = {key: intent for intent, keys, *_ in EDITING for key in keys}


def line(model: Model) -> TextField:
    assert isinstance(model.top, ChatScreen)
    return model.top.line


def edit(typed: TextField, *keys: str) -> TextField:
    for key in keys:
        typed = typed.edited(INTENTS.get(key)) or typed.typed(key, 200)
    return typed


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        (("BACKSPACE",), ("one tw", "")),
        (("LEFT", "BACKSPACE"), ("one t", "o")),
        (("LEFT", "DELETE"), ("one tw", "")),
        (("DELETE",), ("one two", "")),
        (("HOME", "x"), ("x", "one two")),
        (("CTRL_A", "RIGHT", "x"), ("ox", "ne two")),
        (("HOME", "END", "x"), ("one twox", "")),
        (("HOME", "CTRL_E", "x"), ("one twox", "")),
        (("CTRL_W",), ("one ", "")),
        (("CTRL_W", "CTRL_W"), ("", "")),
        (("LEFT", "CTRL_U"), ("", "o")),
        (("HOME", "LEFT", "BACKSPACE", "CTRL_W", "CTRL_U"), ("", "one two")),
        (("RIGHT", "DELETE"), ("one two", "")),
    ],
)
def test_keys_edit_a_line(keys: tuple[str, ...], expected: tuple[str, str]) -> None:
    assert edit(TextField("one two"), *keys) == expected


@pytest.mark.parametrize("sign", ["漢", "e\u0301", FAMILY, THAI, "\U0001f1e9\U0001f1ea"])
def test_a_cluster_is_one_letter(sign: str) -> None:
    """The cursor steps over a whole cluster, and one key erases it."""
    line = TextField(f"a{sign}b")
    assert edit(line, "LEFT", "BACKSPACE") == ("a", "b")
    assert edit(line, "LEFT", "LEFT") == ("a", f"{sign}b")
    assert edit(line, "HOME", "RIGHT", "DELETE") == ("a", "b")
    assert edit(line, "HOME", "RIGHT", "RIGHT") == (f"a{sign}", "b")
    assert TextField(f"a{sign}", "b").hidden() == ("**", "*")


def test_a_line_holds_cells_not_code_points() -> None:
    assert TextField().typed("漢" * 10, 7).text == "漢" * 3
    assert TextField("a", "b").typed(FAMILY * 3, 7) == (f"a{FAMILY * 2}", "b")
    assert TextField("a" * 7).typed("b", 7).text == "a" * 7


@pytest.mark.parametrize("text", ["abcdefghijklmnop", "漢字漢字漢字漢字", FAMILY * 8, "a漢b漢c漢d漢e"])
@pytest.mark.parametrize("width", [3, 8, 9])
def test_a_narrow_field_shows_the_cursor(text: str, width: int) -> None:
    """Wherever the cursor is, the field shows both sides of it, whole clusters, and no more than fits."""
    line = edit(TextField(text), "HOME")
    for _ in text:
        before, after = line.shown(width)
        assert line.before.endswith(before)
        assert line.after.startswith(after)
        assert cells(before) + max(cells(after), 1) <= width
        assert before or not line.before or width < 4
        assert after or not line.after or width < 6
        assert cells(line.with_cursor(width)) <= width
        canvas = Canvas(width + 2, 1)
        line.draw(canvas, 1, 0, width)
        assert sum(style.reverse for _, style in canvas.cells[0]) in (1, 2)
        assert (canvas.cells[0][0][0], canvas.cells[0][-1][0]) == (" ", " ")
        line = edit(line, "RIGHT")


def test_a_short_line_shows_whole() -> None:
    assert edit(TextField("short"), "LEFT", "LEFT").shown(6) == ("sho", "rt")
    assert TextField("short").shown(6) == ("short", "")


FIELDS = {
    "say": lambda: press(playing(), ":")[0],
    "find": lambda: press(playing(), "/")[0],
    "help": lambda: press(playing(), "?")[0],
    "title": lambda: Model(screens=(Title("", typed=True),)),
    "servers": lambda: Model(screens=(ServersScreen("Ann", watches=False),)),
    "secret": lambda: Model(screens=(Play(), SecretScreen(Asked.INVITE))),
    "worlds": lambda: Model(
        screens=(WorldsScreen("Ann"),), home=Home(worlds=(OwnWorld("gloam", False, False),))
    ),
    "replay": lambda: press(Model(screens=(ReplayView(shown=ReplayShown(playing())),)), "g")[0],
}


@pytest.mark.parametrize("state", FIELDS)
def test_every_field_edits_alike(state: str) -> None:
    """All fields have the same keys, and their pictures show the edited line."""
    model = FIELDS[state]()
    model, _ = press(
        model, *"2346", "LEFT", "5", "HOME", "1", "CTRL_E", "7", "BACKSPACE", "7", "HOME", "RIGHT"
    )
    assert "1234567" in picture(model).replace("_", "")
    model, _ = press(model, "DELETE", "CTRL_U")
    assert "34567" in picture(model).replace("_", "")
    model, _ = press(model, "END", "CTRL_W")
    assert "4567" not in picture(model).replace("_", "")
    rows = [row for row in keymap.rows("vi", state) if (row.intent, row.keys) in [row[:2] for row in EDITING]]
    assert state == "replay" or len(rows) == len(EDITING)


def test_help_shows_the_keys_of_fields_once() -> None:
    """Below the keys of a state that has a field, and at the end elsewhere."""
    for state, before in (("say", "Commands of this line"), ("play", "A kit")):
        shown = [words for keys, words in lines(playing(), state, "") if not keys]
        assert shown.count("Typing a line") == 1
        assert shown.index(before) < shown.index("Typing a line")
    assert ("Ctrl-W", "erase the word before the cursor") in lines(playing(), "play", "ctrl-w")


def test_up_and_down_bring_back_what_was_said() -> None:
    model, _ = press(playing(), ":", *"one", "ENTER", ":", *"/who", "ENTER", ":", *"one", "ENTER")
    assert model.company.words.said == ("/who", "one")
    model, _ = press(model, ":", *"mine", "LEFT", "UP")
    assert "Say: one" in picture(model)
    model, _ = press(model, "UP")
    assert "Say: /who" in picture(model)
    model, _ = press(model, "UP")
    assert "Say: /who" in picture(model)
    assert model.flash.text == "You said no line before this one; Down comes back to yours."
    model, _ = press(model, "DOWN", "DOWN")
    assert (line(model), model.top.state) == (("min", "e"), "say")
    assert press(model, "DOWN")[0].flash.text == "This is your own line; Up shows those before it."
    assert press(model, "UP", "!", "ENTER")[1] == [SendMessage(SendChat("one!"))]


def test_a_secret_is_not_remembered() -> None:
    """Neither a password typed behind its command, nor an empty line, nor one that could not be sent."""
    model, _ = press(playing(), ":", *"/PassWord correct horse", "ENTER", ":", "ENTER", ":", " ", "ENTER")
    model, _ = press(model, ":", *"/password", "ENTER", *"correct horse", "ENTER", "ESC")
    assert model.company.words.said == ()
    cut = changed(model, connection=model.connection._replace(state="down"))
    assert press(cut, ":", *"lost", "ENTER")[0].company.words.said == ()


def test_chat_is_bounded_in_cells_and_bytes() -> None:
    """The server refuses more than 200 cells and more than 800 bytes; the line takes no more of either."""
    assert press(playing(), ":", *"漢" * 150, "ENTER")[1] == [SendMessage(SendChat("漢" * 100))]
    (sent,) = press(playing(), ":", *FAMILY * 60, "ENTER")[1]
    assert isinstance(sent, SendMessage)
    assert isinstance(sent.message, SendChat)
    said = sent.message.text
    assert limits.CHAT_BYTES_MAX - len(FAMILY.encode()) < len(said.encode()) <= limits.CHAT_BYTES_MAX


def test_tab_completes_the_word_before_the_cursor() -> None:
    model, _ = press(playing(), ":", *"/wh now", "LEFT", "LEFT", "LEFT", "LEFT", "TAB")
    assert line(model) == ("/who", " now")
