"""Hostile visitors, broken lines, full disks and other servers end one visit at most; the others play on."""

import asyncio
import base64
import json
import os
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import asyncssh
import pytest

from gloam_client.user_files.address import Address
from gloam_door.identity import guest, load_door_key
from gloam_door.player_folders import PlayerFolders
from gloam_door.ssh.server import load_host_key
from gloam_door.surfaces.cell_surface import CellSurface
from gloam_door.upstream import SocketUpstream, Visitor
from gloam_door.visits import FOLDER_FAULT, Arrival, Limits, TooMany, Visits
from gloam_door.web import page_line
from gloam_door.web import server as web_server
from gloam_shared.protocol.codec import encode
from gloam_shared.protocol.framing import FrameWriter
from gloam_shared.protocol.messages.login import Bye
from support.door.page_player import PagePlayer, begin
from support.door.running_door import RunningDoor
from support.processes.server_process import ServerProcess, run_server_command

pytestmark = pytest.mark.end_to_end
PATIENCE_S = 60


def raw_line(door: RunningDoor) -> socket.socket:
    """Open a TCP connection that has room for little."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    line.settimeout(PATIENCE_S)
    line.connect(("127.0.0.1", door.door.web_port))
    return line


def shake_hands(door: RunningDoor) -> socket.socket:
    """Open a WebSocket by hand."""
    line = raw_line(door)
    key = base64.b64encode(os.urandom(16)).decode()
    head = (
        f"GET /play HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nOrigin: {door.origin}\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    line.sendall(head.encode())
    assert line.recv(12) == b"HTTP/1.1 101"
    return line


def frame(data: bytes, first: int = 0x81) -> bytes:
    """Return a masked frame of a client; the mask is zero."""
    size = bytes((0x80 | len(data),)) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data))
    return bytes((first,)) + size + bytes(4) + data


def message(**fields: Any) -> bytes:
    return frame(json.dumps(fields).encode())


def ends(line: socket.socket) -> bool:
    """Return whether the door closes a line, whose bytes are read."""
    with suppress(ConnectionError):
        while line.recv(65_536):
            pass
    return True


def still_plays(door: RunningDoor, name: str) -> None:
    with door.connect() as line:
        begin(PagePlayer(line), name)


@pytest.mark.thorough
def test_a_reader_that_never_reads_ends(door: RunningDoor, monkeypatch: pytest.MonkeyPatch) -> None:
    """It gets what fits into its line; then no frame is drawn for it, and after a while its visit ends."""
    monkeypatch.setattr(page_line, "_STUCK_S", 1)
    with shake_hands(door) as line:
        line.sendall(message(hello=2, size=[200, 60]))
        deadline = time.monotonic() + PATIENCE_S
        with suppress(ConnectionError):
            while True:
                for width in (200, 60):
                    line.sendall(message(size=[width, 60]))
                    time.sleep(0.05)
                assert time.monotonic() < deadline
    still_plays(door, "Reada")


@pytest.mark.thorough
def test_half_open_lines_end(door: RunningDoor) -> None:
    """Neither silence, nor half a head, nor a handshake without a first message keeps a line."""
    with raw_line(door) as silent, raw_line(door) as half, shake_hands(door) as mute:
        half.sendall(b"GET /play HTTP/1.1\r\nHost: lo")
        assert ends(silent)
        assert ends(half)
        assert ends(mute)


def test_a_page_that_answers_no_ping_ends(
    server: ServerProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line whose other end is gone without a word is cut."""
    monkeypatch.setattr(web_server, "_PING_S", 0.5)
    with RunningDoor(tmp_path, server.data / "door.sock") as door, shake_hands(door) as line:
        line.sendall(message(hello=2, size=[100, 30]))
        assert ends(line)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "head",
    [
        b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 1_000 + b"\r\n",
        b"GET / HTTP/1.1\r\nA: " + b"b" * 100_000 + b"\r\n\r\n",
        b"GET " + b"/" * 100_000 + b" HTTP/1.1\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 9999999999\r\n\r\n",
        b"\x16\x03\x01\x02\x00" * 100,
        b"SSH-2.0-OpenSSH_9.2\r\n",
    ],
)
def test_a_broken_head_ends_its_line(door: RunningDoor, head: bytes) -> None:
    with raw_line(door) as line, suppress(ConnectionError):
        line.sendall(head)
        assert b" 200 " not in line.recv(100)
        assert ends(line)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "data",
    [
        frame(b"a" * 60_000),
        b"\x81\xff" + struct.pack(">Q", 2**62) + bytes(4),
        frame(b"a" * 3_000, 0x01) + frame(b"a" * 3_000, 0x00),
        frame(b"[" * 4_000),
        frame(b'{"key":' * 500),
        frame(b'{"hello": 2, "size": [100, 30], "at": "/watch/\xff"}'),
        frame(b'{"hello": 1e400, "size": [100, 30]}'),
        b"\xff" * 100,
    ],
)
def test_a_huge_or_odd_frame_ends_its_line(door: RunningDoor, data: bytes) -> None:
    with shake_hands(door) as line, suppress(ConnectionError):
        line.sendall(data)
        assert ends(line)


def test_escapes_reach_no_page(door: RunningDoor) -> None:
    """Escape sequences and markup in chat are shown as signs: no cell of the other page has a control character."""
    with door.connect() as first, door.connect() as second:
        anna, bert = PagePlayer(first), PagePlayer(second, say=True)
        begin(anna, "Esca")
        begin(bert, "Escb")
        anna.press(":")
        anna.wait_for(lambda page: page.state == "say")
        anna.send(text="\x1b[2J\x1b]0;owned\x07<img src=x>\u202eend")
        anna.press("ENTER")
        bert.wait_for("<img src=x>")
        shown = "".join(bert.text().split("\n")) + "".join(bert.said) + bert.title
        assert all(sign.isprintable() for sign in shown)
        for name in ("\x1b[2JEve", "<b>Eve</b>", "Eve\u202e"):
            with door.connect() as line:
                page = PagePlayer(line, name=name)
                page.wait_for("Your name")
                assert "Eve" not in page.text()


def test_a_broken_cookie_is_no_identity(door: RunningDoor) -> None:
    """A browser whose cookie is cut, doubled, quoted or long gets a new one, and no name of another."""
    with door.connect() as line:
        assert line.response is not None
        cookie = line.response.headers["Set-Cookie"].partition(";")[0]
        begin(PagePlayer(line), "Cooka")
    for broken in (cookie[:-1], cookie + cookie, cookie + '"', cookie + "A" * 4_000):
        with door.connect(Cookie=broken) as line:
            assert line.response is not None
            assert cookie not in line.response.headers["Set-Cookie"]
            page = PagePlayer(line)
            page.wait_for("Your name")
            assert "Cooka" not in page.text()


@pytest.mark.parametrize(
    ("name", "named"), [("Forga", "nowhere"), ("Forgb", "203.0.113.9, 1.2.3.4:80"), ("Forgc", "\u0661.2.3.4")]
)
def test_an_address_that_is_none_is_not_believed(
    server: ServerProcess, tmp_path: Path, name: str, named: str
) -> None:
    """A trusted proxy that names no address counts as itself."""
    with (
        RunningDoor(tmp_path / "door", server.data / "door.sock", trusted_proxies=["127.0.0.0/8"]) as behind,
        behind.connect(X_Forwarded_For=named.encode("utf-8").decode("latin-1")) as line,
    ):
        begin(PagePlayer(line), name)
        assert (
            f"{name}: depth 1, level 1, from 127.0.0.1 by browser"
            in run_server_command("who", "--data", str(server.data)).stdout
        )


def test_a_wrong_signature_is_no_identity(door: RunningDoor) -> None:
    """A key counts only with its signature: an attacker who knows the public half gets nothing."""
    pair = asyncssh.load_keypairs([asyncssh.generate_private_key("ssh-ed25519")])[0]
    sign = pair.sign
    pair.sign = lambda data: sign(data + b"x")  # type: ignore[method-assign]  # a liar

    async def log_in() -> None:
        async with asyncssh.connect(
            "127.0.0.1", door.door.ssh_port, username="Sigrid", known_hosts=None, client_keys=[pair],
            preferred_auth=["publickey"], config=None, agent_path=None,
        ):  # fmt: skip
            raise AssertionError("a wrong signature was accepted")

    with pytest.raises(asyncssh.PermissionDenied):
        asyncio.run(log_in())


def test_a_folder_that_cannot_be_used_is_said(server: ServerProcess, tmp_path: Path) -> None:
    """Browser and ssh get a sentence, and the door goes on."""
    (tmp_path / "players").write_text("no folder")
    with RunningDoor(tmp_path, server.data / "door.sock") as door:
        with door.connect() as line:
            page = PagePlayer(line)
            page.wait_for(lambda page: page.bye == FOLDER_FAULT)
        (tmp_path / "players").unlink()
        still_plays(door, "Folda")


def test_a_full_disk_ends_writing_and_not_play(server: ServerProcess, tmp_path: Path) -> None:
    data = tmp_path / "small"
    data.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(data)], check=False, capture_output=True
    )
    if mounted.returncode:
        pytest.skip("needs the right to mount a small disk")
    try:
        with RunningDoor(data, server.data / "door.sock") as door, door.connect() as line:
            page = PagePlayer(line)
            page.wait_for("Your name")
            with suppress(OSError), (data / "filler").open("wb", buffering=0) as filler:
                while True:
                    filler.write(bytes(1_024))
            begin(page, "Fulla")
            page.press("O")
            page.wait_for(lambda page: page.state == "options")
            page.press("RIGHT")
            page.press("ESC")
            page.wait_for("cannot be saved")
            page.press("x")
            page.wait_for(lambda page: page.state == "cursor")
    finally:
        subprocess.run(["umount", "-l", str(data)], check=True)


def test_a_door_on_a_full_disk_keeps_no_half_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A first start on a full disk says so, and leaves no file that a later start would take for a key."""
    whole, starts = os.fsync, []

    def full(descriptor: int) -> None:
        starts.append(descriptor)
        raise OSError(28, "No space left on device")

    for make in (load_door_key, load_host_key):
        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space left"):
            make(tmp_path)
        monkeypatch.setattr(os, "fsync", whole)
        assert list(tmp_path.iterdir()) == []
    assert len(starts) == 2
    (tmp_path / "ssh-host-key").touch()
    with pytest.raises(OSError, match="it contains no key"):
        load_host_key(tmp_path)


def test_a_server_that_is_away_is_told_by_ssh(tmp_path: Path) -> None:
    """A visitor by ssh reads that the server is away or newer, and gets the terminal back."""
    with newer_server(tmp_path / "new.sock"):
        for number, (server, words) in enumerate((("new.sock", "newer"), ("no.sock", "does not answer"))):
            with RunningDoor(tmp_path / f"door{number}", tmp_path / server) as door:
                assert words in asyncio.run(read_by_ssh(door, "Sasha", words))


async def read_by_ssh(door: RunningDoor, user: str, until: str) -> str:
    """Return what a visitor's terminal of text shows until these words, or until its end."""
    async with asyncio.timeout(PATIENCE_S), asyncssh.connect(
        "127.0.0.1", door.door.ssh_port, username=user, known_hosts=None, config=None, agent_path=None,
        client_keys=[asyncssh.generate_private_key("ssh-ed25519")]
    ) as line:  # fmt: skip
        process = await line.create_process(term_type="dumb")
        shown = ""
        while until not in shown and (more := await process.stdout.read(4_096)):
            shown += str(more)
        return shown


def test_a_server_that_restarts_is_waited_for(tmp_path: Path) -> None:
    """A killed server: the page says so, and plays on by itself when it is back."""
    flags = ("--door-socket", "door.sock", "--open")
    world = tmp_path / "world"
    with RunningDoor(tmp_path / "door", world / "door.sock") as door, ExitStack() as lines:
        with ServerProcess(world, *flags, campaign="jsrogue") as first:
            page = PagePlayer(lines.enter_context(door.connect()))
            begin(page, "Resa")
            first.kill()
        page.wait_for(lambda page: "onnect" in page.text())
        with ServerProcess(world, *flags, campaign="jsrogue"):
            page.wait_for(lambda page: "HP " in page.text() and "onnecting" not in page.text())
            page.press("x")
            page.wait_for(lambda page: page.state == "cursor")


@contextmanager
def newer_server(path: Path) -> Iterator[None]:
    """Listen as a server of a later version, which says goodbye to this one's clients."""
    answer = FrameWriter().frame(encode(Bye("version", "This server is newer than your client.")))
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen()

        def serve() -> None:
            with suppress(OSError):
                while True:
                    line, _ = listening.accept()
                    with line:
                        line.recv(4_096)
                        line.sendall(answer)
                        time.sleep(0.2)

        threading.Thread(target=serve, daemon=True).start()
        yield


def test_a_server_newer_than_the_door_is_told(tmp_path: Path) -> None:
    new = tmp_path / "new.sock"
    with newer_server(new), RunningDoor(tmp_path / "door", new) as door, door.connect() as line:
        page = PagePlayer(line)
        page.wait_for("Your name")
        page.press(*"Newa", "ENTER")
        page.wait_for("newer")


def test_a_late_loop_admits_no_visitor(tmp_path: Path) -> None:
    """While the loop is late time after time, a newcomer is refused; a single delay is no load."""
    with ThreadPoolExecutor(1) as writer:
        visits = Visits(
            SocketUpstream(tmp_path / "no.sock"),
            PlayerFolders(tmp_path),
            Address("localhost"),
            writer,
            Limits(),
        )
        arrival = Arrival(guest(), Visitor("web", "127.0.0.1"))
        for at in range(3):
            assert not visits.statistics.is_late
            visits.statistics.note(0.3, at)
        with pytest.raises(TooMany, match="busy"):
            visits.begin(arrival, CellSurface((100, 30), lambda _: None, say=False))
        assert visits.statistics.refusals == {"late": 1}
        assert not visits.health()["ok"]
        visits.statistics.note(0.0, 4)
        assert visits.health()["ok"]
