"""A disk that takes nothing more, under a real server: play stands still, all players get a notice, and it continues automatically."""

import resource
from pathlib import Path

import pytest

from gloam_shared.protocol.commands import Wait
from gloam_shared.protocol.messages.login import Notice
from support.client.fake_client import FakeClient
from support.processes.server_process import ServerProcess, run_server_command

pytestmark = pytest.mark.end_to_end


@pytest.mark.thorough
def test_play_halts_under_banner(tmp_path: Path) -> None:
    """Play halts under a banner while nothing can be written and goes on with nothing lost."""
    with ServerProcess(tmp_path / "realm") as server, FakeClient(server.port, "Anna") as anna:
        done = anna.do(Wait())
        hard = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)[1]
        full = 2_048  # bytes: beyond them no file can be written any more
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (full, hard))
        anna.do(Wait(), answered=False)
        anna.wait_for(lambda: anna.of_kind(Notice))

        assert "cannot write to its disk" in anna.of_kind(Notice)[-1].text
        assert anna.link.done == done, "she got a message about data that is not on disk"
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (hard, hard))
        anna.wait_for(lambda: anna.link.done == done + 1)
        assert anna.of_kind(Notice)[-1] == Notice("")
        server.kill()
    checked = run_server_command("verify", "--data", str(tmp_path / "realm"))
    assert checked.returncode == 0, checked.stderr
