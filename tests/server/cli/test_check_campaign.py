"""check-campaign: what it says of what is whole, and its one sentence about what is not."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gloam_server.cli.campaign_report import examine
from gloam_server.cli.check_campaign import check_campaign
from gloam_server.content.loader import load
from gloam_server.content.shipped import SHIPPED
from gloam_server.world.generation import NoDungeon
from support.content.campaigns import arena_files, shipped


def check(*arguments: str) -> Result:
    return CliRunner().invoke(check_campaign, arguments)


def folder_of(path: Path, files: dict[str, bytes]) -> Path:
    path.mkdir(exist_ok=True)
    for name, body in files.items():
        (path / name).write_bytes(body)
    return path


@pytest.mark.thorough
@pytest.mark.parametrize("name", SHIPPED)
def test_what_ships_is_whole(name: str) -> None:
    line = examine(shipped(name))
    assert line.startswith(f"{name} is whole: {len(shipped(name).creatures)} creatures, ")
    assert line.endswith(" depths, made and walked from 3 seeds")


def test_a_folder_is_checked_with_or_without_a_slash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder_of(tmp_path / "my-dungeon", arena_files())
    monkeypatch.chdir(tmp_path)
    for name in ("./my-dungeon", "my-dungeon", str(tmp_path / "my-dungeon")):
        result = check(name)
        assert result.exit_code == 0, result.output
        assert result.stdout.startswith("gloam-server: arena is whole: ")
        assert " 2 depths" in result.stdout


@pytest.mark.parametrize(
    ("file", "broken", "expected"),
    [
        ("creatures.toml", b"[human]\nhp = 'many'", "In creatures.toml"),
        ("campaign.toml", b"key = ", "campaign.toml is not TOML"),
    ],
)
def test_what_is_wrong_is_one_sentence(tmp_path: Path, file: str, broken: bytes, expected: str) -> None:
    result = check(str(folder_of(tmp_path / "bad", arena_files() | {file: broken})))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith(f"gloam-server: {expected}")
    assert result.stderr.count("\n") == 1


def test_unknown_name_and_empty_folder_are_reported(tmp_path: Path) -> None:
    assert "There is no campaign" in check("nowhere").stderr
    assert "holds no .toml files" in check(str(tmp_path)).stderr


def test_levels_without_floor_are_reported() -> None:
    files = arena_files()
    files["levels.toml"] = files["levels.toml"].replace(
        b"fill_percent = 60", b"fill_percent = 40\nregion_min = 200"
    )
    with pytest.raises(NoDungeon, match="without floor"):
        examine(load(files))
