"""The options: their sections, their values, with an immediate effect."""

import pytest
from msgspec.structs import replace as changed

from gloam_client.screens.watching.watch_view import take_watching
from gloam_client.state.client_effects import SendMessage, SetOptions
from gloam_client.state.options import CHOICES, Options
from gloam_client.state.players.watching import WatchState
from gloam_shared.protocol.messages.lives import BESIDE_CHOICE
from gloam_shared.protocol.messages.watching import SetWatchable, WatchChoice
from support.client.model_in_play import picture, playing, press, to_option


@pytest.mark.rule("RG.29", "F59")
def test_an_option_applies_at_once_and_stays_local() -> None:
    """An option changes immediately, and only the client keeps it."""
    model, wanted = press(playing(), *to_option("keys"), "RIGHT")
    assert [SetOptions(Options(keys="wasd"))] == wanted
    assert model.options.keys == "wasd"
    assert "[wasd]" in picture(model)


def test_u57_options_fit_one_screen() -> None:
    """U57: at most 25 options, each with a label of its own, the defaults first in the file's values."""
    assert len(CHOICES) <= 25
    assert len({choice.name for choice in CHOICES}) == len(CHOICES)
    assert len({choice.words for choice in CHOICES}) == len(CHOICES)
    for choice in CHOICES:
        assert Options().value(choice) in choice.values


@pytest.mark.parametrize("size", [(44, 20), (60, 20), (80, 24), (120, 40)])
@pytest.mark.parametrize("name", [choice.name for choice in CHOICES])
def test_each_option_is_in_view_when_marked(name: str, size: tuple[int, int]) -> None:
    """U57: the marked option is in view with its value at every size."""
    model = changed(base := press(playing(), *to_option(name))[0], surface=changed(base.surface, size=size))
    choice = next(choice for choice in CHOICES if choice.name == name)
    rows = [row for row in picture(model).split("\n") if choice.words in row]
    assert any(f"[{model.options.value(choice)}]" in row for row in rows)


def test_each_section_has_its_heading() -> None:
    shown = picture(changed(base := press(playing(), "O")[0], surface=changed(base.surface, size=(80, 40))))
    for section in {choice.section for choice in CHOICES}:
        assert section in shown


def test_u57_all_options_are_in_view_at_80x24() -> None:
    """U57: at 80x24 each option stands on the screen with its value, nothing is scrolled."""
    shown = picture(changed(base := press(playing(), "O")[0], surface=changed(base.surface, size=(80, 24))))
    for choice in CHOICES:
        assert f"{choice.words} " in shown
        assert f"[{Options().value(choice)}]" in shown
    assert " more " not in shown


@pytest.mark.parametrize("name", [choice.name for choice in CHOICES])
def test_u57_the_marked_option_is_explained(name: str) -> None:
    """U57: the marked option is explained in a sentence that fits the smallest window."""
    model = press(playing(), *to_option(name))[0]
    choice = next(choice for choice in CHOICES if choice.name == name)
    said = "The terminal's own background." if name == "theme" else choice.help
    assert said in picture(changed(model, surface=changed(model.surface, size=(60, 20))))


def test_u57_the_preview_follows_the_glyphs() -> None:
    """U57: the preview draws terrain in the chosen set, and the lines of the log as the log does."""
    model = changed(base := playing(), surface=changed(base.surface, unicode=True))
    for value, sign in (("ascii", "#"), ("cp437", "█"), ("unicode", "▒")):
        shown = picture(changed(press(model, "O")[0], options=Options(glyphs=value)))
        row = next(row for row in shown.split("\n") if "@@goDrw" in row)
        assert sign in row
        assert "* fight ! hurt + good : chat" in shown


@pytest.mark.rule("F92")
def test_who_may_begin_beside_is_an_option() -> None:
    """Three values, the party first; each stands in the form that the server takes."""
    keys = to_option("beside")
    sent = []
    for turns in range(3):
        model = press(playing(), *keys, *("RIGHT",) * turns)[0]
        sent.append(model.options.who_beside)
    assert sent == ["party", "all", "none"]
    assert "Who may begin beside you" in picture(model)
    assert "[no one]" in picture(model)


@pytest.mark.rule("F92")
def test_an_older_server_cannot_heed_the_option() -> None:
    """The option says so where lives can begin beside friends, and the server does not know the message."""
    older = "This server is older: it lets everyone begin beside you."
    for abilities, noted in ((("beside",), True), (("beside", BESIDE_CHOICE), False), ((), False)):
        model = changed(base := playing(), world=changed(base.world, abilities=frozenset(abilities)))
        assert (older in picture(press(model, *to_option("beside"))[0])) is noted


def test_who_may_watch_is_kept_by_the_server() -> None:
    """The screen shows the server's choice and asks for another; the option of the device does not change."""
    model = changed(base := playing(), company=changed(base.company, watch=WatchState(choice="everyone")))
    model, wanted = press(model, *to_option("watch"), "RIGHT")
    assert wanted == [SendMessage(SetWatchable(allowed=False))]
    assert model.options == Options()
    assert "[everyone]" in picture(model)
    assert "Kept here with your name." in picture(model)
    told = take_watching(model, WatchChoice("no one"))
    assert "[no one]" in picture(told)


def test_an_older_server_leaves_it_to_the_device() -> None:
    model, wanted = press(playing(), *to_option("watch"), "RIGHT")
    assert wanted == [SetOptions(Options(watch="everyone"))]
    assert "[everyone]" in picture(model)
    assert "Kept here with your name." not in picture(model)
