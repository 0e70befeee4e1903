"""A player of a real server who returns after a week: the same life, over real TCP, with a kill in between."""

import re
from pathlib import Path

from gloam_server.app.config import WORLD_FILE
from gloam_server.storage.open_store import file_store
from gloam_shared.protocol.commands import Wait
from support.client.fake_client import FakeClient
from support.processes.server_process import ServerProcess, run_server_command

LONG_AGO_S = 1_750_000_000


def long_away(data: Path, name: str) -> None:
    """Let a player have been seen last long ago."""
    with file_store(data / WORLD_FILE).accounts() as accounts:
        account = accounts.account_by_name(name)
        assert account is not None
        accounts.record_seen(account.number, LONG_AGO_S)


def lives(data: Path) -> tuple[int, int]:
    """Return how many lives are in memory, and how many are archived, as the host reads it."""
    said = run_server_command("status", "--data", str(data)).stdout
    found = re.search(r"(\d+) (?:life|lives) in memory, (\d+) archived", said)
    assert found is not None, said
    return int(found[1]), int(found[2])


def test_a_player_comes_back_after_a_week(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with ServerProcess(data, "--open", campaign="gloam") as server, FakeClient(server.port, "Anna") as anna:
        for _ in range(5):
            anna.do(Wait())
        anna.settle()
        before = anna.view
        anna.leave()
    long_away(data, "anna")

    server = ServerProcess(data, "--open")
    with FakeClient(server.port, "Keeper") as keeper:
        for _ in range(60):
            keeper.do(Wait())
            keeper.read(0.1)
            if lives(data) == (1, 1):
                break
        assert lives(data) == (1, 1)
        server.kill()

    with ServerProcess(data, "--open") as server:
        assert lives(data) == (1, 1)
        with FakeClient(server.port, "Anna") as anna:
            anna.settle()
            after = anna.view
            assert lives(data) == (2, 0)
            assert (after.cell, after.place, after.terrain) == (before.cell, before.place, before.terrain)
            assert (after.inventory, after.sheet) == (before.inventory, before.sheet)
            anna.leave()
    assert run_server_command("verify", "--data", str(data)).returncode == 0
    copy = tmp_path / "copy.sqlite3"
    assert run_server_command("backup", str(copy), "--data", str(data)).returncode == 0
    assert run_server_command("verify", "--data", str(data)).returncode == 0
