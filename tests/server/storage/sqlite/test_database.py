"""Opening a world: the possible problems, and the errors for the host."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, inspect

from gloam_server.storage.journal import Record, StorageError
from gloam_server.storage.sqlite import migrations, tables
from gloam_server.storage.sqlite.database import connect
from gloam_server.storage.sqlite.sqlite_journal import open_realm
from gloam_server.storage.sqlite.world_file.inspection import HEAD


@contextmanager
def closing_engine(path: Path) -> Iterator[Engine]:
    engine = connect(path)
    yield engine
    engine.dispose()


def test_steps_nothing_make_tables_code_uses(tmp_path: Path) -> None:
    """The steps from nothing make the tables that the code uses."""
    open_realm(tmp_path / "world.db").close()

    with closing_engine(tmp_path / "world.db") as engine, engine.connect() as connection:
        settings = {"compare_type": True, "render_as_batch": True}
        assert compare_metadata(MigrationContext.configure(connection, opts=settings), tables.metadata) == []
        assert set(inspect(connection).get_table_names()) == {*tables.metadata.tables, "alembic_version"}


def test_the_newest_step_is_the_one_that_opening_knows() -> None:
    assert ScriptDirectory.from_config(migrations.config()).get_current_head() == HEAD


def test_world_lacks_steps_brought_date(tmp_path: Path) -> None:
    """A world that lacks steps is brought up to date."""
    open_realm(tmp_path / "world.db").close()
    with closing_engine(tmp_path / "world.db") as engine, engine.begin() as connection:
        command.downgrade(migrations.config(connection), "base")
        assert inspect(connection).get_table_names() == ["alembic_version"]

    journal = open_realm(tmp_path / "world.db")
    journal.append([Record(1, 1, b"a")])
    journal.close()


def test_names_older_world_stay_devices(tmp_path: Path) -> None:
    """Names of an older world stay their devices own."""
    journal = open_realm(tmp_path / "world.db")
    bert = journal.create_account("Bert", b"h" * 32, 5).number
    journal.close()
    with closing_engine(tmp_path / "world.db") as engine, engine.begin() as connection:
        command.downgrade(migrations.config(connection), "0002")
        columns = {column["name"] for column in inspect(connection).get_columns("accounts")}
        assert columns == {"id", "name", "folded", "token_hash", "created_s"}

    journal = open_realm(tmp_path / "world.db")
    found = journal.account_by_name("bert")
    assert found is not None
    assert (found.number, found.created_s, found.password_hash) == (bert, 5, None)
    assert found.last_seen_s > 1_000_000_000, "the day of grace begins with the upgrade"
    assert journal.knows_device(bert, b"h" * 32)
    journal.close()


def test_a_new_world_makes_its_folders(tmp_path: Path) -> None:
    open_realm(tmp_path / "deep" / "down" / "world.db").close()

    assert (tmp_path / "deep" / "down" / "world.db").is_file()


def test_a_world_is_open_in_one_server_only(tmp_path: Path) -> None:
    journal = open_realm(tmp_path / "world.db")
    with pytest.raises(StorageError, match="open in another server; stop that one first"):
        open_realm(tmp_path / "world.db")
    journal.close()

    open_realm(tmp_path / "world.db").close()


@pytest.mark.rule("A70")
def test_world_newer_version_refused_and_left(tmp_path: Path) -> None:
    """A world of a newer version is refused and left as it is."""
    path = tmp_path / "world.db"
    open_realm(path).close()
    with sqlite3.connect(path) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    before = path.read_bytes()

    for _ in range(2):
        with pytest.raises(StorageError, match=r"newer Gloam \(its version 9999, ours .*upgrade the server"):
            open_realm(path)
    assert path.read_bytes() == before


def test_file_no_database_refused_and_left(tmp_path: Path) -> None:
    """A file that is no database is refused and left as it is."""
    path = tmp_path / "world.db"
    path.write_bytes(b"the quick brown fox" * 500)

    with pytest.raises(StorageError, match="is damaged or is no world"):
        open_realm(path)
    assert path.read_bytes() == b"the quick brown fox" * 500


def test_another_programs_database_is_refused(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "world.db") as database:
        database.execute("CREATE TABLE bookmarks (id INTEGER)")
    database.close()

    with pytest.raises(StorageError, match="belongs to another program"):
        open_realm(tmp_path / "world.db")


@pytest.mark.parametrize("folder", ["/proc/gloam", "{tmp}/file"])
def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path, folder: str) -> None:
    (tmp_path / "file").touch()
    where = Path(folder.format(tmp=tmp_path))

    with pytest.raises(StorageError, match=r"The folder .* cannot be written .*--data"):
        open_realm(where / "world.db")


def test_a_folder_in_place_of_the_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "world.db").mkdir()

    with pytest.raises(StorageError, match=r"world\.db cannot be written"):
        open_realm(tmp_path / "world.db")
