"""Records each of this user's lives into a file of its own, from the messages that the client has understood.

The file is a recorded session as `--record` writes it, in plain frames; each connection begins with `Welcome` and
`Joined`, so that it plays from its beginning. Life after life, run after run, a life continues in its own file.
"""

import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Final

import msgpack
from msgspec.structs import replace

from gloam_client.replays import replay_library
from gloam_client.replays.replay_library import AboutLife
from gloam_client.user_files.recording import MAGIC, is_kept, uncompressed
from gloam_shared.protocol.codec import encode
from gloam_shared.protocol.framing import FrameWriter
from gloam_shared.protocol.messages.lives import Died
from gloam_shared.protocol.messages.login import Joined, Welcome
from gloam_shared.protocol.messages.play import Update
from gloam_shared.protocol.registry import FromServer
from gloam_shared.view.view import Stat, View

_FLUSH_MS: Final = 2_000
"""After so long at most what was recorded is handed to the system: a crash loses no more."""


class LifeRecorder:
    """Takes the messages of one client. `data` is the user's folder. A disk that fails ends the recording of that life."""

    def __init__(self, data: Path) -> None:
        self._folder = data / replay_library.FOLDER
        self._welcome: Welcome | None = None
        self._file: IO[bytes] | None = None
        self._path = Path()
        self._frames = FrameWriter()
        self._about = AboutLife("", "", 0, 0)
        self._size = 0
        self._flushed_ms = 0
        self._is_seen = False
        """Whether an update of this life has arrived: until then the client has the view of the life before."""

    def take(self, messages: Sequence[FromServer], view: View, now_ms: int) -> str:
        """Record messages that arrived together; return why the recording ends here, or ""."""
        try:
            for message in messages:
                self._take(message, now_ms)
            if self._file is not None:
                if self._is_seen:
                    self._note_progress(view)
                if now_ms - self._flushed_ms >= _FLUSH_MS:
                    self._flushed_ms = now_ms
                    self._file.flush()
        except OSError as error:
            self._drop()
            return f"This life is no longer recorded: {error.strerror}."
        return ""

    def close(self) -> None:
        """End the file of the present life, for now."""
        if self._file is None:
            return
        try:
            replay_library.write_about(self._path, self._about)
            self._file.close()
        except OSError:
            pass  # what was flushed before stays
        self._file = None

    def _take(self, message: FromServer, now_ms: int) -> None:
        if isinstance(message, Welcome):
            self._welcome = message
        elif isinstance(message, Joined) and self._welcome is not None:
            self._begin(self._welcome, message, now_ms)
        elif self._file is not None and is_kept(message):
            self._write(now_ms, message)
            self._is_seen = self._is_seen or isinstance(message, Update)
            if isinstance(message, Died):
                self._end(message)

    def _begin(self, welcome: Welcome, joined: Joined, now_ms: int) -> None:
        """Open the file of a life, new or where it ended; a new connection begins in it."""
        self.close()
        self._is_seen = False
        key = welcome.realm or welcome.campaign
        self._path = (
            self._folder / f"{replay_library.replay_id(key, joined.name, joined.life)}{replay_library.SUFFIX}"
        )
        self._folder.mkdir(0o700, parents=True, exist_ok=True)  # others' words are in it
        self._size = whole_size(self._path)
        new = AboutLife(welcome.campaign, joined.name, joined.life, int(time.time()))
        about = replay_library.read_about(self._path) if self._size else None
        self._about = new if about is None else about
        self._file = self._path.open("r+b" if self._size else "wb")
        if not self._size:
            self._file.write(MAGIC)
            self._size = len(MAGIC)
        self._file.seek(self._size)
        self._file.truncate()
        replay_library.write_about(self._path, self._about)
        replay_library.prune(self._folder, self._path)
        self._frames = FrameWriter()
        self._put(now_ms, b"")
        self._write(now_ms, welcome)
        self._write(now_ms, joined)

    def _write(self, now_ms: int, message: FromServer) -> None:
        self._put(now_ms, self._frames.frame(encode(uncompressed(message))))

    def _put(self, now_ms: int, data: bytes) -> None:
        """Append a piece, unless the life is as long as a replay may be."""
        if self._file is None:
            return
        piece: bytes = msgpack.packb([now_ms, data])
        if self._size + len(piece) > replay_library.LIFE_MAX:
            self.close()
            return
        self._size += len(piece)
        self._file.write(piece)

    def _note_progress(self, view: View) -> None:
        """Note how deep the life is; its description is written when it gets deeper."""
        if not view.place.width:
            return
        depth, level = view.place.depth, view.fact(Stat.LEVEL)
        if depth <= self._about.depth and level <= self._about.level:
            return
        self._about = replace(
            self._about, depth=max(self._about.depth, depth), level=max(self._about.level, level)
        )
        replay_library.write_about(self._path, self._about)

    def _end(self, died: Died) -> None:
        self._about = replace(
            self._about,
            turns=died.turns,
            by=died.by,
            won=died.won,
            over=True,
            level=max(self._about.level, died.level),
            depth=max(self._about.depth, died.depth),
        )
        replay_library.write_about(self._path, self._about)
        if self._file is not None:
            self._file.flush()

    def _drop(self) -> None:
        """Forget the file of a life that cannot be written."""
        if self._file is not None:
            with suppress(OSError):
                self._file.close()
        self._file = None


def whole_size(path: Path) -> int:
    """Return how many bytes at the start of a replay are whole pieces; 0 for what is none. A crash may have torn the last."""
    try:
        with path.open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                return 0
            unpacker: Any = msgpack.Unpacker(file, max_buffer_size=2**22)
            whole = 0
            with suppress(ValueError, msgpack.UnpackException):
                for _ in unpacker:
                    whole = unpacker.tell()
            return len(MAGIC) + whole
    except OSError:
        return 0
