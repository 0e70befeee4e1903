"""A real server with a standby: what hosts and players do after the turn process was killed, and how the server ends."""

import os
import shutil
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

import gloam_server
import gloam_shared
from gloam_server.app.views.own_code import own_code
from gloam_server.ops.admin_messages import Reply, Request, socket_path
from gloam_shared.protocol.commands import Wait
from gloam_shared.protocol.messages.chat import ChatLine
from gloam_shared.protocol.messages.login import Bye, Joined
from support.client.fake_client import FakeClient
from support.cluster.workers import dial_again
from support.content.campaigns import arena_files
from support.link.view_processes import (
    has_standby,
    players_apart,
    turn_processes,
    view_processes,
    wait_for_standby,
)
from support.processes.server_process import AS_A_HOST, ServerProcess, run_server_command

pytestmark = [pytest.mark.end_to_end, pytest.mark.thorough]
FLAGS = ("--views", "1", "--standby", "--door-socket", "door.sock")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    folder = tmp_path / "arena"
    folder.mkdir()
    for name, raw in arena_files().items():
        (folder / name).write_bytes(raw)
    with ServerProcess(tmp_path / "realm", *FLAGS, campaign=f"{folder}/") as running:
        wait_for_standby(running)
        yield running


def asked(server: ServerProcess, *words: str) -> str:
    done = run_server_command(*words, "--data", str(server.data))
    assert done.returncode == 0, done.stderr
    return done.stdout


def wait_until_gone(processes: list[int]) -> None:
    deadline = time.monotonic() + 60
    while any(Path(f"/proc/{each}").exists() for each in processes):
        assert time.monotonic() < deadline, processes
        time.sleep(0.05)


def wait_for_port(server: ServerProcess) -> None:
    deadline = time.monotonic() + 60
    while True:
        try:
            socket.create_connection(("127.0.0.1", server.port)).close()
            return
        except ConnectionRefusedError:
            assert time.monotonic() < deadline, "nothing listens"
            time.sleep(0.1)


def test_all_goes_on_after_a_takeover(server: ServerProcess) -> None:
    """One connection through two takeovers; then the commands of the host, new players, a new view process, and the stop."""
    with FakeClient(server.port, "Anna") as anna:
        for _ in range(2):
            anna.wait_for(lambda: has_standby(server))
            os.kill(turn_processes(server)[0], signal.SIGKILL)
            anna.do(Wait())
        assert "Anna: depth 1" in asked(server, "who")
        asked(server, "say", "Tea is ready.")
        anna.wait_for(lambda: ChatLine("", "The host says: Tea is ready.") in anna.got)
        with FakeClient(server.port, "Bert") as bert:
            anna.wait_for(lambda: anna.sees("Bert"))
            asked(server, "kick", "Bert")
            bert.wait_for(lambda: bert.of_kind(Bye))
        anna.do(Wait())
    os.kill(view_processes(server)[0], signal.SIGKILL)  # which the new turn process has not started
    server.log_line(r"view process 1 has ended")
    wait_for_port(server)
    with FakeClient(server.port, "Carl") as carl:
        carl.do(Wait())
        with socket.socket(socket.AF_UNIX) as door:
            door.connect(str(server.data / "door.sock"))
        processes = [*turn_processes(server), *view_processes(server)]
        assert server.stop() == 0
        carl.wait_for(lambda: carl.of_kind(Bye))
    wait_until_gone(processes)
    assert not (server.data / "door.sock").exists()
    assert "verified" in asked(server, "verify", "--campaign", f"{server.data.parent}/arena/")


def test_a_killed_supervisor_ends_all(server: ServerProcess) -> None:
    processes = [*turn_processes(server), *view_processes(server)]
    assert len(processes) == 3
    server.kill()
    wait_until_gone(processes)


def test_a_port_that_is_taken_is_said(server: ServerProcess, tmp_path: Path) -> None:
    """The supervisor says it in one sentence, and starts nothing."""
    other = run_server_command(
        *("run", "--data", str(tmp_path / "other"), "--port", str(server.port), "--views", "1", "--standby")
    )
    assert other.returncode == 2
    assert other.stderr.startswith(f"gloam-server: Cannot listen on 127.0.0.1:{server.port}")
    assert other.stderr.count("\n") == 1


def test_a_hung_standby_does_not_hold_the_stop(server: ServerProcess) -> None:
    serving, standby = turn_processes(server)
    os.kill(standby, signal.SIGSTOP)
    assert server.stop() == 0
    wait_until_gone([serving, standby])


def test_a_hung_turn_process_is_ended(server: ServerProcess) -> None:
    """The connection stays, and the command that the hung process had not answered is carried out."""
    with FakeClient(server.port, "Anna") as anna:
        anna.do(Wait())
        hung = turn_processes(server)[0]
        os.kill(hung, signal.SIGSTOP)
        anna.do(Wait())
        wait_until_gone([hung])
    assert server.errors.read_text().count("the turn process hangs; it is ended") == 1


def test_a_rolling_restart_replaces_all(server: ServerProcess) -> None:
    """Each process is another one afterwards; the player has the same life, and no answered command is lost."""
    former = [*turn_processes(server), *view_processes(server)]
    with FakeClient(server.port, "Anna") as anna:
        number = [anna.do(Wait()) for _ in range(3)][-1]
        life = anna.of_kind(Joined)[-1].life
        said = asked(server, "restart")
        assert said == "gloam-server: 3 processes are replaced; the standby takes over now\n"
        dial_again(anna)
        joined = anna.of_kind(Joined)[-1]
        assert (joined.life, joined.number) == (life, number)
        wait_until_gone(former)
        anna.do(Wait())
        anna.wait_for(lambda: has_standby(server))
        assert "Anna: depth 1" in asked(server, "who")
    assert server.stop() == 0


def install(folder: Path, version: str, words: str) -> None:
    """Write a copy of Gloam of another version over the one in a folder: its host reads other words when no one plays."""
    shutil.rmtree(folder, ignore_errors=True)
    for package in (gloam_server, gloam_shared):
        source = Path(package.__path__[0])
        shutil.copytree(source, folder / source.name, ignore=shutil.ignore_patterns("__pycache__"))
    admin = folder / "gloam_server" / "ops" / "admin.py"
    code = admin.read_text()
    assert code.count('"no player"') == 1
    admin.write_text(code.replace('"no player"', f'"{words}"'))
    info = folder / f"gloam-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: gloam\nVersion: {version}\n")


def test_a_rolling_restart_into_another_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program is replaced under a running server: its processes are then of the new version, and two players go on."""
    folder, data = tmp_path / "installed", tmp_path / "realm"
    monkeypatch.setenv("PYTHONPATH", str(folder))
    install(folder, "0.0.1", "empty in the first version")
    with ServerProcess(data, *FLAGS[:1], "2", *FLAGS[2:], program=AS_A_HOST) as server:
        wait_for_standby(server)
        assert asked(server, "who") == "gloam-server: empty in the first version\n"
        former = [*turn_processes(server), *view_processes(server)]
        anna, bert = players_apart(server, "Anna", "Bert")
        numbers = [[each.do(Wait()) for _ in range(3)][-1] for each in (anna, bert)]
        install(folder, "0.0.2", "nobody in the second one")
        assert "4 processes are replaced" in asked(server, "restart")
        for client, number in zip((anna, bert), numbers, strict=True):
            dial_again(client)
            joined = client.of_kind(Joined)[-1]
            assert (joined.life, joined.number) == (client.of_kind(Joined)[0].life, number)
            client.do(Wait())
        wait_until_gone(former)
        assert "gloam 0.0.2" in asked(server, "status")
        for client in (anna, bert):
            client.leave()
        anna.settle(0.5)
        assert asked(server, "who") == "gloam-server: nobody in the second one\n"
        assert server.stop() == 0


def test_a_rolling_restart_needs_code_that_agrees(server: ServerProcess) -> None:
    """Of other rules it is refused in a sentence, as is any text that is no code; nothing is replaced."""
    former = [*turn_processes(server), *view_processes(server)]
    other = msgspec.structs.replace(own_code(), rules=own_code().rules + 1)
    for text, words in (
        (msgspec.json.encode(other).decode(), "does not agree with the running one (rules differ)"),
        ("{}", "Expected `array`"),
        ("", "truncated"),
    ):
        reply = answer(server.data, Request("restart", text=text))
        assert not reply.ok
        assert words in reply.lines[0]
    assert [*turn_processes(server), *view_processes(server)] == former


def answer(data: Path, request: Request) -> Reply:
    """Send a request of the host by hand, and return the reply."""
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(socket_path(data))
        line.sendall(msgspec.json.encode(request) + b"\n")
        with line.makefile("rb") as incoming:
            return msgspec.json.decode(incoming.readline(), type=Reply)
