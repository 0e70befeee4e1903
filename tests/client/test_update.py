"""One step of the client: what keys and messages do to the model, and what they want done."""

import pytest
from msgspec.structs import replace

from gloam_client import inputs
from gloam_client.intents import Begin, Intent, Leave, Order, Send, SetOptions, Suspend
from gloam_client.model import Model
from gloam_client.options import Options
from gloam_client.pulse import next_change_ms
from gloam_client.render.frame import draw
from gloam_client.screens.play import Play
from gloam_client.screens.title import Title
from gloam_client.update import update
from gloam_shared.commands import Choose, Climb, Explore, Fight, Move, Run, Stop, Travel
from gloam_shared.messages import (
    Answer,
    Away,
    Died,
    Error,
    FromServer,
    Joined,
    NewLife,
    Notice,
    Pace,
    Said,
    Say,
    Thinking,
    Welcome,
)
from gloam_shared.view import Creature, Friend, Mark, View
from support.fake_server import level_view

EASE = Pace(held=False, waiting=False, plan=False)
HELD = Pace(held=True, waiting=False, plan=False)


def heard(
    *messages: FromServer, view: View | None = None, pace: Pace = EASE, since: int | None = None
) -> inputs.Heard:
    return inputs.Heard(messages, view or level_view(), pace, "Ann", since, 0, 12)


def playing(view: View | None = None, pace: Pace = EASE) -> Model:
    model, _ = update(Model(screens=(Play(),), name="Ann"), inputs.Joining("here"), 0)
    model, _ = update(model, heard(Joined("Ann", 0, new_life=False), view=view, pace=pace), 0)
    return model


def press(model: Model, *keys: str) -> tuple[Model, list[Intent]]:
    wanted: list[Intent] = []
    for key in keys:
        model, intents = update(model, inputs.Key(key), 0)
        wanted += intents
    return model, wanted


def picture(model: Model) -> str:
    return "\n".join(draw(model).rows())


def with_friend(depth: int, cell: int | None = None) -> View:
    view = level_view()
    creatures = view.creatures
    if cell is not None:
        creatures = (*creatures, Creature(9, cell, 5, 5, 1, Mark.PLAYER, "@", "cyan", "Bert"))
    return replace(view, creatures=creatures, party=(*view.party, Friend("Bert", depth, 1, 4, Mark.PLAYER)))


@pytest.mark.parametrize(
    ("key", "command"),
    [
        ("l", Move(1, 0)),
        ("UP", Move(0, -1)),
        ("7", Move(-1, -1)),
        ("L", Run(1, 0)),
        ("SHIFT_DOWN", Run(0, 1)),
        ("o", Explore()),
        ("TAB", Fight()),
        (">", Climb(down=True)),
        ("<", Climb(down=False)),
    ],
)
def test_a_key_of_play_becomes_its_command(key: str, command: object) -> None:
    assert [Order(command)] == press(playing(), key)[1]  # type: ignore[arg-type]  # the table holds commands only


def test_every_key_gets_an_answer_in_every_state() -> None:
    openings = {
        "play": (), "cursor": ("x",), "help": ("?",), "history": ("m",), "say": (":",), "choose": ("+",), "menu": ("ENTER",),
        "options": ("O",), "quit": ("Q",),
    }  # fmt: skip
    view = replace(level_view(), choices=("one", "two"))
    for state, keys in openings.items():
        model, _ = press(playing(view), *keys)
        assert state == model.top.state
        for key in ["i", "Z", "F5", "~", "CTRL_G", "INSERT"]:
            after, wanted = press(model, key)
            assert wanted or after != model, f"{state}: {key} is answered by nothing"


def test_two_escapes_leave_any_layer_and_never_the_game() -> None:
    view = replace(level_view(), choices=("one", "two"))
    for key in ["x", "?", "m", ":", "+", "ENTER", "O", "Q", "_"]:
        model, wanted = press(playing(view), key, "?", "ESC", "ESC")
        assert model.top.state == "play"
        assert not any(isinstance(intent, Leave) for intent in wanted)


@pytest.mark.parametrize("key", ["x", "?", "m", "ENTER", "O", "_"])
def test_reading_while_held_tells_the_server(key: str) -> None:
    assert Send(Thinking()) in press(playing(pace=HELD), key)[1]
    assert Send(Thinking()) not in press(playing(), key)[1]


def test_the_cursor_tells_what_stands_there_and_travels() -> None:
    cell = level_view().cell + 3
    view = with_friend(1, cell)
    model, _ = press(playing(view), "x", "TAB")
    assert "Bert, a player. Level 1, health 5 of 5." in picture(model)
    assert "3 steps east." in picture(model)

    model, wanted = press(model, "ENTER")
    assert [Order(Travel(cell))] == wanted
    assert model.top.state == "play"


def test_the_cursor_jumps_to_known_stairs() -> None:
    model, _ = press(playing(), "_", "<")
    assert "a rock staircase leading upwards" in picture(model).casefold()


def test_choices_are_taken_by_letter_digit_or_mark_and_may_wait() -> None:
    model = playing(replace(level_view(), choices=("one", "two")))
    assert "choose" in picture(model)
    assert [Order(Choose(1))] == press(model, "+", "b")[1]
    assert [Order(Choose(1))] == press(model, "+", "2")[1]
    assert [Order(Choose(1))] == press(model, "+", "DOWN", "ENTER")[1]
    later, wanted = press(model, "+", "ESC")
    assert wanted == []
    assert later.top.state == "play"


def test_without_choices_the_choice_says_why() -> None:
    model, wanted = press(playing(), "+")
    assert wanted == []
    assert "Nothing to choose now" in model.entries[-1].text


def test_going_to_a_friend_travels_in_sight_climbs_to_his_depth_or_says_why_not() -> None:
    cell = level_view().cell + 2
    assert [Order(Travel(cell))] == press(playing(with_friend(1, cell)), "G")[1]
    assert [Order(Climb(down=True))] == press(playing(with_friend(3)), "G")[1]
    assert "out of your sight" in press(playing(with_friend(1)), "G")[0].entries[-1].text
    assert "Nobody else" in press(playing(), "G")[0].entries[-1].text


def test_what_is_typed_is_said_and_a_slash_is_a_client_command() -> None:
    assert [Send(Say("hi l"))] == press(playing(), ":", *"hi l", "ENTER")[1]
    assert [Send(Away())] == press(playing(), ":", *"/away", "ENTER")[1]
    assert press(playing(), ":", *"/quit", "ENTER")[0].top.state == "quit"
    assert "There is no /dance" in press(playing(), ":", *"/dance", "ENTER")[0].entries[-1].text
    who, wanted = press(playing(with_friend(2)), ":", *"/who", "ENTER")
    assert "Bert (depth 2" in who.entries[-1].text
    assert wanted == []


def test_the_menu_does_an_action_by_its_mark_or_its_own_key() -> None:
    assert [Order(Explore())] == press(playing(), "ENTER", "o")[1]
    assert [Order(Climb(down=True))] == press(playing(), "ENTER", "DOWN", "DOWN", "DOWN", "DOWN", "ENTER")[1]
    assert press(playing(), "ENTER", "O")[0].top.state == "options"


def test_options_change_at_once_and_are_kept() -> None:
    model, wanted = press(playing(), "O", "DOWN", "DOWN", "RIGHT")

    assert [SetOptions(Options(keys="wasd"))] == wanted
    assert model.options.keys == "wasd"
    assert [Order(Move(-1, 0))] == press(press(model, "ESC")[0], "a")[1]


def test_quitting_asks_and_tells_what_happens_to_the_body() -> None:
    model, wanted = press(playing(), "Q")
    assert wanted == []
    assert "leaves the dungeon at once" in picture(model)
    assert "stays on guard" in picture(press(playing(pace=HELD), "Q")[0])
    assert [Leave()] == press(model, "y")[1]
    assert [Leave()] == press(playing(), "CTRL_C", "CTRL_C")[1]


def test_the_owner_of_a_shared_private_server_is_asked_whether_to_stop_it() -> None:
    model, _ = update(playing(with_friend(1)), inputs.Address("127.0.0.1:7373", private=True), 0)
    model, _ = press(model, "Q")

    assert "stop it for everybody" in picture(model)
    assert [Leave(stop_server=True)] == press(model, "s")[1]
    assert press(playing(), "Q", "s")[1] == []


def test_escape_stops_a_plan() -> None:
    plan = Pace(held=False, waiting=False, plan=True)
    assert [Order(Stop())] == press(playing(pace=plan), "ESC")[1]


def test_nothing_is_sent_while_the_line_is_cut() -> None:
    model, _ = update(playing(), inputs.Cut("The line is cut.", 0, 500), 0)

    assert press(model, "l")[1] == []
    assert "The line is cut." in picture(model)


def test_death_is_shown_and_enter_begins_anew() -> None:
    died = Died("rat", 2, 3, 45, 678, 9, 5)
    model, _ = update(playing(), heard(died), 0)
    assert model.top.state == "dead"
    for words in ("killed by a rat", "Depth       2", "Level       3", "Turns       678", "Kills       9"):
        assert words in picture(model)

    assert [Send(NewLife())] == press(model, "ENTER")[1]
    model, _ = update(model, heard(Joined("Ann", 0, new_life=True)), 0)
    assert model.top.state == "play"


def test_what_others_say_and_what_is_refused_stands_in_the_log() -> None:
    told = heard(
        Said("Bert", "hello \x1b[31m"),
        Answer(1, "blocked", "A wall."),
        Answer(2, "replaced", "old"),
        Error("slow", "Wait."),
    )
    model, _ = update(playing(), told, 0)

    texts = [entry.text for entry in model.entries]
    assert texts[-3:] == ["Bert: hello [31m", "A wall.", "Wait."]


def test_a_notice_is_a_banner_until_it_is_taken_down() -> None:
    model, _ = update(playing(), heard(Notice("The disk is full.")), 0)
    assert picture(model).startswith(" ! The disk is full.")
    model, _ = update(model, heard(Notice("")), 0)
    assert "The disk is full." not in picture(model).split("\n")[0]


def test_the_welcome_is_told_once() -> None:
    model = Model(screens=(Play(),), name="Ann")
    model, _ = update(model, heard(Welcome(1, "gloam", 2, 8)), 0)
    model, _ = update(model, heard(Welcome(1, "gloam", 2, 8)), 0)

    assert len([entry for entry in model.entries if "Welcome" in entry.text]) == 1


def test_the_top_line_tells_the_pace() -> None:
    def top(pace: Pace, now_ms: int = 0) -> str:
        model, _ = update(playing(), heard(pace, pace=pace), 0)
        model, _ = update(model, inputs.Clock(), now_ms)
        return picture(model).split("\n")[0]

    waiting = Pace(held=True, waiting=True, plan=False, ms=1_900, for_names=("Bert",))
    assert "waiting for Bert 1.9 s" in top(waiting)
    assert "waiting for Bert 1.4 s" in top(waiting, 500)
    assert "your move" in top(HELD)
    assert "Esc stops" in top(Pace(held=False, waiting=False, plan=True))
    assert "at ease" in top(EASE)


def test_an_unanswered_command_and_a_silent_line_are_told_in_time() -> None:
    model, _ = update(playing(), heard(since=0), 0)
    assert next_change_ms(model) == 3_000
    model, _ = update(model, inputs.Clock(), 2_999)
    assert "No answer" not in picture(model)
    model, _ = update(model, inputs.Clock(), 4_100)
    assert "No answer for 4 s." in picture(model)

    model, _ = update(playing(), inputs.Clock(), 8_500)
    assert "No answer for 8 s." in picture(model)
    assert next_change_ms(model) == 9_000


def test_a_client_at_ease_sleeps_until_the_line_would_be_silent() -> None:
    assert next_change_ms(playing()) == 8_000
    assert next_change_ms(Model(screens=(Title("Ann"),))) is None


def test_coming_back_tells_for_how_long_one_was_away() -> None:
    model, _ = update(playing(), inputs.Back(7_200), 0)
    assert model.entries[-1].text == "You were away 7 s."


def test_the_title_takes_a_name_and_begins() -> None:
    model = Model(screens=(Title("Wanderer"),))
    assert [Begin("Wanderer")] == press(model, "ENTER")[1]
    assert [Begin("Bert")] == press(model, *"Bert", "ENTER")[1]
    assert [Begin("Wandere")] == press(model, "BACKSPACE", "ENTER")[1]
    model, wanted = press(model, "A", "ENTER")
    assert wanted == []
    assert "3 to 16" in picture(model)


def test_a_name_that_is_refused_leads_back_to_the_title_with_the_reason() -> None:
    model, _ = update(playing(), inputs.Failed("The name is taken."), 0)
    assert model.top.state == "title"
    assert "The name is taken." in picture(model)


def test_a_small_window_says_what_it_needs_and_recovers() -> None:
    model, _ = update(playing(), inputs.Resized(52, 18), 0)
    assert "needs 60x20, now 52x18" in picture(model)
    assert press(model, "l")[1] == []
    model, _ = update(model, inputs.Resized(60, 20), 0)
    assert "HP 40/40" in picture(model)


def test_ctrl_z_suspends_wherever_one_is() -> None:
    assert [Suspend()] == press(playing(), "CTRL_Z")[1]


def test_every_size_and_every_screen_is_drawn_without_a_fault() -> None:
    view = replace(with_friend(1, level_view().cell + 2), choices=("one", "two"))
    died, _ = update(playing(view), heard(Died("rat", 1, 1, 0, 0, 0, 0)), 0)
    screens = [playing(view), died, Model(screens=(Title("Ann"),))]
    screens += [press(playing(view), key)[0] for key in ["x", "_", "?", "m", ":", "+", "ENTER", "O", "Q"]]
    for model in screens:
        for width in (*range(1, 60, 13), *range(60, 251, 19)):
            for height in (*range(1, 20, 5), *range(20, 101, 9)):
                resized, _ = update(model, inputs.Resized(width, height), 0)
                assert width * height == len(draw(resized).cells)


def test_at_the_smallest_size_every_hint_line_shows_at_least_three_keys() -> None:
    view = replace(level_view(), choices=("one", "two"))
    for keys in [(), ("x",), ("m",), ("+",), ("ENTER",), ("O",), ("Q",), (":",), ("?",)]:
        model, _ = press(playing(view), *keys)
        model, _ = update(model, inputs.Resized(60, 20), 0)
        assert len(model.top.hints(model)) >= 3
        assert model.top.hints(model)[2][1] in picture(model).split("\n")[-1]
