"""The log: its kinds of lines, and what can be done about who spoke."""

import pytest
from msgspec.structs import replace

from gloam_client.linear.spoken_screen import read_screen
from gloam_client.render.panels.log_panel import TONES
from gloam_client.state.client_effects import SendMessage
from gloam_client.state.event_log import LOG_KINDS
from gloam_client.state.model import Model, add_message
from gloam_client.update import update
from gloam_shared.protocol.messages.chat import Ignore, Report, Spoken
from support.client.model_in_play import heard, picture, playing, press

SAID = (
    Spoken("say", "Bert", "hello all"),
    Spoken("party", "Carl", "to the stairs"),
    Spoken("whisper", "Dora", "psst", "Ann"),
    Spoken("emote", "Bert", "waves"),
    Spoken("say", "Ann", "my own words"),
)


def talked(size: tuple[int, int] = (80, 24)) -> Model:
    model = replace(
        base := playing(),
        world=replace(base.world, abilities=frozenset({"channels"})),
        surface=replace(base.surface, size=size),
    )
    model = add_message(add_message(model, "You hit the rat.", "fight"), "The rat bites you.", "hurt")
    return update(model, heard(*SAID), 0)[0]


def test_each_tone_is_of_one_kind_that_has_all() -> None:
    """U27: "party" and "whispers" are parts of "talk"; every line has a kind."""
    parts = ("talk", "fights", "news", "rest")
    assert sorted(tone for kind in parts for tone in LOG_KINDS[kind]) == sorted(TONES)


def test_a_key_shows_one_kind_after_another() -> None:
    """U27: in the log, and its title says which kind."""
    model, _ = press(talked(), "m", "f")
    shown = picture(model)
    assert "Log: talk" in shown
    assert "hello all" in shown
    assert "You hit" not in shown
    seen = []
    for _ in LOG_KINDS:
        model, _ = press(model, "f")
        seen.append(picture(model))
    assert "to the stairs" in seen[0]
    assert "hello all" not in seen[0]
    assert "Dora whispers: psst" in seen[1]
    assert "You hit the rat." in seen[2]
    assert "Log: talk" in seen[-1]


@pytest.mark.parametrize(
    ("line", "title"), [("/log talk", "Log: talk"), ("/LOG Fights", "Log: fights"), ("/log", "Log")]
)
def test_the_chat_line_opens_one_kind(line: str, title: str) -> None:
    """U27: from the chat line, too."""
    model, _ = press(talked(), ":", *line, "ENTER")

    assert model.top.state == "history"
    assert title in picture(model)


def test_a_kind_without_lines_says_so() -> None:
    assert "No line of this kind yet." in picture(press(playing(), "m", "f", "f")[0])


@pytest.mark.parametrize(
    ("key", "sent"), [("I", Ignore("Bert", "ignore")), ("B", Ignore("Bert", "block")), ("R", Report("Bert"))]
)
@pytest.mark.parametrize("size", [(44, 20), (60, 20), (80, 24), (120, 40)])
def test_two_keys_act_on_the_last_speaker(key: str, sent: Ignore | Report, size: tuple[int, int]) -> None:
    """U44: `m`, and a key that the rim of the log names with the player; their own words do not count."""
    model, _ = press(talked(size), "m")
    assert "Bert: I ignore, B block, R report" in picture(model)
    model, wanted = press(model, key)

    assert wanted == [SendMessage(sent)]
    assert model.top.state == "history"


def test_the_speaker_is_the_last_in_view() -> None:
    model, _ = press(talked(), "m", "f", "f", "f")
    assert "Dora: I ignore" in picture(model)
    model = talked()
    for count in range(40):
        model = add_message(model, f"line {count}")
    model, wanted = press(model, "m", "I")
    assert wanted == []
    assert "No words of another player are in view" in model.flash.text
    model, wanted = press(model, "HOME", "I")
    assert wanted == [SendMessage(Ignore("Bert", "ignore"))]


def test_an_older_server_knows_no_lists() -> None:
    model, wanted = press(
        replace(base := talked(), world=replace(base.world, abilities=frozenset())), "m", "B"
    )

    assert wanted == []
    assert model.flash.text.startswith("This server is older")


def test_the_log_is_read_out_with_its_speaker() -> None:
    """U37: as lines of text, the kind of lines and what the keys do are words, too."""
    model, _ = press(talked(), "m", "f")
    read = read_screen(model, model.top)

    assert read.title == "Log: talk"
    assert "< Dora whispers: psst" in read.lines
    assert "Bert: I ignore, B block, R report" in read.lines[-1]
