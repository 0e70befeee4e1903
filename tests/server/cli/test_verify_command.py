"""`gloam-server verify FILE`: a backup is checked as a world is, and stays as it is."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from gloam_server.app.config import WORLD_FILE
from gloam_server.cli import main
from support.storage.bad_worlds import backed_up


def verified(file: Path) -> tuple[int, str]:
    result = CliRunner().invoke(main.cli, ("verify", str(file)))
    return result.exit_code, result.output


def test_a_backup_is_verified_and_unchanged(tmp_path: Path) -> None:
    file = backed_up(tmp_path)
    before = file.read_bytes()
    code, output = verified(file)
    assert (code, output.startswith("gloam-server: verified ")) == (0, True), output
    assert file.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == [WORLD_FILE]


@pytest.mark.parametrize("damage", ["row", "cut", "none"])
def test_a_damaged_backup_is_named(tmp_path: Path, damage: str) -> None:
    """In one sentence with its own path: a changed row, a file that ends early, no file."""
    file = backed_up(tmp_path)
    body = file.read_bytes()
    match damage:
        case "row":
            file.write_bytes(body.replace(b"Ann", b"Bnn"))
        case "cut":
            file.write_bytes(body[: len(body) // 2])
        case _:
            file.unlink()
    code, output = verified(file)
    assert (code, output.count("\n")) == (2, 1), output
    assert str(file) in output
