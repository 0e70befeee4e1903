"""Recorded sessions."""

import asyncio
from pathlib import Path

import pytest

from gloam_client.net.protocol_client import ProtocolClient
from gloam_client.net.recording import NoRecording, Recorder, Replay, read_recording
from gloam_shared.protocol.messages import Joined
from support.client.connection_listener import Ear
from support.client.fake_server import level_view
from support.client.joined_client import GREETING, whole, wire


def test_what_is_recorded_is_played_again(tmp_path: Path) -> None:
    path = tmp_path / "evening.session"
    recorder = Recorder(path)
    data = GREETING + wire(Joined("Ann", 0, 1), whole())
    for now_ms, piece in ((5, b""), (6, data[:40]), (9, data[40:])):
        recorder.write(now_ms, piece)
    recorder.close()
    link, ear = ProtocolClient("Replay", bytes(32), "test"), Ear()
    asyncio.run(Replay(link, path, ear, lambda: 0).run())

    assert level_view() == link.view
    assert link.name == "Ann"
    assert link.outgoing() == b""


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
