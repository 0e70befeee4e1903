"""Secrets that must not be seen: passwords at the door and in play, and when one is offered."""

import pytest
from msgspec import structs
from msgspec.structs import replace

from gloam_client.state import client_events
from gloam_client.state.client_effects import LeaveGame, SendMessage, StartJoining
from gloam_client.state.model import Model
from gloam_client.update import update
from gloam_shared.protocol.messages.login import Error, PasswordStatus, SetPassword
from gloam_shared.protocol.messages.play import Thinking
from gloam_shared.view.view import Stat, View
from support.client.fake_server import level_view
from support.client.model_in_play import EASE, HELD, heard, picture, playing, press

SECRET = "correct horse"


def at_level(level: int, *choices: str) -> View:
    sheet = list(level_view().sheet)
    sheet[Stat.LEVEL] = level
    return replace(level_view(), sheet=tuple(sheet), choices=choices)


def guest(*, guarded: bool = False) -> Model:
    return update(playing(), heard(PasswordStatus(guarded), view=at_level(1)), 0)[0]


def asked(code: str = "password") -> Model:
    return update(playing(), client_events.CredentialsAsked(code, "It is asked for."), 0)[0]


def test_a_password_is_asked_for_and_never_shown() -> None:
    model, wanted = press(asked(), *SECRET)
    assert wanted == []
    assert "It is asked for." in picture(model)
    assert "*" * len(SECRET) in picture(model)
    assert not any(part in picture(model) for part in SECRET.split())
    assert press(model, "ENTER")[1] == [StartJoining("Ann", password=SECRET)]


@pytest.mark.parametrize("code", ["auth", "length"])
def test_a_wrong_one_is_asked_for_again(code: str) -> None:
    assert "Password" in picture(asked(code))


def test_an_invite_is_asked_for_in_the_open() -> None:
    model, _ = press(asked("invite"), *"abcdefgh")
    assert "abcdefgh" in picture(model)
    assert press(model, "ENTER")[1] == [StartJoining("Ann", invite="abcdefgh")]


def test_door_escape_leaves_and_nothing_not_sent() -> None:
    """At the door escape leaves and nothing is not sent."""
    assert press(asked(), "ENTER")[1] == []
    assert press(asked(), "ESC")[1] == [LeaveGame()]


def test_the_question_goes_when_the_line_is_made_again() -> None:
    model, _ = update(asked(), client_events.JoinStarted("Ann", "here"), 0)
    assert model.top.state == "play"


def test_password_offered_once_first_level_gained() -> None:
    """A password is offered once at the first level gained."""
    model, _ = update(guest(), heard(view=at_level(2)), 0)
    assert model.top.state == "secret"
    model, wanted = press(model, "ESC")
    assert (model.top.state, wanted) == ("play", [])
    assert update(model, heard(view=at_level(3)), 0)[0].top.state == "play"


def test_never_offered_while_held_nor_over_choice() -> None:
    """It is never offered while held nor over a choice."""
    model, _ = update(guest(), heard(view=at_level(2), pace=HELD), 0)
    assert model.top.state == "play"
    model, _ = update(model, heard(view=at_level(2, "Health"), pace=EASE), 0)
    assert model.top.state != "secret"
    model, _ = update(
        structs.replace(model, screens=model.screens[:1]), heard(view=at_level(2), pace=EASE), 0
    )
    assert model.top.state == "secret"


@pytest.mark.parametrize("model", [playing(), guest(guarded=True)])
def test_who_has_one_or_needs_none_is_not_asked(model: Model) -> None:
    model, _ = update(model, heard(view=at_level(2)), 0)
    assert model.top.state == "play"
    assert press(model, "Q", "y")[1] == [LeaveGame()]


def test_level_came_none_gained() -> None:
    """A level that a player began with is none that they gained."""
    model, _ = update(playing(at_level(5)), heard(PasswordStatus(password=False), view=at_level(5)), 0)
    assert model.top.state == "play"


def test_it_is_offered_when_leaving_and_escape_leaves() -> None:
    model, wanted = press(guest(), "Q", "y")
    assert (model.top.state, wanted) == ("secret", [])
    assert press(model, "ESC")[1] == [LeaveGame()]
    assert press(model, *SECRET, "ENTER", *SECRET, "ENTER")[1] == [SendMessage(SetPassword(SECRET))]


def leaving() -> Model:
    return press(guest(), "Q", "y", *SECRET, "ENTER", *SECRET, "ENTER")[0]


def test_sets_while_leaving_leaves_when_set() -> None:
    """A player who sets one while leaving leaves when it is set."""
    assert "being set" in picture(leaving())
    model, wanted = update(leaving(), heard(PasswordStatus(password=True, fresh=True)), 0)
    assert wanted == (LeaveGame(),)
    assert update(model, heard(), 0)[1] == ()


def test_he_need_not_wait_and_a_wrong_key_says_so() -> None:
    assert press(leaving(), "ESC")[1] == [LeaveGame()]
    model, wanted = press(leaving(), "j")
    assert wanted == []
    assert model.flash.tone == "quiet"
    assert picture(model) != picture(leaving())
    assert press(leaving(), "?")[0].top.state == "help"


@pytest.mark.parametrize(
    ("expected", "words"),
    [
        (Error("busy", "Too many at once; try again."), "Too many at once; try again."),
        (PasswordStatus(password=False), "The connection was lost: please type it again."),
    ],
)
def test_not_set_while_leaving_asked(expected: Error | PasswordStatus, words: str) -> None:
    """One that is not set while leaving is asked for again."""
    model, wanted = update(leaving(), heard(expected), 0)
    assert wanted == ()
    assert words in picture(model)
    assert press(model, *SECRET, "ENTER", *SECRET, "ENTER")[1] == [SendMessage(SetPassword(SECRET))]


def test_another_refusal_leaving_none_password() -> None:
    """Another refusal while leaving is none of the password."""
    model, _ = update(leaving(), heard(Error("slow", "You speak too fast.")), 0)
    assert update(model, heard(PasswordStatus(password=True, fresh=True)), 0)[1] == (LeaveGame(),)


def test_nothing_is_sent_while_the_line_is_cut() -> None:
    model, _ = press(guest(), "Q", "y", *SECRET, "ENTER", *SECRET)
    model, _ = update(model, client_events.ConnectionLost("The connection is lost.", 0, 200), 0)
    model, wanted = press(model, "ENTER")
    assert (wanted, model.top.state) == ([], "secret")
    assert "until it is back" in model.flash.text


def test_a_password_is_asked_twice_and_a_slip_repeats() -> None:
    """A new one is asked for twice and a slip begins again."""
    model, wanted = press(guest(), "Q", "y", *SECRET, "ENTER")
    assert wanted == []
    assert "Type it again" in picture(model)
    slipped, wanted = press(model, *SECRET[:-1], "ENTER")
    assert wanted == []
    assert "not the same" in slipped.flash.text
    assert "Type it again" not in picture(slipped)
    assert press(slipped, *SECRET, "ENTER", *SECRET, "ENTER")[1] == [SendMessage(SetPassword(SECRET))]
    assert press(model, "ESC")[1] == [LeaveGame()]


def test_who_is_held_leaves_without_being_asked() -> None:
    model, _ = update(guest(), heard(view=at_level(1), pace=HELD), 0)
    assert press(model, "Q", "y")[1] == [SendMessage(Thinking()), LeaveGame()]


def test_a_short_one_is_refused_here() -> None:
    model, wanted = press(guest(), "Q", "y", *"short", "ENTER")
    assert (model.top.state, wanted) == ("secret", [])
    assert "8 to 128" in model.flash.text


def test_a_password_is_changed_from_the_line_of_chat() -> None:
    model, _ = press(guest(guarded=True), ":", *"/password", "ENTER", *"old secret", "ENTER")
    _, wanted = press(model, *SECRET, "ENTER", *SECRET, "ENTER")
    assert wanted == [SendMessage(SetPassword(SECRET, "old secret"))]


def test_the_first_one_needs_no_old() -> None:
    _, wanted = press(guest(), ":", *"/password", "ENTER", *SECRET, "ENTER", *SECRET, "ENTER")
    assert wanted == [SendMessage(SetPassword(SECRET))]


def test_that_it_is_set_is_reported() -> None:
    model, _ = update(guest(), heard(PasswordStatus(password=True, fresh=True)), 0)
    assert "Your password is set" in model.messages.entries[-1].text
    assert press(model, "Q", "y")[1] == [LeaveGame()]


@pytest.mark.parametrize("size", [(44, 20), (60, 20), (80, 24), (250, 100)])
def test_it_fits_every_window(size: tuple[int, int]) -> None:
    model, _ = press(guest(), "Q", "y")
    rows = picture(structs.replace(model, surface=structs.replace(model.surface, size=size))).split("\n")
    assert [len(row) for row in rows] == [size[0]] * size[1]
    assert "Esc goes without and leaves." in picture(
        structs.replace(model, surface=structs.replace(model.surface, size=size))
    )
