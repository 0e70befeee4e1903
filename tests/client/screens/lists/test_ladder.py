"""The ladder in the client: boards by two keys, the own rank immediately, and hostile text drawn safely."""

import pytest
from msgspec.structs import replace as changed

from gloam_client.render.panels.ladder_table import board_words, day, own_line, table
from gloam_client.screens.lists.ladder import LadderScreen
from gloam_client.state import client_events
from gloam_client.state.client_effects import AskBoard, ClientEffect, SendMessage
from gloam_client.state.model import Model, Push, apply_change
from gloam_client.state.players.ladder import LadderOwner
from gloam_client.update import update
from gloam_client.user_files.address import Address
from gloam_shared.protocol.messages.lives import Died
from gloam_shared.protocol.messages.login import Welcome
from gloam_shared.protocol.messages.records import ORDERS, SPANS, AskLadder, Ladder, LadderRow
from gloam_shared.text import cells
from support.client.aiming_views import ready
from support.client.frames import WINDOW_SIZES
from support.client.model_in_play import heard, picture, playing, press

AT_S = 1_795_521_600
"""The evening of November 24, 2026."""
CYD = LadderRow(1, "Cyd", 31, 28, 900, 90_000, 1, True, "slaying the Gloam", AT_S)
ANN = LadderRow(2, "Ann II", 4, 3, 12, 800, 0, False, "kobold", AT_S)
TERMS = ("gloam", "a1b2c3d4e5f6", 12)


def board(*rows: LadderRow, span: str = "all", order: str = "depth", own: LadderRow | None = None) -> Ladder:
    return Ladder(span, order, *TERMS, AT_S if span == "day" else 0, len(rows), rows, own)


def able(*further: str) -> Model:
    """Return a model of play on a server that has a ladder."""
    abilities = frozenset({"ladder", *further})
    return changed(base := playing(ready()), world=changed(base.world, abilities=abilities))


def opened(*boards: Ladder) -> Model:
    return update(press(able(), "#")[0], heard(*boards), 0)[0]


def questions(wanted: list[ClientEffect]) -> list[AskLadder]:
    """Return the boards that effects ask the server for."""
    messages = [each.message for each in wanted if isinstance(each, SendMessage)]
    return [each for each in messages if isinstance(each, AskLadder)]


@pytest.mark.parametrize("size", WINDOW_SIZES)
def test_the_own_rank_is_shown_at_once(size: tuple[int, int]) -> None:
    """U50: # asks for the board of all time, and the first answer shows the own rank above the lives."""
    model, wanted = press(able(), "#")
    assert wanted == [SendMessage(AskLadder("all", "depth", "Ann"))]
    assert "Asking the server..." in picture(model)
    shown = picture(
        changed(base := opened(board(CYD, ANN, own=ANN)), surface=changed(base.surface, size=size))
    )
    assert [len(row) for row in shown.split("\n")] == [size[0]] * size[1]
    assert "Ann II: rank 2 of 2, level 4, depth 3" in shown
    assert "[all time]  season  today  party" in shown
    assert "by [depth]  level  kills  victories" in shown
    assert shown.index("Cyd") < shown.rindex("Ann II")


def test_a_wide_screen_says_how_each_life_ended() -> None:
    shown = picture(changed(base := opened(board(CYD, ANN)), surface=changed(base.surface, size=(160, 40))))
    assert "won by slaying the Gloam" in shown
    assert "killed by a kobold" in shown
    assert "2026-11-24" in shown
    assert "gloam, rules 12, content a1b2c3d4e5f6." in shown
    assert "No life of Ann is on this board (2 lives)." in shown


def test_keys_lead_through_every_board() -> None:
    """U50: left and right change the span, Tab the order; each board is asked for once."""
    model = update(press(able("beacons"), "#")[0], heard(board(CYD)), 0)[0]
    asked = []
    for key in [*["TAB"] * len(ORDERS), "RIGHT"] * len(SPANS):
        model, wanted = press(model, key)
        for question in questions(wanted):
            asked.append((question.span, question.order))
            answer = board(CYD, span=question.span, order=question.order)
            model, _ = update(model, heard(answer), 0)
    assert sorted([*asked, ("all", "depth")]) == sorted((span, order) for span in SPANS for order in ORDERS)
    back, wanted = press(model, "TAB", "LEFT", "SHIFT_TAB", "RIGHT")
    assert (back.top, wanted) == (model.top, [])


def test_lit_beacons_have_a_column_where_there_are_any() -> None:
    lit = LadderRow(1, "Cyd", 31, 28, 900, 90_000, 1, False, "orc", AT_S, 3)
    head, [line] = table(board(lit))
    assert "Wins  Lit  Day" in head
    assert "  1    3  2026" in line
    assert "Lit" not in table(board(CYD, ANN))[0]


def test_a_realm_without_beacons_has_no_board_of_them() -> None:
    asked = [
        question.order
        for keys in range(1, len(ORDERS))
        for question in questions(press(opened(board(CYD)), *["TAB"] * keys)[1])
    ]
    assert set(ORDERS) - {"depth", *asked} == {"beacons"}
    assert "beacons lit" not in picture(opened(board(CYD)))


def test_the_party_board_names_the_party() -> None:
    model, wanted = press(opened(board(CYD)), "LEFT")
    [question] = questions(wanted)
    assert question.span == "party"
    assert question.party == ("Ann", *(friend.name for friend in model.friends))
    knows = changed(
        base := opened(board(CYD)), world=changed(base.world, abilities=frozenset({"ladder", "parties"}))
    )
    [question] = questions(press(knows, "LEFT")[1])
    assert (question.span, question.party) == ("party", ())
    party = update(model, heard(board(ANN, span="party", own=ANN)), 0)[0]
    assert "[party]" in picture(party)
    assert "rank 2" in picture(party)


def test_again_asks_again_and_esc_leads_back() -> None:
    model, wanted = press(opened(board()), "r")
    assert len(wanted) == 1
    assert "No life has ended here yet." in picture(model)
    assert press(model, "DOWN", "PGDN", "UP", "PGUP")[0].top.state == "ladder"
    assert press(model, "#")[0].top.state == press(model, "ESC")[0].top.state == "play"


def test_a_long_board_scrolls() -> None:
    rows = tuple(LadderRow(rank, f"N{rank}", 1, 1, 0, 9, 0, False, "rat", AT_S) for rank in range(1, 51))
    model = changed(base := opened(board(*rows)), surface=changed(base.surface, size=(60, 20)))
    assert "N50" not in picture(model)
    assert "N50" in picture(press(model, "UP")[0])
    assert "N9" in picture(press(model, "PGDN")[0])


def test_the_dead_read_the_ladder() -> None:
    model = update(able(), heard(Died("rat", 1, 1, 0, 5, 0, 7)), 0)[0]
    model, wanted = press(model, "#")
    assert wanted == [SendMessage(AskLadder("all", "depth", "Ann"))]
    assert press(model, "ESC")[0].top.state == "dead"


def test_after_the_one_life_nothing_offers_another() -> None:
    """In a seed of the day the end names no heir and no keepsake."""
    model, _ = update(able(), client_events.JoinStarted("Ann", "", one_life=True), 0)
    died = Died("rat", 1, 1, 0, 5, 0, 7, keepsakes=("dagger",))
    shown = picture(update(model, heard(died), 0)[0])
    assert "the one life in the seed of the day" in " ".join(shown.split())
    assert "new life" not in shown
    assert "dagger" not in shown
    again, _ = update(model, client_events.JoinStarted("Ann", ""), 0)
    assert "dagger" in picture(update(again, heard(died), 0)[0])


def test_an_older_server_is_not_asked() -> None:
    model, wanted = press(playing(ready()), "#")
    assert not any(isinstance(each, SendMessage) for each in wanted)
    assert "This server is older and keeps no ladder; its host can upgrade it." in picture(model)


def test_another_server_has_other_boards() -> None:
    model = opened(board(CYD))
    model, _ = update(model, heard(Welcome(2, "arena", 1, 9, abilities=("ladder",))), 0)
    assert not model.records.ladder.boards


@pytest.mark.rule("A47")
@pytest.mark.rule("A50")
@pytest.mark.parametrize("size", [(60, 20), (200, 60)])
def test_hostile_ladder_entries_are_drawn_safely(size: tuple[int, int]) -> None:
    """A47, A50, A73: escapes, wide, endless and empty text, and numbers beyond any calendar."""
    hostile = [
        LadderRow(
            2**31 - 1,
            "\x1b[2J\x07",
            2**31 - 1,
            2**31 - 1,
            2**31 - 1,
            2**31 - 1,
            1,
            True,
            "漢" * 900,
            2**53 - 1,
        ),
        LadderRow(0, "x" * 1_024, 0, 0, 0, 0, 0, False, "", 0),
        LadderRow(1, "\u202eevil", 1, 1, 1, 1, 1, False, "{0.__class__}\x9b31m", 1),
    ]
    model = opened(
        Ladder("all", "depth", "\x1b]0;x\x07", "\x00" * 1_024, 1, 2**53 - 1, 3, tuple(hostile), hostile[0])
    )
    for row in picture(changed(model, surface=changed(model.surface, size=size))).split("\n"):
        assert cells(row) == size[0]
        assert row.isprintable()
    assert update(model, heard(Ladder("new", "other", *TERMS)), 0)[0].records.ladder == model.records.ladder
    texts = "\n".join(
        [board_words(board(*hostile)), own_line(board(own=hostile[1]), "\x1b[A"), *table(board(*hostile))[1]]
    )
    assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(texts)
    assert max(map(len, texts.split("\n"))) < 400


def test_days_are_those_of_utc() -> None:
    assert [day(0), day(AT_S), day(2**53 - 1)] == ["1970-01-01", "2026-11-24", "?"]


def test_the_ladder_of_a_place_is_asked_elsewhere() -> None:
    """From the title a board is asked for without a login; a fault is shown in its place."""
    owner = LadderOwner(Address("play.example.org"))
    model = apply_change(able(), Push(LadderScreen("Ann", owner)))
    model, wanted = press(model, "RIGHT")
    assert wanted == [AskBoard(owner, AskLadder("season", "depth", "Ann"))]
    assert "Ladder of play.example.org" in picture(model)
    failed, _ = update(model, client_events.LadderReceived(owner, "No route."), 0)
    assert "No route." in picture(failed)
    came, _ = update(failed, client_events.LadderReceived(owner, board(CYD, span="season")), 0)
    assert "Cyd" in picture(came)
    assert "party" not in picture(came)


@pytest.mark.parametrize("size", WINDOW_SIZES)
def test_a_board_of_several_dungeons_names_them(size: tuple[int, int]) -> None:
    """Each life has its dungeon beside its name, where there is room; the foot says how many there are."""
    rows = [changed(CYD, dungeon="cellar"), changed(ANN, dungeon="a\x1b[2Jttic")]
    model = opened(changed(board(*rows), dungeons=("attic", "cellar")))
    shown = picture(changed(model, surface=changed(model.surface, size=size)))
    assert "\x1b" not in shown
    if size[0] >= 80:
        assert "2 dungeons. gloam, rules 12" in shown
        assert "Dungeon" in shown
        assert "cellar" in shown
    assert "Dungeon" not in picture(opened(board(CYD, ANN)))


def test_the_end_of_a_life_has_room_or_is_left_out() -> None:
    """Other columns give way to it; a stump such as "was.." says nothing, and is left out for them."""
    fourth = changed(ANN, name="Dorotheathenorth the fourth", depth=2_027, turns=904_880)
    head, lines = table(board(CYD, fourth), 76)
    assert head.split() == ["#", "Name", "Level", "Depth", "End"]
    assert lines[1].endswith("  killed by a kobold")
    head, lines = table(board(CYD, fourth), 56)
    assert head.split() == ["#", "Name", "Level", "Depth", "Kills"]
    assert cells(head) <= 56
    assert table(board(CYD, ANN), 40)[0].split() == ["#", "Name", "Level", "Depth", "End"]
