"""Calls to other players: one key asks, the log shows them, and the map marks them for a while."""

import pytest
from msgspec import structs
from msgspec.structs import replace

from gloam_client.render.frame import next_change_ms
from gloam_client.screens.map.cursor import Cursor
from gloam_client.state import client_events
from gloam_client.state.client_effects import SendCommand, SendMessage
from gloam_client.state.model import Model
from gloam_client.update import update
from gloam_shared import limits
from gloam_shared.protocol.commands import Travel
from gloam_shared.protocol.messages.chat import MapPing, MapPinged
from gloam_shared.protocol.messages.play import Thinking
from gloam_shared.view.view import Friend, View
from support.client.fake_server import level_view
from support.client.model_in_play import HELD, heard, picture, playing, press

BERT = Friend("Bert", 1, 2, 4, 0)
HERE = level_view().cell


def in_company() -> View:
    return replace(level_view(), party=(BERT,))


def hearing(*calls: MapPinged) -> Model:
    return update(playing(in_company()), heard(*calls, view=in_company()), 1_000)[0]


def around(model: Model, cell: int) -> str:
    """Return what stands on a cell of the map and beside it."""
    y, x = divmod(cell - HERE + 1, level_view().place.width)
    rows = picture(model).splitlines()
    own = next(at for at, row in enumerate(rows) if "@" in row)
    left = rows[own].index("@") + x - 2
    return rows[own + y][left : left + 3]


@pytest.mark.parametrize(("key", "word"), [("c", "come"), ("d", "danger"), ("m", "mine"), ("t", "thanks")])
def test_one_key_after_p_calls_for_ones_own_cell(key: str, word: str) -> None:
    model, wanted = press(playing(in_company()), "p", key)
    assert wanted == [SendMessage(MapPing(word, 1, HERE))]  # type: ignore[arg-type]  # a word
    assert model.top.state == "play"


def test_esc_calls_nothing_and_another_key_says() -> None:
    """Esc calls nothing and another key says what there is."""
    model, wanted = press(playing(in_company()), "p", "x")
    assert (wanted, model.top.state) == ([], "call")
    assert press(model, "ESC")[0].top.state == "play"


def test_cursor_calls_cell_points() -> None:
    """The cursor calls for the cell that it points at."""
    model, wanted = press(playing(in_company()), "x", "l", "l", "p", "m")
    assert wanted == [SendMessage(MapPing("mine", 1, HERE + 2))]
    assert model.top.state == "play"


def test_a_lone_player_learns_no_one_would_hear() -> None:
    for keys in (("p",), ("x", "p")):
        model, wanted = press(playing(), *keys)
        assert wanted == []
        assert "You are alone in the dungeon" in model.flash.text


def test_call_reported_place_and_marked() -> None:
    """The log shows a call with its place, and the map marks the place."""
    model = hearing(MapPinged("Bert", "danger", 1, HERE + 3))
    assert model.messages.entries[-1].text == "Bert pings: danger! 3 steps east."
    assert around(model, HERE + 3)[0::2] == "XX"
    assert around(press(model, "x")[0], HERE + 3)[0::2] == "XX", "under the cursor's screen too"


def test_the_mark_goes_when_its_time_is_over() -> None:
    model = hearing(MapPinged("Bert", "come", 1, HERE + 3))
    last = 1_000 + limits.CALL_SHOWN_S * 1_000 - 1
    assert around(update(model, client_events.TimerFired(), last)[0], HERE + 3)[0::2] == "--"
    assert around(update(model, client_events.TimerFired(), last + 1)[0], HERE + 3)[0::2] != "()"


def test_call_another_level_reported() -> None:
    """The log shows a call from another level, and the map has no mark."""
    model = hearing(MapPinged("Bert", "come", 3, HERE + 3))
    assert model.messages.entries[-1].text == "Bert pings: come here! On depth 3."
    assert picture(model).count("(") == picture(playing(in_company())).count("(")


def test_ones_own_call_is_reported_as_such() -> None:
    assert hearing(MapPinged("Ann", "thanks", 1, HERE)).messages.entries[-1].text == "You ping: thanks!"


def test_what_a_server_calls_out_of_shape_does_no_harm() -> None:
    model = hearing(MapPinged("\x1b[2JBert", "new\x07word", 1, 65_535))
    assert model.messages.entries[-1].text == "[2JBert pings: newword"
    picture(model)


def test_thanks_are_for_no_place_and_take_no_mark_away() -> None:
    thanks = MapPinged("Bert", "thanks", 1, HERE + 3)
    model = hearing(thanks)
    assert model.messages.entries[-1].text == "Bert pings: thanks!"
    assert around(model, HERE + 3) == around(playing(in_company()), HERE + 3)
    assert press(model, "x", "TAB")[0].top == press(playing(in_company()), "x", "TAB")[0].top
    assert around(hearing(MapPinged("Bert", "danger", 1, HERE + 3), thanks), HERE + 3)[0::2] == "XX"


def test_word_newer_server_reported_and_marked_any() -> None:
    """The client shows an unknown word of a newer server, and marks it like others."""
    model = hearing(MapPinged("Bert", "treasure", 1, HERE + 3))
    assert model.messages.entries[-1].text == "Bert pings: treasure 3 steps east."
    assert around(model, HERE + 3)[0::2] == "--"


def test_what_cannot_be_called_now_is_reported() -> None:
    asking, _ = press(playing(in_company()), "p")
    below = replace(in_company(), place=replace(level_view().place, depth=2))
    for model, words in (
        (
            update(asking, client_events.ConnectionLost("The connection is lost.", 0, 200), 0)[0],
            "until it is back",
        ),
        (update(asking, heard(view=below), 0)[0], "on another level now"),
        (
            update(asking, heard(MapPinged("Ann", "come", 1, HERE), view=in_company()), 0)[0],
            "You have just pinged that",
        ),
    ):
        after, wanted = press(model, "c")
        assert wanted == []
        assert words in after.flash.text
        assert after.top.state == "play"


def test_call_meant_reported_seen_come() -> None:
    """The log describes the place of a call from the player's present cell."""
    below = replace(in_company(), place=replace(level_view().place, depth=2))
    model, _ = update(playing(in_company()), heard(MapPinged("Bert", "come", 2, HERE + 3), view=below), 0)
    assert model.messages.entries[-1].text == "Bert pings: come here! 3 steps east."


def test_call_fight_keeps_friends_waiting() -> None:
    """A call in a fight keeps the friends waiting as any question does."""
    assert SendMessage(Thinking()) in press(playing(in_company(), HELD), "p")[1]


def test_picture_changes_when_mark_goes() -> None:
    """The picture changes by itself when a mark goes."""
    model, _ = update(hearing(MapPinged("Bert", "come", 1, HERE + 3)), client_events.TimerFired(), 20_500)
    assert next_change_ms(model) == 1_000 + limits.CALL_SHOWN_S * 1_000


def test_the_cursor_jumps_to_a_call_first() -> None:
    model, _ = press(hearing(MapPinged("Bert", "come", 1, HERE - 4)), "x", "TAB")
    assert isinstance(model.top, Cursor)
    assert model.top.cell == HERE - 4


def test_g_leads_friend_called_sight() -> None:
    """G leads to where a friend called who is out of sight."""
    width = level_view().place.width
    model = hearing(MapPinged("Bert", "come", 1, HERE + 4))
    assert press(model, "G", now_ms=2_000)[1] == [SendCommand(Travel(HERE + 3 - width))]
    late = 1_000 + limits.CALL_SHOWN_S * 1_000
    assert press(model, "G", now_ms=late)[1] == press(model, "G", now_ms=2_000)[1]
    for silent, now_ms in (
        (hearing(MapPinged("Bert", "thanks", 1, HERE + 4)), 2_000),
        (hearing(MapPinged("Ann", "come", 1, HERE + 4)), 2_000),
        (hearing(MapPinged("Bert", "come", 2, HERE + 4)), 2_000),
        (hearing(MapPinged("Bert", "come", 1, 65_535)), 2_000),
    ):
        after, wanted = press(silent, "G", now_ms=now_ms)
        assert wanted == []
        assert "you do not know where" in after.flash.text
    beside = hearing(MapPinged("Bert", "come", 1, HERE + 1))
    assert press(beside, "G", now_ms=2_000)[0].flash.text == "You are beside where Bert called."


def test_stands_beside_call_not_covered_mark() -> None:
    """A creature beside a call is not covered by its mark."""
    view = in_company()
    bert = replace(view.creatures[0], cell=HERE + 2, name="Bert", handle=9)
    model = structs.replace(
        hearing(MapPinged("Bert", "danger", 1, HERE + 3)),
        view=replace(view, creatures=(*view.creatures, bert)),
    )
    assert around(model, HERE + 3)[0::2] == "@X"
