"""The end of a life."""

import pytest
from msgspec import structs
from msgspec.structs import replace

from gloam_client.state.client_effects import LeaveGame, SendMessage
from gloam_client.state.model import Model
from gloam_client.update import update
from gloam_shared.protocol.messages.chat import SendChat
from gloam_shared.protocol.messages.lives import Died, NewLife
from gloam_shared.protocol.messages.login import Joined
from gloam_shared.view.view import Log, LogLine
from support.client.fake_server import level_view
from support.client.model_in_play import EASE, HELD, heard, picture, playing, press

LIFE = ("Ann was born in spring.", "She slew the giant zombie.")


def dead(by: str = "rat", *, won: bool = False, keepsakes: tuple[str, ...] = ()) -> Model:
    return update(playing(), heard(Died(by, 2, 3, 45, 678, 9, 5, won, LIFE, keepsakes)), 0)[0]


def test_the_killer_is_named_where_there_is_one() -> None:
    assert "Ann was killed by a rat." in picture(dead())
    assert "Ann was killed by Bert." in picture(dead("Bert"))
    assert "Ann died." in picture(dead(""))


def test_the_life_is_reported_in_numbers() -> None:
    model, _ = update(playing(), heard(Died("rat", 2, 3, 45, 678, 9, 5)), 0)
    assert "Depth 2  Level 3  Experience 45  Turns 678  Kills 9" in picture(model)


@pytest.mark.rule("J10.17")
def test_movement_does_nothing_but_say_what_works() -> None:
    model, wanted = press(dead(), "l")
    assert wanted == []
    assert "Enter new life" in model.flash.text


def test_the_dead_may_speak_read_and_leave() -> None:
    assert [SendMessage(SendChat("bye"))] == press(dead(), ":", *"bye", "ENTER")[1]
    assert press(dead(), "m")[0].top.state == "history"
    assert [LeaveGame()] == press(dead(), "Q", "y")[1]


def test_dead_no_turn_and_no_body_leave_behind() -> None:
    """The dead have no turn and no body to leave behind."""
    died = Died("rat", 2, 3, 45, 678, 9, 5)
    for pace in (HELD, EASE):
        model, _ = update(playing(pace=pace), heard(died, pace=pace), 0)
        model, _ = update(model, heard(pace=pace), 0)
        top = picture(model).split("\n")[0]
        assert "your move" not in top
        assert "at ease" not in top
        screen = picture(press(model, "Q")[0])
        assert "This life is over: the next begins when you come back." in screen
        assert "body" not in screen
    model, _ = update(model, heard(Joined("Ann", 0, 2)), 0)
    assert "at ease" in picture(model).split("\n")[0]


def test_the_life_is_reported_after_its_last_blow() -> None:
    view = replace(level_view(), log=Log(0, (LogLine("arrives", "you"), LogLine("kills", "rat", "you"))))
    model, _ = update(playing(), heard(Died("rat", 2, 3, 45, 678, 9, 5, life=LIFE), view=view), 0)
    assert [entry.text for entry in model.messages.entries[-3:]] == ["The rat kills you!", *LIFE]


@pytest.mark.parametrize("key", ["ESC", "ENTER"])
def test_neither_escape_nor_enter_leaves_game(key: str) -> None:
    """Neither escape nor enter leaves the game from the grave."""
    model, wanted = press(dead(), key, key, key)
    assert model.top.state == "dead"
    assert not any(isinstance(intent, LeaveGame) for intent in wanted)


def test_escape_on_the_grave_says_what_works() -> None:
    assert "Enter new life, Q quit" in press(dead(), "ESC")[0].flash.text
    assert press(dead(), "Q", "ESC")[0].top.state == press(dead(), "Q", "ENTER")[0].top.state == "dead"


def test_enter_asks_for_the_next_life_and_waits_for_it() -> None:
    model, wanted = press(dead(), "ENTER")
    assert [SendMessage(NewLife(1))] == wanted
    assert model.top.state == "dead"
    model, _ = update(model, heard(Joined("Ann", 0, 2)), 0)
    assert model.top.state == "play"
    assert model.messages.entries[-2].text == "A new life begins. The grave of your last one is on depth 2."


def test_after_victory_new_life_no_grave_behind() -> None:
    """After a victory the new life has no grave behind it."""
    model, _ = update(dead("the end of the Gloam", won=True), heard(Joined("Ann", 0, 2)), 0)
    assert model.messages.entries[-2].text == "A new life begins."


def test_the_life_is_reported_in_its_lines() -> None:
    for words in LIFE:
        assert words in picture(dead())


def test_little_room_keepsakes_stay_sight() -> None:
    """The keepsakes stay in sight where there is little room, and the log has the rest."""
    long = tuple(f"This is line {at} of a life that was long and is told at length." for at in range(9))
    died = Died("rat", 2, 3, 45, 678, 9, 5, life=long, keepsakes=("sword", "apple", "tunic"))
    model, _ = update(playing(), heard(died), 0)
    model = structs.replace(model, surface=structs.replace(model.surface, size=(60, 20)))
    assert "a > sword" in picture(model)
    assert "- - nothing" in picture(model)
    assert [entry.text for entry in model.messages.entries[-9:]] == list(long)


def test_keepsake_chosen_letter_or_mark() -> None:
    """A keepsake is chosen by letter or mark and enter begins the heir."""
    model = dead(keepsakes=("sword", "apple", "tunic"))
    screen = picture(model)
    for line in ("A keepsake for your heir:", "a > sword", "b - apple", "- - nothing"):
        assert line in screen
    for keys, kept in (
        ((), 0),
        (("b",), 1),
        (("DOWN", "DOWN"), 2),
        (("UP",), None),
        (("DOWN", "DOWN", "DOWN", "DOWN"), 0),
        (("c", "-"), None),
    ):
        assert [SendMessage(NewLife(1, kept))] == press(model, *keys, "ENTER")[1]
    assert "b > apple" in picture(press(model, "b")[0])


def test_keys_end_no_letters_keepsakes() -> None:
    """The keys of the end are no letters of keepsakes."""
    model = dead(keepsakes=tuple(f"thing {at}" for at in range(20)))
    assert press(model, "m")[0].top.state == "history"
    assert "n > thing 12" in picture(press(model, "n")[0])
    assert [SendMessage(NewLife(1, 12))] == press(model, "n", "ENTER")[1]


def test_keepsake_beyond_letters_reached_mark() -> None:
    """A keepsake beyond the letters is reached by the mark."""
    model = dead(keepsakes=tuple(f"thing {at}" for at in range(26)))
    assert [SendMessage(NewLife(1, 25))] == press(model, "UP", "UP", "ENTER")[1]
    assert "> thing 25" in picture(press(model, "UP", "UP")[0])


def test_without_keepsakes_there_is_none_to_take() -> None:
    model, wanted = press(dead(), "a", "DOWN", "-")
    assert wanted == []
    assert [SendMessage(NewLife(1))] == press(model, "ENTER")[1]
    assert "keepsake" not in picture(model)


@pytest.mark.rule("JG.24", "TG.30", "RG.30")
def test_a_victory_differs_from_a_death() -> None:
    """A victory differs from a death by its words, its rim and its color."""
    won, lost = dead("slaying the giant zombie", won=True), dead()
    assert "You have won!" in picture(won)
    assert "Ann has won by slaying the giant zombie!" in picture(won)
    assert "You are dead" not in picture(won)
    assert "*****" in picture(won)
    assert "*****" not in picture(lost)
    assert "You have won!" not in picture(lost)
    assert LIFE[1] in picture(won)


def test_list_keepsakes_scrolls_tells_much_sight() -> None:
    """A list of keepsakes that scrolls tells how much is out of sight."""
    model = structs.replace(
        base := dead(keepsakes=tuple(f"thing {at}" for at in range(12))),
        surface=structs.replace(base.surface, size=(60, 20)),
    )
    assert "a > thing 0" in picture(model)
    assert " 7 more " in picture(model)
    assert "- > nothing" in picture(press(model, "UP")[0])


def test_equal_keepsakes_are_one_line() -> None:
    """The heir takes one of them: the first, for the server."""
    model = dead(keepsakes=("sword", "ration", "ration", "apple", "ration"))
    screen = picture(model)
    for line in ("a > sword", "b - ration (one of 3)", "c - apple", "- - nothing"):
        assert line in screen
    assert "a-c keepsake" in screen
    for keys, kept in ((("b",), 1), (("c",), 3), (("UP", "UP"), 3), (("DOWN",), 1)):
        assert [SendMessage(NewLife(1, kept))] == press(model, *keys, "ENTER")[1]


def test_the_choice_of_a_keepsake_is_told() -> None:
    """On other pages of the end the list is out of sight."""
    model = dead(keepsakes=("sword", "ration", "ration"))
    assert press(model, "b")[0].flash.text == "Your heir takes the ration."
    assert press(model, "DOWN", "DOWN")[0].flash.text == "Your heir takes no keepsake."
