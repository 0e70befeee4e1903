"""gloam-server on a slow disk: every write to its world takes a second longer."""

import sys
import time

from gloam_server.cli.main import cli
from gloam_server.storage.sqlite import sqlite_journal

SYNC_S = 1.0


def _slowed(store: sqlite_journal.SqliteJournal, *args: object) -> None:
    time.sleep(SYNC_S)
    _append(store, *args)  # type: ignore[arg-type]  # what it takes is passed on as it is


_append = sqlite_journal.SqliteJournal.append

if __name__ == "__main__":
    setattr(sqlite_journal.SqliteJournal, "append", _slowed)  # noqa: B010  # a method is replaced
    sys.exit(cli())
