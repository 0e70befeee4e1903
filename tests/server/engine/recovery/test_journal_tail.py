"""The journal's tail in memory, and snapshots behind their records: a kill between the two loses nothing."""

import logging
import shutil
from pathlib import Path

import pytest

from gloam_server.app.config import Config
from gloam_server.app.open_world import open_world
from gloam_server.engine.recovery import snapshot_schedule
from gloam_server.engine.recovery.base_states import deserialize
from gloam_server.engine.recovery.journal_tail import JournalTail
from gloam_server.engine.recovery.replay import snapshot, verify
from gloam_server.storage.errors import StorageFault
from gloam_server.storage.journal import Record
from gloam_server.storage.snapshots import Snapshot
from gloam_server.storage.sql.sql_snapshots import SqlSnapshots
from gloam_server.world.model.level import Level
from gloam_shared.protocol.commands import Wait
from support.run.fault_seam import FaultSeam
from support.server.sim_server import SimServer


def served(folder: Path) -> SimServer:
    config = Config(data=folder, campaign="jsrogue", seed=7, exact_seed=True, port=0, private=False)
    store, dungeon = open_world(config, 1_000)
    return SimServer(dungeon.campaign, store=store)


def play(server: SimServer, turns: int) -> None:
    for _ in range(turns):
        server.clients[0].command(Wait())
        server.clock.advance(0.06)
        server.settle()


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot_schedule, "SNAPSHOT_EVERY", 5)


@pytest.mark.thorough
def test_a_kill_beside_a_snapshot_loses_nothing(tmp_path: Path, seam: FaultSeam) -> None:
    """Before, in and after its transaction: the world's files at that moment are what a killed server leaves."""
    folder, put = tmp_path / "world", SqlSnapshots.put
    folder.mkdir()
    server = served(folder)
    server.join("Anna")
    moments: dict[str, bytes] = {}

    def killed(step: str) -> None:
        if step not in moments:
            shutil.copytree(folder, tmp_path / step)
            moments[step] = server.dungeon.state_hash()

    def noted(self: SqlSnapshots, snapshots: list[Snapshot]) -> None:
        killed("before")
        with server.store.directory.together():
            put(self, snapshots)
            killed("in")
        killed("after")

    with seam.fault(put, noted):
        play(server, 12)
    server.store.close()
    newest = []
    for step, durable in moments.items():
        again = served(tmp_path / step)
        newest.append(again.store.snapshots.marks(1)[0].sequence)
        assert again.dungeon.state_hash() == durable, step
        assert verify(again.store, again.campaign)[1] == durable, step
        again.store.close()
    assert newest[0] == newest[1] == 0 < newest[2]


def test_a_refused_snapshot_is_due_again(
    tmp_path: Path, seam: FaultSeam, caplog: pytest.LogCaptureFixture
) -> None:
    """A disk that refuses a snapshot stops no batch; the next one brings it again."""
    server = served(tmp_path)
    server.join("Anna")

    def refused(*_: object) -> None:
        raise StorageFault("It fails.")

    with seam.fault(SqlSnapshots.put, refused), caplog.at_level(logging.ERROR):
        play(server, 8)
    assert server.body(server.clients[0]).command == 8
    assert "a snapshot was not written (It fails.); the journal has everything" in caplog.text
    assert [mark.sequence for mark in server.store.snapshots.marks(1)] == [0]

    play(server, 1)
    assert server.store.snapshots.marks(1)[0].sequence >= 9
    server.store.close()


def test_the_tail_leads_from_its_base_to_the_present(tmp_path: Path) -> None:
    server = served(tmp_path)
    tail = JournalTail(server.dungeon)
    at = server.dungeon.sequence(1)
    server.join("Anna")
    play(server, 7)
    records = list(server.store.journal.read(1, at))
    tail.add(records)
    assert list(tail.records(1)) == records

    taken = snapshot(server.dungeon, 1)
    tail.rebase([taken])
    assert list(tail.records(1)) == []
    assert tail.base(1) == (taken.sequence, taken.body)
    state = deserialize(taken, server.campaign, server.dungeon.seed)
    assert isinstance(state, Level)
    assert state.sequence == server.dungeon.sequence(1)
    server.store.close()


def test_the_tail_is_bounded(tmp_path: Path) -> None:
    """A partition that can never be serialized keeps its newest records alone."""
    server = served(tmp_path)
    tail = JournalTail(server.dungeon)
    tail.add(Record(1, sequence, b"a") for sequence in range(1, 3 * snapshot_schedule.REPLAYED_MAX))
    assert len(list(tail.records(1))) == snapshot_schedule.REPLAYED_MAX
    assert tail.base(99) is None
    server.store.close()
