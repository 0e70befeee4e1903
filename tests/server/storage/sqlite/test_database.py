"""Opening a world: the possible problems, and the errors for the host."""

import gzip
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gloam_server.storage.errors import StorageError
from gloam_server.storage.journal import Record
from gloam_server.storage.open_store import open_store
from gloam_server.storage.sql import migrations
from gloam_server.storage.sql.tables import TABLES
from support.storage.old_tables import make_old_world

KEPT_WORLD = Path(__file__).parents[3] / "golden" / "worlds" / "issue-14.sqlite3.gz"


def schema(path: Path) -> list[tuple[str, ...]]:
    with closing(sqlite3.connect(path)) as database:
        return database.execute(
            "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid"
        ).fetchall()


def test_steps_nothing_make_tables_code_uses(tmp_path: Path) -> None:
    """The steps from nothing make the tables that the code uses."""
    open_store(tmp_path / "world.db").close()
    with closing(sqlite3.connect(tmp_path / "world.db")) as database:
        names = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        assert names == {*TABLES, "alembic_version"}
        for table, columns in TABLES.items():
            assert tuple(row[1] for row in database.execute(f"PRAGMA table_info({table})")) == columns


def test_tables_are_as_older_versions_made_them(tmp_path: Path) -> None:
    """The texts of the tables are the same as in the kept worlds, to the space: a salvage compares them."""
    open_store(tmp_path / "world.db").close()
    kept = tmp_path / "kept.db"
    kept.write_bytes(gzip.decompress(KEPT_WORLD.read_bytes()))
    open_store(kept).close()
    assert schema(tmp_path / "world.db") == schema(kept)


@pytest.mark.parametrize("version", sorted(migrations.known_versions()))
def test_world_lacks_steps_brought_date(tmp_path: Path, version: str) -> None:
    """A world that lacks steps is brought up to date, and then has the same tables as a new one."""
    founding = (
        "INSERT INTO realm (id, campaign, seed, rules, content, created_s) VALUES (1, 'a', '1', 1, 'a', 0)"
    )
    make_old_world(tmp_path / "world.db", version, founding)
    open_store(tmp_path / "new.db").close()
    store = open_store(tmp_path / "world.db")
    store.journal.append([Record(1, 1, b"a")])
    store.close()
    assert schema(tmp_path / "world.db") == schema(tmp_path / "new.db")


def test_names_older_world_stay_devices(tmp_path: Path) -> None:
    """Names of an older world stay their devices own."""
    make_old_world(
        tmp_path / "world.db",
        "0002",
        "INSERT INTO realm (id, campaign, seed, rules, content, created_s) VALUES (1, 'gloam', '1', 1, 'ab', 0)",
        f"INSERT INTO accounts (id, name, folded, token_hash, created_s) VALUES (3, 'Bert', 'bert', x'{'68' * 32}', 5)",
    )
    store = open_store(tmp_path / "world.db")
    found = store.directory.account_by_name("bert")
    assert found is not None
    assert (found.number, found.created_s, found.password_hash) == (3, 5, None)
    assert found.last_seen_s > 1_000_000_000, "the day of grace begins with the upgrade"
    assert store.directory.knows_device(3, b"h" * 32)
    store.close()


def test_a_new_world_makes_its_folders(tmp_path: Path) -> None:
    open_store(tmp_path / "deep" / "down" / "world.db").close()
    assert (tmp_path / "deep" / "down" / "world.db").is_file()


def test_a_world_is_open_in_one_server_only(tmp_path: Path) -> None:
    store = open_store(tmp_path / "world.db")
    with pytest.raises(StorageError, match="open in another server; stop that one first"):
        open_store(tmp_path / "world.db")
    store.close()
    open_store(tmp_path / "world.db").close()


@pytest.mark.rule("A70")
def test_world_newer_version_refused_and_left(tmp_path: Path) -> None:
    """A world of a newer version is refused and left as it is."""
    path = tmp_path / "world.db"
    open_store(path).close()
    with sqlite3.connect(path) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    before = path.read_bytes()
    for _ in range(2):
        with pytest.raises(StorageError, match=r"newer Gloam \(its version 9999, ours .*upgrade the server"):
            open_store(path)
    assert path.read_bytes() == before


def test_file_no_database_refused_and_left(tmp_path: Path) -> None:
    """A file that is no database is refused and left as it is."""
    path = tmp_path / "world.db"
    path.write_bytes(b"the quick brown fox" * 500)
    with pytest.raises(StorageError, match="is damaged or is no world"):
        open_store(path)
    assert path.read_bytes() == b"the quick brown fox" * 500


def test_another_programs_database_is_refused(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "world.db") as database:
        database.execute("CREATE TABLE bookmarks (id INTEGER)")
    database.close()
    with pytest.raises(StorageError, match="belongs to another program"):
        open_store(tmp_path / "world.db")


@pytest.mark.parametrize("folder", ["/proc/gloam", "{tmp}/file"])
def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path, folder: str) -> None:
    (tmp_path / "file").touch()
    where = Path(folder.format(tmp=tmp_path))
    with pytest.raises(StorageError, match=r"The folder .* cannot be written .*--data"):
        open_store(where / "world.db")


def test_a_folder_in_place_of_the_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "world.db").mkdir()
    with pytest.raises(StorageError, match=r"world\.db cannot be written"):
        open_store(tmp_path / "world.db")
