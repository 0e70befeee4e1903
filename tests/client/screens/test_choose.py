"""Choosing what a new level brings."""

from msgspec.structs import replace

from client.screens.playing import heard, picture, playing, press
from gloam_client.intents import Order
from gloam_client.update import update
from gloam_shared.commands import Choose
from gloam_shared.view import View
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
    assert "No command on c here. a b c take that one" in model.entries[-1].text


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
