"""A real server with view processes: players share one dungeon over one port, and a process that dies costs little."""

import os
import re
import signal
import time
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest

from gloam_server.link.link_socket import SOCKET_FILE
from gloam_shared.protocol.commands import Wait
from gloam_shared.protocol.messages.chat import SendChat
from support.client.fake_client import FakeClient
from support.link.view_processes import forking_processes, view_processes
from support.processes.server_process import ServerProcess, run_server_command
from support.run.waiting import wait_until

pytestmark = [pytest.mark.end_to_end, pytest.mark.thorough]
VIEWS = ("--views", "2")
NAMES = ("Anna", "Bert", "Carl", "Dora", "Emma", "Finn")


def hears(client: FakeClient) -> bool:
    return "Tea is ready." in [line.text for line in client.chat()]


def status(server: ServerProcess) -> str:
    return run_server_command("status", "--data", str(server.data)).stdout


def wait_for_status(server: ServerProcess, pattern: str) -> str:
    deadline = time.monotonic() + 60
    while not re.search(pattern, text := status(server)):
        assert time.monotonic() < deadline, f"no {pattern!r} in {text}"
    return text


def test_players_of_all_view_processes_share_a_dungeon(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "realm", *VIEWS) as server:
        assert (server.data / SOCKET_FILE).stat().st_mode & 0o777 == 0o600
        with ExitStack() as stack:
            clients = [stack.enter_context(FakeClient(server.port, name)) for name in NAMES]
            clients[0].send(SendChat("Tea is ready."))
            for client in clients:
                client.wait_for(partial(hears, client))
                client.do(Wait())
            text = wait_for_status(server, r"6 bodies in play, 6 connections")
            counts = [int(each) for each in re.findall(r"view \d: (\d+) connections", text)]
            assert sum(counts) == 6
            assert "turn process: " in text
        assert len(view_processes(server)) == 2
        assert server.stop() == 0
    assert view_processes(server) == []
    assert not (server.data / SOCKET_FILE).exists()


def test_a_secret_seed_reaches_the_view_processes(tmp_path: Path) -> None:
    """A world without --exact-seed has a seed of far more than 64 bits."""
    with (
        ServerProcess(tmp_path / "realm", "--views", "1", campaign="jsrogue", seed=None) as server,
        FakeClient(server.port, "Anna") as anna,
    ):
        anna.do(Wait())
        assert anna.view.place.depth == 1


def test_a_killed_view_process_starts_again(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "realm", *VIEWS) as server:
        wait_for_status(server, r"view 1: \d+ connections[^$]*view 2: \d+ connections")
        former = view_processes(server)
        os.kill(former[0], signal.SIGKILL)
        server.log_line(r"view process \d has ended \(signal 9\)")
        with FakeClient(server.port, "Anna") as anna:
            anna.do(Wait())
            anna.settle(0.1)
        wait_for_status(server, r"view \d: \d+ connections, [^\n]*started 2 times")
        assert len(set(view_processes(server)) - set(former)) == 1


def test_a_view_process_starts_again_without_forks(tmp_path: Path) -> None:
    """The process that forks was killed: the next view process is a program of its own, and players notice nothing."""
    with ServerProcess(tmp_path / "realm", "--views", "1") as server:
        for victims in (forking_processes, view_processes, view_processes):
            former = view_processes(server)
            os.kill(victims(server)[0], signal.SIGKILL)
            if victims is view_processes:
                wait_until(lambda: set(view_processes(server)) - set(former), "no other view process")  # noqa: B023
                wait_for_status(server, r"view 1: \d+ connections")
                with FakeClient(server.port, "Anna") as anna:
                    anna.do(Wait())
        assert forking_processes(server) == []


def test_view_processes_end_with_a_killed_turn_process(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path / "realm", *VIEWS)
    assert len(view_processes(server)) == 2
    server.kill()
    deadline = time.monotonic() + 30
    while view_processes(server):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_second_server_cannot_share_the_port(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "realm", *VIEWS) as server:
        other = run_server_command(
            "run", "--data", str(tmp_path / "other"), "--port", str(server.port), *VIEWS, "--seed", "1"
        )
        assert other.returncode == 2
        assert f"Cannot listen on 127.0.0.1:{server.port}" in other.stderr
        assert other.stderr.count("\n") == 1
