"""The private server has stopped."""

from gloam_client.state import client_events
from gloam_client.state.client_effects import LeaveGame, StartJoining
from gloam_client.state.model import Model
from gloam_client.update import update
from support.client.model_in_play import picture, playing, press


def stopped() -> Model:
    return update(playing(), client_events.ServerStopped("The server is stopping; all is kept."), 0)[0]


def test_the_reason_is_shown_without_a_promise() -> None:
    assert "The server is stopping; all is kept." in picture(stopped())
    assert "joining" not in picture(stopped())


def test_enter_starts_it_again_under_the_same_name() -> None:
    model, wanted = press(stopped(), "ENTER")
    assert [StartJoining("Ann")] == wanted
    model, _ = update(model, client_events.JoinStarted("Ann", ""), 0)
    assert model.top.state == "play"


def test_leaving_needs_no_question_more() -> None:
    assert [LeaveGame()] == press(stopped(), "Q")[1]
    assert press(stopped(), "l")[1] == []


def test_escape_does_not_leave_and_says_what_works() -> None:
    model, wanted = press(stopped(), "ESC", "ESC")
    assert (wanted, model.top.state) == ([], "stopped")
    assert "Enter start again, Q leave" in model.flash.text
