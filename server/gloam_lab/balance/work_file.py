"""The work file of a table: the results of its finished realms, so that a later run continues from there.

The first line names what the realms were played with, each other line holds one realm. A run that is killed leaves at
most one torn line; it is cut off, and its realm is played again.
"""

import fcntl
import os
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Final, Self

import msgspec
from msgspec import Struct

from gloam_lab.balance.run_stats import RunStats


class WorkFileError(Exception):
    """A work file cannot be used; the text gives the reason and the solution."""


class Origin(Struct, frozen=True, forbid_unknown_fields=True):
    """The parameters on which the results of a work file depend.

    The number of lives is no part of it: a table can grow.
    """

    campaign: str
    content: str
    version: str
    rules: int
    players: int
    seed: int
    turns: int
    heirs: int = 1
    visitors: int = 0
    beacons: bool = False
    ground: bool = False
    kit: str = ""


class _Line(Struct, frozen=True, forbid_unknown_fields=True):
    """A finished realm: its place in the series and its result."""

    realm: int
    result: RunStats


_NAMES: Final = {
    "campaign": "the campaign",
    "content": "the campaign's content",
    "version": "the version of Gloam",
    "rules": "the version of the rules",
    "players": "--players",
    "seed": "--seed",
    "turns": "--turns",
    "heirs": "--heirs",
    "visitors": "--visitors",
    "beacons": "--beacons",
    "ground": "--ground",
    "kit": "--kit",
}


class WorkFile:
    """An open work file. `results` are the realms that it holds, by their place in the series."""

    def __init__(self, path: Path, origin: Origin) -> None:
        """Open or create the file. Raises WorkFileError if it has other contents, or cannot be used."""
        self.path = path
        self.results: dict[int, RunStats] = {}
        try:
            self._file: BinaryIO = path.open("r+b" if path.exists() else "x+b")
        except OSError as error:
            raise WorkFileError(f"The work file {path} cannot be opened: {error.strerror}.") from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._begin(origin)
        except BlockingIOError as error:
            self._file.close()
            raise WorkFileError(f"Another run is writing to {path}; wait for it, or end it.") from error
        except WorkFileError:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        """Return the file itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file."""
        self._file.close()

    def add(self, realm: int, result: RunStats) -> None:
        """Store the result of a realm: it is on disk when this returns. Raises WorkFileError."""
        self.results[realm] = result
        self._append(_Line(realm, result))

    def _begin(self, origin: Origin) -> None:
        first = self._file.readline()
        if not first:
            self._append(origin)
            return
        self._check(first, origin)
        whole = len(first)
        for line in self._file:
            try:
                done = msgspec.json.decode(line if line.endswith(b"\n") else b"", type=_Line)
            except msgspec.MsgspecError:
                break
            self.results[done.realm] = done.result
            whole += len(line)
        self._file.seek(whole)
        self._file.truncate()

    def _check(self, first: bytes, origin: Origin) -> None:
        try:
            known = msgspec.json.decode(first, type=Origin)
        except msgspec.MsgspecError as error:
            raise WorkFileError(
                f"{self.path} is no work file of lives; name another file, or delete it."
            ) from error
        for field, name in _NAMES.items():
            before, now = getattr(known, field), getattr(origin, field)
            if before != now:
                raise WorkFileError(
                    f"The realms in {self.path} differ in {name} ({before}, now {now}); "
                    "name another file, or delete this one."
                )

    def _append(self, line: Struct) -> None:
        try:
            self._file.write(msgspec.json.encode(line) + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise WorkFileError(f"The work file {self.path} cannot be written: {error.strerror}.") from error
