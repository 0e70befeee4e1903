"""The files that may be where a world should be: worlds that are whole, killed, cut, foreign, newer or none."""

import shutil
import sqlite3
import tempfile
from contextlib import closing
from functools import cache
from pathlib import Path

from gloam_server.app import config as settings
from gloam_server.app.config import WORLD_FILE
from gloam_server.app.open_world import open_world
from gloam_server.storage.sqlite.database import make_database
from gloam_server.storage.sqlite.world_file.backup import backup


@cache
def killed_world() -> dict[str, bytes]:
    """Return the files of a small world: as a killed server leaves it, closed cleanly, and a backup."""
    with tempfile.TemporaryDirectory() as tmp:
        at = settings.resolve(Path(tmp), {"campaign": "rltut", "seed": 7, "port": 0}, private=False)
        store, _ = open_world(at, 1_000)
        store.directory.create_account("Ann", b"d" * 32, 1_000)
        found = {
            ending: (Path(tmp) / f"{WORLD_FILE}{ending}").read_bytes() for ending in ("", "-wal", "-witness")
        }
        store.close()
        backup(Path(tmp) / WORLD_FILE, Path(tmp) / "copy")
        return {
            **found,
            "clean": (Path(tmp) / WORLD_FILE).read_bytes(),
            "copy": (Path(tmp) / "copy").read_bytes(),
        }


def good(data: Path) -> None:
    put(data, killed_world()["clean"])


def backed_up(folder: Path) -> Path:
    put(folder, killed_world()["copy"])
    return folder / WORLD_FILE


def killed(data: Path) -> None:
    for ending in ("", "-wal", "-witness"):
        put(data, killed_world()[ending], ending)


def put(data: Path, body: bytes, ending: str = "") -> None:
    data.mkdir(parents=True, exist_ok=True)
    (data / f"{WORLD_FILE}{ending}").write_bytes(body)


def missing(data: Path) -> None:
    data.mkdir(parents=True)


def empty(data: Path) -> None:
    put(data, b"")


def text(data: Path) -> None:
    put(data, b"the quick brown fox\n" * 500)


def cut(data: Path) -> None:
    put(data, killed_world()["clean"][: len(killed_world()["clean"]) // 2])


def stump(data: Path) -> None:
    put(data, killed_world()["clean"][:50])


def log_alone(data: Path) -> None:
    put(data, killed_world()["-wal"], "-wal")


def empty_with_log(data: Path) -> None:
    empty(data)
    log_alone(data)


def foreign(data: Path) -> None:
    data.mkdir(parents=True)
    with closing(sqlite3.connect(data / WORLD_FILE)) as database:
        database.execute("CREATE TABLE '\x1b]0;bookmarks\x07' (id INTEGER)")
        database.commit()


def bare(data: Path) -> None:
    data.mkdir(parents=True)
    with closing(sqlite3.connect(data / WORLD_FILE)) as database:
        database.execute("PRAGMA user_version = 1")
        database.commit()


def unfinished(data: Path) -> None:
    data.mkdir(parents=True, exist_ok=True)
    make_database(data / WORLD_FILE)


def newer(data: Path) -> None:
    good(data)
    with closing(sqlite3.connect(data / WORLD_FILE)) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999 \x1b[31m\n'")
        database.commit()


def newer_and_killed(data: Path) -> None:
    scratch = data.with_name("scratch")
    good(scratch)
    with closing(sqlite3.connect(scratch / WORLD_FILE)) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
        database.commit()
        shutil.copytree(scratch, data)
    shutil.rmtree(scratch)


def directory(data: Path) -> None:
    (data / WORLD_FILE).mkdir(parents=True)


def dangling(data: Path) -> None:
    data.mkdir(parents=True)
    (data / WORLD_FILE).symlink_to(data / "gone")


BAD = (
    missing,
    empty,
    text,
    cut,
    stump,
    log_alone,
    empty_with_log,
    foreign,
    bare,
    unfinished,
    newer,
    newer_and_killed,
    directory,
    dangling,
)
