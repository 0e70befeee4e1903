"""A server that is killed again and again: every answer that a player got still holds afterwards. Real processes, a real disk.

Two kills by default, 12 in CI (each moment once at least), any number by `make crash N=1000`.
"""

import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from crash.run import Crash
from gloam_shared.view.view import InventoryItem
from support.content.campaigns import shipped
from support.crash.auditor import WORLD, Auditor, copied
from support.crash.bots import Bot, Crowd
from support.crash.moments import Moment, Victim
from support.run.effort import CI, effort
from support.simulation.randomness import Chance

pytestmark = pytest.mark.end_to_end

KILLS = effort(2, 12)
FILE_KILLS = effort(2, 12)
"""In salvage; half as many in each other act."""
RUN = Path(__file__).with_name("run.py")
STEPS = Path(__file__).with_name("steps.py")


@pytest.mark.thorough
@pytest.mark.long
def test_no_kill_loses_answered_command() -> None:
    """No kill loses an answered command or doubles or loses a thing."""
    ended = subprocess.run(
        [sys.executable, str(RUN), "--kills", str(KILLS), "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr[-6_000:]
    record = json.loads(ended.stdout)

    assert record["kills"] == KILLS
    assert (record["lost"], record["doubled"], record["vanished"]) == (0, 0, 0)
    assert record["answered"] > 0
    if CI:
        assert {moment.value for moment in Moment} - {Moment.SNAPSHOT.value} <= set(record["moments"]), (
            "a snapshot may be too far away"
        )


@pytest.mark.thorough
@pytest.mark.long
def test_no_kill_salvage_founding_copying() -> None:
    """No kill in salvage founding copying or new tables loses a world."""
    ended = subprocess.run(
        [sys.executable, str(STEPS), "--kills", str(FILE_KILLS), "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr[-6_000:]
    killed = json.loads(ended.stdout)
    assert set(killed) == {"salvage", "found", "new tables", "backup", "restore"}
    assert min(killed.values()) >= 1, "a kill at a step always meets the act"


def test_moments_run_spread_and_follow_seed(tmp_path: Path) -> None:
    """The moments of a run are spread and follow from its seed."""

    def moments(seed: int) -> list[Moment]:
        crash = Crash(50, seed, tmp_path)
        crash._chance = Chance(seed)
        return crash._moments()

    assert moments(1) == moments(1) != moments(2)
    assert min(moments(1).count(moment) for moment in Moment) >= 4


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Bot]]:
    """A world under four bots, killed in play, and the answers that they got."""
    folder = tmp_path_factory.mktemp("killed")
    bots = [Bot(at, Chance(at)) for at in range(4)]
    crowd = Crowd(bots)
    victim = Victim(folder / "world", "jsrogue", 3)
    try:
        crowd.dial(victim.port())
        assert crowd.play(60, crowd.are_in)
        assert crowd.play(60, lambda: all(bot.carried_out > 3 for bot in bots))
    finally:
        victim.kill()
        crowd.hang_up()
    return copied(folder / "world", folder / "copy"), bots


@pytest.mark.thorough
def test_a_look_at_an_honest_disk_finds_nothing(killed: tuple[Path, list[Bot]]) -> None:
    report = Auditor(shipped("jsrogue")).look(*killed)
    assert report[:3] == (0, 0, 0)
    assert report.inputs > 20


@pytest.mark.thorough
def test_disk_forgot_last_beats_found(killed: tuple[Path, list[Bot]], tmp_path: Path) -> None:
    """A disk that forgot the last beats is found out."""
    copy, bots = killed
    shorter = copied(copy, tmp_path / "shorter")
    with sqlite3.connect(shorter / WORLD) as database:
        (beat,) = database.execute("SELECT max(beat) FROM journal").fetchone()
        database.execute("DELETE FROM journal WHERE beat > ?", (beat // 2,))
    database.close()
    (shorter / f"{WORLD}-witness").unlink(missing_ok=True)
    report = Auditor(shipped("jsrogue")).look(shorter, bots)
    assert report.lost > 0


@pytest.mark.thorough
def test_a_disk_that_changed_its_mind_is_found_out(killed: tuple[Path, list[Bot]], tmp_path: Path) -> None:
    copy, bots = killed
    auditor = Auditor(shipped("jsrogue"))
    auditor.look(copy, bots)
    other = copied(copy, tmp_path / "other")
    with sqlite3.connect(other / WORLD) as database:
        database.execute("DELETE FROM journal WHERE beat = (SELECT max(beat) FROM journal)")
    database.close()
    with pytest.raises(AssertionError, match="on disk"):
        auditor.look(other, bots)


def test_thing_reported_and_nowhere_found(killed: tuple[Path, list[Bot]]) -> None:
    """A thing that was shown of and is nowhere is found out."""
    copy, bots = killed
    liar = next(bot for bot in bots if bot.holds is not None)
    before, liar.holds = liar.holds, (InventoryItem(0, "=", "yellow", "ring of the king", 0, 0, 0, 0),)
    try:
        report = Auditor(shipped("jsrogue")).look(copy, bots)
    finally:
        liar.holds = before
    assert report.vanished == 1
