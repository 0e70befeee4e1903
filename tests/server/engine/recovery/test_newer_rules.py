"""A world of newer rules or tables is refused in words, and no byte of it is changed."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from gloam_server.app.config import WORLD_FILE, Config
from gloam_server.app.open_world import open_world
from gloam_server.app.upgrade import upgrade
from gloam_server.app.verify_world import verify_world
from gloam_server.engine.recovery import replay
from gloam_server.storage.errors import StorageError
from gloam_server.storage.open_store import file_store
from gloam_server.storage.sql.migrations import HEAD
from gloam_server.storage.sqlite.integrity.checksums import check_all
from gloam_server.storage.sqlite.world_file import version_check
from gloam_server.storage.sqlite.world_file.backup import backup
from gloam_server.world.transition.serialization import state_hash
from gloam_server.world.transition.version import RULES_VERSION
from support.server.parties import turn
from support.server.sim_server import SimServer


def _run(folder: Path) -> None:
    open_world(Config(data=folder, port=0, private=False), 9)


def _add_an_invite(folder: Path) -> None:
    with file_store(folder / WORLD_FILE).accounts() as accounts:
        accounts.add_invite(b"code", 1, 9)


OPENERS: dict[str, Callable[[Path], object]] = {
    "run": _run,
    "verify": lambda folder: verify_world(folder / WORLD_FILE, None),
    "upgrade": lambda folder: upgrade(folder / WORLD_FILE, None, 9),
    "invite": _add_an_invite,
}


def newer_world(folder: Path, *, cleanly: bool) -> Path:
    """Make a world that a server with newer rules has played, stopped or killed; return the folder that it left."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(replay, "RULES_VERSION", RULES_VERSION + 1)
        patch.setattr(version_check, "RULES_VERSION", RULES_VERSION + 1)
        store, dungeon = open_world(
            Config(data=folder / "live", campaign="jsrogue", seed=7, exact_seed=True, port=0, private=False),
            1,
        )
        server = SimServer(dungeon.campaign, store=store)
        anna = server.join("Anna")
        for _ in range(3):
            turn(server, anna)
        if cleanly:
            server.stop()
            store.close()
        shutil.copytree(folder / "live", folder / "left")
        if not cleanly:
            store.close()
    assert ((folder / "left" / f"{WORLD_FILE}-wal").exists()) != cleanly
    return folder / "left"


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder, except what SQLite keeps for itself alone."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.endswith("-shm")}


@pytest.mark.thorough
@pytest.mark.rule("A70")
@pytest.mark.parametrize("cleanly", [True, False], ids=["stopped", "killed"])
def test_newer_rules_refused_and_nothing_touched(tmp_path: Path, cleanly: bool) -> None:
    """Newer rules are refused and nothing is touched."""
    folder = newer_world(tmp_path, cleanly=cleanly)
    before = contents(folder)
    for name, opener in OPENERS.items():
        with pytest.raises(StorageError) as caught:
            opener(folder)
        assert f"(its rules version {RULES_VERSION + 1}, ours {RULES_VERSION}); upgrade" in str(
            caught.value
        ), name
        assert contents(folder) == before, name
    backup(folder / WORLD_FILE, tmp_path / "copy.sqlite3")
    assert check_all(tmp_path / "copy.sqlite3", state_hash) == []
    with closing(sqlite3.connect(tmp_path / "copy.sqlite3")) as database:
        assert database.execute("SELECT rules FROM realm").fetchone() == (RULES_VERSION + 1,)


@pytest.mark.thorough
@pytest.mark.parametrize("cleanly", [True, False], ids=["stopped", "killed"])
def test_newer_tables_refused_and_nothing_touched(tmp_path: Path, cleanly: bool) -> None:
    """Newer tables are refused and nothing is touched."""
    folder = newer_world(tmp_path, cleanly=cleanly)
    database = sqlite3.connect(folder / WORLD_FILE)
    with closing(database):
        database.execute("UPDATE alembic_version SET version_num = '9999'")
        database.commit()
        before = contents(folder)
        for name, opener in OPENERS.items():
            with pytest.raises(
                StorageError, match=rf"newer Gloam \(its version 9999, ours {HEAD}\); upgrade"
            ):
                opener(folder)
            assert contents(folder) == before, name
