"""The marks around pasted text distinguish it from keys, in all pieces in which it may arrive."""

import pytest

from gloam_client.input.bracketed_paste import BracketedPaste, Pasted, is_burst, split_text
from gloam_client.screens.session.secret_line import Asked, SecretScreen
from gloam_client.screens.title.title import Title
from gloam_client.state import client_events
from gloam_client.state.client_effects import ClientEffect, SendMessage
from gloam_client.state.model import Model
from gloam_client.update import update
from gloam_shared.protocol.messages.chat import SendChat
from support.client.model_in_play import picture, playing, press

BEGIN, END = "\x1b[200~", "\x1b[201~"
CSI = "\x1b["


def taken(*strokes: str, pause_s: float = 0.0) -> list[str]:
    """Return the result of strokes as blessed gives them: `ESC [` is one, and every sign after it another."""
    pastes: BracketedPaste[str] = BracketedPaste()
    return [came for at, stroke in enumerate(strokes) for came in pastes.take(stroke, 1.0 + at * pause_s)]


def marked(*inner: str) -> list[str]:
    return [CSI, *"200~", *inner, CSI, *"201~"]


def test_stands_between_marks_paste_and_no_key() -> None:
    """Text between the marks is one paste and no key."""
    assert taken("j", *marked(*"hi", "\x1b[A", "\r", *"there"), "k") == ["j", "hi\x1b[A\rthere", "k"]
    assert isinstance(taken(*marked("x"))[0], Pasted)


def test_a_slow_line_changes_nothing() -> None:
    assert taken(*marked(*"hello"), "k", pause_s=4.9) == ["hello", "k"]


def test_paste_end_lost_over() -> None:
    """A paste whose end is lost is over after a while."""
    assert taken(CSI, *"200~", *"hi", pause_s=0.1) == []
    pastes: BracketedPaste[str] = BracketedPaste()
    for at, stroke in enumerate([CSI, *"200~", *"hi"]):
        assert pastes.take(stroke, float(at)) == []
    assert pastes.take("j", 20.0) == ["hi", "j"]
    assert pastes.take("k", 20.1) == ["k"]


@pytest.mark.parametrize("cut", range(12))
def test_already_taken_piece_wherever_cut(cut: int) -> None:
    """Text that is there already is taken in one piece wherever it is cut."""
    pastes: BracketedPaste[str] = BracketedPaste()
    for stroke in (CSI, *"200~"):
        assert pastes.take(stroke, 1.0) == []
    inner = "hello" + END + "jk"
    paste, after = pastes.swallow(inner[:cut])
    if paste is None:
        assert pastes.inside
        paste, more = pastes.swallow(inner[cut:])
        after += more
    else:
        after += inner[cut:]
    assert (paste, after, pastes.inside) == ("hello", "jk", False)


@pytest.mark.parametrize(
    "strokes", [[CSI, "A"], [CSI, "2", "x"], ["\x1b"], ["\x1b", "j"], [CSI, "2", "0", "0", "x"]]
)
def test_what_only_begins_like_a_mark_is_keys(strokes: list[str]) -> None:
    assert taken(*strokes, "k") == [*strokes, "k"]


@pytest.mark.rule("A75")
def test_a_huge_paste_is_cut_to_one_chat_line() -> None:
    """Of ten thousand characters a chat line keeps what it can hold."""
    (text,) = taken(*marked(*"hjkl" * 2_560))
    assert 200 <= len(text) <= 1_000
    assert set(text) == set("hjkl")


def paste(model: Model, text: str) -> tuple[Model, tuple[ClientEffect, ...]]:
    return update(model, client_events.TextPasted(text), 0)


@pytest.mark.rule("A75")
def test_a_paste_opens_chat_and_sends_nothing() -> None:
    """A paste opens the chat line, and sends nothing by itself."""
    model, wanted = paste(playing(), "hjkl\r" * 2_048)
    assert wanted == ()
    assert model.top.state == "say"
    _, wanted_then = press(model, "ENTER")
    (say,) = wanted_then
    assert isinstance(say, SendMessage)
    assert isinstance(say.message, SendChat)
    assert len(say.message.text) <= 200
    assert say.message.text.startswith("hjkl hjkl hjkl")


@pytest.mark.rule("A75")
@pytest.mark.parametrize(("typed", "length"), [(0, 199), (0, 200), (0, 201), (199, 1), (199, 2), (200, 1)])
def test_line_chat_holds_200_cells_typed(typed: int, length: int) -> None:
    """A line of chat holds 200 cells typed and pasted."""
    model, _ = paste(press(playing(), ":", *"t" * typed)[0], "p" * length)
    _, wanted = press(model, "ENTER")
    assert wanted == [SendMessage(SendChat(("t" * typed + "p" * length)[:200]))]


@pytest.mark.rule("A75")
@pytest.mark.parametrize("keys", ["O", "Q", "x", "m"])
def test_in_a_list_or_a_question_a_paste_does_nothing(keys: str) -> None:
    model = press(playing(), keys)[0]
    after, wanted = paste(model, "yyyy\r")
    assert wanted == ()
    assert after.screens == model.screens
    assert "chat line" in after.flash.text


def test_what_is_searched_for_and_a_name_may_be_pasted() -> None:
    found, _ = paste(press(playing(), "?")[0], "quaff\n")
    assert "Keys: quaff" in picture(found)
    named, wanted = paste(Model(screens=(Title("root"),)), "Bert\n")
    assert isinstance(named.top, Title)
    assert (named.top.name, wanted) == ("Bert", ())


@pytest.mark.parametrize(
    ("came", "pasted"),
    [
        ("the quick brown fox jumps", "the quick brown fox jumps"),
        ("the quick brown fox jump", ""),
        ("hjkl\r" * 20 + "\x1b[A" + "h" * 30, "hjkl\r" * 20),
        ("j" * 200, ""),
        ("jjjkkkooo" * 20, ""),
        ("\x1b[A" * 30, ""),
        ("\x1bthe quick brown fox jumps over", ""),
    ],
)
def test_much_at_once_paste_without_marks_and_key(came: str, pasted: str) -> None:
    """A burst of text is a paste without marks, and a key that was held is not."""
    text, rest = split_text(came)
    assert text + rest == came
    assert (text if is_burst(text) else "") == pasted


@pytest.mark.rule("A75")
def test_what_a_terminal_would_obey_is_taken_out() -> None:
    model, _ = paste(playing(), "\x1b[2Jhi\x07\u202e")
    assert "Say: [2Jhi" in picture(model)


def test_a_password_may_be_pasted() -> None:
    model = Model(screens=(*playing().screens, SecretScreen(Asked.OLD)))
    after, wanted = paste(model, "correct horse\r")
    assert wanted == ()
    assert isinstance(after.top, SecretScreen)
    assert after.top.line.text == "correct horse"
