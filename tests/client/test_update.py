"""One step of the client: what keys and messages do to the model, and what they want done."""

import pytest
from msgspec import structs
from msgspec.structs import replace

from gloam_client.render.frame import draw, next_change_ms
from gloam_client.render.panels.status_panel import key_places
from gloam_client.screens.play import Play
from gloam_client.screens.title.title import Title
from gloam_client.state import client_effects, client_events
from gloam_client.state.model import Model
from gloam_client.state.options import Options
from gloam_client.state.records import SurfaceFacts
from gloam_client.terminal.canvas import Rect
from gloam_client.update import update
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.codes import AnswerReason
from gloam_shared.protocol.commands import Climb, Explore, Fight, Move, Run, Stop, Travel
from gloam_shared.protocol.messages.chat import ChatLine
from gloam_shared.protocol.messages.lives import Died
from gloam_shared.protocol.messages.login import Error, Notice, Welcome
from gloam_shared.protocol.messages.play import Answer, Pace, Thinking
from gloam_shared.protocol.messages.play import Update as ViewUpdate
from gloam_shared.view.changes import Patch
from gloam_shared.view.view import Creature, CreatureFlag, Friend, Item, Log, LogLine, View
from support.client.fake_server import level_view
from support.client.model_in_play import EASE, HELD, heard, picture, playing, press, to_option


def with_friend(depth: int, cell: int | None = None) -> View:
    view = level_view()
    creatures = view.creatures
    if cell is not None:
        creatures = (*creatures, Creature(9, cell, 5, 5, 1, CreatureFlag.PLAYER, "@", "cyan", "Bert"))
    return replace(
        view, creatures=creatures, party=(*view.party, Friend("Bert", depth, 1, 4, CreatureFlag.PLAYER))
    )


@pytest.mark.parametrize(
    ("key", "command"),
    [
        ("l", Move(1, 0)),
        ("UP", Move(0, -1)),
        ("7", Move(-1, -1)),
        ("L", Run(1, 0)),
        ("SHIFT_DOWN", Run(0, 1)),
        ("o", Explore(pick_up=True)),
        ("TAB", Fight()),
        (">", Climb(down=True)),
        ("<", Climb(down=False)),
    ],
)
def test_a_key_of_play_becomes_its_command(key: str, command: object) -> None:
    assert [client_effects.SendCommand(command)] == press(playing(), key)[1]  # type: ignore[arg-type]  # the table holds commands only


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


def test_two_escapes_leave_any_layer() -> None:
    """Two escapes leave any layer and never the game."""
    view = replace(level_view(), choices=("one", "two"))
    for key in ["x", "?", "m", ":", "+", "ENTER", "O", "Q", "_"]:
        model, wanted = press(playing(view), key, "?", "ESC", "ESC")
        assert model.top.state == "play"
        assert not any(isinstance(intent, client_effects.LeaveGame) for intent in wanted)


@pytest.mark.parametrize("key", ["x", "?", "m", "ENTER", "O", "_"])
def test_reading_while_held_tells_the_server(key: str) -> None:
    assert client_effects.SendMessage(Thinking()) in press(playing(pace=HELD), key)[1]
    assert client_effects.SendMessage(Thinking()) not in press(playing(), key)[1]


def test_without_choices_the_choice_says_why() -> None:
    model, wanted = press(playing(), "+")
    assert wanted == []
    assert "Nothing to choose now" in model.flash.text


def test_going_friend_travels_sight_climbs_depth() -> None:
    """Going to a friend travels in sight climbs to their depth or says why not."""
    here, width = level_view().cell, level_view().place.width
    assert [client_effects.SendCommand(Travel(here + 3 - width))] == press(
        playing(with_friend(1, here + 4)), "G"
    )[1]
    model, wanted = press(playing(with_friend(3)), "G")
    assert [type(intent.command) for intent in wanted if isinstance(intent, client_effects.SendCommand)] == [
        Travel
    ]
    assert model.flash.text.startswith("To Bert on depth 3, by the stairs")
    assert "you do not know where" in press(playing(with_friend(1)), "G")[0].flash.text
    assert "No other player" in press(playing(), "G")[0].flash.text


def test_going_friend_ends_beside_room() -> None:
    """Going to a friend ends beside them where there is room."""
    here, width = level_view().cell, level_view().place.width
    model, wanted = press(playing(with_friend(1, here + 1)), "G")
    assert (wanted, model.flash.text) == ([], "You are beside Bert.")

    view = with_friend(1, here + 4)
    rats = tuple(
        Creature(20 + at, cell, 3, 5, 1, CreatureFlag.HOSTILE, "r", "brown", "rat")
        for at, cell in enumerate((here + 3 - width, here + 3))
    )
    crowded = replace(view, creatures=(*view.creatures, *rats))
    assert [client_effects.SendCommand(Travel(here + 3 + width))] == press(playing(crowded), "G")[1]
    ground = bytearray(view.terrain)
    for cell in (here + 3 + by for by in (-width, 0, width)):
        ground[cell] = Terrain.TRAP
    trapped = replace(view, terrain=bytes(ground))
    assert [client_effects.SendCommand(Travel(here + 4 - width))] == press(playing(trapped), "G")[1]
    alone = replace(view, terrain=bytes([Terrain.WALL]) * len(ground))
    assert "There is no room beside Bert; wait until there is." in press(playing(alone), "G")[0].flash.text


def test_going_friend_offered_leads_anywhere() -> None:
    """Going to a friend is offered where it leads anywhere."""

    def offered(view: View) -> bool:
        wide = structs.replace(playing(view), surface=SurfaceFacts(size=(140, 40)))
        return "G to friend" in picture(wide).split("\n")[-1]

    here = level_view().cell
    assert offered(with_friend(1, here + 4))
    assert offered(with_friend(2))
    assert not offered(with_friend(1, here + 1))
    assert not offered(with_friend(1))
    assert not offered(level_view())


@pytest.mark.parametrize(
    ("tile", "down"), [(Terrain.STAIRS_DOWN, True), (Terrain.HOLE, True), (Terrain.EXIT, False)]
)
def test_the_way_down_is_offered_where_one_is_known(tile: Terrain, *, down: bool) -> None:
    def bottom(first: Terrain) -> str:
        ground = bytes([first]) + bytes([Terrain.FLOOR]) * (len(level_view().terrain) - 1)
        return picture(playing(replace(level_view(), terrain=ground))).split("\n")[-1]

    assert "> down" not in bottom(Terrain.FLOOR)
    assert ("> down" in bottom(tile)) == down


def test_menu_action_mark_or_key() -> None:
    """The menu does an action by its mark or its own key."""
    assert [client_effects.SendCommand(Explore(pick_up=True))] == press(playing(), "ENTER", "o")[1]
    assert [client_effects.SendCommand(Explore(pick_up=True))] == press(playing(), "ENTER", "ENTER")[1], (
        "what makes sense now stands first"
    )
    assert press(playing(), "ENTER", "O")[0].top.state == "options"


def test_options_change_at_once_and_are_kept() -> None:
    model, wanted = press(playing(), *to_option("keys"), "RIGHT")

    assert [client_effects.SetOptions(Options(keys="wasd"))] == wanted
    assert model.options.keys == "wasd"
    assert [client_effects.SendCommand(Move(-1, 0))] == press(press(model, "ESC")[0], "a")[1]


def test_escape_stops_a_plan() -> None:
    plan = Pace(held=False, waiting=False, plan=True)
    assert [client_effects.SendCommand(Stop())] == press(playing(pace=plan), "ESC")[1]


def test_nothing_is_sent_while_the_line_is_cut() -> None:
    model, _ = update(playing(), client_events.ConnectionLost("The connection is lost.", 0, 500), 0)

    assert press(model, "l")[1] == []
    assert "The connection is lost." in picture(model)


def test_cut_counted_cut_and_not_last_word_server() -> None:
    """A cut is counted from the cut and not from the last word of the server."""
    model, _ = update(
        playing(), client_events.ConnectionLost("The connection is lost.", 5_000, 10_200), 10_000
    )
    assert "No connection for 0 s; next try in 0 s. The connection is lost." in picture(model)

    model, _ = update(model, client_events.TimerFired(), 11_500)
    assert "No connection for 1 s" in picture(model)
    model, _ = update(model, client_events.ConnectionLost("The connection is lost.", 5_000, 12_400), 12_000)
    assert "No connection for 2 s" in picture(model)


def test_others_say_stands_log() -> None:
    """Chat of others stands in the log and refusals on the message line."""
    result = heard(
        ChatLine("Bert", "hello \x1b[31m"),
        Answer(1, "cannot", "A wall."),
        Answer(2, "replaced", "old"),
        Error("slow", "Wait."),
    )
    model, _ = update(playing(), result, 0)

    assert model.messages.entries[-1].text == "Bert: hello [31m"
    assert model.flash.text == "Wait."
    rows = picture(model).split("\n")
    assert next(row for row in rows if "Wait." in row).startswith("- Wait. ")
    assert "Wait." not in [entry.text for entry in model.messages.entries]


def test_notice_death_stands_below_attack() -> None:
    """The notice of a death stands below the attack that its view tells."""
    attacked = replace(level_view(), log=Log(0, (*level_view().log.lines, LogLine("kills", "ogre", "Bert"))))
    notice = ChatLine("", "Bert was killed by an ogre on depth 1.")
    result = heard(ChatLine("Cyd", "Run!"), ViewUpdate(Patch()), notice, view=attacked)
    model, _ = update(playing(), result, 0)

    newest = [entry.text for entry in model.messages.entries[-3:]]
    assert newest == ["Cyd: Run!", "The ogre kills Bert!", notice.text]


@pytest.mark.parametrize(
    ("reason", "text", "step"),
    [
        ("no_foe", "There is no foe in sight.", "o explores."),
        ("no_way", "You see no way to the rat.", "o explores further."),
    ],
)
def test_plan_could_not_begin_reported_message_line(reason: AnswerReason, text: str, step: str) -> None:
    """The message line says that a plan could not begin, and what to do instead."""
    before = playing()
    model, _ = update(before, heard(Answer(1, "ended", text, reason)), 0)

    assert model.flash.text == f"{text} {step}"
    assert model.messages.entries == before.messages.entries


def test_message_line_fades_after_three_keys() -> None:
    """The message line fades after three keys or five seconds."""
    model, _ = press(playing(), "+")
    again = press(model, "+")[0]
    assert "Nothing to choose now: a new level brings choices. x2" in picture(again)
    assert next_change_ms(model) == 5_000
    assert "Nothing to choose" in picture(update(model, client_events.TimerFired(), 4_999)[0])
    assert "Nothing to choose" not in picture(update(model, client_events.TimerFired(), 5_000)[0])
    assert "Nothing to choose" in picture(press(model, "h", "h")[0])
    assert "Nothing to choose" not in picture(press(model, "h", "h", "h")[0])


def test_a_notice_is_a_banner_until_it_is_taken_down() -> None:
    model, _ = update(playing(), heard(Notice("The disk is full.")), 0)
    assert picture(model).startswith(" ! The disk is full.")
    model, _ = update(model, heard(Notice("")), 0)
    assert "The disk is full." not in picture(model).split("\n")[0]


def test_the_welcome_is_reported_once() -> None:
    model = Model(screens=(Play(),), name="Ann")
    model, _ = update(model, heard(Welcome(1, "gloam", 2, 8)), 0)
    model, _ = update(model, heard(Welcome(1, "gloam", 2, 8)), 0)

    assert len([entry for entry in model.messages.entries if "Welcome" in entry.text]) == 1


def test_the_top_line_tells_the_pace() -> None:
    def top(pace: Pace, now_ms: int = 0) -> str:
        model, _ = update(playing(), heard(pace, pace=pace), 0)
        model, _ = update(model, client_events.TimerFired(), now_ms)
        return picture(model).split("\n")[0]

    waiting = Pace(held=True, waiting=True, plan=False, ms=1_900, for_names=("Bert",))
    assert "waiting for Bert, at most 2 s" in top(waiting)
    assert "waiting for Bert, at most 1 s" in top(waiting, 900)
    late = Pace(held=True, waiting=False, plan=False, ms=1_900, for_names=("Ann",))
    assert "they wait for you: 2 s" in top(late, 500)
    assert "your move" in top(HELD)
    assert "Esc stops" in top(Pace(held=False, waiting=False, plan=True))
    assert "at ease" in top(EASE)


def test_top_line_tells_friend_differs() -> None:
    """The top line tells of a friend only what differs."""

    def top(*friends: Friend) -> str:
        view = replace(level_view(), party=(*level_view().party, *friends))
        return picture(playing(view)).split("\n")[0]

    assert top(Friend("Bert", 1, 1, 4, CreatureFlag.PLAYER)).startswith("The upper caves with Bert  ")
    hurt = Friend("Cleo", 2, 3, 1, CreatureFlag.PLAYER | CreatureFlag.AWAY)
    assert "with Bert, Cleo (depth 2, L 3, badly hurt, away)" in top(Friend("Bert", 1, 1, 4, 1), hurt)


def test_unanswered_command_silent_line_reported_time() -> None:
    """An unanswered command and a silent line are shown in time."""
    model, _ = update(playing(), heard(since=0), 0)
    assert next_change_ms(model) == 3_000
    model, _ = update(model, client_events.TimerFired(), 2_999)
    assert "No answer" not in picture(model)
    model, _ = update(model, client_events.TimerFired(), 4_100)
    assert "No answer for 4 s." in picture(model)

    model, _ = update(playing(), client_events.TimerFired(), 8_500)
    assert "No answer for 8 s." in picture(model)
    assert next_change_ms(model) == 9_000


@pytest.mark.parametrize("names", [("Ann",), ("Bert",)])
def test_countdown_drawn_once_second(names: tuple[str, ...]) -> None:
    """A countdown is drawn again once a second and in whole seconds."""
    waits = Pace(held=True, waiting="Ann" not in names, plan=False, ms=3_700, for_names=names)
    model, _ = update(playing(), heard(waits, pace=waits), 0)
    shown = []
    while "4 s" in picture(model) or "3 s" in picture(model) or "2 s" in picture(model):
        shown.append((model.now_ms, picture(model).split("\n")[0]))
        due_ms = next_change_ms(model)
        assert due_ms is not None
        model, _ = update(model, client_events.TimerFired(), due_ms)

    assert [moment for moment, _ in shown] == [0, 700, 1_700]
    assert ["4 s" in shown[0][1], "3 s" in shown[1][1], "2 s" in shown[2][1]] == [True] * 3


def test_client_ease_sleeps_until_line_silent() -> None:
    """A client at ease sleeps until the line would be silent."""
    assert next_change_ms(playing()) == 8_000
    assert next_change_ms(Model(screens=(Title("Ann"),), options=Options(motion="reduced"))) is None


def test_coming_back_tells_for_how_long_one_was_away() -> None:
    model, _ = update(playing(), client_events.ConnectionRestored(7_200), 0)
    assert model.messages.entries[-1].text == "You were away 7 s."


def test_the_title_takes_a_name_and_begins() -> None:
    model = Model(screens=(Title("Wanderer"),))
    assert [client_effects.StartJoining("Wanderer")] == press(model, "ENTER")[1]
    assert [client_effects.StartJoining("Bert")] == press(model, *"Bert", "ENTER")[1]
    assert [client_effects.StartJoining("Wandere")] == press(model, "BACKSPACE", "ENTER")[1]
    model, wanted = press(model, "A", "ENTER")
    assert wanted == []
    assert "2 to 16" in picture(model)


def test_name_refused_leads_back_title_reason() -> None:
    """A name that is refused leads back to the title with the reason."""
    apple = Item(30, 0, 1, "%", "red", "apple")
    model, _ = update(
        playing(replace(level_view(), items=(apple,))), client_events.JoinFailed("The name is taken."), 0
    )
    assert model.top.state == "title"
    assert not model.floor_items
    assert "The name is taken." in picture(model)


def test_small_window_says_needs_and_recovers() -> None:
    """A small window says what it needs and recovers."""
    model, _ = update(playing(), client_events.Resized(43, 18), 0)
    assert "needs 44x20, now 43x18" in picture(model)
    assert press(model, "l")[1] == []
    model, _ = update(model, client_events.Resized(44, 20), 0)
    assert "HP 40/40" in picture(model)


def test_ctrl_z_suspends_wherever_one_is() -> None:
    assert [client_effects.Suspend()] == press(playing(), "CTRL_Z")[1]


def test_size_and_screen_drawn_without_fault() -> None:
    """Every size and every screen is drawn without a fault."""
    view = replace(with_friend(1, level_view().cell + 2), choices=("one", "two"))
    died, _ = update(playing(view), heard(Died("rat", 1, 1, 0, 0, 0, 0)), 0)
    screens = [playing(view), died, Model(screens=(Title("Ann"),))]
    screens += [press(playing(view), key)[0] for key in ["x", "_", "?", "m", ":", "+", "ENTER", "O", "Q"]]
    for model in screens:
        for width in (1, 14, 40, 43, 44, 45, 59, 60, 61, 79, 98, 250):
            for height in (1, 6, 19, 20, 21, 47, 100):
                resized, _ = update(model, client_events.Resized(width, height), 0)
                assert [len(row) for row in draw(resized).cells] == [width] * height


def test_smallest_size_hint_line_shows_at_least() -> None:
    """At the smallest size every hint line shows at least three keys."""
    view = replace(level_view(), choices=("one", "two"))
    for keys in [(), ("x",), ("m",), ("+",), ("ENTER",), ("O",), ("Q",), (":",), ("?",)]:
        model, _ = press(playing(view), *keys)
        model, _ = update(model, client_events.Resized(44, 20), 0)
        assert len(model.top.hints(model)) >= 3
        assert len(key_places(Rect(0, 19, 44, 1), model.top.hints(model))) >= 3
