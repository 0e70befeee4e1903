"""A readable copy of a world's file whose description of its tables is damaged.

SQLite reads no row of a file if it cannot read the texts in `sqlite_master`. The tables of this version are known, and
their rows are where `sqlite_master` says. So a copy gets the known texts in place of the damaged ones.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from gloam_server.storage.sqlite.database import make_database
from gloam_server.storage.sqlite.file_access import connect_to, reading, remove

_TEXTS: Final = ("type", "name", "tbl_name", "sql")
_Entry = tuple[bytes | None, ...]


@contextmanager
def readable(world: Path, scratch: Path) -> Iterator[tuple[sqlite3.Connection, bool]]:
    """Yield a connection to a world's file, or to its copy at `scratch` if its tables are not of this version.

    The second value says whether it is the copy. Raises sqlite3.Error.

    The file itself is not changed. The world's lock must be held.
    """
    make_database(scratch)
    with closing(connect_to(scratch, "ro", immutable=True)) as new:
        known = [entry[1:] for entry in _entries(new)]
    remove(scratch)
    with reading(world, locked=True) as damaged:
        if [entry[1:] for entry in _entries(damaged)] == known:
            yield damaged, False
            return
        with closing(connect_to(scratch, "rwc")) as copy:
            copy.execute("PRAGMA writable_schema = ON")
            damaged.backup(copy)
            _repair(copy, known)
            copy.execute("PRAGMA journal_mode = DELETE")
    with closing(connect_to(scratch, "ro", immutable=True)) as copy:
        yield copy, True


def _entries(connection: sqlite3.Connection) -> list[_Entry]:
    """Return the number and the texts of each entry, in the order in which they were made; nothing that cannot be read."""
    before, connection.text_factory = connection.text_factory, bytes
    try:
        connection.execute("PRAGMA writable_schema = ON")  # SQLite then reads past damaged entries
        query = f"SELECT rowid, {', '.join(_TEXTS)} FROM sqlite_master ORDER BY rowid"  # noqa: S608  # names of columns
        return connection.execute(query).fetchall()
    finally:
        connection.execute("PRAGMA writable_schema = OFF")
        connection.text_factory = before


def _repair(copy: sqlite3.Connection, known: list[_Entry]) -> None:
    """Give each entry its known texts, by its name, and those without a known name by their order."""
    entries = _entries(copy)
    names = {entry[1] for entry in known}
    lost = iter([entry for entry in known if entry[1] not in {found[2] for found in entries}])
    by_name = {entry[1]: entry for entry in known}
    copy.execute("PRAGMA writable_schema = ON")
    for number, _, name, *_ in entries:
        texts = by_name[name] if name in names else next(lost, None)
        if texts is not None:
            values = [text.decode() if text is not None else None for text in texts]
            copy.execute(
                "UPDATE sqlite_master SET type = ?, name = ?, tbl_name = ?, sql = ? WHERE rowid = ?",
                (*values, number),
            )
