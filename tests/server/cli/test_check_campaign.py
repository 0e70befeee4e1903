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
from support.content.rooms_campaign import room_files


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


def test_drawn_room_is_shown_with_its_letters(tmp_path: Path) -> None:
    result = check(str(folder_of(tmp_path / "drawn", room_files())), "--draw", "cell")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "cell, the cell: 8 columns, 8 rows, one entrance"
    assert lines[1] == "in caves, depths 1 to 1"
    assert lines[6:14] == [
        "########",
        "#c.#..t#",
        "#..+..h#",
        "####.rr#",
        "#a.#...#",
        "#..+...#",
        "####.b.#",
        "####:###",
    ]
    assert "c  floor; a captive: of a kind that others keep captive" in lines
    assert "r  floor; a creature: any of the people vermin; 1 level above others" in lines
    assert "t  floor; a trap: spike" in lines
    assert "b  floor; an item: of any kind; only one of these can be had; in 50 of 100 cases" in lines


def test_unknown_room_is_named_with_its_neighbor(tmp_path: Path) -> None:
    result = check(str(folder_of(tmp_path / "drawn", room_files())), "--draw", "sell")
    assert result.exit_code == 2
    assert result.stderr == "gloam-server: Campaign drawn has no room sell: did you mean cell?\n"
    assert check("rltut", "--draw", "cell").stderr == (
        "gloam-server: Campaign rltut has no room cell: remove it, for there is none to choose from.\n"
    )


def test_room_that_never_comes_fails_strictly(tmp_path: Path) -> None:
    files = room_files()
    assert "The room" not in check(str(folder_of(tmp_path / "all", files)), "--realms", "3").stdout
    files["levels.toml"] = files["levels.toml"].replace(b"drawn_rooms = [2, 3]", b"")
    result = check(str(folder_of(tmp_path / "none", files)), "--realms", "3", "--strict")
    assert result.exit_code == 2
    assert "gloam-server: The room pool never comes in 3 realms: give its places drawn_rooms" in result.stdout
    assert "6 entries that no realm can hold" in result.stderr
