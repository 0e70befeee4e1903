"""Requests of an ssh client that a door refuses: agents, windows, commands, files, tunnels, and a thousand keys."""

import asyncio
import shutil
import socket
import subprocess
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import asyncssh
import pytest
from asyncssh.packet import Boolean, String, UInt32

from support.door.page_player import PagePlayer, begin
from support.door.running_door import RunningDoor
from support.processes.pty import PtyTerminal

pytestmark = pytest.mark.end_to_end
PATIENCE_S = 60
KEYS = 1_000
Line = asyncssh.SSHClientConnection


def connect(door: RunningDoor, user: str = "play", **options: Any) -> Any:
    values = {
        "username": user, "known_hosts": None, "config": None, "agent_path": None,
        "client_keys": [asyncssh.generate_private_key("ssh-ed25519")], **options,
    }  # fmt: skip
    return asyncssh.connect("127.0.0.1", door.door.ssh_port, **values)


def ask(door: RunningDoor, question: Callable[[Line], Awaitable[Any]]) -> Any:
    """Return what a question on a visitor's connection leads to."""

    async def talk() -> Any:
        async with asyncio.timeout(PATIENCE_S), connect(door) as line:
            return await question(line)

    return asyncio.run(talk())


def still_plays(door: RunningDoor, name: str) -> None:
    with door.connect() as line:
        begin(PagePlayer(line), name)


async def raw_request(line: Line, name: bytes, *values: bytes) -> bool | None:
    """Send any request on a session's channel, as a client without scruples."""
    channel, _ = await line.create_session(asyncssh.SSHClientSession, term_type="xterm", encoding=None)
    answer: bool | None = await channel._make_request(name, *values)  # what a hostile client can send
    return answer


@pytest.mark.parametrize(
    ("name", "values"),
    [
        (b"auth-agent-req@openssh.com", ()),
        (b"auth-agent-req", ()),
        (
            b"x11-req",
            (Boolean(False), String("MIT-MAGIC-COOKIE-1"), String("00" * 16), UInt32(0)),
        ),  # a packet
        (b"x11-req", (Boolean(True), String("x"), String("no hex"), UInt32(2**31))),  # a packet
        (b"exec", (String("id"),)),
        (b"shell", ()),
        (b"subsystem", (String("sftp"),)),
        (b"subsystem", (String("../../sftp"),)),
        (b"tun@openssh.com", ()),
        (b"no-such-request", ()),
    ],
)
def test_a_request_in_play_is_refused(door: RunningDoor, name: bytes, values: tuple[bytes, ...]) -> None:
    assert not ask(door, lambda line: raw_request(line, name, *values))


async def _run_command(line: Line) -> Any:
    return await line.run("id", check=False)


async def _sftp(line: Line) -> Any:
    return await line.start_sftp_client()


async def _tunnel(line: Line) -> Any:
    return await line.open_connection("127.0.0.1", 22)


async def _unix_tunnel(line: Line) -> Any:
    return await line.open_unix_connection("/run/gloam/door.sock")


async def _listener(line: Line) -> Any:
    return await line.forward_remote_port("", 0, "127.0.0.1", 22)


async def _unix_listener(line: Line) -> Any:
    return await line.forward_remote_path("/tmp/gloam-forward", "/tmp/x")  # it is never made


async def _no_terminal(line: Line) -> Any:
    return await line.create_process(term_type=None)


@pytest.mark.parametrize(
    "question", [_run_command, _sftp, _tunnel, _unix_tunnel, _listener, _unix_listener, _no_terminal]
)
def test_what_is_no_terminal_is_refused(
    door: RunningDoor, question: Callable[[Line], Awaitable[Any]]
) -> None:
    with pytest.raises((asyncssh.ChannelOpenError, asyncssh.ChannelListenError)):
        ask(door, question)


def test_few_variables_are_taken(door: RunningDoor) -> None:
    """Variables that would change the door's process, or are huge, lead to nothing: the visitor plays."""

    async def play(line: Line) -> bytes:
        odd = {"LD_PRELOAD": "/x.so", "PYTHONPATH": "/x", "LANG": "\x1b[2J" * 1_000, "GLOAM_HOME": "/etc"}
        process = await line.create_process(term_type="xterm", env=odd, encoding=None)
        shown = b""
        while b"Your name" not in shown:
            shown += await process.stdout.read(4_096)
        return shown

    assert b"/x.so" not in ask(door, play)


@contextmanager
def listener(path: Path | None = None) -> Iterator[socket.socket]:
    """Listen as the visitor's own agent, or as their screen."""
    with socket.socket(socket.AF_UNIX if path else socket.AF_INET) as listening:
        listening.bind(str(path) if path else ("127.0.0.1", 0))
        listening.listen()
        listening.settimeout(0)
        yield listening


@pytest.mark.skipif(shutil.which("ssh") is None, reason="needs the ssh client of OpenSSH")
def test_neither_agent_nor_screen_is_reached(door: RunningDoor, tmp_path: Path) -> None:
    """OpenSSH with -A and -Y: the visitor plays, and the door opens no channel to what they offered."""
    with listener(tmp_path / "agent") as agent, listener() as screen:
        display = f"127.0.0.1:{screen.getsockname()[1] - 6_000}"
        command = [
            "ssh", "-F", "none", "-p", str(door.door.ssh_port), "-o", "StrictHostKeyChecking=no", "-o", "LogLevel=ERROR",
            "-o", f"UserKnownHostsFile={tmp_path / 'known'}", "-o", "PubkeyAuthentication=no", "-o", f"ForwardAgent={tmp_path / 'agent'}",
            "-Y", "Agna@127.0.0.1",
        ]  # fmt: skip
        with PtyTerminal(command, {"DISPLAY": display}) as terminal:
            terminal.wait_for("HP")
        for offered in (agent, screen):
            with pytest.raises(BlockingIOError):
                offered.accept()


class _ManyKeys(asyncssh.SSHClient):
    """Offers one key after another, and none of them with a right signature."""

    def __init__(self) -> None:
        self.offered = 0
        self._keys = [asyncssh.generate_private_key("ssh-ed25519") for _ in range(KEYS)]

    def public_key_auth_requested(self) -> asyncssh.SSHKeyPair | None:
        """Return the next key, whose signature is of other data."""
        if not self._keys:
            return None
        self.offered += 1
        pair = asyncssh.load_keypairs([self._keys.pop()])[0]
        sign = pair.sign
        pair.sign = lambda data: sign(data + b"x")  # type: ignore[method-assign]  # a liar
        return pair


def test_a_thousand_keys_end_the_connection(door: RunningDoor) -> None:
    """After a few tries the line is closed; the door goes on."""
    client = _ManyKeys()

    async def offer() -> None:
        async with (
            asyncio.timeout(PATIENCE_S),
            connect(door, client_factory=lambda: client, preferred_auth=["publickey"], client_keys=()),
        ):
            raise AssertionError("a wrong signature was accepted")

    with pytest.raises((asyncssh.Error, OSError)):
        asyncio.run(offer())
    assert 1 <= client.offered <= 10
    still_plays(door, "Keya")


def test_many_keys_one_after_another(door: RunningDoor) -> None:
    """Each key is an identity of its own: the door goes on after visits by twenty."""

    async def come() -> None:
        for _ in range(20):
            key = asyncssh.generate_private_key("ssh-ed25519")
            async with connect(door, client_keys=[key]) as line:
                process = await line.create_process(term_type="xterm", encoding=None)
                await process.stdout.read(1)

    asyncio.run(come())
    still_plays(door, "Keyb")


@pytest.mark.skipif(shutil.which("ssh") is None, reason="needs the ssh client of OpenSSH")
@pytest.mark.parametrize("sent", [b"\x00" * 100_000, b"SSH-2.0-" + b"x" * 100_000, b"GET / HTTP/1.1\r\n\r\n"])
def test_bytes_that_are_no_ssh_end_the_line(door: RunningDoor, sent: bytes) -> None:
    with socket.create_connection(("127.0.0.1", door.door.ssh_port), PATIENCE_S) as line:
        try:
            line.sendall(sent)
            while line.recv(4_096):
                pass
        except ConnectionError:
            pass
    scan = ["ssh-keyscan", "-p", str(door.door.ssh_port), "-t", "ed25519", "127.0.0.1"]
    assert "ssh-ed25519" in subprocess.run(scan, check=True, capture_output=True, text=True).stdout
