"""Encrypted lines between real programs: the server's own certificate, pins, plain text, and new files while it runs."""

import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from gloam_client.user_files.address import parse_invitation
from gloam_client.user_files.known_servers import KnownServers
from gloam_server.cli.main import cli
from gloam_shared.protocol.messages.login import Bye
from support.client.fake_client import FakeClient
from support.client.headless_client import HeadlessClient
from support.processes.addresses import own_address
from support.processes.pty import PtyTerminal
from support.processes.server_process import ServerProcess, run_server_command

pytestmark = pytest.mark.end_to_end
SLOW_S = 60


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    """A realm that other machines can reach."""
    with ServerProcess(tmp_path / "realm", "--listen", "0.0.0.0", campaign="jsrogue") as running:
        yield running


def asked(*arguments: str) -> str:
    """Return what a command of the server says, without the time that a process takes to start."""
    done = CliRunner().invoke(cli, arguments)
    assert done.exit_code == 0, done.stderr
    return done.stdout


def invited(server: ServerProcess) -> list[str]:
    """Return what an invite says behind `gloam`, for a guest from another machine."""
    result = run_server_command(
        "invite", "--data", str(server.data), "--host", f"{own_address()}:{server.port}"
    )
    assert result.returncode == 0, result.stderr
    program, *arguments = result.stdout.split()
    assert program == "gloam"
    return arguments


def answer_to(host: str, port: int, data: bytes) -> bytes:
    """Return everything that a server answers to some bytes until it closes the line."""
    with socket.create_connection((host, port), timeout=SLOW_S) as line:
        line.sendall(data)
        come = b""
        try:
            while more := line.recv(65_536):
                come += more
        except ConnectionResetError:
            pass
        return come


@pytest.mark.thorough
def test_server_others_reach_certificate(server: ServerProcess) -> None:
    """A server that others reach has a certificate and tells its pin."""
    assert len(server.pin) == 43
    assert (server.data / "tls-key.pem").stat().st_mode & 0o777 == 0o600
    assert server.pin in asked("status", "--data", str(server.data))
    assert server.pin in asked("certificate", "--data", str(server.data))
    assert invited(server)[1].endswith(f".{server.pin}")
    for host in ("127.0.0.1", own_address()):
        assert "0 players" in asked("health", "--host", host, "--port", str(server.port))


@pytest.mark.thorough
def test_friends_play_over_plain_text_here(server: ServerProcess) -> None:
    """Friends play over plain text from here and over tls from everywhere."""
    code = invited(server)[1].partition("/")[2].partition(".")[0]
    with (
        FakeClient(server.port, "Anna") as anna,
        FakeClient(server.port, "Bert", tls=True) as bert,
        FakeClient(server.port, "Carl", tls=True, host=own_address(), invite=code) as carl,
    ):
        carl.say("I came from afar.")
        anna.wait_for(lambda: anna.sees("Carl"))
        bert.wait_for(lambda: bert.sees("Carl"))
        assert server.stop() == 0
        carl.wait_for(lambda: carl.of_kind(Bye))


@pytest.mark.thorough
@pytest.mark.rule("A3")
def test_plain_text_another_machine_gets_readable(server: ServerProcess) -> None:
    """Plain text from another machine gets one readable line."""
    for opening in (b"GET / HTTP/1.1\r\n\r\n", b"SSH-2.0-OpenSSH_9\r\n", b"\0\0\0\x02\x91\x03"):
        line = answer_to(own_address(), server.port, opening)
        assert line.isascii()
        assert line.count(b"\n") == 1
        assert b"unencrypted" in line
    assert answer_to(own_address(), server.port, b"\xff" * 64) == b""


@pytest.mark.thorough
@pytest.mark.rule("A31")
def test_line_answers_no_farewell_cut_same(server: ServerProcess) -> None:
    """A line that answers no farewell is cut all the same."""
    with FakeClient(server.port, "Mute", tls=True) as mute:
        result = asked("kick", "Mute", "--data", str(server.data))
        assert "Mute was sent away" in result
        deadline = time.monotonic() + SLOW_S
        while " 0 connections" not in asked("status", "--data", str(server.data)):
            assert time.monotonic() < deadline, "a client that reads nothing holds its line"
            time.sleep(0.1)
        assert not mute.closed, "it has not even looked"


@pytest.mark.thorough
def test_plain_text_taken_everywhere_host_says(tmp_path: Path) -> None:
    """Plain text is taken from everywhere where the host says so."""
    with ServerProcess(tmp_path / "realm", "--listen", "0.0.0.0", "--open", "--plain") as server:
        with FakeClient(server.port, "Anna", host=own_address()) as anna:
            assert anna.sees("Anna")
        with FakeClient(server.port, "Bert", host=own_address(), tls=True) as bert:
            assert bert.sees("Bert")


@pytest.mark.thorough
def test_server_machine_alone_no_certificate(tmp_path: Path) -> None:
    """A server of this machine alone has no certificate."""
    with ServerProcess(tmp_path / "realm") as server:
        assert server.pin == ""
        assert not (server.data / "tls-key.pem").exists()
        assert b"Gloam" in answer_to("127.0.0.1", server.port, b"\x16\x03\x01\x02\x00\x01")


@pytest.mark.thorough
def test_guest_meets_server_invite(server: ServerProcess, tmp_path: Path) -> None:
    """A guest joins a server by its invite, and refuses another key until the user accepts it."""
    home, place = tmp_path / "home", f"{own_address()}:{server.port}"
    where, ticket = parse_invitation(invited(server)[1])
    with HeadlessClient(home, where, "Anna", ticket=ticket) as anna:
        anna.wait_for("HP 40/40")
        assert (home / "known-servers").read_text() == f"{place} {server.pin}\n"

        assert server.pin not in asked("certificate", "--renew", "--data", str(server.data))
        anna.type("\x1b.")  # her line is not disturbed
        anna.wait_for("HP 40/40")
    with socket.create_connection((own_address(), server.port), timeout=SLOW_S) as look:
        look.sendall(b"\x16\x03\x01")  # as TLS begins
        server.log_line("the certificate was read again")  # this connection finds it, the next one gets it
    with HeadlessClient(home, where, "Anna") as again:
        assert again.wait_exit() == 1
        result = " ".join(again.text().split())
    assert f"The key of {place} has changed" in result
    assert f"gloam forget {place}" in result

    assert KnownServers(home).forget(where)
    with HeadlessClient(home, where, "Anna") as third:
        third.wait_for("HP 40/40")
    assert server.pin not in (home / "known-servers").read_text()


@pytest.mark.thorough
def test_hosts_certificate_read_hang(tmp_path: Path) -> None:
    """On SIGHUP the server reads a host's certificate again, and reports a broken one."""
    for folder in ("one", "two"):
        asked("certificate", "--data", str(tmp_path / folder))
    chosen = tmp_path / "chosen"
    chosen.mkdir()
    _install(tmp_path / "one", chosen)
    realm = tmp_path / "realm"
    realm.mkdir()
    (realm / "realm.toml").write_text(
        f'certificate = "{chosen}/certificate.pem"\nkey = "../chosen/key.pem"\n'
    )
    with ServerProcess(realm, "--listen", "0.0.0.0") as server:
        first = server.pin
        _install(tmp_path / "two", chosen)
        os.kill(server.process.pid, signal.SIGHUP)
        second = _pin_told(server, other_than=first)
        (chosen / "key.pem").write_text("half a key")
        os.kill(server.process.pid, signal.SIGHUP)
        server.log_line("holds no private key")
        assert second in asked("status", "--data", str(realm))
        with FakeClient(server.port, "Anna", tls=True) as anna:
            assert anna.sees("Anna")
    assert not (realm / "tls-key.pem").exists()


@pytest.mark.thorough
def test_hang_terminal_stops_server_order(tmp_path: Path) -> None:
    """A hang up of its own terminal stops a server in order."""
    argv = [sys.executable, "-m", "gloam_server", "run", "--data", str(tmp_path / "realm"), "--port", "0"]
    with PtyTerminal([*argv, "--campaign", "jsrogue"], cols=200) as terminal:
        terminal.wait_for("listening on", SLOW_S)
        terminal.process.send_signal(signal.SIGHUP)
        assert terminal.process.wait(SLOW_S) == 0
    assert not (tmp_path / "realm" / "admin.sock").exists()


@pytest.mark.thorough
@pytest.mark.rule("A71")
def test_a_missing_certificate_stops_the_start(tmp_path: Path) -> None:
    """A certificate that does not exist keeps a server from starting."""
    (tmp_path / "realm.toml").write_text('certificate = "c.pem"\nkey = "k.pem"\n')
    result = run_server_command("run", "--data", str(tmp_path), "--port", "0", "--campaign", "jsrogue")

    assert (result.returncode, result.stdout) == (2, "")
    last = result.stderr.splitlines()[-1]
    assert last.startswith(
        f"gloam-server: {tmp_path}/realm.toml: key: the file {tmp_path}/k.pem cannot be read"
    )


def _install(source: Path, chosen: Path) -> None:
    """Put a certificate and its key where a server looks for them."""
    for name in ("certificate", "key"):
        scratch = chosen / f"{name}.new"
        scratch.write_bytes((source / f"tls-{name}.pem").read_bytes())
        scratch.chmod(0o600)
        scratch.replace(chosen / f"{name}.pem")


def _pin_told(server: ServerProcess, other_than: str) -> str:
    server.log_line("the certificate was read again")
    status = asked("status", "--data", str(server.data))
    pin = status.partition(", pin ")[2][:43]
    assert pin != other_than
    return pin
