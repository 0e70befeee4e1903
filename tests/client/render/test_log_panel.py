"""The log below or beside the map."""

import pytest
from msgspec import structs
from msgspec.structs import replace

from gloam_client.render.layout import layout
from gloam_client.render.panels.log_panel import TONES, draw_log
from gloam_client.render.repeated_lines import collapse_repeats
from gloam_client.state import client_events
from gloam_client.state.model import Blow, Entry, Model, show_flash
from gloam_client.terminal.canvas import Canvas, Rect
from gloam_client.update import update
from gloam_shared.protocol.commands import Fight
from gloam_shared.protocol.messages.chat import ChatLine
from gloam_shared.view.view import Log, LogLine
from support.client.aiming_views import ready
from support.client.fake_server import level_view
from support.client.model_in_play import heard, picture, playing, press

AREA = Rect(0, 0, 40, 5)


def bright(model: Model) -> dict[str, bool]:
    """Return the rows of the log that hold words, and whether they are bright."""
    canvas = Canvas(AREA.width, AREA.height)
    draw_log(canvas, AREA, model)
    rows = enumerate(canvas.rows())
    return {row.strip(": ."): canvas.cells[y][2][1].bold for y, row in rows if row.strip()}


def said(model: Model, *texts: str) -> Model:
    return update(model, heard(*(ChatLine("Bert", text) for text in texts)), 0)[0]


@pytest.mark.rule("RG.27")
def test_what_came_since_the_last_key_is_bright() -> None:
    model = said(press(said(playing(), "old"), "ESC")[0], "new", "newer")
    bright_rows = bright(model)
    assert (bright_rows["Bert: old"], bright_rows["Bert: new"], bright_rows["Bert: newer"]) == (
        False,
        True,
        True,
    )


@pytest.mark.rule("RG.27")
def test_a_line_that_folds_with_an_older_one_is_bright() -> None:
    model = said(press(said(playing(), "again"), "h")[0], "again")
    assert bright(model)["Bert: again x2"]


@pytest.mark.rule("RG.27")
def test_long_lines_are_wrapped() -> None:
    bright_rows = bright(said(playing(), "word " * 14))
    assert len([row for row in bright_rows if "word word" in row]) == 2


def doors(times: int) -> tuple[Entry, ...]:
    return (Entry("Bert opens a door.", "plain"), Entry("Bert closes a door.", "plain")) * times


def texts(entries: tuple[Entry, ...], count: int | None = None) -> list[str]:
    return [entry.text for entry in collapse_repeats(entries, count)]


@pytest.mark.rule("A59")
def test_a_door_flapping_takes_two_log_lines() -> None:
    """A door that opens and closes again and again takes two lines of others' logs."""
    before, after = Entry("You wait.", "plain"), Entry("A rat comes.", "plain")
    assert texts((before, *doors(40), after)) == [
        "You wait.",
        "Bert opens a door. x40",
        "Bert closes a door. x40",
        "A rat comes.",
    ]
    assert texts((before, *doors(40)), 3)[0] == "You wait."


@pytest.mark.rule("A59")
@pytest.mark.parametrize(("times", "lines"), [(1, 2), (2, 4), (3, 2), (4, 2)])
def test_two_lines_turns_folded_third_time(times: int, lines: int) -> None:
    """Two alternating lines are collapsed from the third time on."""
    assert len(texts(doors(times))) == lines


@pytest.mark.rule("A59")
def test_one_line_again_and_again_is_one() -> None:
    again = (Entry("You push against the rock.", "refused"),) * 50
    assert texts(again) == ["You push against the rock. x50"]
    assert texts((*doors(3), *again), 1) == ["You push against the rock. x50"]
    assert texts((*doors(3), *again), 2) == ["Bert closes a door. x3", "You push against the rock. x50"]


def came_back(model: Model, *seconds: int) -> Model:
    for away_s in seconds:
        model, _ = update(model, client_events.ConnectionRestored(away_s * 1_000), 0)
    return model


@pytest.mark.rule("A59")
def test_absences_in_a_row_are_one_line() -> None:
    """U27: a bad connection does not fill the log, although each absence lasts another time."""
    model = came_back(playing(), 3, 1, 8)
    assert texts(model.messages.entries)[-1:] == ["You were away 3 times, 12 s in all."]
    model = came_back(said(model, "hello"), 4)
    assert texts(model.messages.entries)[-3:] == [
        "You were away 3 times, 12 s in all.",
        "Bert: hello",
        "You were away 4 s.",
    ]


@pytest.mark.rule("A52")
def test_player_speaking_like_server_drawn_player() -> None:
    """Not even where the words begin a row of their own: the mark of the server's lines stands in no such row."""
    server_mark, server_style = TONES["urgent"]
    for padding in range(AREA.width + 1):
        model = said(playing(), "x" * padding + " *** Server: the realm is reset " * 2)
        canvas = Canvas(AREA.width, AREA.height)
        draw_log(canvas, AREA, model)
        rows = list(canvas.rows())
        first = next(y for y, row in enumerate(rows) if "Bert: " in row)
        assert rows[first].startswith(": Bert: ")
        for y in range(first, AREA.height):
            mark = canvas.cells[y][0][0]
            names = {style.color for char, style in canvas.cells[y][2:] if char != " "}
            assert mark != server_mark
            assert server_style.color not in names


@pytest.mark.rule("A52")
def test_no_name_is_that_of_the_server() -> None:
    model = update(playing(), heard(ChatLine("", "The host says: hello")), 0)[0]
    assert model.messages.entries[-1] == Entry("The host says: hello", "urgent")
    assert update(playing(), heard(ChatLine("Server", "hello")), 0)[0].messages.entries[-1].tone == "chat"


def exchange(turn: int, dealt: int, taken: int) -> tuple[Entry, Entry]:
    return (
        Entry(
            f"You strike the rat for {dealt} damage!", "fight", turn, Blow("the rat", mine=True, damage=dealt)
        ),
        Entry(
            f"The rat strikes you for {taken} damage!",
            "hurt",
            turn,
            Blow("the rat", mine=False, damage=taken),
        ),
    )


def test_blows_exchanged_fold_but_newest() -> None:
    """Blows that are exchanged fold, except the newest."""
    fight = (*exchange(1, 4, 3), *exchange(2, 5, 0), *exchange(3, 4, 2), *exchange(4, 6, 1))
    assert texts(fight) == [
        "You trade blows with the rat: 13 dealt, 5 taken (x3)",
        "You strike the rat for 6 damage!",
        "The rat strikes you for 1 damage!",
    ]
    assert texts((*exchange(1, 4, 3), *exchange(2, 5, 0)))[0] == "You strike the rat for 4 damage!"
    assert texts((*fight, Entry("You kill the rat!", "fight", 5)))[0].endswith("19 dealt, 6 taken (x4)")


def test_lines_of_the_server_know_who_strikes_who() -> None:
    model = playing()
    lines: tuple[LogLine, ...] = ()
    for dealt in (4, 5, 6):
        model = update(model, client_events.CommandSent(Fight(), 0), 0)[0]
        lines = (*lines, LogLine("strikes", "you", "rat", dealt), LogLine("misses", "rat", "you"))
        model = update(model, heard(view=replace(level_view(), log=Log(10, lines))), 0)[0]
    assert texts(model.messages.entries)[-3:] == [
        "You trade blows with the rat: 9 dealt, 0 taken (x2)",
        "You strike the rat for 6 damage!",
        "The rat misses you.",
    ]


def test_a_thin_mark_stands_where_a_turn_begins() -> None:
    canvas = Canvas(AREA.width, AREA.height)
    entries = (Entry("One.", "plain", 1), Entry("Two.", "plain", 1), Entry("Three.", "fight", 2))
    draw_log(
        canvas,
        AREA,
        structs.replace(base := playing(), messages=structs.replace(base.messages, entries=entries, fresh=1)),
    )
    assert [row.rstrip() for row in canvas.rows()][:3] == ["  One.", "  Two.", "*|Three."]


@pytest.mark.parametrize("size", [(44, 20), (60, 20), (80, 24), (120, 40)])
@pytest.mark.parametrize("keys", ["?", "i", "m", "/", ":", "x"])
def test_the_message_line_covers_no_open_window(keys: str, size: tuple[int, int]) -> None:
    """A message over an open window, or over a typed line, stands where the log is."""
    opened = structs.replace(
        base := press(playing(ready()), *keys)[0], surface=structs.replace(base.surface, size=size)
    )
    assert opened.top.state != "play"
    shown = show_flash(opened, "Nothing of the kind. " * 4, "refused")
    area = layout(*size).map
    before, after = (
        [row[area.x : area.width] for row in picture(model).split("\n")[area.y : area.y + area.height]]
        for model in (opened, shown)
    )
    assert before == after
    assert "Nothing of the kind." in picture(shown)


def test_u35_each_tone_has_a_mark_of_its_own() -> None:
    """U35: any two tones of the log differ by their marks, not by their colors alone."""
    marks = [mark for mark, _ in TONES.values()]
    assert len(set(marks)) == len(marks)
