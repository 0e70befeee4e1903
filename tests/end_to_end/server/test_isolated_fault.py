"""A real server with a bug in a rule: it goes on, and what it did about the fault survives a pulled plug."""

from pathlib import Path

import pytest

from gloam_shared.protocol.commands import Wait
from gloam_shared.protocol.messages.login import Bye
from support.client.fake_client import FakeClient
from support.content.campaigns import arena_files
from support.processes.server_process import ServerProcess, run_server_command

pytestmark = pytest.mark.end_to_end
BROKEN = str(Path(__file__).parents[2] / "support" / "processes" / "broken_server.py")


@pytest.mark.thorough
def test_player_taken_others_play(tmp_path: Path) -> None:
    """A player is taken out, the others play on, and a plug pulled immediately changes nothing."""
    data, campaign = tmp_path / "realm", tmp_path / "arena"
    campaign.mkdir()
    for name, content in arena_files().items():
        (campaign / name).write_bytes(content)
    with ServerProcess(data, campaign=str(campaign), program=(BROKEN,)) as server:
        anna, bert = FakeClient(server.port, "Anna"), FakeClient(server.port, "Bert")
        with anna, bert:
            for _ in range(2):
                anna.do(Wait())
            bert.do(Wait())
            anna.do(Wait(), answered=False)
            while not anna.closed:
                anna.read(1)
            assert [bye.code for bye in anna.of_kind(Bye)] == ["fault"]
            told = server.log_line(r"report: (\S+)")[1]
            server.kill()  # she got the message, so it is durable
    [report] = (data / "faults").iterdir()
    output = report.read_text(encoding="utf-8")
    assert "ZeroDivisionError: a bug in a rule" in output
    assert "human 'Anna'" in output
    assert told == str(report)

    with ServerProcess(data, campaign=str(campaign), seed=None) as mended:
        with FakeClient(mended.port, "Anna") as anna, FakeClient(mended.port, "Bert") as bert:
            for _ in range(2):
                anna.do(Wait())
                bert.do(Wait())
        assert mended.stop() == 0
    found = run_server_command("verify", "--data", str(data), "--campaign", str(campaign))
    assert (found.returncode, found.stderr) == (0, "")
