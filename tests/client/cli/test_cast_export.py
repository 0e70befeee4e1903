"""Recordings as asciicasts: what a terminal that plays one shows, and what happens to broken files."""

import json
from pathlib import Path

import pyte
import pytest
from click.testing import CliRunner

from gloam_client.__main__ import cli
from gloam_client.user_files.recording import PAUSE_MS_MAX, Recorder
from gloam_shared.protocol.messages.chat import ChatLine
from gloam_shared.protocol.messages.login import Joined, Welcome
from gloam_shared.text import clean
from support.client.joined_client import GREETING, whole


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    """A short session: a player joins, and a friend speaks much later."""
    path = tmp_path / "evening.session"
    recorder = Recorder(path)
    recorder.begin_connection(5)
    recorder.take((Welcome(2, "gloam", 0, 8), Joined("Ann", 0, 1), whole()), 105)
    recorder.take((ChatLine("Bert", "for ever"),), 900_105)
    recorder.close()
    return path


def run(*args: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli, ["replay", *args])
    return done.exit_code, done.output


def played(path: Path, columns: int, rows: int) -> list[str]:
    """Return the last picture of a terminal that plays a cast."""
    screen = pyte.Screen(columns, rows)
    stream = pyte.Stream(screen)
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        _, kind, text = json.loads(line)
        assert kind == "o"
        stream.feed(text)
    return list(screen.display)


@pytest.mark.parametrize(("columns", "rows"), [(60, 20), (100, 30), (200, 60)])
def test_a_cast_shows_the_session(recording: Path, columns: int, rows: int) -> None:
    cast = recording.with_suffix(".cast")
    code, said = run(str(recording), "--export", str(cast), "--size", f"{columns}x{rows}")
    assert (code, said) == (0, f"{cast}: 2 s. Play it with: asciinema play {cast}\n")
    header = json.loads(cast.read_text(encoding="utf-8").splitlines()[0])
    assert (header["version"], header["width"], header["height"]) == (2, columns, rows)
    picture = "\n".join(played(cast, columns, rows))
    assert "Ann" in picture
    assert "HP" in picture
    assert "Bert: for ever" in picture


def test_a_recording_that_was_cut_shows_what_it_holds(recording: Path) -> None:
    recording.write_bytes(recording.read_bytes()[:-5])
    cast = recording.with_suffix(".cast")
    assert run(str(recording), "--export", str(cast))[0] == 0
    picture = "\n".join(played(cast, 100, 30))
    assert "HP" in picture
    assert "for ever" not in picture


def test_times_of_a_cast_rise_and_pauses_are_cut(recording: Path) -> None:
    cast = recording.with_suffix(".cast")
    run(str(recording), "--export", str(cast))
    times = [json.loads(line)[0] for line in cast.read_text(encoding="utf-8").splitlines()[1:]]
    assert times == sorted(times)
    assert times[-1] == (100 + PAUSE_MS_MAX) / 1_000


def test_a_file_that_exists_is_not_replaced(recording: Path) -> None:
    """An older cast, and the recording itself, stay as they were."""
    cast, before = recording.with_suffix(".cast"), recording.read_bytes()
    cast.write_text("kept", encoding="utf-8")
    for target in (cast, recording):
        code, said = run(str(recording), "--export", str(target))
        assert (code, said.count("\n")) == (2, 1)
        assert f"{target} exists" in said
    assert cast.read_text(encoding="utf-8") == "kept"
    assert recording.read_bytes() == before


def test_a_cast_on_a_full_disk_is_named(recording: Path) -> None:
    code, said = run(str(recording), "--export", "/dev/full")
    assert (code, said.count("\n"), "No space left" in said) == (2, 1, True)


def test_a_damaged_recording_leaves_no_cast(recording: Path) -> None:
    """A recording that is damaged or hostile is named."""
    cast = recording.with_suffix(".cast")
    whole_file = recording.read_bytes()
    for broken in (
        whole_file + b"\xc1",
        whole_file + b"\x92\xa1a\x01",
        whole_file[: len(GREETING)] + b"\x92\x06\xc4\x08GET / HT",
        b"gloam session 2\n\x92\x05\xc4\x00\x92\x06\xc4\x08GET / HT",
    ):
        recording.write_bytes(broken)
        code, said = run(str(recording), "--export", str(cast))
        assert code == 2
        assert str(recording) in said
        assert "Traceback" not in said
    assert [path.name for path in cast.parent.iterdir()] == ["evening.session"]


@pytest.mark.parametrize("size", ["", "80", "80x", "axb", "80x24x3", "10x10", "9999x20", "-80x24"])
def test_a_wrong_size_is_named(recording: Path, size: str) -> None:
    code, said = run(str(recording), "--export", str(recording.with_suffix(".cast")), f"--size={size}")
    assert code == 2
    assert f"--size {size} is" in said


def test_a_target_that_cannot_be_written_is_named(recording: Path) -> None:
    target = recording.parent / "none" / "x.cast"
    code, said = run(str(recording), "--export", str(target))
    assert (code, f"{target} cannot be written" in said) == (2, True)


def test_a_cast_shows_wide_signs_in_their_cells(tmp_path: Path) -> None:
    """Words behind Chinese ones stand where the terminal of the cast draws them, and a dump holds them whole."""
    said = "\u6f22\u5b57 \u201ce\u0301\u201d \U0001f409 end"
    path = tmp_path / "wide.session"
    recorder = Recorder(path)
    recorder.begin_connection(5)
    recorder.take((Welcome(2, "gloam", 0, 8), Joined("Ann", 0, 1), whole()), 105)
    recorder.take((ChatLine("Bert", said),), 205)
    recorder.close()
    cast = path.with_suffix(".cast")
    assert run(str(path), "--export", str(cast))[0] == 0
    (shown,) = [row for row in played(cast, 100, 30) if "Bert: " in row]
    assert clean(f"Bert: {said}") in shown
    done = CliRunner().invoke(cli, ["dump", str(path), "--data", str(tmp_path)])
    assert done.exit_code == 0, done.output
    (dumped,) = (tmp_path / "dumps").glob("Ann-life-1-*.txt")
    assert clean(f"Bert: {said}") in dumped.read_text(encoding="utf-8")
