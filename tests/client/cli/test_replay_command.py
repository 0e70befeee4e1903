"""`gloam replay` and `gloam dump` with the lives that were kept."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from gloam_client.__main__ import cli
from gloam_client.replays.replay_file import load_replay
from gloam_client.replays.replay_library import list_replays
from support.client.recorded_life import play_life


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a user's folder with one life in it, which an ogre ended."""
    play_life(tmp_path / "home")
    return tmp_path / "home"


def run(home: Path, *arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli, [*arguments, "--data", str(home)], prog_name="gloam")
    return done.exit_code, done.output


def test_lives_are_listed_with_their_ids(home: Path, tmp_path: Path) -> None:
    (kept,) = list_replays(home)
    code, said = run(home, "replay")
    assert code == 0
    assert said.startswith(kept.id)
    assert "Anna, life 1" in said
    assert "was killed by an ogre." in said
    assert "no replay yet" in run(tmp_path / "empty", "replay")[1]


def test_replay_is_given_away_by_its_id(home: Path, tmp_path: Path) -> None:
    (kept,) = list_replays(home)
    target = tmp_path / "for-bert.session"
    code, said = run(home, "replay", kept.id[:5], "--save", str(target))
    assert code == 0
    assert said.strip().endswith("gloam replay for-bert.session")
    assert load_replay(target).steps == load_replay(kept.path).steps
    before = target.read_bytes()
    code, said = run(home, "replay", kept.id[:5], "--save", str(target))
    assert (code, f"{target} exists" in said, target.read_bytes()) == (2, True, before)
    cast = tmp_path / "x.cast"
    assert run(tmp_path / "bert", "replay", str(target), "--export", str(cast))[0] == 0
    assert "killed by an ogre" in cast.read_text()


def test_mistakes_are_named_in_one_sentence(home: Path, tmp_path: Path) -> None:
    (kept,) = list_replays(home)
    for arguments in (
        ("replay", "no-such-id"),
        ("replay", kept.id, "--save", str(tmp_path / "none" / "x")),
        ("replay", str(kept.path), "--save", str(kept.path)),
        ("dump", "no-such-id"),
    ):
        code, said = run(home, *arguments)
        assert (code, said.count("\n")) == (2, 1), said
    assert kept.path.stat().st_size
    assert run(tmp_path / "empty", "dump")[0] == 2


def test_dump_writes_the_newest_life(home: Path) -> None:
    """U47: the dump of a life from its replay, as text and JSON."""
    code, said = run(home, "dump")
    assert code == 0
    (path,) = home.glob("dumps/Anna-life-1-The-Arena-*.txt")
    assert str(path) in said
    assert "Anna was killed by an ogre." in path.read_text()
    values = json.loads(path.with_suffix(".json").read_text())
    assert values["end"]["damage"][0]["source"] == "ogre"
    assert values["map"]
