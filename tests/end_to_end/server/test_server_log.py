"""The log of a real server: an object a line for programs, and nothing that moves a cursor."""

import json
import socket
from contextlib import suppress
from pathlib import Path

import pytest

from gloam_server.cli.admin_commands import _answer
from gloam_server.ops.admin_messages import Request
from support.client.fake_client import FakeClient
from support.client.headless_client import HeadlessClient
from support.processes.screen import entered
from support.processes.server_process import ServerProcess

pytestmark = pytest.mark.end_to_end


@pytest.mark.thorough
def test_json_line_object_and_tells_came_went(tmp_path: Path) -> None:
    """In json every line is an object and tells who joined, left and was refused."""
    with ServerProcess(tmp_path / "realm", "--log-format", "json") as server:
        with FakeClient(server.port, "Anna"):
            assert not _answer(server.data, Request("kick", name="\x1b[31mNobody\n")).ok
        for opening in (b"GET /\x1b[2J HTTP/1.1\r\n\r\n", b"\0\0\0\1\xc1", b"\xff" * 64):
            with socket.create_connection(("127.0.0.1", server.port)) as line:
                line.sendall(opening)
                with suppress(ConnectionResetError):
                    while line.recv(4_096):
                        pass
        assert server.stop() == 0
    raw = server.errors.read_bytes()
    assert raw.isascii()
    assert not {byte for byte in raw if byte < 0x20} - {ord("\n")}

    records = [json.loads(each) for each in raw.splitlines()]
    assert all({"time", "level", "source", "text"} <= each.keys() for each in records)
    events = [(each["event"], each.get("name", each.get("address"))) for each in records if "event" in each]
    assert events[:3] == [("joined", "Anna"), ("asked", "\\x1b[31mNobody\\n"), ("left", "Anna")]
    assert events[3] == ("refused", "127.0.0.1")
    refused = [each["reasons"] for each in records if each.get("event") == "refused"]
    assert refused == [{"foreign": 1}, {"malformed": 1, "too-big": 1}], "held-back records appear at the end"


def test_our_own_client_on_this_machine_is_no_refusal(tmp_path: Path) -> None:
    """It tries TLS first, which a server for this machine alone does not speak; then it plays."""
    hello = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"
    with ServerProcess(tmp_path / "realm") as server:
        with socket.create_connection(("127.0.0.1", server.port)) as line:
            line.sendall(hello)
            assert line.recv(4_096).startswith(b"This is a Gloam server")
        status = _answer(server.data, Request("status")).lines
        assert any(line.startswith("0 refusals") for line in status)
        assert server.stop() == 0
    assert "refused" not in server.errors.read_text()


def test_a_client_that_quits_says_farewell_in_the_log(tmp_path: Path) -> None:
    with (
        ServerProcess(tmp_path / "realm") as server,
        entered(HeadlessClient(tmp_path / "home", server.port, "Ann")) as ann,
    ):
        ann.type("Qy")
        server.log_line("Ann left")
        assert ann.wait_exit() == 0
