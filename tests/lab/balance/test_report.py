"""The summary and the table: counted by hand."""

import pytest

from gloam_lab.balance.half_hour import HalfHour
from gloam_lab.balance.report import table
from gloam_lab.balance.run_stats import (
    BANDS,
    AttackCounts,
    Choices,
    DepthCounts,
    FirstChoices,
    Life,
    RunStats,
)
from gloam_lab.balance.runs import Batch, play, realm_seed
from gloam_lab.balance.summary import STARVATION, summarise

SERIES = Batch("jsrogue", 2, 2, 1, 400)
TALES = [
    RunStats(
        lives=[Life(3, 4, 900, 12, "died", "kobold"), Life(6, 9, 4_000, 60, "won")],
        felled_by_players=72,
        players_felled=1,
        learned=2,
        rise=1,
        bands=[AttackCounts(dealt=7, felled=2, taken=3, lost=400), *(AttackCounts() for _ in BANDS[1:])],
        met=["kobold"],
    ),
    RunStats(lives=[Life(1, 1, 500, 0, "died", "starvation"), Life(2, 2, 700, 5, "alive")], met=["bat"]),
]


def test_a_summary_counts_lives_deaths_and_blows() -> None:
    summary = summarise(TALES)
    assert (summary.lives, summary.realms, summary.won, summary.alive, summary.starved) == (4, 2, 1, 1, 1)
    assert (summary.depth.lower, summary.depth.median, summary.depth.upper, summary.depth.most) == (
        1,
        2,
        3,
        6,
    )
    assert summary.causes == (("kobold", 1), ("starvation", 1))
    assert (summary.mourning, summary.schooled) == (2, 500)
    assert (summary.to_kill, summary.to_die) == (350, 750)
    assert summary.survivors == (4, 3, 2, 1, 1, 1)
    assert "starvation" in STARVATION


def test_one_siege_does_not_decide_hits_until_death() -> None:
    """A realm with most of the hits of a band counts with a fiftieth of them."""
    usual = [RunStats(lives=[Life()], bands=_first_band(taken=8, lost=1_000)) for _ in range(99)]
    siege = RunStats(lives=[Life()], bands=_first_band(taken=900, lost=30_000))
    assert summarise([*usual, siege]).bands[0].to_die == 824, "8 without the siege"


def _first_band(taken: int, lost: int) -> list[AttackCounts]:
    return [AttackCounts(taken=taken, lost=lost), *(AttackCounts() for _ in BANDS[1:])]


def test_half_an_hour_is_told_in_2000_turns() -> None:
    """Two styles that take the same half of the time differ in half of their level-up choices, and here in all gear; each kit is a choice."""
    stats = RunStats(
        lives=[Life(kit="slinger"), Life(kit="warden")],
        depths=[DepthCounts(turns=4_000)],
        grown_met=24,
        named_met=3,
        growth_read=5,
        choices=Choices(
            taken={"fighter": {"cleave": 4, "leap": 4}, "mage": {"memory": 4, "leap": 4}},
            gear={"fighter": {"axe": 2}, "mage": {"staff": 2}},
            first=FirstChoices(turns=1_000, kits=1, options=2, gear=1),
        ),
    )
    summary = summarise([stats])
    assert summary.growth.half_hour == HalfHour(
        grown=1_200, named=150, read=250, choices=1_100, gear=200, apart=700, first=800
    )
    rows = table(SERIES, "gloam", summary, ()).splitlines()
    assert "  choices                       11.00" in rows
    assert "    of them gear                 2.00" in rows
    assert "    in the first 2,000           8.00" in rows
    assert "  that styles take apart         7.00" in rows


def test_the_table_tells_it() -> None:
    text = table(SERIES, "jsrogue", summarise(TALES), ("bat", "kobold", "newt"))
    assert text.startswith("jsrogue: 4 lives of 2 in 2 realms, seed 1\n")
    for row in ("won                                 1   25.0 %", "  to kill                        3.50"):
        assert row in text.splitlines()
    assert "  never: newt" in text
    assert all(row == row.rstrip() for row in text.splitlines())


def test_a_table_without_deaths_is_printed() -> None:
    text = table(SERIES, "jsrogue", summarise([RunStats(lives=[Life()])]), ())
    assert "  no player died" in text


def test_many_causes_reported_most_common_and_rest() -> None:
    """Many causes are shown as the most common and the rest."""
    runs = [RunStats(lives=[Life(1, 1, 1, 0, "died", f"foe {at:02}") for at in range(20)])]
    text = table(SERIES, "jsrogue", summarise(runs), ())
    assert "foe 11" in text
    assert "foe 12" not in text
    assert "  all others                        8   40.0 %" in text


@pytest.mark.thorough
def test_one_process_and_two_play_the_same_lives() -> None:
    assert dict(play(SERIES, 1)) == dict(play(SERIES, 2))


def test_each_realm_has_a_seed_of_its_own() -> None:
    assert len({realm_seed(seed, index) for seed in range(3) for index in range(100)}) == 300
