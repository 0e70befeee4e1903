"""Ended lives are kept through upgrade, backup and salvage, and a salvaged world has no lives that it lost."""

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from gloam_server.storage.directory import Death, WorldIdentity
from gloam_server.storage.journal import Record
from gloam_server.storage.open_store import open_store
from gloam_server.storage.snapshots import Snapshot
from gloam_server.storage.sqlite.recovery.salvage import salvage
from gloam_server.storage.sqlite.world_file.backup import backup, restore
from support.storage.old_tables import make_old_world
from support.storage.writing import write

LIFE = Death(1, "Bert", "a rat", 2, 3, 400, 90, 7, 41, 1, "Bert II", 4, 12, 1, won=True)


def world(path: Path) -> Path:
    """Make a world in which one life ended with the realm's record 1, and another with record 2."""
    store = open_store(path)
    store.directory.create_identity(WorldIdentity("gloam", 1, 1, "ab", 0))
    store.directory.create_account("Bert", b"h" * 32, 5)
    write(store, [Record(0, 1, b"a")], [Snapshot(0, 0, 1, b"s", b"hash")], [LIFE])
    write(store, [Record(0, 2, b"b")], deaths=[replace(LIFE, life=42, sequence=2)])
    store.close()
    return path


def lives(path: Path) -> list[Death]:
    store = open_store(path)
    found = store.directory.deaths()
    store.close()
    return found


def test_a_backup_keeps_the_ladder(tmp_path: Path) -> None:
    path = world(tmp_path / "world.db")
    backup(path, tmp_path / "copy.db")
    restore(tmp_path / "copy.db", tmp_path / "new" / "world.db")
    assert lives(tmp_path / "new" / "world.db") == lives(path) == [replace(LIFE, life=42, sequence=2), LIFE]


def test_lives_of_older_tables_stand_on_the_ladder(tmp_path: Path) -> None:
    """Rows from before the ladder keep what they have, and get numbers of their own."""
    path = tmp_path / "world.db"
    death = (
        "INSERT INTO deaths (account, name, killer, depth, level, experience, turns, at_s)"
        " VALUES (1, 'Bert', 'a rat', 2, 3, 400, 90, 7)"
    )
    make_old_world(
        path,
        "0008",
        "INSERT INTO realm (id, campaign, seed, rules, content, created_s) VALUES (1, 'gloam', '1', 1, 'ab', 0)",
        "INSERT INTO accounts (id, name, folded, created_s) VALUES (1, 'Bert', 'bert', 5)",
        death,
        death,
    )
    plain = Death(1, "Bert", "a rat", 2, 3, 400, 90, 7, deepest=2)
    assert lives(path) == [replace(plain, life=-2), replace(plain, life=-1)]
    assert lives(path) == lives(path), "an upgrade is made once"


def test_salvage_keeps_lives_up_to_its_cut(tmp_path: Path) -> None:
    """A life whose end was lost with the newest records is alive again, and not on the ladder."""
    path = world(tmp_path / "world.db")
    whole = shutil.copy(path, tmp_path / "whole.db")
    salvage(Path(whole), "1", lambda _: b"hash")
    assert len(lives(Path(whole))) == 2
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE journal SET body = x'00' WHERE sequence = 2")
    salvage(path, "1", lambda _: b"hash")
    assert lives(path) == [LIFE]
