"""The ladder in memory: orders, spans, own rank, parties, and its bounds."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from gloam_server.engine.ladder.ladder import RealmLadder
from gloam_server.engine.ladder.ranking import KEYS, begins_s
from gloam_server.storage.directory import Death
from gloam_shared import limits
from gloam_shared.protocol.messages.records import AskLadder, Ladder

NOW_S = int(datetime(2026, 11, 24, 13, tzinfo=UTC).timestamp())
DAY_S = 86_400


def life(number: int, name: str = "Anna", **facts: int | bool | str) -> Death:
    """Return an ended life of now, with these facts."""
    plain = Death(1, name, "a rat", 1, 1, 0, 10, NOW_S, number, number)
    return replace(plain, **facts)  # type: ignore[arg-type]  # fields of its own


def board(ladder: RealmLadder, ask: AskLadder | None = None) -> Ladder:
    return ladder.board(ask or AskLadder(), NOW_S, "gloam", "ab12", 9)


LIVES = [
    life(1, "Anna", deepest=9, level=2, kills=3, turns=500),
    life(2, "Bert", deepest=4, level=11, kills=90, turns=9_000, at_s=NOW_S - 2 * DAY_S),
    life(3, "Cleo", deepest=27, level=9, kills=50, turns=4_000, wins=1, won=True, at_s=NOW_S - 100 * DAY_S),
    life(4, "Dora", deepest=27, level=8, kills=40, turns=3_000, wins=1, won=True),
    life(5, "Anna", title="Anna II", deepest=1, level=1, kills=0, turns=20),
]
"""Two of them ended before this day, one of these before this season."""


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("depth", ["Cleo", "Dora", "Anna", "Bert", "Anna II"]),
        ("level", ["Bert", "Cleo", "Dora", "Anna", "Anna II"]),
        ("kills", ["Bert", "Cleo", "Dora", "Anna", "Anna II"]),
        ("victory", ["Dora", "Cleo"]),
        ("turns", ["Bert", "Cleo", "Dora", "Anna", "Anna II"]),
    ],
)
def test_each_order_ranks_its_own_best(order: str, expected: list[str]) -> None:
    """U50: depth, level, kills, victories (the quickest first) and turns."""
    ladder = RealmLadder(LIVES[:2])
    ladder.add(LIVES[2:])
    shown = board(ladder, AskLadder(order=order))  # type: ignore[arg-type]  # one of the orders
    assert [row.name for row in shown.rows] == expected
    assert [row.rank for row in shown.rows] == list(range(1, len(expected) + 1))
    assert shown.lives == len(expected)


@pytest.mark.parametrize(
    ("span", "expected"),
    [("all", 5), ("season", 4), ("day", 3), ("party", 3)],
)
def test_each_span_has_its_own_lives(span: str, expected: int) -> None:
    """U50: all time, the quarter of the year, the day, and the party."""
    shown = board(RealmLadder(LIVES), AskLadder(span, party=("anna", "DORA")))  # type: ignore[arg-type]
    assert shown.lives == len(shown.rows) == expected


def test_day_and_season_begin_by_utc() -> None:
    def moment(year: int, month: int, day: int, hour: int = 0) -> int:
        return int(datetime(year, month, day, hour, tzinfo=UTC).timestamp())

    assert begins_s("day", NOW_S) == moment(2026, 11, 24)
    assert begins_s("season", NOW_S) == moment(2026, 10, 1)
    assert begins_s("season", moment(2027, 3, 31, 23)) == moment(2027, 1, 1)
    assert begins_s("all", NOW_S) == begins_s("party", NOW_S) == 0


def test_the_own_rank_is_told_beyond_the_shown_rows() -> None:
    """U50: the own best life has its rank, however many are better."""
    others = [
        life(number, "Bert", deepest=9, turns=number) for number in range(1, limits.LADDER_SHOWN_MAX + 8)
    ]
    ladder = RealmLadder([*others, life(900, "Anna", deepest=3), life(901, "Anna", deepest=2)])
    shown = board(ladder, AskLadder(name="ANNA"))
    assert len(shown.rows) == limits.LADDER_SHOWN_MAX
    assert shown.own is not None
    assert (shown.own.rank, shown.own.depth, shown.lives) == (len(others) + 1, 3, len(others) + 2)
    assert board(ladder, AskLadder(name="Cleo")).own is None


def test_a_life_stands_once_whatever_is_told() -> None:
    ladder = RealmLadder(LIVES)
    ladder.add([replace(LIVES[0], level=7)])
    assert len(ladder) == len(LIVES)
    assert [row.level for row in board(ladder).rows if row.name == "Anna"] == [7]


def test_the_newest_and_the_best_are_kept() -> None:
    """bound: NEWEST_KEPT, BEST_KEPT, SLACK. What is neither new nor among the best of an order goes."""
    ladder = RealmLadder(newest_kept=10, best_kept=2, slack=5)
    ladder.add([life(1, "Hero", deepest=20), life(2, "Sage", level=30)])
    ladder.add(life(number, turns=1, deepest=1) for number in range(3, 28))
    assert ladder.drop_excess() == []
    ladder.add([life(28)])
    gone = ladder.drop_excess()
    assert len(ladder) == 28 - len(gone) <= 10 + len(KEYS) * 2
    assert {1, 2} | set(range(19, 29)) <= set(range(1, 29)) - set(gone)
    assert board(ladder).rows[0].name == "Hero"
    assert ladder.drop_excess() == []
