"""Replay files that are whole, cut, huge or hostile."""

import zlib
from pathlib import Path

import msgpack
import pytest

from gloam_client.playback import Playback
from gloam_client.replays import replay_file
from gloam_client.replays.replay_file import CONNECTIONS_MAX, DAMAGED, STEPS_MAX, TOO_LONG, load_replay
from gloam_client.state.options import DEFAULTS
from gloam_client.user_files.recording import MAGIC, NoRecording
from gloam_shared.protocol.codec import encode
from gloam_shared.protocol.framing import first_frame, frame
from gloam_shared.protocol.messages.login import Joined, Welcome
from gloam_shared.protocol.messages.play import Pace
from gloam_shared.protocol.server_stream import ServerStream
from support.client.recorded_life import recorded_life
from support.run.fault_seam import FaultSeam

GREETING = first_frame(encode(Welcome(2, "gloam", 0, 8)))


def file(path: Path, *pieces: tuple[object, ...], tail: bytes = b"") -> Path:
    path.write_bytes(MAGIC + b"".join(msgpack.packb(list(piece)) for piece in pieces) + tail)
    return path


def test_file_plays_up_to_where_it_was_cut(tmp_path: Path) -> None:
    """A replay that is cut at any place plays up to there, or is refused with a sentence."""
    data, whole = recorded_life(), tmp_path / "whole"
    whole.write_bytes(data)
    steps = load_replay(whole).steps
    for cut in range(0, len(data), max(len(data) // 40, 1)):
        path = tmp_path / "cut"
        path.write_bytes(data[:cut])
        try:
            loaded = load_replay(path)
        except NoRecording as error:
            refusal = str(error)
        else:
            refusal = ""
            assert loaded.steps == steps[: len(loaded.steps)]
        assert not refusal or refusal.endswith((str(path), "to play.", "damaged."))


def test_damage_in_the_middle_ends_it_there(tmp_path: Path) -> None:
    good = GREETING + frame(encode(Joined("Ann", 0, 1)))
    for bad in ((3, b"\xff" * 50), ("x", b""), (3, "text"), (3,), (3, frame(b"\x91\xcc\xff" + b"junk"))):
        path = file(tmp_path / "x", (1, b""), (2, good), bad, (4, frame(encode(Pace()))))
        loaded = load_replay(path)
        assert len(loaded.steps) >= 2
        assert loaded.fault in ("", DAMAGED)


@pytest.mark.parametrize("filled", [False, True])
def test_many_connections_cost_a_bounded_sum(filled: bool, tmp_path: Path, seam: FaultSeam) -> None:
    """Each connection of a file costs a new stream and a new game: no more of them are made than the bound."""
    stream = replay_file._stream
    made = [stream()]

    def make() -> ServerStream:
        made.append(ServerStream(2**18))
        return made[-1]

    seam.plant(stream, make, within=replay_file)
    talk = ((1, GREETING),) if filled else ()
    pieces = [piece for _ in range(3 * CONNECTIONS_MAX) for piece in ((1, b""), *talk)]
    loaded = load_replay(file(tmp_path / "x", (0, GREETING), *pieces))
    assert loaded.fault == TOO_LONG
    assert sum(step.fresh for step in loaded.steps) == CONNECTIONS_MAX
    assert len(made) <= CONNECTIONS_MAX + 3

    playback = Playback(loaded.steps, DEFAULTS, (80, 24))
    playback.read_ahead(STEPS_MAX)
    assert playback.whole


def test_long_recording_plays_up_to_the_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay_file, "STEPS_MAX", 50)
    pace = frame(encode(Pace()))
    loaded = load_replay(file(tmp_path / "x", (0, b""), (1, GREETING), *((at, pace) for at in range(100))))
    assert (len(loaded.steps), loaded.fault) == (50, TOO_LONG)


def test_times_are_made_to_rise_and_pauses_cut(tmp_path: Path) -> None:
    pace = frame(encode(Pace()))
    times = [0, 5, -(2**62), 2**62, 2**63 - 1, 2**63]
    pieces = [(times[0], b""), (times[1], GREETING), *((each, pace) for each in times[2:])]
    steps = load_replay(file(tmp_path / "x", *pieces)).steps
    at = [step.at_ms for step in steps]
    assert at == sorted(at)
    assert at[-1] <= 2_000 * len(steps)


def test_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x"
    with path.open("wb") as sparse:
        sparse.truncate(replay_file.FILE_MAX + 1)
    with pytest.raises(NoRecording, match="too large to play"):
        load_replay(path)


@pytest.mark.thorough
def test_few_bytes_that_stand_for_many_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hostile file that decompresses without end plays up to a bound, and takes no more memory than that."""
    monkeypatch.setattr(replay_file, "_PLAIN_MAX", 100_000)
    stream = zlib.compressobj(9, zlib.DEFLATED, -15)
    bomb = stream.compress(frame(encode(Pace())) * 2_000_000) + stream.flush(zlib.Z_SYNC_FLUSH)
    greeting = first_frame(encode(Welcome(2, "gloam", 0, 8, abilities=("deflate",))))
    path = file(tmp_path / "x", (1, b""), (2, greeting), (3, frame(encode(Joined("Ann", 0, 1)))), (4, bomb))
    loaded = load_replay(file(path, (1, b""), (2, greeting), (4, bomb)))
    assert loaded.fault == TOO_LONG
    assert sum(len(step.messages) for step in loaded.steps) < 500_000


@pytest.mark.parametrize("content", [b"", b"hello", MAGIC, MAGIC + b"\xc1", MAGIC + msgpack.packb([1, b""])])
def test_what_holds_nothing_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x"
    path.write_bytes(content)
    with pytest.raises(NoRecording, match="x"):
        load_replay(path)
