"""Sessions on disk: what the player saw and heard, with the time of each piece, and no secret."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgpack
from msgspec.structs import replace

from gloam_client.user_files.user_folders import create_file
from gloam_shared.protocol.codec import encode
from gloam_shared.protocol.compression import DEFLATE
from gloam_shared.protocol.framing import FrameWriter
from gloam_shared.protocol.messages.chat import ChatLine, MapPinged, Spoken
from gloam_shared.protocol.messages.lives import Died, Recap
from gloam_shared.protocol.messages.login import Joined, Notice, Welcome
from gloam_shared.protocol.messages.play import Answer, Pace, Update
from gloam_shared.protocol.registry import FromServer

MAGIC: Final = b"gloam session 2\n"
_OLDER: Final = b"gloam session 1\n"
"""The mark of a session that was recorded over protocol 1."""
PAUSE_MS_MAX: Final = 2_000
"""The longest pause in a replay; longer ones are cut to this."""
_KEPT: Final = (
    Welcome, Joined, Update, Answer, Pace, ChatLine, Spoken, Died, Recap, MapPinged, Notice
)  # fmt: skip


class NoRecording(Exception):
    """A file holds no recorded session; the text says so."""


class Recorder:
    """Writes a session as it happens: pieces of [milliseconds, frames], b"" where a new connection begins.

    It holds what a replay shows. What else a server sends is left out: a resume token would let others play as this player.
    """

    def __init__(self, path: Path) -> None:
        self._file = create_file(path)
        self._file.write(MAGIC)
        self._frames = FrameWriter()

    def begin_connection(self, now_ms: int) -> None:
        """Note that a new connection begins. Raises OSError, like `take`."""
        self._frames = FrameWriter()
        self._put(now_ms, b"")

    def take(self, messages: Iterable[FromServer], now_ms: int) -> None:
        """Append the messages that a recording holds."""
        kept = [uncompressed(message) for message in messages if is_kept(message)]
        if kept:
            self._put(now_ms, b"".join(self._frames.frame(encode(message)) for message in kept))

    def close(self) -> None:
        """End the file. What could not be written stays out."""
        with suppress(OSError):
            self._file.close()

    def _put(self, now_ms: int, data: bytes) -> None:
        self._file.write(msgpack.packb([now_ms, data]))
        self._file.flush()


def is_kept(message: FromServer) -> bool:
    """Return whether a recording holds a message: nothing that asks the player for something, and no token."""
    return isinstance(message, _KEPT)


def uncompressed(message: FromServer) -> FromServer:
    """Return a message as it stands in a recording, whose frames are plain: `Welcome` without the ability to compress."""
    if not isinstance(message, Welcome):
        return message
    return replace(message, abilities=tuple(each for each in message.abilities if each != DEFLATE))


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
