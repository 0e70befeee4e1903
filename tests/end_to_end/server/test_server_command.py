"""The gloam-server command as a host uses it: its one line, its errors in one sentence, its way to stop."""

import json
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gloam_shared.protocol.commands import Move, Wait
from gloam_shared.protocol.messages.login import Bye, Error, Joined
from support.client.fake_client import FakeClient
from support.content.campaigns import arena_files
from support.processes.pty import PATIENCE_S
from support.processes.server_process import AS_A_HOST, ServerProcess, run_server_command
from support.run.effort import effort

pytestmark = pytest.mark.end_to_end


@pytest.mark.thorough
def test_line_stdout_and_log_goes_stderr(tmp_path: Path) -> None:
    """Its one line is all of stdout and the log goes to stderr."""
    with ServerProcess(tmp_path / "realm", program=AS_A_HOST) as server:
        with FakeClient(server.port, "Anna"):
            pass
        server.process.terminate()
        assert server.process.stdout is not None
        rest = server.process.stdout.read()
        assert server.process.wait(60) == 0
    assert server.line == f"gloam-server: listening on 127.0.0.1:{server.port}\n"
    assert rest == ""
    assert "Anna joined" in server.errors.read_text()


@pytest.mark.thorough
def test_what_it_writes_only_its_user_can_read(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "realm") as server, FakeClient(server.port, "Anna"):
        files = sorted(path for path in server.data.iterdir())
        assert [path.name for path in files if path.stat().st_mode & 0o077] == []
        assert server.data / "world.sqlite3-wal" in files


def test_stops_within_five_seconds(tmp_path: Path) -> None:
    """It stops within five seconds though a player reads nothing."""

    def stops_in_s(realm: Path) -> float:
        with ServerProcess(realm) as server, FakeClient(server.port, "Stuck"):
            began = time.monotonic()
            assert server.stop() == 0
            return time.monotonic() - began

    assert any(stops_in_s(tmp_path / f"realm-{attempt}") < 5 for attempt in range(3)), (
        "thrice: no mere chance"
    )


@pytest.mark.thorough
def test_a_stop_informs_players_and_saves_them(tmp_path: Path) -> None:
    """It stops with players inside who are shown why and all is saved."""
    with ServerProcess(tmp_path / "realm") as server, FakeClient(server.port, "Anna") as anna:
        number = anna.do(Wait())
        assert server.stop() == 0
        anna.wait_for(lambda: anna.closed)
        assert [bye.code for bye in anna.of_kind(Bye)] == ["stopping"]
    with ServerProcess(server.data, seed=None) as later:
        anna.hang_up()
        anna.connect(later.port)
        anna.wait_for(lambda: anna.link.joined)
        assert [joined.number for joined in anna.of_kind(Joined)] == [0, number]
        assert not anna.of_kind(Error)
        anna.leave()


@pytest.mark.parametrize("attempt", range(effort(2, 10)))
def test_a_storm_of_signals_changes_no_exit_code(tmp_path: Path, attempt: int) -> None:
    """TERM, INT and HUP without a pause, until the process is gone: it ends by itself, and never by a signal."""
    with (
        ServerProcess(tmp_path / "realm", seed=attempt, program=AS_A_HOST) as server,
        FakeClient(server.port, "Anna"),
    ):
        deadline = time.monotonic() + PATIENCE_S
        while server.process.poll() is None and time.monotonic() < deadline:
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                server.process.send_signal(number)
        assert server.process.returncode == 0


@pytest.mark.thorough
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_start_that_is_stopped_ends_with_0(tmp_path: Path, number: signal.Signals) -> None:
    """From the moment at which the world's file is there; the world is whole afterwards."""
    world = tmp_path / "realm" / "world.sqlite3"
    with (tmp_path / "log").open("wb") as log:
        argv = [sys.executable, "-m", "gloam_server", "run", "--data", str(world.parent), "--port", "0"]
        process = subprocess.Popen([*argv, "--campaign", "jsrogue"], stdout=log, stderr=log)
        while not world.exists():
            assert process.poll() is None
        process.send_signal(number)
        assert process.wait(60) == 0, (tmp_path / "log").read_text()
    with ServerProcess(world.parent, seed=None) as server:
        assert server.stop() == 0


@pytest.mark.thorough
def test_in_json_each_line_is_an_object(tmp_path: Path) -> None:
    """From the first line to the last, on stdout and on stderr; also where the server does not start."""
    data = tmp_path / "realm"
    with ServerProcess(data, "--log-format", "json") as server:
        said = json.loads(server.line)
        assert (said["event"], said["port"], said["level"]) == ("listening", server.port, "info")
        refusals = [
            run_server_command("run", "--data", str(data), "--log-format", "json", *flags)
            for flags in (
                (),
                ("--port", str(server.port), "--data", str(tmp_path / "other")),
                ("--seed", "8"),
            )
        ]
    (data / "realm.toml").write_text("prot = 7000\n")
    refusals.append(run_server_command("run", "--data", str(data), "--log-format", "json"))
    for ended in refusals:
        lines = ended.stdout.splitlines() + ended.stderr.splitlines()
        assert (ended.returncode, {json.loads(line)["level"] for line in lines} >= {"error"}) == (2, True)


@pytest.mark.thorough
def test_health_speaks_the_protocol(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "realm") as server:
        healthy = run_server_command("health", "--port", str(server.port))
        assert (healthy.returncode, healthy.stderr) == (0, "")
        assert "gloam" in healthy.stdout
    gone = run_server_command("health", "--port", str(server.port))
    assert gone.returncode == 1
    assert "no healthy server" in gone.stderr


@pytest.mark.thorough
def test_health_is_not_fooled_by_another_service() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        process = subprocess.Popen(
            [sys.executable, "-m", "gloam_server", "health", "--port", str(other.getsockname()[1])],
            stderr=subprocess.PIPE,
            text=True,
        )
        line, _ = other.accept()
        with line:
            line.sendall(b"220 mail ready\r\n")
        _, output = process.communicate(timeout=20)
    assert process.returncode == 1
    assert "no healthy server" in output


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        (("--campaign", "nethack"), 'no campaign "nethack"'),
        (("--campaign", "./nowhere"), "nowhere"),
        (("--port", "70000"), "65535"),
        (("--seed", "x"), "x"),
    ],
)
def test_wrong_setting_sentence_and_exit_code_2(
    tmp_path: Path, flags: tuple[str, ...], expected: str
) -> None:
    """A wrong setting is one sentence and exit code 2."""
    ended = run_server_command("run", "--data", str(tmp_path / "realm"), *flags)
    _is_one_sentence(ended, expected)


@pytest.mark.thorough
def test_a_busy_port_is_named_with_its_mend(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        ended = run_server_command("run", "--data", str(tmp_path / "realm"), "--port", str(port))
    _is_one_sentence(ended, f"127.0.0.1:{port}")
    assert "--port" in ended.stderr
    with ServerProcess(tmp_path / "realm", seed=None):
        pass


@pytest.mark.thorough
def test_a_data_folder_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    ended = run_server_command("run", "--data", str(tmp_path / "file" / "realm"))
    _is_one_sentence(ended, str(tmp_path / "file" / "realm"))


@pytest.mark.thorough
def test_another_campaign_or_seed_world_error(tmp_path: Path) -> None:
    """Another campaign or seed for a world is an error that names what differs."""
    with ServerProcess(tmp_path / "realm", campaign="jsrogue", seed=7):
        pass
    before = (tmp_path / "realm" / "world.sqlite3").read_bytes()
    seed = run_server_command("run", "--data", str(tmp_path / "realm"), "--seed", "8")
    _is_one_sentence(seed, "seed 7")
    assert "seed 8" in seed.stderr
    folder = tmp_path / "arena"
    folder.mkdir()
    for name, body in arena_files().items():
        (folder / name).write_bytes(body)
    campaign = run_server_command("run", "--data", str(tmp_path / "realm"), "--campaign", f"{folder}/")
    _is_one_sentence(campaign, '"jsrogue"')
    assert '"arena"' in campaign.stderr
    assert "--seed" not in campaign.stderr
    assert (tmp_path / "realm" / "world.sqlite3").read_bytes() == before


@pytest.mark.thorough
def test_world_newer_version_refused(tmp_path: Path) -> None:
    """A world by a newer version is refused and left alone."""
    with ServerProcess(tmp_path / "realm"):
        pass
    world = tmp_path / "realm" / "world.sqlite3"
    with sqlite3.connect(world) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    before = world.read_bytes()
    ended = run_server_command("run", "--data", str(tmp_path / "realm"))
    _is_one_sentence(ended, "newer")
    assert world.read_bytes() == before


@pytest.mark.thorough
def test_a_campaign_with_a_mistake_names_file_and_key(tmp_path: Path) -> None:
    folder = tmp_path / "broken"
    folder.mkdir()
    for name, body in arena_files().items():
        (folder / name).write_bytes(body.replace(b"hp = 6", b"hp = 0"))
    ended = run_server_command("run", "--data", str(tmp_path / "realm"), "--campaign", f"{folder}/")
    _is_one_sentence(ended, "creatures.toml")
    assert "kobold.hp" in ended.stderr
    assert not (tmp_path / "realm" / "world.sqlite3").exists()


@pytest.mark.thorough
def test_mistake_realm_toml_names_file(tmp_path: Path) -> None:
    """A mistake in realm toml names file and setting."""
    (tmp_path / "realm").mkdir()
    (tmp_path / "realm" / "realm.toml").write_text("prot = 7000\n")
    ended = run_server_command("run", "--data", str(tmp_path / "realm"))
    text = 'realm.toml, line 1: there is no setting "prot"; did you mean port? If not, correct it or remove it.\n'
    _is_one_sentence(ended, text)
    assert ended.stderr.count("\n") == 1
    assert not (tmp_path / "realm" / "world.sqlite3").exists()


@pytest.mark.thorough
def test_private_server_says_and_stops(tmp_path: Path) -> None:
    """A private server says where it is and stops when its last player has left."""
    with ServerProcess(tmp_path / "realm", "--private") as server:
        address = json.loads((tmp_path / "realm" / "private.json").read_text())
        assert (address["port"], address["pid"]) == (server.port, server.process.pid)
        with FakeClient(server.port, "Anna") as anna, FakeClient(server.port, "Bert") as bert:
            bert.do(Wait())
            anna.leave()
            time.sleep(0.8)
            assert server.process.poll() is None
            bert.do(Move(0, 1))
        assert server.process.wait(60) == 0
        assert not (tmp_path / "realm" / "private.json").exists()


@pytest.mark.thorough
@pytest.mark.parametrize("command", [[], ["run"], ["verify"], ["health"], ["certificate"]])
def test_every_help_has_an_example(command: list[str]) -> None:
    shown = run_server_command(*command, "--help")
    assert shown.returncode == 0
    assert "Example: gloam-server" in shown.stdout


def _is_one_sentence(ended: subprocess.CompletedProcess[str], expected: str) -> None:
    assert ended.returncode == 2, ended.stderr
    assert ended.stdout == ""
    assert expected in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.thorough
def test_it_checks_a_campaign_and_plays_lives_in_it(tmp_path: Path) -> None:
    folder = tmp_path / "my-dungeon"
    folder.mkdir()
    for name, body in arena_files(monsters=6).items():
        (folder / name).write_bytes(body)

    checked = run_server_command("check-campaign", str(folder))
    assert (checked.returncode, checked.stderr) == (0, "")
    assert checked.stdout.startswith("gloam-server: arena is whole: ")

    played = run_server_command(
        "lives", "--campaign", str(folder), "--lives", "2", "--turns", "50", "--processes", "2"
    )
    assert played.returncode == 0, played.stderr
    assert played.stdout.startswith("arena: 2 lives of 1 in 2 realms, seed 1\n")
    assert played.stderr.count("\n") == 2, "progress, a line for each realm"
