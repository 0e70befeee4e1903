"""Sessions on disk: what the server sent, with the time of each piece; and playing them again."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, Final

import msgpack

from gloam_client.net.connection import ConnectionListener
from gloam_client.net.protocol_client import ProtocolClient

_MAGIC: Final = b"gloam session 2\n"
_OLDER: Final = b"gloam session 1\n"
"""The mark of a session that was recorded over protocol 1."""
PAUSE_MS_MAX: Final = 2_000
"""The longest pause in a replay; longer ones are cut to this."""


class NoRecording(Exception):
    """A file holds no recorded session; the text says so."""


class Recorder:
    """Writes a session as it happens: pieces of [milliseconds, bytes], b"" where a new connection begins."""

    def __init__(self, path: Path) -> None:
        self._file: IO[bytes] = path.open("wb")
        self._file.write(_MAGIC)

    def write(self, now_ms: int, data: bytes) -> None:
        """Append received bytes."""
        self._file.write(msgpack.packb([now_ms, data]))

    def close(self) -> None:
        """End the file."""
        self._file.close()


def read_recording(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield (milliseconds, bytes) of a recorded session. Raises NoRecording."""
    try:
        with path.open("rb") as file:
            mark = file.read(len(_MAGIC))
            if mark == _OLDER:
                raise NoRecording(
                    f"{path} was recorded over protocol 1, which this client does not speak; record it again."
                )
            if mark != _MAGIC:
                raise NoRecording(f"{path} is no recorded session; make one with: gloam --record {path}")
            unpacker: Any = msgpack.Unpacker(file, max_buffer_size=2**22)
            for piece in unpacker:
                now_ms, data = piece
                if not (isinstance(now_ms, int) and isinstance(data, bytes)):
                    raise NoRecording(f"{path} is damaged.")
                yield now_ms, data
    except OSError as error:
        raise NoRecording(f"{path} cannot be read ({error.strerror}).") from error
    except (ValueError, TypeError, msgpack.UnpackException) as error:
        raise NoRecording(f"{path} is damaged.") from error


class Replay:
    """Takes the place of a connection and feeds a protocol client from a file; outgoing bytes are dropped."""

    def __init__(
        self, link: ProtocolClient, path: Path, listener: ConnectionListener, now_ms: Callable[[], int]
    ) -> None:
        self._link = link
        self._path = path
        self._listener = listener
        self._now_ms = now_ms

    async def run(self) -> None:
        """Play the file to its end."""
        before: int | None = None
        for at_ms, data in read_recording(self._path):
            if before is not None:
                await asyncio.sleep(min(at_ms - before, PAUSE_MS_MAX) / 1_000)
            before = at_ms
            if data:
                self._listener.on_messages(self._link.receive(data, self._now_ms()))
            else:
                self._link.connected(self._now_ms())
            self.flush()

    def flush(self) -> None:
        """Drop what would be sent."""
        self._link.outgoing()

    async def goodbye(self) -> None:
        """There is no listener."""
