"""The door for ssh with the real OpenSSH client, on a pseudo-terminal."""

import contextlib
import shutil
import socket
import subprocess
import time
from pathlib import Path

import pytest

from support.door.running_door import RunningDoor
from support.processes.addresses import free_port
from support.processes.pty import PtyTerminal
from support.processes.server_process import ServerProcess, run_server_command

pytestmark = [
    pytest.mark.end_to_end,
    pytest.mark.skipif(shutil.which("ssh") is None, reason="needs the ssh client of OpenSSH"),
]
PATIENCE_S = 60


def make_key(home: Path, name: str = "id") -> Path:
    path = home / name
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)], check=True)
    return path


def command(door: RunningDoor, user: str, *options: str, key: Path | None = None) -> list[str]:
    identity = ["-i", str(key), "-o", "IdentitiesOnly=yes"] if key else ["-o", "PubkeyAuthentication=no"]
    return [
        "ssh", "-F", "none", "-p", str(door.door.ssh_port), "-o", "StrictHostKeyChecking=no",
        "-o", f"UserKnownHostsFile={door.data / 'known'}", "-o", "LogLevel=ERROR", "-o", "SetEnv=COLORTERM=truecolor",
        *identity, *options, f"{user}@127.0.0.1",
    ]  # fmt: skip


def run(door: RunningDoor, *options: str, after: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*command(door, "guest", *options), *after], check=False, capture_output=True, text=True, timeout=PATIENCE_S, stdin=subprocess.DEVNULL
    )  # fmt: skip


def test_a_key_is_an_identity(server: ServerProcess, door: RunningDoor, home: Path) -> None:
    """The same key brings the same body back, without a question for a password; another key cannot take its name."""
    key = make_key(home)
    with PtyTerminal(command(door, "Lara", key=key)) as terminal:
        terminal.wait_for("Lara")
        terminal.wait_for("HP")
        assert (
            "Lara: depth 1, level 1, from 127.0.0.1 by ssh"
            in run_server_command("who", "--data", str(server.data)).stdout
        )
        terminal.type("\x1b")
        terminal.wait_for(lambda rows: "Your story" not in "\n".join(rows))
        terminal.type("Q")
        terminal.wait_for("y quit")
        terminal.type("y")
        terminal.wait_for("the same command")
        assert terminal.wait_exit() == 0
    with PtyTerminal(command(door, "Lara", key=key)) as terminal:
        terminal.wait_for("HP")
    with PtyTerminal(command(door, "Lara", key=make_key(home, "other"))) as terminal:
        terminal.wait_for(lambda rows: "name" in "\n".join(rows))
        assert "HP" not in "\n".join(terminal.screen())


def test_a_guest_gets_the_title(door: RunningDoor) -> None:
    with PtyTerminal(command(door, "play")) as terminal:
        terminal.wait_for("G L O A M")
        terminal.type("Mona\r")
        terminal.wait_for("HP")


def test_a_resized_terminal_is_drawn_anew(door: RunningDoor) -> None:
    with PtyTerminal(command(door, "Nora"), rows=24, cols=80) as terminal:
        terminal.wait_for("HP")
        terminal.resize(40, 120)
        terminal.wait_for(lambda rows: len(rows) == 40 and "Nora" in rows[38])


def test_ctrl_z_and_the_mouse_are_answered(door: RunningDoor) -> None:
    with PtyTerminal(command(door, "Olga"), mouse=True) as terminal:
        terminal.wait_for("HP")
        terminal.type("\x1b")
        terminal.wait_for(lambda rows: "Your story" not in "\n".join(rows))
        terminal.type("\x1a")
        terminal.wait_for("cannot be suspended")


@pytest.mark.parametrize("term", ["dumb", "vt100", "linux"])
def test_simple_terminals_play_too(door: RunningDoor, term: str) -> None:
    with PtyTerminal(command(door, f"Petra{term}"), {"TERM": term}) as terminal:
        terminal.wait_for("Welcome to the dungeon")
        if term == "dumb":
            assert b"\x1b" not in terminal.raw


@pytest.mark.parametrize(
    ("options", "after"),
    [
        ((), ("ls",)),
        (("-s",), ("sftp",)),
        (("-T",), ()),
        (("-N", "-R", "0:127.0.0.1:22", "-o", "ExitOnForwardFailure=yes"), ()),
        (("-W", "127.0.0.1:22"), ()),
    ],
)
def test_everything_but_a_terminal_is_refused(
    door: RunningDoor, options: tuple[str, ...], after: tuple[str, ...]
) -> None:
    done = run(door, *options, after=after)
    assert done.returncode != 0
    assert "Traceback" not in done.stderr


def test_nothing_is_forwarded_through_the_door(door: RunningDoor) -> None:
    """A connection through a forwarded port is closed without a byte."""
    port = free_port()
    forward = f"{port}:127.0.0.1:{door.door.web_port}"
    process = subprocess.Popen(command(door, "guest", "-N", "-L", forward), stderr=subprocess.PIPE, text=True)
    try:
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                line = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
                break
            except ConnectionRefusedError:
                assert time.monotonic() < deadline
                time.sleep(0.05)
        with line:
            line.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            with contextlib.suppress(ConnectionError):
                assert line.recv(100) == b""
    finally:
        process.kill()
        process.communicate()


def test_many_keys_end_the_connection(door: RunningDoor, home: Path) -> None:
    keys = [option for at in range(9) for option in ("-i", str(make_key(home, f"k{at}")))]
    with PtyTerminal(command(door, "Rosa", *keys, "-o", "PubkeyAuthentication=yes")) as terminal:
        terminal.wait_for("HP")
