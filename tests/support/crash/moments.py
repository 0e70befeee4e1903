"""The moments at which a server is killed, and how each is hit on a real one: by the clock, its files, its log."""

import contextlib
import sqlite3
import time
from enum import Enum
from pathlib import Path
from typing import Final

from gloam_server.engine.recovery.snapshot_schedule import REPLAYED_MAX, SNAPSHOT_EVERY
from support.crash.auditor import WORLD
from support.processes.server_forks import ForkedServer
from support.processes.server_process import clean_environment

_PATIENCE_S: Final = 30.0


class Moment(Enum):
    """The moment at which the plug is pulled."""

    PLAY = "in play"
    COMMIT = "while a beat is written"
    SNAPSHOT = "about a snapshot"
    JOINING = "while everybody joins"
    START = "while it starts and recovers"
    STOP = "while it stops"
    BACKUP = "during a backup"
    SALVAGE = "in a salvage"
    UPGRADE = "in an upgrade"


class Victim:
    """One real server process. It is never asked how it feels."""

    def __init__(self, data: Path, campaign: str, seed: int) -> None:
        self.data = data
        self._log = data.with_name(data.name + ".log")
        command = ["run", "--data", str(data), "--port", "0"]
        if not (data / WORLD).exists():
            command += ["--campaign", campaign, "--seed", str(seed), "--exact-seed"]
        with self._log.open("ab") as log:
            self.process = ForkedServer(command, log.fileno(), clean_environment())
        self.began_s = time.monotonic()

    def port(self) -> int:
        """Wait until it listens; return where. Raises AssertionError with the end of its log when it does not."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.startswith("gloam-server: listening"), (
            f"it said {line!r}; its log: {self._log.read_text()[-3_000:]}"
        )
        return int(line.rpartition(":")[2])

    def kill(self) -> None:
        """Pull the plug."""
        self.process.kill()
        self._bury()

    def stop(self) -> int:
        """Let it stop as it should; return its exit code."""
        self.process.terminate()
        return self._bury()

    def log(self) -> str:
        """Return what it and those before it have written to their log."""
        return self._log.read_text(errors="replace")

    def wait_for_a_write(self, seconds: float) -> None:
        """Return as soon as it writes to its world, or after so long. Looks all the time: a write is short."""
        wal = self.data / f"{WORLD}-wal"
        before = _changed(wal)
        end = time.monotonic() + seconds
        while _changed(wal) == before and time.monotonic() < end:
            pass

    def is_near_a_snapshot(self) -> bool:
        """Return whether a place, or all together, have nearly as many inputs since the newest snapshots as they may."""
        query = (
            "SELECT max(newest - kept), sum(newest - kept) FROM (SELECT place, max(sequence) newest FROM journal GROUP BY place) "
            "JOIN (SELECT place at, max(sequence) kept FROM snapshots GROUP BY place) ON place = at"
        )
        with contextlib.closing(sqlite3.connect(f"file:{self.data / WORLD}?mode=ro", uri=True)) as database:
            one, together = database.execute(query).fetchone()
        return int(one or 0) >= SNAPSHOT_EVERY - 20 or int(together or 0) >= REPLAYED_MAX - 20

    def _bury(self) -> int:
        code = self.process.wait(_PATIENCE_S)
        if self.process.stdout is not None:
            self.process.stdout.close()
        return code


def _changed(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except FileNotFoundError:
        return 0, 0
    return found.st_mtime_ns, found.st_size
