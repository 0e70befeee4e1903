"""Metrics and health of a real server, over real TCP."""

import json
import socket
from pathlib import Path

import pytest

from gloam_shared.protocol.commands import Wait
from support.client.fake_client import FakeClient
from support.processes.http_request import ask
from support.processes.server_process import ServerProcess, run_server_command
from support.run.waiting import wait_until

pytestmark = pytest.mark.end_to_end


@pytest.mark.thorough
def test_a_scripted_session_is_reported_line_by_line(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "realm", "--metrics-port", "0") as server:
        watch = server.metrics_port()
        with FakeClient(server.port, "Anna") as anna:
            for _ in range(3):
                anna.do(Wait())
            with socket.create_connection(("127.0.0.1", server.port)) as stranger:
                stranger.sendall(b"GET / HTTP/1.1\r\n\r\n")
                while stranger.recv(4_096):
                    pass
            status, kind, output = ask(watch, "/metrics")
            assert (status, kind.split(";")[0]) == (200, "text/plain")
            lines = output.splitlines()
            for line in (
                "gloam_players 1.0",
                "gloam_players_max 64.0",
                "gloam_bodies 1.0",
                "gloam_connections 1.0",
                "gloam_healthy 1.0",
                'gloam_turn_groups{held="no"} 1.0',
                'gloam_commands_total{kind="Wait"} 3.0',
                'gloam_refusals_total{reason="foreign"} 1.0',
                'gloam_refusals_total{reason="malformed"} 0.0',
                "gloam_errors_isolated_total 0.0",
                "gloam_turn_seconds_count 3.0",
                "# TYPE gloam_journal_seconds histogram",
                "# TYPE gloam_commands_total counter",
            ):
                assert line in lines, line
            # the thread that writes may be at work in any single moment
            idle = "gloam_writer_backlog 0.0"
            wait_until(lambda: idle in ask(watch, "/metrics")[2].splitlines(), f"no {idle}")

            status, kind, output = ask(watch, "/health")
            health = json.loads(output)
            assert (status, kind) == (200, "application/json")
            assert (health["ok"], health["wrong"], health["players"]) == (True, [], 1)

        assert ask(watch, "/")[0] == ask(watch, "/metrics/more")[0] == 404
        assert ask(watch, "/metrics", "POST", b"x")[0] == 405
        log = server.errors.read_text()
        assert f"metrics on http://127.0.0.1:{watch}/metrics, health on /health" in log
        assert "POST" not in log
        assert "Running upgrade" not in log  # a new world's tables are no news
        status_told = run_server_command("status", "--data", str(server.data)).stdout
        assert "3 commands, " in status_told
        assert "1 refusals (foreign 1), 0 faults kept apart" in status_told


@pytest.mark.thorough
def test_port_metrics_taken_reported(tmp_path: Path) -> None:
    """The server reports that the port for metrics is in use, and does not start."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        flags = ("--data", str(tmp_path / "realm"), "--port", "0", "--metrics-port", str(port))
        ended = run_server_command("run", *flags)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert f"Cannot listen on 127.0.0.1:{port} for metrics: " in ended.stderr
    assert "--metrics-port" in ended.stderr
    assert "Traceback" not in ended.stderr
