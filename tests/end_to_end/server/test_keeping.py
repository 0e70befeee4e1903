"""Backup while someone plays, restore into an empty folder: with real processes."""

from pathlib import Path

import pytest

from gloam_shared.protocol.commands import Wait
from support.client.fake_client import FakeClient
from support.content.campaigns import arena_files
from support.processes.server_process import ServerProcess, run_server_command

pytestmark = pytest.mark.end_to_end


@pytest.mark.thorough
def test_backup_under_play_restored_empty_place(tmp_path: Path) -> None:
    """A backup under play is restored into an empty place and played on."""
    copy = tmp_path / "monday.sqlite3"
    with ServerProcess(tmp_path / "realm") as server, FakeClient(server.port, "Anna") as anna:
        for _ in range(5):
            anna.do(Wait())
        result = run_server_command("backup", str(copy), "--data", str(server.data))
        assert (result.returncode, result.stderr) == (0, "")
        assert str(copy) in result.stdout
        anna.do(Wait())
    assert copy.stat().st_mode & 0o077 == 0

    result = run_server_command("restore", str(copy), "--data", str(tmp_path / "restored"))
    assert (result.returncode, result.stderr) == (0, "")
    checked = run_server_command("verify", "--data", str(tmp_path / "restored"))
    assert checked.returncode == 0, checked.stderr
    with (
        ServerProcess(tmp_path / "restored", seed=None) as restored,
        FakeClient(restored.port, "Anna") as anna,
    ):
        anna.do(Wait())


@pytest.mark.thorough
def test_changed_campaign_waits_upgrade_tells(tmp_path: Path) -> None:
    """A changed campaign waits for an upgrade which tells what it does."""
    campaign = tmp_path / "arena"
    campaign.mkdir()
    for name, body in arena_files(monsters=4).items():
        (campaign / name).write_bytes(body)
    with (
        ServerProcess(tmp_path / "realm", campaign=f"{campaign}/") as server,
        FakeClient(server.port, "Anna") as anna,
    ):
        anna.do(Wait())
    creatures = campaign / "creatures.toml"
    creatures.write_bytes(creatures.read_bytes().replace(b"hp = 6", b"hp = 7"))
    where = ("--data", str(tmp_path / "realm"), "--campaign", f"{campaign}/")
    refused = run_server_command("run", *where)
    assert refused.returncode == 2
    assert f"`gloam-server upgrade {' '.join(where)}`" in refused.stderr

    done = run_server_command("upgrade", *where)
    assert (done.returncode, done.stderr) == (0, "")
    first, last = done.stdout.splitlines()
    assert first == "gloam-server: creature kobold: hp was 6, is 7"
    copies = list((tmp_path / "realm").glob("world.before-*.sqlite3"))
    assert [last] == [f"gloam-server: upgraded; a copy of the old world is {copy}" for copy in copies]
    assert run_server_command("upgrade", *where).stdout == (
        "gloam-server: the world uses these files already\n"
    )
    with (
        ServerProcess(tmp_path / "realm", campaign=f"{campaign}/", seed=None) as server,
        FakeClient(server.port, "Anna") as anna,
    ):
        anna.do(Wait())
    checked = run_server_command("verify", *where)
    assert checked.returncode == 0, checked.stderr


@pytest.mark.thorough
def test_folder_odd_characters_served_backed(tmp_path: Path) -> None:
    """A folder of odd characters is served backed up restored and refused like any other."""
    data, copy = tmp_path / "w #1?x%41 é" / "realm", tmp_path / "w #1?x%41 é" / "copy #2"
    data.parent.mkdir()
    with ServerProcess(data) as server, FakeClient(server.port, "Anna") as anna:
        anna.do(Wait())
        backup = run_server_command("backup", str(copy), "--data", str(data))
        assert (backup.returncode, backup.stderr) == (0, "")
    restored = run_server_command("restore", str(copy), "--data", f"{data}-2")
    assert (restored.returncode, restored.stderr) == (0, "")
    with ServerProcess(data.with_name("realm-2"), seed=None) as server, FakeClient(server.port, "Anna"):
        pass
    (data / "world.sqlite3").write_bytes(b"")
    refused = run_server_command("run", "--data", str(data), "--port", "0")
    assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
    assert f"The folder {data} holds world.sqlite3 (0 bytes)" in refused.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["w #1?x%41 é"]


@pytest.mark.thorough
def test_cannot_done_sentence_and_exit_code_2(tmp_path: Path) -> None:
    """A command that cannot be done gives one sentence and exit code 2."""
    for command, reply in (
        (("backup", "copy.sqlite3"), "There is no world"),
        (("restore", "copy.sqlite3"), "There is no backup"),
        (("upgrade",), "There is no world"),
    ):
        ended = run_server_command(*command, "--data", str(tmp_path / "nowhere"))
        assert ended.returncode == 2
        assert ended.stdout == ""
        assert ended.stderr.startswith(f"gloam-server: {reply}")
        assert ended.stderr.count("\n") == 1
