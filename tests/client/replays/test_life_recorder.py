"""Lives recorded on disk, and their bounds."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from gloam_client.replays import replay_library
from gloam_client.replays.life_recorder import LifeRecorder, whole_size
from gloam_client.replays.replay_file import load_replay
from gloam_client.replays.replay_library import FOLDER, LIVES_MAX, list_replays
from gloam_client.user_files.recording import read_recording
from gloam_shared.protocol.messages.lives import Died
from gloam_shared.protocol.messages.login import Joined, PasswordStatus, ResumeToken, Welcome
from gloam_shared.protocol.messages.play import Heartbeat, Update
from gloam_shared.protocol.registry import FromServer
from gloam_shared.view import patch
from gloam_shared.view.view import NOWHERE
from support.client.fake_server import level_view
from support.client.recorded_life import play_life

WELCOME = Welcome(2, "Gloam", 1, 8, abilities=("deflate", "references"), realm="r" * 20)
WHOLE = Update(patch.diff(NOWHERE, level_view()), whole=True)


def record(data: Path, *messages: FromServer, life: int = 1, name: str = "Ann") -> None:
    """Record one connection."""
    recorder = LifeRecorder(data)
    recorder.take([WELCOME], NOWHERE, 10)
    recorder.take([Joined(name, 0, life), WHOLE, *messages], level_view(), 20)
    recorder.close()


def test_life_is_kept_with_what_describes_it(tmp_path: Path) -> None:
    record(tmp_path, Died("rat", 2, 3, 45, 678, 9, 5))
    (kept,) = list_replays(tmp_path)
    about = kept.about
    assert (about.campaign, about.name, about.life, about.depth, about.level) == ("Gloam", "Ann", 1, 2, 3)
    assert (about.turns, about.by, about.over) == (678, "rat", True)
    kinds = [type(each).__name__ for step in load_replay(kept.path).steps for each in step.messages]
    assert kinds == ["Welcome", "Joined", "Update", "Died"]


def test_life_continues_in_its_file_after_a_restart(tmp_path: Path) -> None:
    record(tmp_path)
    (first,) = list_replays(tmp_path)
    with first.path.open("ab") as file:
        file.write(b"\x92\xce\x00\x00")  # a crash tore the last piece
    record(tmp_path, Died("rat", 2, 3, 45, 678, 9, 5))
    (kept,) = list_replays(tmp_path)
    assert kept.id == first.id
    assert kept.about.over
    loaded = load_replay(kept.path)
    assert loaded.fault == ""
    assert [step.fresh for step in loaded.steps].count(True) == 2
    assert whole_size(kept.path) == kept.path.stat().st_size


def test_each_life_has_a_file_of_its_own(tmp_path: Path) -> None:
    recorder = LifeRecorder(tmp_path)
    recorder.take([WELCOME, Joined("Ann", 0, 1), WHOLE], level_view(), 1)
    recorder.take([Died("rat", 2, 3, 45, 678, 9, 5)], level_view(), 2)
    recorder.take([Joined("Ann", 0, 2), WHOLE], level_view(), 3)
    recorder.close()
    assert sorted(each.about.life for each in list_replays(tmp_path)) == [1, 2]
    for each in list_replays(tmp_path):
        assert load_replay(each.path).fault == ""


def test_a_new_life_is_not_as_deep_as_the_last(tmp_path: Path) -> None:
    """The client has the view of the life before until its first update arrives."""
    recorder, deep = LifeRecorder(tmp_path), level_view()
    deep = replace(deep, place=replace(deep.place, depth=9))
    recorder.take([WELCOME, Joined("Ann", 0, 1), Update(patch.diff(NOWHERE, deep), whole=True)], deep, 1)
    recorder.take([Joined("Ann", 0, 2)], deep, 2)
    recorder.take([WHOLE], level_view(), 3)
    recorder.close()
    assert {each.about.life: each.about.depth for each in list_replays(tmp_path)} == {1: 9, 2: 1}


def test_no_secret_and_no_question_is_recorded(tmp_path: Path) -> None:
    record(tmp_path, ResumeToken(b"t" * 32), PasswordStatus(False), Heartbeat(1))
    (kept,) = list_replays(tmp_path)
    data = b"".join(piece for _, piece in read_recording(kept.path))
    assert b"t" * 32 not in data
    assert len(load_replay(kept.path).steps) == 4


@pytest.mark.parametrize("name", ["..", "/etc/passwd", "a\0b", "A" * 900])
def test_no_file_is_named_by_a_server_here(tmp_path: Path, name: str) -> None:
    """A54, A73: a replay's file is named by a hash."""
    record(tmp_path, name=name)
    (path,) = tmp_path.rglob("*.session")
    assert path.parent == tmp_path / FOLDER
    assert len(path.stem) == 12


def test_newest_lives_are_kept_within_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for life in range(LIVES_MAX + 5):
        record(tmp_path, life=life)
    assert len(list_replays(tmp_path)) == LIVES_MAX
    assert len(list((tmp_path / FOLDER).iterdir())) == 2 * LIVES_MAX
    monkeypatch.setattr(replay_library, "TOTAL_MAX", replay_library.LIFE_MAX + 1)
    record(tmp_path, life=99)
    assert [each.about.life for each in list_replays(tmp_path)] == [99]


def test_life_that_is_too_long_ends_at_its_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay_library, "LIFE_MAX", 2_000)
    record(tmp_path, *[WHOLE] * 50)
    (kept,) = list_replays(tmp_path)
    assert kept.path.stat().st_size <= 2_000
    assert load_replay(kept.path).fault == ""


def test_no_other_user_reads_the_replays(tmp_path: Path) -> None:
    """A replay has the words of other players in it."""
    record(tmp_path / "home")
    assert (tmp_path / "home" / FOLDER).stat().st_mode & 0o077 == 0


def test_full_disk_ends_only_the_recording(tmp_path: Path) -> None:
    (tmp_path / FOLDER).write_text("in the way")
    recorder = LifeRecorder(tmp_path)
    assert "no longer recorded" in recorder.take([WELCOME, Joined("Ann", 0, 1)], NOWHERE, 1)
    assert recorder.take([WHOLE], level_view(), 2) == ""


def test_damaged_descriptions_are_left_out(tmp_path: Path) -> None:
    record(tmp_path)
    (kept,) = list_replays(tmp_path)
    for content in (b"", b"{}", b"[" * 5_000, b'{"campaign": 3}', b"\xff" * 9_000):
        kept.path.with_suffix(".json").write_bytes(content)
        assert list_replays(tmp_path) == ()


def test_real_life_is_recorded_from_birth_to_death(tmp_path: Path) -> None:
    play_life(tmp_path)
    (kept,) = list_replays(tmp_path)
    assert kept.about.name == "Anna"
    assert kept.about.by == "ogre"
    assert kept.about.turns >= 10
