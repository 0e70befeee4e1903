"""Choosing what a new level brings."""

from msgspec.structs import replace

from client.screens.playing import heard, picture, playing, press
from gloam_client.intents import Order
from gloam_client.update import update
from gloam_shared.commands import Choose
from gloam_shared.view import Fact, View
from support.fake_server import level_view


def offered(*choices: str) -> View:
    return replace(level_view(), choices=choices)


def test_the_mark_goes_round_and_enter_takes_it() -> None:
    model = playing(offered("one", "two", "three"))
    assert [Order(Choose(2))] == press(model, "+", "UP", "ENTER")[1]
    assert [Order(Choose(0))] == press(model, "+", "DOWN", "DOWN", "DOWN", "ENTER")[1]


def test_a_letter_or_a_digit_takes_its_choice() -> None:
    model = playing(offered("one", "two"))
    assert [Order(Choose(1))] == press(model, "+", "b")[1]
    assert [Order(Choose(1))] == press(model, "+", "2")[1]


def test_a_letter_beyond_the_choices_is_answered_with_the_keys() -> None:
    model, wanted = press(playing(offered("one", "two")), "+", "c")
    assert wanted == []
    assert model.top.state == "choose"
    assert "No command on c here. a b c or 1 2 3 take that one" in model.entries[-1].text


def test_a_choice_that_was_made_meanwhile_closes_the_list_and_takes_nothing() -> None:
    model, _ = press(playing(offered("one")), "+")
    model, _ = update(model, heard(view=level_view()), 0)
    assert "nothing left to choose" in picture(model)
    model, wanted = press(model, "a")
    assert wanted == []
    assert model.top.state == "play"


def test_later_keeps_the_badge_in_sight() -> None:
    model, _ = press(playing(offered("one")), "+", "ESC")
    assert "Level up: press +" in picture(model)


def test_j14_9_t14_9_seven_options_by_letter_or_digit_with_the_points_that_remain() -> None:
    sheet = list(level_view().sheet)
    sheet[Fact.POINTS] = 3
    view = replace(offered(*(f"bonus {at}" for at in range(1, 8))), sheet=tuple(sheet))
    told = picture(press(playing(view), "+")[0])
    for line in ("Choose a stat to increase", "a - [1] bonus 1", "g - [7] bonus 7", "Remaining points: 3"):
        assert line in told
    assert [Order(Choose(6))] == press(playing(view), "+", "g")[1] == press(playing(view), "+", "7")[1]


def test_t14_8_a_level_up_is_a_badge_and_never_a_screen() -> None:
    model = playing(offered("one"))
    assert model.top.state == "play"
    assert "+ choose" in picture(model)


def test_a_digit_of_another_script_is_no_choice() -> None:
    model, wanted = press(playing(offered("one", "two")), "+", "\u00b2")
    assert (wanted, model.top.state) == ([], "choose")
