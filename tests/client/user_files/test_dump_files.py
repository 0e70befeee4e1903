"""Dumps of lives on disk."""

import json
import resource
import stat
from pathlib import Path

import pytest

from gloam_client.user_files.dump_files import FOLDER, DumpedLife, write_dump

ANN = DumpedLife("Ann", 3, "The Gloam", "realm-1")


def names(tmp_path: Path) -> list[str]:
    return sorted(path.name for path in (tmp_path / FOLDER).iterdir())


def test_dump_is_written_as_text_and_json(tmp_path: Path) -> None:
    path = write_dump(tmp_path, ANN, "A life.\n", {"name": "Ann"})
    assert path.name.startswith("Ann-life-3-The-Gloam-")
    assert path.read_text() == "A life.\n"
    assert json.loads(path.with_suffix(".json").read_text()) == {"name": "Ann"}
    for each in (path, path.with_suffix(".json")):
        assert stat.S_IMODE(each.stat().st_mode) == 0o600


def test_no_dump_replaces_another(tmp_path: Path) -> None:
    """A life in another world has another name, a further dump of the same life a number."""
    first = write_dump(tmp_path, ANN, "first", {})
    for other in (
        ANN,
        ANN,
        ANN._replace(realm="realm-2"),
        ANN._replace(campaign="JSRogue"),
        ANN._replace(life=4),
    ):
        write_dump(tmp_path, other, "other", {})
    first.with_suffix(".json").unlink()
    write_dump(tmp_path, ANN, "other", {})

    assert first.read_text() == "first"
    assert len(names(tmp_path)) == 2 * 7 - 1
    assert [name for name in names(tmp_path) if name.startswith(first.stem)] == sorted(
        [first.name, *(f"{first.stem}-{number}.{kind}" for number in (2, 3, 4) for kind in ("json", "txt"))]
    )


@pytest.mark.parametrize(
    "hostile", ["..", "/etc/passwd", "CON", "a\0b", "", "A" * 10_000, "../../x", "\x1b[2J", "\ud800", "ä/é"]
)
def test_no_file_is_named_by_a_server(tmp_path: Path, hostile: str) -> None:
    """A54, A73: what is no player's name never names a file, nor do campaign and realm."""
    write_dump(tmp_path, DumpedLife(hostile, -7, hostile, hostile), "", {})
    assert len(names(tmp_path)) == 2
    for name in names(tmp_path):
        assert name.startswith("Wanderer-life-0-")
        assert name.isascii()
        assert len(name) < 64
    assert len(list(tmp_path.rglob("*.*"))) == 2


def test_dump_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / FOLDER).write_text("in the way")
    with pytest.raises(OSError, match="exists"):
        write_dump(tmp_path, ANN, "", {})


@pytest.mark.parametrize("room", [0, 100])
def test_dump_on_a_full_disk_leaves_nothing(tmp_path: Path, room: int) -> None:
    """Neither the text nor the JSON stays if one of them cannot be written."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            write_dump(tmp_path, ANN, "a" * 200, {"name": "Ann"})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert names(tmp_path) == []
