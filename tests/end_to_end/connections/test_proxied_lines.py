"""A real server behind a proxy that speaks the PROXY protocol: each player counts by the address that it names."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from gloam_shared import limits
from gloam_shared.protocol.codec import decode_from_server, encode
from gloam_shared.protocol.framing import Framer, first_frame, frame
from gloam_shared.protocol.messages.login import Bye, Hello, Joined, Login
from gloam_shared.protocol.registry import PROTOCOL_VERSION, FromServer
from support.client.fake_client import FakeClient
from support.processes.addresses import own_address
from support.processes.server_process import ServerProcess, run_server_command
from support.server.proxy_header import OWN_LINE, header

pytestmark = pytest.mark.end_to_end
PATIENCE_S = 60


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    """A realm to which this machine's own address is a proxy's."""
    flags = ("--listen", "0.0.0.0", "--plain", "--open", "--proxy-networks", f"{own_address()}/32")
    with ServerProcess(tmp_path / "realm", *flags, campaign="jsrogue") as running:
        yield running


def dialled(server: ServerProcess, front: bytes, name: str = "Anna") -> socket.socket:
    line = socket.create_connection((own_address(), server.port), timeout=PATIENCE_S)
    login = Login(name, name.encode().ljust(limits.TOKEN_SIZE, b"."))
    line.sendall(front + first_frame(encode(Hello(PROTOCOL_VERSION))) + frame(encode(login)))
    return line


def receive(line: socket.socket) -> FromServer:
    """Wait until a line is let in or sent away."""
    framer = Framer(limits.FRAME_FROM_SERVER_MAX)
    while data := line.recv(65_536):
        for message in map(decode_from_server, framer.feed(data)):
            if isinstance(message, Joined | Bye):
                return message
    raise AssertionError("the line ended without a word")


@pytest.mark.thorough
def test_guests_count_and_reported_address(server: ServerProcess) -> None:
    """Guests count and are shown of by the address that the proxy names."""
    with ExitStack() as lines, FakeClient(server.port, "Bert") as bert:
        anna = lines.enter_context(dialled(server, header("203.0.113.7")))
        assert isinstance(receive(anna), Joined)
        who = run_server_command("who", "--data", str(server.data)).stdout
        assert "from 203.0.113.7" in who
        assert "from 127.0.0.1" in who, "this machine is no proxy, and needs no header"

        for _ in range(limits.CONNECTIONS_PER_ADDRESS_MAX - 1):
            lines.enter_context(
                socket.create_connection((own_address(), server.port), timeout=PATIENCE_S)
            ).sendall(header("203.0.113.7") + first_frame(encode(Hello(PROTOCOL_VERSION))))
        one_more = lines.enter_context(dialled(server, header("203.0.113.7"), "Carl"))
        elsewhere = lines.enter_context(dialled(server, header("203.0.113.8"), "Dora"))
        assert isinstance(receive(elsewhere), Joined)
        refusal = receive(one_more)
        assert isinstance(refusal, Bye)
        assert refusal.code == "too-many"
        bert.settle()


@pytest.mark.thorough
def test_line_without_header_cut_off_and_logged(server: ServerProcess) -> None:
    """A line without a header is cut off and logged and a look by the proxy is not."""
    with socket.create_connection((own_address(), server.port), timeout=PATIENCE_S) as look:
        look.sendall(OWN_LINE)
    with dialled(server, b"") as line, suppress(ConnectionResetError):
        assert line.recv(65_536) == b""
    assert server.stop() == 0
    log = server.errors.read_text()
    assert f"{own_address()}: 1 refused: proxy" in log
    assert log.count("refused") == 1


def knock(path: Path, front: bytes, name: str) -> socket.socket:
    """Connect to a doors' socket, and log in."""
    line = socket.socket(socket.AF_UNIX)
    line.settimeout(PATIENCE_S)
    line.connect(str(path))
    login = Login(name, name.encode().ljust(limits.TOKEN_SIZE, b"."))
    line.sendall(front + first_frame(encode(Hello(PROTOCOL_VERSION))) + frame(encode(login)))
    return line


def test_a_door_s_visitor_counts_by_own_address(tmp_path: Path) -> None:
    """A visitor through the doors' socket is never this machine; a connection without the header is refused."""
    with (
        ServerProcess(tmp_path / "realm", "--door-socket", "door.sock", "--open") as server,
        ExitStack() as lines,
    ):
        path = server.data / "door.sock"
        assert path.stat().st_mode & 0o777 == 0o660
        web = lines.enter_context(knock(path, header("127.0.0.1", more=b"\xe0\x00\x03web"), "Anna"))
        ssh = lines.enter_context(knock(path, header("203.0.113.8", more=b"\xe0\x00\x03ssh"), "Bert"))
        assert [type(receive(line)) for line in (web, ssh)] == [Joined, Joined]
        who = run_server_command("who", "--data", str(server.data)).stdout
        assert "from 127.0.0.1 by browser" in who
        assert "from 203.0.113.8 by ssh" in who
        bare = lines.enter_context(knock(path, b"", "Carl"))
        with suppress(ConnectionError):
            assert bare.recv(100) == b""
    assert not path.exists()


def test_a_door_socket_in_no_folder_is_named(tmp_path: Path) -> None:
    refused = run_server_command(
        "run",
        "--data",
        str(tmp_path / "realm"),
        "--campaign",
        "jsrogue",
        "--door-socket",
        "nowhere/door.sock",
    )
    assert refused.returncode == 2
    assert "The doors' socket" in refused.stderr
    assert "nowhere/door.sock cannot be made" in refused.stderr
