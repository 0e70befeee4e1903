"""The replays that the game's host shares, fetched for visitors: a few files, and what is made of them.

The caller checks their ids, so that none becomes a path to another folder.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar

from gloam_client.app_start import agent
from gloam_client.cli.cast_export import export_cast
from gloam_client.net.guest.server_replay import fetch_from
from gloam_client.net.tls_connect import ConnectFailed
from gloam_client.playback import Playback
from gloam_client.replays.replay_file import STEPS_MAX, load_replay
from gloam_client.screens.session.character_dump import character_dump
from gloam_client.state.options import DEFAULTS
from gloam_client.user_files.address import Address
from gloam_client.user_files.recording import NoRecording
from gloam_door.upstream import Upstream, Visitor

FOLDER: Final = "replays"
KEPT_MAX: Final = 20
"""The replays that are kept; the oldest goes first."""
KEPT_S: Final = 600
"""The time after which a replay is fetched again: its host may have replaced it, or share it no longer."""
CAST_MAX: Final = 8 * 2**20
"""The most bytes of a cast; a longer life is cut off there."""
_WORKING_MAX: Final = 8
_SIZE: Final = (100, 30)
_BUSY: Final = "Many ask for replays now; try again in a moment."
_FULL: Final = "This door cannot keep a replay now; tell its host, and try again later."
R = TypeVar("R")


class Replays:
    """Fetches each replay once, and reads it in a thread of its own: a long life takes seconds."""

    def __init__(self, data: Path, upstream: Upstream, address: Address) -> None:
        self._folder = data / FOLDER
        self._upstream = upstream
        self._address = address
        self._reader = ThreadPoolExecutor(1, "door-replays")
        self._working: dict[str, asyncio.Task[Any]] = {}

    def close(self) -> None:
        """End the thread, after what it does now."""
        self._reader.shutdown(cancel_futures=True)

    async def file(self, id_: str, reader: Visitor) -> Path:
        """Return the file of a replay. Raises ConnectFailed."""
        path = self._folder / f"{id_}.session"
        if _is_fresh(path):
            return path
        return await self._share(id_, lambda: self._fetch(id_, path, reader))

    async def cast(self, id_: str, reader: Visitor) -> bytes:
        """Return a replay as an asciicast. Raises ConnectFailed."""
        path = await self.file(id_, reader)
        return await self._share(f"{id_}.cast", lambda: self._read(_cast_of, path))

    async def life(self, id_: str, reader: Visitor) -> dict[str, Any]:
        """Return the values of the life in a replay, at its end. Raises ConnectFailed."""
        path = await self.file(id_, reader)
        return await self._share(f"{id_}.life", lambda: self._read(_life_of, path))

    async def _share(self, name: str, work: Callable[[], Coroutine[Any, Any, R]]) -> R:
        """Return the result of a work of that name, which is done once for all who ask meanwhile."""
        task = self._working.get(name)
        if task is None:
            if len(self._working) >= _WORKING_MAX:
                raise ConnectFailed(_BUSY, code="slow")
            task = self._working[name] = asyncio.get_running_loop().create_task(work())
            task.add_done_callback(lambda done: self._done(name, done))
        result: R = await asyncio.shield(task)
        return result

    def _done(self, name: str, task: "asyncio.Task[Any]") -> None:
        del self._working[name]
        if not task.cancelled():
            task.exception()  # a fault is for the readers that wait; perhaps none does any more

    async def _fetch(self, id_: str, path: Path, reader: Visitor) -> Path:
        line = await self._upstream.dial(reader)
        whole = await fetch_from(self._address, line, id_)
        try:
            await asyncio.get_running_loop().run_in_executor(self._reader, _keep, path, whole)
        except OSError as error:
            raise ConnectFailed(_FULL) from error
        return path

    async def _read(self, read: Callable[[Path], R], path: Path) -> R:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._reader, read, path)
        except NoRecording as error:
            raise ConnectFailed(str(error).replace(str(path), "The replay")) from error
        except OSError as error:
            raise ConnectFailed(_FULL) from error


def _is_fresh(path: Path) -> bool:
    with suppress(FileNotFoundError):
        return time.time() - path.stat().st_mtime < KEPT_S
    return False


def _keep(path: Path, whole: bytes) -> None:
    """Write a replay whole, in place of an older one, and remove the oldest of too many with its cast."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_bytes(whole)
    path.with_suffix(".cast").unlink(missing_ok=True)
    part.replace(path)
    kept = sorted(path.parent.glob("*.session"), key=lambda each: each.stat().st_mtime)
    for old in kept[:-KEPT_MAX]:
        old.unlink(missing_ok=True)
        old.with_suffix(".cast").unlink(missing_ok=True)


def _cast_of(path: Path) -> bytes:
    target, part = path.with_suffix(".cast"), path.with_suffix(".making")
    if not target.exists():
        part.unlink(missing_ok=True)  # of a door that was killed
        export_cast(path, part, *_SIZE, bytes_max=CAST_MAX)
        part.replace(target)
    return target.read_bytes()


def _life_of(path: Path) -> dict[str, Any]:
    playback = Playback(load_replay(path).steps, DEFAULTS, _SIZE)
    playback.read_ahead(STEPS_MAX)
    playback.show_turn(STEPS_MAX)
    return character_dump(playback.model, agent())
