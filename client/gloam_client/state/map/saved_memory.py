"""The memory of one life, kept over runs of the client: one file a life, in the user's folder.

It holds the floor items and the friends' locations.
"""

import asyncio
import os
from concurrent.futures import Executor, Future
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Final, NamedTuple

import msgspec

from gloam_client.state.map.friend_locations import KEPT_MAX, NO_LOCATIONS, FriendLocations, LastSeen
from gloam_client.state.map.item_memory import LEVELS_MAX, THINGS_MAX, ItemMemory
from gloam_shared.view.view import Item

FOLDER: Final = "memory"
FILES_MAX: Final = 50
"""The number of kept files, the newest ones."""
WRITE_EVERY_MS: Final = 10_000
WRITE_EVERY_HOSTED_MS: Final = 60_000
_VERSION: Final = 1
_SIZE_MAX: Final = 4 * 1024 * 1024
_THINGS_READ_MAX: Final = THINGS_MAX * 10
"""All items in sight are kept in addition, so a level may have more than THINGS_MAX."""
_SUFFIX: Final = ".seen"

_Depth = Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]
_Trace = tuple[_Depth, Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)], bool]


class SavedLife(NamedTuple):
    """The owner of the memory: a life of a player in a realm."""

    realm: str
    name: str
    number: int


class Seen(NamedTuple):
    """The stored part of what a life has seen."""

    recall: ItemMemory
    whereabouts: FriendLocations = NO_LOCATIONS


class _Kept(msgspec.Struct, frozen=True, array_like=True):
    version: int
    life: tuple[str, str, int]
    levels: Annotated[
        dict[_Depth, Annotated[tuple[Item, ...], msgspec.Meta(max_length=_THINGS_READ_MAX)]],
        msgspec.Meta(max_length=LEVELS_MAX),
    ]
    friends: Annotated[dict[str, _Trace], msgspec.Meta(max_length=KEPT_MAX)] = {}


class SavedMemory:
    """The file of the current life. An unreadable file is replaced, a write error ignored.

    A client that is hosted with others has a `writer` beside its loop: it writes once in a minute and at the end, because
    each write would hold up all of them.
    """

    def __init__(self, data: Path, writer: Executor | None = None) -> None:
        self._folder = data / FOLDER
        self._writer = writer
        self._writing: Future[None] | None = None
        self._life: SavedLife | None = None
        self._kept = Seen({})
        self._depth = 0
        self._written_ms = 0

    def open(self, life: SavedLife) -> Seen | None:
        """Open a life and return what was stored of it; None if it is open already."""
        if life == self._life:
            return None
        self._life = life
        self._kept = _read(self._path(life), life)
        return self._kept

    def keep(self, life: SavedLife, seen: Seen, depth: int, now_ms: int, *, at_once: bool = False) -> None:
        """Write the open life's changed memory: on another level, at the end, else once in ten seconds."""
        if self._writer is None:
            due = at_once or depth != self._depth or now_ms - self._written_ms >= WRITE_EVERY_MS
        else:
            due = at_once or now_ms - self._written_ms >= WRITE_EVERY_HOSTED_MS
        if life != self._life or not due or seen == self._kept:
            return
        self._kept, self._depth, self._written_ms = seen, depth, now_ms
        if self._writer is None:
            self._save(life, seen)
        else:
            self._writing = self._writer.submit(self._save, life, seen)

    async def written(self) -> None:
        """Wait for the last write: the same player may return and read it."""
        if self._writing is not None:
            await asyncio.wrap_future(self._writing)

    def _save(self, life: SavedLife, seen: Seen) -> None:
        with suppress(OSError):
            _write(self._path(life), _encode(life, seen))
            _prune(self._folder)

    def _path(self, life: SavedLife) -> Path:
        """Return the file of a life: its name is a hash, because realm and name come from a server."""
        return self._folder / (sha256(msgspec.msgpack.encode(life)).hexdigest()[:32] + _SUFFIX)


def _encode(life: SavedLife, seen: Seen) -> _Kept:
    levels = {depth: tuple(items.values())[-_THINGS_READ_MAX:] for depth, items in seen.recall.items()}
    return _Kept(_VERSION, life, levels, dict(seen.whereabouts))


def _read(path: Path, life: SavedLife) -> Seen:
    """Return a file's content for that life; nothing for a damaged or foreign file."""
    try:
        with path.open("rb") as file:
            kept = msgspec.msgpack.decode(file.read(_SIZE_MAX), type=_Kept)
    except (OSError, ValueError, RecursionError):
        return Seen({})
    if kept.version != _VERSION or kept.life != life:
        return Seen({})
    recall = {
        depth: {item.cell: item for item in items if item.cell >= 0} for depth, items in kept.levels.items()
    }
    return Seen(recall, {name: LastSeen(*trace) for name, trace in kept.friends.items()})


def _write(path: Path, kept: _Kept) -> None:
    """Write another file and rename it, so that the file is complete or unchanged."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        draft.write_bytes(msgspec.msgpack.encode(kept))
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def _prune(folder: Path) -> None:
    files = sorted(folder.glob(f"*{_SUFFIX}"), key=lambda path: path.stat().st_mtime_ns)
    for path in files[:-FILES_MAX]:
        path.unlink(missing_ok=True)
