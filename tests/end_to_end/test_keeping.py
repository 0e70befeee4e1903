"""Backup while somebody plays, restore into an empty folder: with real processes."""

from pathlib import Path

import pytest

from gloam_shared.commands import Wait
from support.fake_client import FakeClient
from support.server_process import ServerProcess, run_server_command

pytestmark = pytest.mark.end_to_end


def test_a_backup_under_play_is_restored_into_an_empty_place_and_played_on(tmp_path: Path) -> None:
    copy = tmp_path / "monday.sqlite3"
    with ServerProcess(tmp_path / "realm") as server, FakeClient(server.port, "Anna") as anna:
        for _ in range(5):
            anna.do(Wait())
        told = run_server_command("backup", str(copy), "--data", str(server.data))
        assert (told.returncode, told.stderr) == (0, "")
        assert str(copy) in told.stdout
        anna.do(Wait())
    assert copy.stat().st_mode & 0o077 == 0

    told = run_server_command("restore", str(copy), "--data", str(tmp_path / "restored"))
    assert (told.returncode, told.stderr) == (0, "")
    checked = run_server_command("verify", "--data", str(tmp_path / "restored"))
    assert checked.returncode == 0, checked.stderr
    with (
        ServerProcess(tmp_path / "restored", seed=None) as restored,
        FakeClient(restored.port, "Anna") as anna,
    ):
        anna.do(Wait())


def test_what_cannot_be_done_is_one_sentence_and_exit_code_2(tmp_path: Path) -> None:
    for command, told in (
        (("backup", "copy.sqlite3"), "There is no world"),
        (("restore", "copy.sqlite3"), "There is no backup"),
    ):
        ended = run_server_command(*command, "--data", str(tmp_path / "nowhere"))
        assert ended.returncode == 2
        assert ended.stdout == ""
        assert ended.stderr.startswith(f"gloam-server: {told}")
        assert ended.stderr.count("\n") == 1
