"""Choosing what a new level brings."""

import pytest
from msgspec.structs import replace

from gloam_client.state import client_events
from gloam_client.state.client_effects import ClientEffect, SendCommand, SendMessage
from gloam_client.state.model import Model
from gloam_client.update import update
from gloam_shared.protocol.commands import Choose
from gloam_shared.protocol.messages.login import Welcome
from gloam_shared.protocol.messages.play import Thinking
from gloam_shared.view.view import Stat, View
from support.client.fake_server import level_view
from support.client.model_in_play import heard, picture, playing, press


def offered(*choices: str) -> View:
    return replace(level_view(), choices=choices)


def taken(model: Model, *keys: str) -> list[ClientEffect]:
    """Return what keys send, besides the notice that the player reads."""
    return [each for each in press(model, *keys)[1] if each != SendMessage(Thinking())]


def test_the_mark_goes_round_and_enter_takes_it() -> None:
    model = playing(offered("one", "two", "three"))
    assert [SendCommand(Choose(2))] == taken(model, "+", "UP", "ENTER")
    assert [SendCommand(Choose(0))] == taken(model, "+", "DOWN", "DOWN", "DOWN", "ENTER")


def test_a_letter_or_a_digit_takes_its_choice() -> None:
    model = playing(offered("one", "two"))
    assert [SendCommand(Choose(1))] == taken(model, "+", "b")
    assert [SendCommand(Choose(1))] == taken(model, "+", "2")


def with_points(points: int, *choices: str, hp_max: int = 40) -> View:
    view = offered(*choices)
    sheet = list(view.sheet)
    sheet[Stat.POINTS], sheet[Stat.HP_MAX] = points, hp_max
    return replace(view, sheet=tuple(sheet))


@pytest.mark.parametrize(("points", "still_open"), [(1, False), (2, True)])
def test_the_window_stays_while_points_are_left(points: int, still_open: bool) -> None:
    model, effects = press(playing(with_points(points, "one", "two")), "+", "a")
    assert SendCommand(Choose(0)) in effects
    assert ("choose" in [screen.state for screen in model.screens]) is still_open


@pytest.mark.parametrize("keys", ["", "+", "i"])
def test_a_choice_of_the_server_is_reported(keys: str) -> None:
    """The server chooses after a minute in safety: the log says so, and no empty window stays open."""
    model = press(playing(with_points(1, "one", "two")), *keys)[0]
    model = update(model, heard(view=with_points(0, hp_max=50)), 60_000)[0]
    assert [entry.text for entry in model.messages.entries][-1] == (
        "You did not choose for a minute, so the level brought you health: 50 at most."
    )
    assert "choose" not in [screen.state for screen in model.screens]


def test_the_players_own_choice_is_not_reported() -> None:
    model = press(playing(with_points(2, "one", "two")), "+")[0]
    model = update(model, client_events.CommandSent(Choose(0), 0), 0)[0]
    model = update(model, heard(view=with_points(1, "one", "two")), 10)[0]
    assert "did not choose" not in "".join(entry.text for entry in model.messages.entries)

    model = update(model, heard(view=with_points(0)), 60_000)[0]
    assert model.messages.entries[-1].text == "You did not choose for a minute, so the server chose."


def test_letter_beyond_choices_answered_keys() -> None:
    """A letter beyond the choices is answered with the keys."""
    model, wanted = press(press(playing(offered("one", "two")), "+")[0], "c")
    assert wanted == []
    assert model.top.state == "choose"
    assert "No command on c here. a b take that one" in model.flash.text


def test_choice_made_meanwhile_closes_list() -> None:
    """A choice that was made meanwhile closes the list and takes nothing."""
    model, _ = press(playing(offered("one")), "+")
    model, _ = update(model, heard(view=level_view()), 0)
    model, wanted = press(model, "a")
    assert wanted == []
    assert model.top.state == "play"


def test_later_keeps_the_badge_in_sight() -> None:
    model, _ = press(playing(offered("one")), "+", "ESC")
    assert "Level up: press +" in picture(model)


def seven_options(title: str = "Choose a stat to increase", marks: str = "letters") -> Model:
    """Return a client that is offered seven options with three points left, greeted with a campaign's words for it."""
    sheet = list(level_view().sheet)
    sheet[Stat.POINTS] = 3
    view = replace(offered(*(f"bonus {at}" for at in range(1, 8))), sheet=tuple(sheet))
    welcome = Welcome(1, "The Caves", 1, 8, choosing=title, marks=marks)
    return press(update(playing(view), heard(welcome, view=view), 0)[0], "+")[0]


@pytest.mark.rule("J14.9")
def test_stats_stand_letter_points_remain() -> None:
    """Stats stand by letter with the points that remain."""
    screen = picture(seven_options())
    for line in (
        "Choose a stat to increase",
        "a - bonus 1",
        "g - bonus 7",
        "Remaining points: 3",
        "a-g take that one",
    ):
        assert line in screen
    assert "[1]" not in screen


def test_a_card_is_no_point_to_spend() -> None:
    """A choice with a title of its own, a bent or a card, tells nothing of points."""
    model = seven_options()
    titled = replace(model.view, choosing=replace(model.view.choosing, title="Choose a card"))
    screen = picture(update(model, heard(view=titled), 0)[0])
    assert "Choose a card" in screen
    assert "Remaining points" not in screen


@pytest.mark.rule("T14.9", "TG.26")
def test_seven_bonuses_stand() -> None:
    """Seven bonuses stand by digit under the title of rltut."""
    screen = picture(seven_options("Choose a level up bonus", "digits"))
    for line in ("Choose a level up bonus", "[1] bonus 1", "[7] bonus 7", "1-7 take that one"):
        assert line in screen
    assert "a - " not in screen


@pytest.mark.rule("J14.9", "T14.9")
@pytest.mark.parametrize("marks", ["letters", "digits", "runes"])
def test_whichever_shown_letter(marks: str) -> None:
    """Letters and digits both choose an option, with either kind of labels."""
    model = seven_options("Choose", marks)
    assert [SendCommand(Choose(6))] == press(model, "g")[1] == press(model, "7")[1]


@pytest.mark.rule("A73")
def test_the_title_of_the_choice_is_made_safe_to_show() -> None:
    assert seven_options("Choose\x1b[2J", "letters").world.choosing == "Choose[2J"


@pytest.mark.rule("T14.8")
def test_a_level_up_is_a_badge_and_never_a_screen() -> None:
    model = playing(offered("one"))
    assert model.top.state == "play"
    assert "+ choose" in picture(model)


def test_a_digit_of_another_script_is_no_choice() -> None:
    model, wanted = press(press(playing(offered("one", "two")), "+")[0], "\u00b2")
    assert (wanted, model.top.state) == ([], "choose")
