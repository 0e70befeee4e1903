"""Ended lives are kept through upgrade, backup and salvage, and a salvaged world has no lives that it lost."""

import shutil
from dataclasses import replace
from pathlib import Path

from alembic import command
from sqlalchemy import create_engine, text

from gloam_server.storage.journal import Death, Record, Snapshot, WorldIdentity
from gloam_server.storage.sqlite import migrations
from gloam_server.storage.sqlite.recovery.salvage import salvage
from gloam_server.storage.sqlite.sqlite_journal import open_realm
from gloam_server.storage.sqlite.world_file.backup import backup, restore

LIFE = Death(1, "Bert", "a rat", 2, 3, 400, 90, 7, 41, 1, "Bert II", 4, 12, 1, won=True)


def world(path: Path) -> Path:
    """Make a world in which one life ended with the realm's record 1, and another with record 2."""
    journal = open_realm(path)
    journal.create_identity(WorldIdentity("gloam", 1, 1, "ab", 0))
    journal.create_account("Bert", b"h" * 32, 5)
    journal.append([Record(0, 1, b"a")], [Snapshot(0, 0, 1, b"s", b"hash")], [LIFE])
    journal.append([Record(0, 2, b"b")], deaths=[replace(LIFE, life=42, sequence=2)])
    journal.close()
    return path


def lives(path: Path) -> list[Death]:
    journal = open_realm(path)
    found = journal.deaths()
    journal.close()
    return found


def test_a_backup_keeps_the_ladder(tmp_path: Path) -> None:
    path = world(tmp_path / "world.db")
    backup(path, tmp_path / "copy.db")
    restore(tmp_path / "copy.db", tmp_path / "new" / "world.db")
    assert lives(tmp_path / "new" / "world.db") == lives(path) == [replace(LIFE, life=42, sequence=2), LIFE]


def test_lives_of_older_tables_stand_on_the_ladder(tmp_path: Path) -> None:
    """Rows from before the ladder keep what they have, and get numbers of their own."""
    path = world(tmp_path / "world.db")
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        command.downgrade(migrations.config(connection), "0008")
        assert "life" not in str(connection.execute(text("SELECT sql FROM sqlite_master")).all())
    engine.dispose()
    plain = Death(1, "Bert", "a rat", 2, 3, 400, 90, 7, deepest=2)
    assert lives(path) == [replace(plain, life=-2), replace(plain, life=-1)]
    assert lives(path) == lives(path), "an upgrade is made once"


def test_salvage_keeps_lives_up_to_its_cut(tmp_path: Path) -> None:
    """A life whose end was lost with the newest records is alive again, and not on the ladder."""
    path = world(tmp_path / "world.db")
    whole = shutil.copy(path, tmp_path / "whole.db")
    salvage(Path(whole), "1", lambda _: b"hash")
    assert len(lives(Path(whole))) == 2

    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        connection.execute(text("UPDATE journal SET body = x'00' WHERE sequence = 2"))
    engine.dispose()
    salvage(path, "1", lambda _: b"hash")
    assert lives(path) == [LIFE]
