"""Recorded sessions."""

from pathlib import Path

import pytest

from gloam_client.net.recording import NoRecording, Recorder, read_recording


def test_what_is_recorded_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "evening.session"
    recorder = Recorder(path)
    pieces = [(5, b""), (6, b"abc"), (9, b"d" * 5_000)]
    for now_ms, piece in pieces:
        recorder.write(now_ms, piece)
    recorder.close()

    assert list(read_recording(path)) == pieces


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
