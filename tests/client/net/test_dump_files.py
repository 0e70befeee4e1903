"""Dumps of lives on disk."""

import json
from pathlib import Path

import pytest

from gloam_client.net.dump_files import FOLDER, write_dump


def test_dump_is_written_as_text_and_json(tmp_path: Path) -> None:
    path = write_dump(tmp_path, "Ann", 3, "A life.\n", {"name": "Ann"})
    assert path == tmp_path / FOLDER / "Ann-life-3.txt"
    assert path.read_text() == "A life.\n"
    assert json.loads(path.with_suffix(".json").read_text()) == {"name": "Ann"}


@pytest.mark.parametrize("name", ["..", "/etc/passwd", "CON", "a\0b", "", "A" * 10_000, "../../x", "\x1b[2J"])
def test_no_file_is_named_by_a_server(tmp_path: Path, name: str) -> None:
    """A54, A73: a name that is no player's name never names a file."""
    write_dump(tmp_path, name, -7, "", {})
    assert sorted(path.name for path in tmp_path.rglob("*.*")) == [
        "Wanderer-life-0.json",
        "Wanderer-life-0.txt",
    ]


def test_dump_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / FOLDER).write_text("in the way")
    with pytest.raises(OSError, match="exists"):
        write_dump(tmp_path, "Ann", 1, "", {})
