"""A server that is left alone for long lets old records go by itself."""

import logging

import pytest

from gloam_server.engine.recovery.replay import verify
from gloam_server.engine.recovery.snapshot_schedule import SNAPSHOT_EVERY
from gloam_server.storage.errors import StorageFault
from gloam_server.storage.sql.retention import DAY_S, KEEP_S, MARK_EVERY_S
from gloam_shared.protocol.commands import Wait
from support.server.sim_server import SimClient, SimServer
from support.storage.memory_directory import MemoryDirectory
from support.storage.memory_journal import MemoryJournal
from support.storage.memory_snapshots import MemorySnapshots
from support.storage.memory_store import MemoryStore


class WatchedJournal(MemoryJournal):
    """A journal that tells when it was asked to let records go, and can fail at it."""

    def __init__(self, snapshots: MemorySnapshots, directory: MemoryDirectory) -> None:
        super().__init__(snapshots, directory)
        self.asked_s: list[int] = []
        self.faulty = False

    def retain(self, now_s: int) -> int:
        """Note the time, then do as asked."""
        self.asked_s.append(now_s)
        if self.faulty:
            raise StorageFault("The world could not be read or written (disk I/O error); look at the disk.")
        return super().retain(now_s)


def served() -> tuple[SimServer, WatchedJournal]:
    store = MemoryStore(WatchedJournal)
    server = SimServer(store=store)
    server.wall_s = 1_000_000
    assert isinstance(store.journal, WatchedJournal)
    return server, store.journal


def play(server: SimServer, anna: SimClient, turns: int) -> None:
    for _ in range(turns):
        anna.command(Wait())
        server.clock.advance(0.06)
        server.settle()


def test_records_of_last_week_go_after_a_snapshot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gloam_server.engine.recovery.snapshot_schedule.SNAPSHOT_EVERY", 20)
    server, journal = served()
    anna = server.join("Anna")
    play(server, anna, 25)
    assert journal.asked_s, "a snapshot was durable, and old records were not deleted"
    server.wall_s += KEEP_S + MARK_EVERY_S
    play(server, anna, 50)
    kept = [record.sequence for record in journal.read(1, 0)]
    assert kept[0] > 1
    assert kept[-1] == server.dungeon.sequence(1)
    assert SNAPSHOT_EVERY == 1_000


def test_records_go_until_none_is_old_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """After one snapshot the server asks again while records go, so that new ones are not made faster than old ones go."""
    monkeypatch.setattr("gloam_server.engine.recovery.snapshot_schedule.SNAPSHOT_EVERY", 40)
    monkeypatch.setattr("support.storage.memory_journal.ROWS_MAX", 5)
    server, journal = served()
    anna = server.join("Anna")
    play(server, anna, 150)
    server.wall_s += KEEP_S + MARK_EVERY_S
    before = len(journal.asked_s)
    play(server, anna, 50)
    assert len(journal.asked_s) - before > 6


def test_records_go_when_server_stops() -> None:
    """Records go also when the server stops before its thousandth input."""
    server, journal = served()
    play(server, server.join("Anna"), 3)
    asked = len(journal.asked_s)
    server.stop()
    assert len(journal.asked_s) == asked + 1


def test_disk_fails_reported_and_play_goes(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The server reports a disk that fails here, and play continues."""
    monkeypatch.setattr("gloam_server.engine.recovery.snapshot_schedule.SNAPSHOT_EVERY", 20)
    server, journal = served()
    anna = server.join("Anna")
    journal.faulty = True
    with caplog.at_level(logging.ERROR):
        play(server, anna, 50)
    assert server.body(anna).command == 50
    assert not server.fatal
    assert "old records of the journal were not let go" in caplog.text


@pytest.mark.thorough
def test_after_cut_verify_replays_record_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a cut verify replays every record that is kept."""
    monkeypatch.setattr("gloam_server.engine.recovery.snapshot_schedule.SNAPSHOT_EVERY", 20)
    server, journal = served()
    anna = server.join("Anna")
    for _ in range(10):
        play(server, anna, 50)
        server.wall_s += DAY_S
    kept = [record for partition in journal.partitions() for record in journal.read(partition, 0)]
    replayed, digest = verify(server.store, server.campaign)
    assert replayed == len(kept)
    assert digest == server.dungeon.state_hash()
    assert 350 <= len(kept) < server.dungeon.sequence(1), "a week is kept, and what is older has gone"
