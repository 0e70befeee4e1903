"""Recorded sessions: what they hold, what they leave out, and which files they never touch."""

import os
import stat
from pathlib import Path

import msgpack
import pytest

from gloam_client.replays.replay_file import load_replay, save_replay
from gloam_client.user_files.recording import MAGIC, NoRecording, Recorder, read_recording
from gloam_shared.protocol.codec import encode
from gloam_shared.protocol.compression import DEFLATE
from gloam_shared.protocol.framing import FrameWriter
from gloam_shared.protocol.messages.chat import ChatLine
from gloam_shared.protocol.messages.login import Error, Joined, ResumeToken, Welcome
from gloam_shared.protocol.registry import FromServer

TOKEN = b"a-resume-token-that-is-a-secret!"
WELCOME = Welcome(2, "gloam", 0, 8, abilities=("party", DEFLATE))
SESSION: tuple[FromServer, ...] = (
    WELCOME,
    ResumeToken(TOKEN),
    Joined("Ann", 0, 1),
    Error("wait", "not for a replay"),
    ChatLine("Bert", "hello"),
)


def older(path: Path, *messages: FromServer) -> Path:
    """Write a recording as older clients did: all bytes that the server sent, in frames."""
    frames = FrameWriter()
    data = b"".join(frames.frame(encode(message)) for message in messages)
    path.write_bytes(MAGIC + msgpack.packb([5, b""]) + msgpack.packb([6, data]))
    path.chmod(0o644)
    return path


def test_a_recording_plays_again(tmp_path: Path) -> None:
    path = tmp_path / "evening.session"
    recorder = Recorder(path)
    for at in (5, 905):
        recorder.begin_connection(at)
        recorder.take(SESSION, at + 1)
    recorder.take((SESSION[1],), 907)
    recorder.close()

    steps = load_replay(path).steps
    assert [step.fresh for step in steps] == [True, False, True, False]
    assert [type(each) for each in steps[1].messages] == [Welcome, Joined, ChatLine]


def test_no_secret_enters_a_recording(tmp_path: Path) -> None:
    path = tmp_path / "evening.session"
    recorder = Recorder(path)
    recorder.begin_connection(1)
    for message in SESSION:
        recorder.take((message,), 2)
    recorder.close()

    assert TOKEN not in path.read_bytes()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_copy_of_an_older_recording_holds_no_secret(tmp_path: Path) -> None:
    welcome = Welcome(2, "gloam", 0, 8)
    path = older(tmp_path / "old", welcome, *SESSION[1:])
    assert TOKEN in path.read_bytes(), "so did older clients record"
    copy = tmp_path / "copy"
    assert save_replay(path, copy) == ""

    assert TOKEN not in copy.read_bytes()
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert load_replay(copy).steps == load_replay(path).steps


@pytest.mark.parametrize("way", ["record", "copy"])
def test_no_file_with_content_is_replaced(tmp_path: Path, way: str) -> None:
    path = older(tmp_path / "evening.session", Welcome(2, "gloam", 0, 8), *SESSION[1:])
    before = path.read_bytes()
    link = tmp_path / "link"
    link.symlink_to(path)
    for target in (path, link):
        with pytest.raises(FileExistsError):
            Recorder(target) if way == "record" else save_replay(path, target)
    assert path.read_bytes() == before


def test_an_empty_file_is_used_and_made_private(tmp_path: Path) -> None:
    path = tmp_path / "made-by-mktemp"
    path.touch(0o666)
    Recorder(path).close()
    assert path.read_bytes() == MAGIC
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_pipe_without_a_reader_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="No such device"):
        Recorder(tmp_path / "pipe")


def test_a_full_disk_is_an_error_of_the_first_piece() -> None:
    recorder = Recorder(Path("/dev/full"))
    with pytest.raises(OSError, match="No space left"):
        recorder.begin_connection(1)
    recorder.close()


@pytest.mark.parametrize(
    "content",
    [b"", b"hello", b"gloam session 1\n", b"gloam session 2\n\x01", b"gloam session 2\n\x92\x01\xa1a"],
)
def test_what_is_no_recording_is_refused_by_name(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x"
    path.write_bytes(content)

    with pytest.raises(NoRecording, match=str(path)):
        list(read_recording(path))


def test_a_missing_recording_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NoRecording, match="cannot be read"):
        list(read_recording(tmp_path / "none"))
