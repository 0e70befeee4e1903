"""Administration of a real server: by a socket in its folder, and by nothing else."""

import stat
from pathlib import Path

import pytest

from gloam_shared.protocol.messages.chat import ChatLine
from gloam_shared.protocol.messages.login import Bye
from support.client.fake_client import FakeClient
from support.processes.server_process import ServerProcess, run_server_command

pytestmark = pytest.mark.end_to_end
LISTENS = "0A"


def listening(process: int) -> list[str]:
    """Return the addresses on which a process takes connections from the network."""
    mine = {link.readlink().as_posix() for link in Path(f"/proc/{process}/fd").iterdir() if link.is_symlink()}
    found = []
    for table in ("tcp", "tcp6"):
        for row in Path(f"/proc/{process}/net/{table}").read_text().splitlines()[1:]:
            fields = row.split()
            if fields[3] == LISTENS and f"socket:[{fields[9]}]" in mine:
                found.append(fields[1])
    return found


@pytest.mark.thorough
@pytest.mark.rule("A69")
def test_administration_has_a_socket_of_its_own(tmp_path: Path) -> None:
    """The host administrates by a socket of its own, and the server has one port."""
    with ServerProcess(tmp_path / "realm") as server:
        socket = server.data / "admin.sock"
        assert stat.S_ISSOCK(socket.stat().st_mode)
        assert socket.stat().st_mode & 0o777 == 0o600
        assert [int(address.split(":")[1], 16) for address in listening(server.process.pid)] == [server.port]
        with FakeClient(server.port, "Anna") as anna:
            result = run_server_command("status", "--data", str(server.data))
            assert (result.returncode, result.stderr) == (0, "")
            assert "1 of 64 players" in result.stdout
            anna.settle(0.05)  # who takes nothing in for long is let go of
            assert "Anna: depth 1" in run_server_command("who", "--data", str(server.data)).stdout
            anna.settle(0.05)
            run_server_command("say", "Tea is ready.", "--data", str(server.data))
            anna.wait_for(lambda: ChatLine("", "The host says: Tea is ready.") in anna.got)
            result = run_server_command("ban", "Anna", "--hours", "1", "--data", str(server.data))
            assert result.stdout.startswith("gloam-server: Anna is banned until ")
            anna.wait_for(lambda: anna.of_kind(Bye))
    assert not socket.exists()

    ended = run_server_command("who", "--data", str(server.data))
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith("gloam-server: No server runs on ")
    assert ended.stderr.count("\n") == 1


@pytest.mark.thorough
def test_socket_killed_server_left_replaced(tmp_path: Path) -> None:
    """A socket that a killed server left is replaced."""
    server = ServerProcess(tmp_path / "realm")
    server.kill()
    assert (server.data / "admin.sock").exists()
    assert run_server_command("who", "--data", str(server.data)).returncode == 1
    with ServerProcess(tmp_path / "realm", seed=None) as again:
        assert run_server_command("who", "--data", str(again.data)).stdout == "gloam-server: no player\n"
