"""Sessions on disk: what the server sent, with the time of each piece."""

from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Final

import msgpack

MAGIC: Final = b"gloam session 2\n"
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
        self._file.write(MAGIC)

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
            mark = file.read(len(MAGIC))
            if mark == _OLDER:
                raise NoRecording(
                    f"{path} was recorded over protocol 1, which this client does not speak; record it again."
                )
            if mark != MAGIC:
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
