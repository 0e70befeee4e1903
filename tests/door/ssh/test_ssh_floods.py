"""Terminals by ssh that send or take without end, or say strange things: each loses its own visit at most."""

import asyncio
import socket
import time
from contextlib import ExitStack

import asyncssh
import pytest

from gloam_door.ssh import server as ssh_server
from gloam_door.ssh import terminal_session
from gloam_door.surfaces import flood_limit
from support.door.page_player import PagePlayer, begin
from support.door.running_door import RunningDoor
from support.door.ssh_visit import read_until, visit

pytestmark = pytest.mark.end_to_end
PATIENCE_S = 60


def still_plays(door: RunningDoor, name: str) -> None:
    with door.connect() as line:
        begin(PagePlayer(line), name)


@pytest.mark.thorough
@pytest.mark.parametrize("sent", [b"x" * 16_000, b"\x1b[1;" * 8_000, b"\x1b[A" * 10, bytes(1)])
def test_a_flood_of_bytes_ends(door: RunningDoor, monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    """Another visitor plays meanwhile, since most of it is dropped undecoded; after a while the visit ends."""
    monkeypatch.setattr(flood_limit, "FLOOD_S", 3)

    async def flood(line: asyncssh.SSHClientConnection) -> None:
        process = await line.create_process(term_type="xterm", encoding=None)
        reading = asyncio.create_task(read_until(process, b"Too many keys"))
        other = asyncio.create_task(asyncio.to_thread(still_plays, door, f"Otto{len(sent)}"))
        while not reading.done():
            process.stdin.write(sent)
            await asyncio.sleep(0.01)
        await reading
        await other

    visit(door, "play", flood)


@pytest.mark.thorough
def test_a_mouse_that_moves_is_no_flood(door: RunningDoor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flood_limit, "FLOOD_S", 1)

    async def move(line: asyncssh.SSHClientConnection) -> None:
        process = await line.create_process(term_type="xterm", encoding=None)
        await read_until(process, b"Maud")
        until = time.monotonic() + 3
        while time.monotonic() < until:
            for column in range(1, 5):
                process.stdin.write(f"\x1b[<35;{column};5M".encode())
            await asyncio.sleep(0.05)
        process.stdin.write(b"\x1b")
        await asyncio.sleep(0.2)
        process.stdin.write(b"?")
        await read_until(process, b"Keys (")

    visit(door, "Maud", move)


@pytest.mark.thorough
def test_a_terminal_that_never_reads_ends(door: RunningDoor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its client takes 4 kB, and no byte more: the connection is cut."""
    monkeypatch.setattr(terminal_session, "_STUCK_S", 1)

    async def stop_reading(line: asyncssh.SSHClientConnection) -> None:
        channel, _ = await line.create_session(
            asyncssh.SSHClientSession, term_type="xterm", encoding=None, window=4_096
        )
        channel.pause_reading()
        closed = asyncio.create_task(line.wait_closed())
        while not closed.done():
            for columns in (200, 80):
                channel.change_terminal_size(columns, 60)
                await asyncio.sleep(0.15)

    visit(door, "Stan", stop_reading)
    still_plays(door, "Stella")


def test_few_log_in_at_a_time(door: RunningDoor) -> None:
    """A line that says nothing has no place among players, and few such lines are open at a time."""
    with ExitStack() as stack:

        def call() -> bytes:
            line = stack.enter_context(
                socket.create_connection(("127.0.0.1", door.door.ssh_port), PATIENCE_S)
            )
            try:
                return line.recv(8)
            except ConnectionError:
                return b""

        assert [call() for _ in range(ssh_server.LOGINS_MAX)] == [b"SSH-2.0-"] * ssh_server.LOGINS_MAX
        assert call() == b""
        stack.close()
        deadline = time.monotonic() + PATIENCE_S
        while call() != b"SSH-2.0-":
            assert time.monotonic() < deadline


def test_a_connection_without_a_terminal_ends(door: RunningDoor, monkeypatch: pytest.MonkeyPatch) -> None:
    """So does one whose session asks for nothing; the second session of a connection is refused."""
    monkeypatch.setattr(ssh_server, "LOGIN_S", 1)

    async def linger(line: asyncssh.SSHClientConnection) -> None:
        await line.wait_closed()

    async def play_twice(line: asyncssh.SSHClientConnection) -> None:
        process = await line.create_process(term_type="xterm", encoding=None)
        await read_until(process, b"Zwei")
        with pytest.raises(asyncssh.ChannelOpenError):
            await line.create_process(term_type="xterm", encoding=None)
        await asyncio.sleep(1.5)
        process.stdin.write(b"?")
        await read_until(process, b"?")

    visit(door, "Leer", linger)
    visit(door, "Zwei", play_twice)


def test_a_client_that_stays_is_hung_up(door: RunningDoor, monkeypatch: pytest.MonkeyPatch) -> None:
    """After its visit a client may not keep the connection."""
    monkeypatch.setattr(terminal_session, "_LINGERS_S", 0.2)

    async def stay(line: asyncssh.SSHClientConnection) -> None:
        process = await line.create_process(term_type="xterm", encoding=None)
        await read_until(process, b"Your name")
        process.stdin.write(b"\x1b")
        await line.wait_closed()

    visit(door, "play", stay)


@pytest.mark.parametrize("size", [(0, 0), (1, 1), (65_535, 65_535), (2**32 - 1, 1)])
def test_an_odd_size_is_bounded(door: RunningDoor, size: tuple[int, int]) -> None:
    async def resize(line: asyncssh.SSHClientConnection) -> None:
        process = await line.create_process(term_type="xterm", term_size=size, encoding=None)
        for _ in range(100):
            process.change_terminal_size(*size)
        process.change_terminal_size(90, 30)
        await read_until(process, b"Your name")

    visit(door, "play", resize)
