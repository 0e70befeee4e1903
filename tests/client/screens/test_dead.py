"""The end of a life."""

from client.screens.playing import heard, picture, playing, press
from gloam_client.intents import Leave, Send
from gloam_client.model import Model
from gloam_client.update import update
from gloam_shared.messages import Died, Joined, NewLife, Say


def dead(by: str = "rat") -> Model:
    return update(playing(), heard(Died(by, 2, 3, 45, 678, 9, 5)), 0)[0]


def test_the_killer_is_named_where_there_is_one() -> None:
    assert "Ann was killed by a rat." in picture(dead())
    assert "Ann was killed by Bert." in picture(dead("Bert"))
    assert "Ann died." in picture(dead(""))


def test_the_life_is_told_in_numbers() -> None:
    for words in ("Depth       2", "Level       3", "Experience  45", "Turns       678", "Kills       9"):
        assert words in picture(dead())


def test_movement_does_nothing_but_say_what_works() -> None:
    model, wanted = press(dead(), "l")
    assert wanted == []
    assert "Enter new life" in model.entries[-1].text


def test_the_dead_may_speak_read_and_leave() -> None:
    assert [Send(Say("bye"))] == press(dead(), ":", *"bye", "ENTER")[1]
    assert press(dead(), "m")[0].top.state == "history"
    assert [Leave()] == press(dead(), "Q", "y")[1]


def test_enter_asks_for_the_next_life_and_waits_for_it() -> None:
    model, wanted = press(dead(), "ENTER")
    assert [Send(NewLife())] == wanted
    assert model.top.state == "dead"
    model, _ = update(model, heard(Joined("Ann", 0, new_life=True)), 0)
    assert model.top.state == "play"
