"""A world from a newer Gloam: refused with a message before its file is opened for writing."""

import sqlite3
from contextlib import closing
from pathlib import Path

from gloam_server.storage.errors import StorageError
from gloam_server.storage.sql.migrations import HEAD
from gloam_server.storage.sqlite.integrity.checksums import reading
from gloam_server.world.transition.version import RULES_VERSION


def refuse_newer(world: Path) -> None:
    """Raise StorageError when a world's tables or rules are newer than this version's; its files stay as they are.

    A file that is no world is not reported here.
    """
    tables, rules = _versions(world)
    if tables > HEAD:
        raise StorageError(
            f"The world {world} was written by a newer Gloam (its version {tables}, ours {HEAD}); upgrade the server."
        )
    if rules > RULES_VERSION:
        raise StorageError(
            f"The world {world} was played by a newer Gloam (its rules version {rules}, ours {RULES_VERSION}); upgrade the "
            "server, or restore a backup from before into another folder with `gloam-server restore`."
        )


def _versions(world: Path) -> tuple[str, int]:
    """Return the versions of a world's tables and rules; "" and 0 where they cannot be read."""
    try:
        if not world.stat().st_size:  # SQLite would remove the log of an empty file
            return "", 0
        with closing(reading(world)) as connection:
            [(tables,)] = connection.execute("SELECT version_num FROM alembic_version")
            rules = connection.execute("SELECT rules FROM realm").fetchall()
    except (sqlite3.Error, OSError, ValueError):
        return "", 0
    return str(tables), int(rules[0][0]) if rules and isinstance(rules[0][0], int) else 0
