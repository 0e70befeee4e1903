"""A recorded session or life as steps of messages that arrived together, decoded, within bounds.

A file that is cut or hostile plays up to there.
"""

from pathlib import Path
from typing import Final, NamedTuple

from gloam_client.user_files.recording import PAUSE_MS_MAX, NoRecording, Recorder, is_kept, read_recording
from gloam_client.user_files.user_folders import remove_file
from gloam_shared import limits
from gloam_shared.protocol.codec import Malformed
from gloam_shared.protocol.framing import ForeignProtocol, FrameTooLarge
from gloam_shared.protocol.registry import FromServer
from gloam_shared.protocol.server_stream import ServerStream

FILE_MAX: Final = 64 * 2**20
"""The largest file that is played, in bytes."""
STEPS_MAX: Final = 200_000
"""The most steps that are played: a day of play has fewer."""
CONNECTIONS_MAX: Final = 1_000
"""The most connections that are played: each costs as much as many steps, and its piece in the file is three bytes."""
_PLAIN_MAX: Final = 32 * 2**20
"""The most bytes of messages that are decoded, however well they are compressed in the file."""
_BITE: Final = 512
"""The bytes that are decompressed at a time, between two looks at the bounds."""

DAMAGED: Final = "The recording is damaged from here on."
TOO_LONG: Final = "The recording goes on; no more of it is played."


class ReplayStep(NamedTuple):
    """The messages that arrived together, `at_ms` after the beginning with long pauses cut.

    `fresh` where a new connection begins.
    """

    at_ms: int
    fresh: bool
    messages: tuple[FromServer, ...] = ()


class LoadedReplay(NamedTuple):
    """The steps, and why there are no more of them: "" at the end of a whole file."""

    steps: list[ReplayStep]
    fault: str = ""


def load_replay(path: Path) -> LoadedReplay:
    """Read a recorded session. Raises NoRecording, with a sentence, for what cannot be played at all."""
    try:
        size = path.stat().st_size
    except OSError as error:
        raise NoRecording(f"{path} cannot be read ({error.strerror}).") from error
    if size > FILE_MAX:
        raise NoRecording(f"{path} is too large to play: {size // 2**20} MB, at most {FILE_MAX // 2**20}.")
    loaded = _load(path)
    if not any(step.messages for step in loaded.steps):
        raise NoRecording(f"{path} {'is damaged' if loaded.fault else 'holds nothing to play'}.")
    return loaded


def save_replay(path: Path, target: Path) -> str:
    """Copy what a recorded session shows into a new file; return why it ends there, as `LoadedReplay.fault`.

    Older clients recorded everything that the server sent, with tokens that let others play as the player: they are left
    out. Raises NoRecording, and OSError if the target exists or cannot be written.
    """
    loaded, recorder = load_replay(path), Recorder(target)
    try:
        for step in loaded.steps:
            if step.fresh:
                recorder.begin_connection(step.at_ms)
            recorder.take(step.messages, step.at_ms)
    except OSError:
        remove_file(target)
        raise
    finally:
        recorder.close()
    return loaded.fault


def _load(path: Path) -> LoadedReplay:
    steps: list[ReplayStep] = []
    stream, plain, connections, at_ms, before = _stream(), 0, 0, 0, None
    pieces = read_recording(path)
    while True:
        try:
            piece = next(pieces, None)
            if piece is None:
                return LoadedReplay(steps)
            now_ms, data = piece
            if not data:
                plain, stream, connections = plain + stream.plain_bytes, _stream(), connections + 1
                if connections > CONNECTIONS_MAX:
                    return LoadedReplay(steps, TOO_LONG)
            messages = _decoded(stream, data, _PLAIN_MAX - plain)
        except NoRecording:
            if not steps:
                raise
            return LoadedReplay(steps, DAMAGED)
        except (Malformed, FrameTooLarge, ForeignProtocol):
            return LoadedReplay(steps, DAMAGED)
        if len(steps) >= STEPS_MAX or plain + stream.plain_bytes > _PLAIN_MAX:
            return LoadedReplay(steps, TOO_LONG)
        at_ms += 0 if before is None else min(max(now_ms - before, 0), PAUSE_MS_MAX)
        before = now_ms
        if messages or not data:
            steps.append(ReplayStep(at_ms, not data, messages))


def _decoded(stream: ServerStream, data: bytes, room: int) -> tuple[FromServer, ...]:
    """Return the kept messages of a piece; nothing more is decoded once the stream has given `room` bytes."""
    messages: list[FromServer] = []
    for at in range(0, len(data), _BITE):
        messages += filter(is_kept, stream.feed(data[at : at + _BITE]))
        if stream.plain_bytes > room:
            break
    return tuple(messages)


def _stream() -> ServerStream:
    return ServerStream(limits.FRAME_FROM_SERVER_MAX)
