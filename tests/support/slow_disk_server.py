"""gloam-server on a slow disk: every write to its world takes a second longer."""

import sys
import time

from gloam_server.app.main import cli
from gloam_server.storage import sqlite

SYNC_S = 1.0


def _slowed(journal: sqlite.SqliteJournal, *args: object) -> None:
    time.sleep(SYNC_S)
    _append(journal, *args)  # type: ignore[arg-type]  # what it takes is passed on as it is


_append = sqlite.SqliteJournal.append

if __name__ == "__main__":
    setattr(sqlite.SqliteJournal, "append", _slowed)  # noqa: B010  # a method is replaced
    sys.exit(cli())
