"""A backup of a cluster in which a server writes on: rows and records are of one moment, and the file is a whole world."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event, Thread

import pytest

from gloam_server.storage.cluster.cluster_journal import ClusterJournal
from gloam_server.storage.directory import Death, WorldIdentity
from gloam_server.storage.errors import StorageError, StorageFault
from gloam_server.storage.journal import Record, WriterClaim
from gloam_server.storage.open_store import back_up_world, import_world
from gloam_server.storage.postgres.postgres_transactions import PostgresConnection
from gloam_server.storage.snapshots import Snapshot
from gloam_server.storage.sql.transactions import Connection
from gloam_server.storage.store import Store
from support.run.fault_seam import FaultSeam
from support.storage.clusters import Cluster, opened
from support.storage.writing import write

pytestmark = pytest.mark.thorough

CLAIM = WriterClaim(1, "ab12", 1_800_000_000)
HASH = b"h" * 16
BACKUPS = 6
_PATIENCE_S = 60


class Played:
    """The writes of a server: record after record in two partitions, deaths in the same commit, snapshots and accounts apart."""

    def __init__(self, store: Store) -> None:
        self.written = 0
        self._store = store
        self._ends = Event()
        store.journal.claim(CLAIM)
        store.directory.create_identity(WorldIdentity("gloam", 7, 1, "ab12", 5))

    def step(self) -> None:
        """Write the next record; each third has a row, each fifth is followed by a snapshot, each seventh follows an account."""
        number = self.written + 1
        if number % 7 == 0:
            self._store.directory.create_account(f"Bot{number}", b"%032d" % number, 5)
        deaths = [Death(1, "Bot0", "a rat", 1, 1, 0, 9, 5, number, number)] if number % 3 == 0 else []
        write(self._store, [Record(1, number, b"%d" % number), Record(2, number, b"x" * 9)], deaths=deaths)
        if number % 5 == 0:
            write(self._store, [], [Snapshot(1, number, 1, b"state %d" % number, HASH)])
        self.written = number

    def play(self) -> None:
        """Write until the end."""
        while not self._ends.is_set():
            self.step()

    def wait_beyond(self, number: int) -> None:
        """Wait until a later record is written: a backup may take less time than the next one."""
        until = time.monotonic() + _PATIENCE_S
        while self.written <= number:
            assert time.monotonic() < until, "the server writes no more"
            time.sleep(0.005)

    def end(self) -> None:
        """Let `play` return."""
        self._ends.set()


@contextmanager
def playing(address: str) -> Iterator[Played]:
    """Yield a server that writes in a thread of its own."""
    with opened(address) as store:
        store.directory.create_account("Bot0", b"0" * 32, 5)
        played = Played(store)
        for _ in range(20):
            played.step()
        thread = Thread(target=played.play)
        thread.start()
        try:
            yield played
        finally:
            played.end()
            thread.join()


def column(file: Path, statement: str) -> list[int]:
    with closing(sqlite3.connect(file)) as world:
        return [number for (number,) in world.execute(statement)]


def require_whole(file: Path, least: int) -> int:
    """Check that a backup has all records up to one number, and the rows of exactly these; return the number."""
    [last] = column(file, "SELECT max(sequence) FROM journal WHERE place = 1")
    assert last >= least, "what was written before the backup began is in it"
    for place in (1, 2):
        found = column(file, f"SELECT sequence FROM journal WHERE place = {place} ORDER BY sequence")
        assert found == list(range(1, last + 1))
    assert column(file, "SELECT life FROM deaths ORDER BY life") == list(range(3, last + 1, 3))
    [snapshot] = column(file, "SELECT max(sequence) FROM snapshots")
    assert least - least % 5 <= snapshot <= last
    accounts = column(file, "SELECT CAST(substr(name, 4) AS INTEGER) FROM accounts ORDER BY 1")
    assert [each for each in range(7, last + 1, 7) if each not in accounts] == []
    return last


def test_a_backup_is_of_one_moment(cluster: Cluster, tmp_path: Path) -> None:
    """Again and again while a server writes; the last one is imported into another realm, with the same content."""
    address = cluster.address(cluster.realm())
    with playing(address) as played:
        lasts: list[int] = []
        for at in range(BACKUPS):
            played.wait_beyond(lasts[-1] if lasts else 0)
            least, file = played.written, tmp_path / f"{at}.sqlite3"
            done = back_up_world(address, file)
            lasts.append(require_whole(file, least))
            assert done.records == 2 * lasts[-1]
        assert lasts == sorted(set(lasts)), "the server wrote on"
    other = cluster.address(cluster.realm())
    cluster.forget_names()
    assert import_world(tmp_path / f"{BACKUPS - 1}.sqlite3", other, lambda _: HASH) == done
    with opened(other) as store:
        assert store.journal.last_sequence(1) == lasts[-1]


def test_rows_that_are_not_committed_are_left_out(cluster: Cluster, tmp_path: Path, seam: FaultSeam) -> None:
    """The server is stopped between the entry and the commit of its rows: no player has seen the entry, and no part is in the backup."""
    address, file = cluster.address(cluster.realm()), tmp_path / "copy.sqlite3"
    write_held = ClusterJournal._write_held
    cuts: list[bool] = []

    def append_alone(self: ClusterJournal, connection: PostgresConnection) -> Callable[[], None] | None:
        after = write_held(self, connection)
        if cuts:
            raise StorageFault("PostgreSQL is gone.")
        return after

    seam.plant(ClusterJournal._write_held, append_alone)
    with opened(address) as store:
        store.directory.create_account("Bot0", b"0" * 32, 5)
        played = Played(store)
        for _ in range(11):
            played.step()
        cuts.append(True)
        with pytest.raises(StorageFault):
            played.step()
        back_up_world(address, file)
        assert require_whole(file, 11) == 11


def test_a_backup_outlives_the_deletion_of_old_inputs(
    cluster: Cluster, tmp_path: Path, seam: FaultSeam
) -> None:
    """Retention moves old records from NATS while the backup reads: it begins again, and has them from PostgreSQL."""
    address, file = cluster.address(cluster.realm()), tmp_path / "copy.sqlite3"
    stand_still, moves = ClusterJournal.stand_still, [6, 6 + 8 * 86_400]
    with opened(address) as store:
        store.directory.create_account("Bot0", b"0" * 32, 5)
        played = Played(store)
        for _ in range(12):
            played.step()

        def moved(self: ClusterJournal, connection: Connection) -> None:
            stand_still(self, connection)
            while moves:
                store.journal.retain(moves.pop(0))

        seam.plant(ClusterJournal.stand_still, moved)
        back_up_world(address, file)
        assert not moves
        for place in (1, 2):
            assert column(file, f"SELECT max(sequence) FROM journal WHERE place = {place}") == [12]


def test_a_backup_replaces_no_file(cluster: Cluster, tmp_path: Path) -> None:
    """One that exists, and a realm that does not."""
    file, address = tmp_path / "copy.sqlite3", cluster.address(cluster.realm())
    with pytest.raises(StorageError, match="has no realm"):
        back_up_world(address, file)
    assert not file.exists()
    file.write_text("a diary")
    with pytest.raises(StorageError, match="exists already"):
        back_up_world(address, file)
    assert file.read_text() == "a diary"
