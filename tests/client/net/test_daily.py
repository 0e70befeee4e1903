"""The seed of the day: the same for everyone, one result a day, in a bounded file that survives anything in it."""

import json
from pathlib import Path

import pytest

from gloam_client.net import daily
from gloam_shared.protocol.messages.records import Ladder, LadderRow

RESULT = daily.DailyResult("2026-11-24", "gloam", 7, "ab12", 12, "Ann", 5, 4, 23, 1_234, False, "orc")


def test_a_day_has_one_seed_for_everyone() -> None:
    """The seed is part of what players compare: a change of it would be a different dungeon for some."""
    assert (
        daily.daily_seed("2026-11-24", "")
        == daily.daily_seed("2026-11-24", "gloam")
        == 4_577_012_721_858_386_440
    )
    others = {daily.daily_seed("2026-11-25", "gloam"), daily.daily_seed("2026-11-24", "jsrogue")}
    assert len(others | {daily.daily_seed("2026-11-24", "gloam")}) == 3
    assert all(0 <= seed < 2**62 for seed in others)


def test_the_first_result_of_a_day_counts(tmp_path: Path) -> None:
    daily.keep_result(tmp_path, RESULT)
    daily.keep_result(tmp_path, RESULT._replace(depth=27))
    daily.keep_result(tmp_path, RESULT._replace(campaign="jsrogue"))
    assert daily.result_on(tmp_path, "2026-11-24", "") == RESULT
    assert [result.campaign for result in daily.read_results(tmp_path)] == ["jsrogue", "gloam"]
    assert daily.result_on(tmp_path, "2026-11-25", "gloam") is None


def test_results_are_bounded(tmp_path: Path) -> None:
    """bound: RESULTS_MAX."""
    entries = [RESULT._replace(date=f"day {day}") for day in range(daily.RESULTS_MAX)]
    (tmp_path / daily.FILE).write_text(json.dumps([entry._asdict() for entry in entries]))
    daily.keep_result(tmp_path, RESULT)
    kept = daily.read_results(tmp_path)
    assert len(kept) == daily.RESULTS_MAX
    assert (kept[0], kept[-1].date) == (RESULT, f"day {daily.RESULTS_MAX - 2}")


@pytest.mark.parametrize(
    "body",
    [b"", b"\xff\x00", b"{}", b"[1]", b'[{"date": 1}]', b"[" * 100_000, b'[{"date": "x", "campaign": "y"}]'],
)
def test_a_broken_file_is_kept_aside(tmp_path: Path, body: bytes) -> None:
    (tmp_path / daily.FILE).write_bytes(body)
    assert daily.read_results(tmp_path) == ()
    if body != b"{}":
        assert (tmp_path / f"{daily.FILE}.broken").read_bytes() == body
    daily.keep_result(tmp_path, RESULT)
    assert daily.read_results(tmp_path) == (RESULT,)


@pytest.mark.rule("A47")
def test_hostile_words_in_it_are_cleaned(tmp_path: Path) -> None:
    row = LadderRow(1, "\x1b[2JAnn", 4, 5, 23, 1_234, 0, False, "\x07" + "x" * 900, 9)
    result = daily.result_of("2026-11-24", "", Ladder("all", "depth", "gloam", "ab\x9b12", 12, rows=(row,)))
    assert result is not None
    assert result.words.isprintable()
    assert len(result.words) < 400
    daily.keep_result(tmp_path, result._replace(by="\x1b]0;x\x07"))
    [kept] = daily.read_results(tmp_path)
    assert kept.words.isprintable()
    assert daily.result_of("2026-11-24", "", Ladder("all", "depth", "gloam", "ab12", 12)) is None


def test_the_line_names_all_that_compares() -> None:
    words = RESULT.words
    assert words == (
        "Gloam, seed of the day 2026-11-24 (gloam, seed 7, rules 12, content ab12): Ann, depth 5, level 4, "
        "23 kills, 1234 turns, was killed by an orc."
    )
    assert "won by slaying the Gloam." in RESULT._replace(won=True, by="slaying the Gloam").words


def test_worlds_of_other_days_are_removed(tmp_path: Path) -> None:
    today, before = (daily.daily_folder(tmp_path, date, "") for date in ("2026-11-24", "2026-11-23"))
    for folder in (today, before):
        folder.mkdir(parents=True)
        (folder / "world.sqlite3").touch()
    daily.remove_old_worlds(tmp_path, "2026-11-24")
    assert (today.exists(), before.exists()) == (True, False)
    daily.remove_old_worlds(tmp_path / "none", "2026-11-24")
