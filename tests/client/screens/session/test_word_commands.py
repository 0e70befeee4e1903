"""The commands of the chat line about words: channels, lists of players, reports, names completed by Tab."""

from typing import Any

import pytest
from msgspec.structs import replace

from gloam_client.input.chat_commands import CHAT_COMMANDS
from gloam_client.screens.session.chat_line import run_chat_line
from gloam_client.screens.session.word_commands import run_word_command
from gloam_client.state.client_effects import SendMessage
from gloam_client.state.model import Model
from gloam_client.update import update
from gloam_shared.protocol.messages.chat import Ignore, Ignored, Report, Speak, Spoken
from gloam_shared.protocol.messages.play import Thinking
from support.client.model_in_play import HELD, heard, picture, playing, press

NEWER = frozenset({"channels"})


def able(*said: Spoken | Ignored) -> Model:
    """Return a player in play on a server with channels, who has heard these words."""
    model, _ = update(replace(base := playing(), world=replace(base.world, abilities=NEWER)), heard(*said), 0)
    return model


BERT, CARL = Spoken("say", "Bert", "hi"), Spoken("whisper", "Carl", "psst", "Ann")


def typed(model: Model, line: str) -> tuple[Model, list[Any]]:
    return press(model, ":", *line, "ENTER")


@pytest.mark.parametrize(
    ("line", "sent"),
    [
        ("/me waves at Bert", Speak("emote", "waves at Bert")),
        ("/p To the STAIRS", Speak("party", "To the STAIRS")),
        ("/w Bert psst, Bert", Speak("whisper", "psst, Bert", "Bert")),
        ("/TELL bert  psst", Speak("whisper", "psst", "bert")),
        ("/r I come", Speak("whisper", "I come", "Carl")),
        ("/ignore Bert", Ignore("Bert", "ignore")),
        ("/block Bert", Ignore("Bert", "block")),
        ("/unignore Bert", Ignore("Bert", "hear")),
        ("/unblock Bert", Ignore("Bert", "hear")),
        ("/report Bert He Spams", Report("Bert", "He Spams")),
        ("/report Bert", Report("Bert")),
    ],
)
def test_a_command_about_words_is_sent(line: str, sent: Speak | Ignore | Report) -> None:
    """U44: with the case as it was typed; the line closes."""
    model, wanted = typed(able(BERT, CARL), line)

    assert wanted == [SendMessage(sent)]
    assert model.top.state == "play"


@pytest.mark.parametrize("line", ["/me", "/p", "/w", "/w Bert", "/r", "/report", "/log nothing"])
def test_a_command_that_lacks_something_stays(line: str) -> None:
    model, wanted = typed(able(), line)

    assert wanted == []
    assert model.top.state == "say"
    assert model.flash.text


@pytest.mark.parametrize("line", ["/me waves", "/w Bert psst", "/ignore Bert", "/report Bert"])
def test_an_older_server_is_named_as_the_reason(line: str) -> None:
    model, wanted = typed(playing(), line)

    assert wanted == []
    assert model.flash.text == "This server is older: it knows only words to all players."
    assert model.top.state == "say"


def test_lists_are_shown_as_they_came() -> None:
    model = able(Ignored(("Bert",), ("Carl", "Dora\x1b[2J")))
    lines = [entry.text for entry in typed(model, "/ignore")[0].messages.entries[-2:]]
    assert lines == ["You ignore Bert.", "You block Carl, Dora[2J."]
    assert typed(able(), "/block")[0].messages.entries[-1].text == "You neither ignore nor block any player."
    after = able(Ignored((), (), "You hear Bert again."))
    assert after.messages.entries[-1].text == "You hear Bert again."


def test_tab_completes_names_who_spoke_last_first() -> None:
    model, _ = press(able(BERT, CARL, Spoken("say", "Berta", "ho")), ":", *"/w b", "TAB")
    assert "Whisper: Berta" in picture(model)
    model, _ = press(model, "TAB")
    assert "Whisper: Bert " in picture(model)
    model, _ = press(model, "TAB", "TAB", " ", "h", "i")
    assert press(model, "ENTER")[1] == [SendMessage(Speak("whisper", "hi", "Bert"))]


def test_tab_completes_commands_or_says_why_not() -> None:
    model, _ = press(able(BERT), ":", *"/ig", "TAB", " ", "TAB")
    assert "Say: /ignore Bert" in picture(model)
    model, _ = press(able(BERT), ":", *"x", "TAB")
    assert model.flash.text == 'No player here has a name that begins with "x"; /who lists them.'
    assert "Say: x" in picture(model)


@pytest.mark.parametrize(
    ("line", "label"),
    [
        ("/p hi", "To the party: hi"),
        ("/w Bert", "Whisper: Bert"),
        ("/me waves", "Emote: waves"),
        ("hi", "Say: hi"),
    ],
)
def test_the_line_says_where_words_go(line: str, label: str) -> None:
    assert label in picture(press(able(), ":", *line)[0])


def test_help_lists_every_command() -> None:
    """`/help` opens it, and each command that it names is one."""
    model, _ = typed(able(), "/help")
    assert "/me DEED" in picture(model)
    for usage, _ in CHAT_COMMANDS:
        word = usage.split()[0]
        assert "There is no" not in str(run_chat_line(able(), word))


def test_what_is_no_command_about_words_is_left() -> None:
    assert run_word_command(able(), "who", "") is None


@pytest.mark.parametrize("keys", ["hjklyubn", "HJKL", "QQ?"])
def test_letters_in_the_line_are_letters(keys: str) -> None:
    """U43: no movement key does anything but write; Esc closes and says nothing; what hunts the player stays in sight."""
    hunted = replace(base := playing(pace=HELD), world=replace(base.world, abilities=NEWER))
    before = picture(hunted).splitlines()
    model, wanted = press(hunted, ":", *keys)
    assert set(wanted) <= {SendMessage(Thinking())}
    assert "ogre" in picture(model)
    assert picture(model).splitlines()[0] == before[0]
    assert f"Say: {keys}" in picture(model)
    model, wanted = press(model, "ESC")
    assert (wanted, model.top.state) == ([], "play")
