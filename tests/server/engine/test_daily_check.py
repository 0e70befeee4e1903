"""The daily check: it goes on with the batches, has no timer, and log, status, health and metrics report its findings."""

import logging
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from gloam_server.app.config import WORLD_FILE, Config
from gloam_server.app.open_world import open_world
from gloam_server.cli.backup_commands import backup
from gloam_server.engine import health
from gloam_server.ops.admin import answer
from gloam_server.ops.admin_messages import Reply, Request
from gloam_server.storage.errors import StorageFault
from gloam_server.storage.sql.tables import CHECKSUMMED
from gloam_server.storage.sqlite import sqlite_store
from gloam_server.storage.store import CheckCursor, CheckResult, HashOf, Store
from gloam_shared.protocol.commands import Wait
from support.run.fault_seam import FaultSeam
from support.server.running import running
from support.server.sim_server import SimServer

DAY_S = 24 * 3_600


def served(folder: Path) -> tuple[SimServer, Store]:
    config = Config(data=folder, campaign="jsrogue", seed=7, exact_seed=True, port=0, private=False)
    store, dungeon = open_world(config, 1_000)
    return SimServer(dungeon.campaign, store=store), store


def damage(folder: Path) -> None:
    with closing(sqlite3.connect(folder / WORLD_FILE)) as database:
        database.execute("UPDATE deaths SET killer = 'nobody at all'")
        database.execute("UPDATE journal SET beat = 99 WHERE place = 1 AND sequence = 1")
        database.commit()


def play(server: SimServer, batches: int) -> None:
    for _ in range(batches):
        server.clients[0].command(Wait())
        server.clock.advance(0.06)
        server.settle()


@pytest.mark.thorough
def test_a_world_that_is_whole_is_looked_at_once_a_day(tmp_path: Path, seam: FaultSeam) -> None:
    server, store = served(tmp_path)
    looked: list[str] = []
    look = sqlite_store._OpenFile.look

    def noted(self: sqlite_store._OpenFile, cursor: CheckCursor | None, hash_of: HashOf) -> CheckResult:
        looked.append(cursor.table if cursor is not None else "journal")
        return look(self, cursor, hash_of)

    seam.plant(look, noted)
    server.join("Anna")
    play(server, 40)
    tables = list(looked)
    assert list(dict.fromkeys(tables)) == ["journal", *CHECKSUMMED]
    assert len(tables) < 20, "a slice with each batch, and then no more"
    server.wall_s += DAY_S
    play(server, 40)

    assert looked == 2 * tables
    assert server.engine.statistics.damage == ()
    store.close()


@pytest.mark.thorough
def test_what_it_finds_is_reported_and_play_goes_on(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    server, store = served(tmp_path)
    server.join("Anna")
    play(server, 5)
    damage(tmp_path)
    server.wall_s += DAY_S
    with caplog.at_level(logging.ERROR):
        play(server, 40)
    text = "the record of input 1 of partition 1 is damaged"
    assert f"the daily check: {text}" in caplog.text
    assert server.engine.statistics.damage == (text,)
    assert health.damage(server.engine.statistics) == (f"the file is damaged: {text}",)
    assert health.problems(server.engine.statistics, server.engine.clock.seconds()) == (), "play goes on"
    assert server.body(server.clients[0]).command == 45
    store.close()


def test_it_needs_no_timer(tmp_path: Path) -> None:
    server, store = served(tmp_path)
    anna = server.join("Anna")
    play(server, 2)
    anna.leave()
    server.settle()
    assert server.timers() == 0
    store.close()


def test_disk_fails_reported_and_play_goes(
    tmp_path: Path, seam: FaultSeam, caplog: pytest.LogCaptureFixture
) -> None:
    """The server reports a disk that fails here, and play continues."""
    server, store = served(tmp_path)

    def failing(*_: object) -> CheckResult:
        raise StorageFault("The world could not be read or written (disk I/O error); look at the disk.")

    seam.plant(sqlite_store._OpenFile.look, failing)
    server.join("Anna")
    with caplog.at_level(logging.ERROR):
        play(server, 10)

    assert caplog.text.count("the daily check of the world ended: The world could not be read") == 1
    assert server.body(server.clients[0]).command == 10
    store.close()


def test_backup_damaged_world_written_and_says(tmp_path: Path) -> None:
    """A backup of a damaged world is written and says so."""
    _, store = served(tmp_path / "data")
    store.close()
    asked = ["--data", str(tmp_path / "data")]
    whole = CliRunner().invoke(backup, [str(tmp_path / "whole.sqlite3"), *asked])
    damage(tmp_path / "data")
    result = CliRunner().invoke(backup, [str(tmp_path / "damaged.sqlite3"), *asked])
    assert whole.exit_code == 0
    assert result.exit_code == 2
    assert (
        "The world is damaged, and so is this copy of it: the record of input 1 of partition 1"
        in result.output
    )
    assert (tmp_path / "damaged.sqlite3").is_file()


def test_status_tells_what_the_check_found(tmp_path: Path) -> None:
    server, store = served(tmp_path)
    server.engine.statistics.damage = ("row 1 of the table of deaths is damaged",)
    collected: list[Reply] = []
    answer(running(server), Request("status")).addCallback(collected.append)
    assert "the file is damaged: row 1 of the table of deaths is damaged" in "\n".join(collected[0].lines)
    store.close()
