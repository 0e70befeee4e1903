"""A slow disk under a real server: it says so, and a stop is clean, however long it takes."""

from pathlib import Path

import pytest

from gloam_shared.protocol.commands import Wait
from support.client.fake_client import FakeClient
from support.processes.http_request import ask
from support.processes.server_process import ServerProcess, run_server_command

pytestmark = pytest.mark.end_to_end

SLOW = str(Path(__file__).parents[2] / "support" / "processes" / "slow_disk_server.py")


@pytest.mark.thorough
def test_health_tells_and_stop_keeps_everything(tmp_path: Path) -> None:
    """Health tells of it and a stop keeps everything."""
    data = tmp_path / "realm"
    with ServerProcess(data, "--metrics-port", "0", program=(SLOW,)) as server:
        watch = server.metrics_port()
        with FakeClient(server.port, "Anna") as anna:
            anna.do(Wait())
            status, _, output = ask(watch, "/health")
            assert status == 503
            assert "the disk is slow" in output
            done = anna.do(Wait())
            anna.do(Wait(), answered=False)
            assert server.stop() == 0
    assert "Traceback" not in server.errors.read_text()
    checked = run_server_command("verify", "--data", str(data))
    assert checked.returncode == 0, checked.stderr
    with ServerProcess(data, seed=None) as again, FakeClient(again.port, "Anna") as anna:
        assert anna.link.done >= done
    assert "not stopped cleanly" not in again.errors.read_text()
