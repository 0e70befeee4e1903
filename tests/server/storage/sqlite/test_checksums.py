"""Checksums: every row of a world has one, from every writer, and a check of the rows finds damage."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gloam_server.storage.directory import Death, WorldIdentity
from gloam_server.storage.errors import StorageDamaged
from gloam_server.storage.journal import Record, WriterClaim
from gloam_server.storage.open_store import file_store, open_store
from gloam_server.storage.snapshots import Snapshot
from gloam_server.storage.sql.tables import CHECKSUMMED, TABLES
from gloam_server.storage.sqlite.integrity import checksums
from gloam_server.storage.sqlite.integrity.checksums import check_all, crc_of
from gloam_server.storage.sqlite.world_file.backup import backup
from gloam_server.storage.store import CheckCursor, Store
from gloam_server.world.transition.serialization import state_hash
from support.storage.writing import write

NOW_S = 1_800_000_000
UNSEALED = {"journal", "marks"}  # a record is sealed as it is written, and a mark only tells what may go


def lived_in(path: Path, records: int = 3) -> Store:
    """Return a world with a row in every table."""
    store = open_store(path)
    store.directory.create_identity(WorldIdentity("arena", 2**70, 6, "ab", NOW_S))
    store.directory.keep_content("ab", b"files")
    store.journal.claim(WriterClaim(6, "ab", NOW_S, "numpy 1.0.0"))
    ann = store.directory.create_account("Ann", b"t" * 32, NOW_S)
    store.directory.set_password(ann.number, "hash", b"t" * 32, None)
    store.directory.ban(ann.number, NOW_S + 1)
    store.directory.add_invite(b"c" * 32, 2, NOW_S)
    for sequence in range(1, records + 1):
        store.journal.append([Record(1, sequence, b"body", None, 7)])
    body = b"state"
    write(
        store,
        [],
        [Snapshot(1, records, 6, body, state_hash(body))],
        [Death(1, "Ann", "a rat", 1, 1, 0, 9, 1)],
    )
    return store


def test_every_table_is_sealed_but_for_two() -> None:
    assert {*CHECKSUMMED} == set(TABLES) - UNSEALED
    assert {*checksums.RECORD} == {*TABLES["journal"]} - {"crc"}


def test_what_anybody_writes_is_sealed(tmp_path: Path) -> None:
    store = lived_in(tmp_path / "world.db")
    with file_store(tmp_path / "world.db").accounts() as accounts:  # another process
        accounts.add_invite(b"d" * 32, 1, NOW_S)
        assert accounts.spend_invite(b"c" * 32)
    assert check_all(tmp_path / "world.db", state_hash) == []
    store.close()
    assert check_all(tmp_path / "world.db", state_hash) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "world.db",
        "world.db-lock",
        "world.db-witness",
    ]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        (
            "UPDATE journal SET body = x'01' WHERE sequence = 2",
            "the record of input 2 of partition 1 is damaged",
        ),
        ("UPDATE journal SET beat = 9 WHERE sequence = 2", "the record of input 2 of partition 1 is damaged"),
        (
            "UPDATE journal SET digest = 8 WHERE sequence = 2",
            "the record of input 2 of partition 1 is damaged",
        ),
        (
            "UPDATE journal SET sequence = 9 WHERE sequence = 2",
            "the record of input 9 of partition 1 is damaged",
        ),
        ("UPDATE snapshots SET body = x'01'", "the snapshot of partition 1 at input 3 is damaged"),
        ("UPDATE snapshots SET rules = 5", "the snapshot of partition 1 at input 3 is damaged"),
        ("UPDATE snapshots SET state_hash = x'01'", "the snapshot of partition 1 at input 3 is damaged"),
        ("UPDATE contents SET files = x'01'", "row 1 of the table of contents is damaged"),
        ("UPDATE accounts SET password_hash = 'other'", "row 1 of the table of accounts is damaged"),
        ("UPDATE tokens SET token_hash = x'01'", "row 1 of the table of tokens is damaged"),
        ("UPDATE realm SET seed = '8'", "row 1 of the table of realm is damaged"),
        ("UPDATE deaths SET killer = x'ff'", "row 1 of the table of deaths is damaged"),
    ],
)
def test_what_is_changed_beside_us_is_named(tmp_path: Path, statement: str, expected: str) -> None:
    lived_in(tmp_path / "world.db").close()
    with closing(sqlite3.connect(tmp_path / "world.db")) as database:
        database.execute(statement)
        database.commit()
    backup(tmp_path / "world.db", tmp_path / "copy.db")
    assert check_all(tmp_path / "world.db", state_hash) == [expected]
    assert check_all(tmp_path / "copy.db", state_hash) == [expected]


def test_text_that_is_none_is_named_too(tmp_path: Path) -> None:
    lived_in(tmp_path / "world.db").close()
    with closing(sqlite3.connect(tmp_path / "world.db")) as database:
        database.execute("UPDATE accounts SET name = CAST(x'ff' AS TEXT)")
        database.commit()
    [result] = check_all(tmp_path / "world.db", state_hash)
    assert result.startswith("the table of accounts cannot be read")


def test_a_world_in_slices_is_looked_at_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = lived_in(tmp_path / "world.db", records=11)
    with closing(sqlite3.connect(tmp_path / "world.db")) as database:
        database.execute("UPDATE journal SET beat = 99 WHERE sequence IN (4, 5, 11)")
        database.execute("UPDATE accounts SET created_s = 0")
        database.commit()
    monkeypatch.setattr(checksums.check_slice, "__defaults__", (2,))
    found: list[str] = []
    cursor: CheckCursor | None = None
    slices = 0
    assert store.file is not None
    while cursor is not None or not slices:
        seen = store.file.look(cursor, state_hash)
        found += seen.faults
        cursor, slices = seen.rest, slices + 1

    assert [fault.split(" of partition")[0] for fault in found] == [
        "the record of input 4",
        "the record of input 5",
        "the record of input 11",
        "row 1 of the table of accounts is damaged",
    ]
    assert slices >= 6
    store.close()


def test_record_batch_another_not_believed(tmp_path: Path) -> None:
    """A record whose batch is another is not believed."""
    store = lived_in(tmp_path / "world.db")
    with closing(sqlite3.connect(tmp_path / "world.db")) as database:
        database.execute("UPDATE journal SET beat = 9 WHERE sequence = 2")
        database.commit()
    with pytest.raises(StorageDamaged, match="input 2 of partition 1"):
        list(store.journal.read(1, 0))
    store.close()


def test_the_checksum_of_a_row_is_the_same_everywhere() -> None:
    assert crc_of(1, None, "ä", b"\x00", -5) == 3_115_898_710
