"""The replays that the host shares: files in a folder beside the world, read part by part. Nothing is ever written there."""

import os
import re
import stat
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any, Final

from twisted.internet.defer import Deferred, maybeDeferred

from gloam_shared import limits

FOLDER: Final = "shared-replays"
"""In the world's data folder. Not `replays`: there a client that has a private world keeps its own lives."""
SUFFIX: Final = ".session"
"""The ending of a replay's file, as clients write it; what comes before it is the id."""
SIZE_MAX: Final = limits.REPLAY_PARTS_MAX * limits.REPLAY_PART_BYTES
"""The largest file that is shared, in bytes."""
_ID: Final = re.compile(f"[A-Za-z0-9-]{{1,{limits.REPLAY_ID_MAX}}}")


class NoReplay(Exception):
    """There is no such replay, or no such part of it, or it cannot be read.

    The text says so to the player who asked.
    """


class SharedReplays:
    """Finds replays by their ids in the folder's own listing: no text from a client becomes a path.

    `call` runs what reads files: a server gives a thread for it.
    """

    def __init__(self, folder: Path, call: Callable[..., Deferred[Any]] = maybeDeferred) -> None:
        self._folder = folder
        self._call = call

    def read(self, wanted: str, part: int) -> Deferred[tuple[int, bytes]]:
        """Read one part of a replay, from 0. Fires with the file's size and the bytes, or with NoReplay or FilesBusy."""
        return self._call(self._read, wanted, part)

    def _read(self, wanted: str, part: int) -> tuple[int, bytes]:
        try:
            path = self._find(wanted)
            if path is None:
                raise NoReplay("This server shares no replay with that id; ask its host.")
            return _read(path, part)
        except OSError:
            raise NoReplay("The replay cannot be read on the server now; ask its host.") from None

    def _find(self, wanted: str) -> str | None:
        """Return the path of a listed regular file whose name is this id; a link is none."""
        if _ID.fullmatch(wanted) is None:
            return None
        try:
            with os.scandir(self._folder) as listed:
                for entry in islice(listed, limits.REPLAYS_LISTED_MAX):
                    if entry.name == wanted + SUFFIX and entry.is_file(follow_symlinks=False):
                        return entry.path
        except (FileNotFoundError, NotADirectoryError):
            return None
        return None


def _read(path: str, part: int) -> tuple[int, bytes]:
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(handle, "rb") as file:
        about = os.fstat(handle)
        if not stat.S_ISREG(about.st_mode):
            raise NoReplay("The replay cannot be read on the server now; ask its host.")
        if about.st_size > SIZE_MAX:
            raise NoReplay(f"That replay is too large to fetch: at most {SIZE_MAX // 2**20} MiB are shared.")
        if part and part * limits.REPLAY_PART_BYTES >= about.st_size:
            raise NoReplay("The replay has no such part.")
        file.seek(part * limits.REPLAY_PART_BYTES)
        return about.st_size, file.read(limits.REPLAY_PART_BYTES)
