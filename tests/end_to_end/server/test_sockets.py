"""Abuse over real sockets, against a real server process: which connections are closed, with which message, and at what cost."""

import contextlib
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from gloam_shared import limits
from gloam_shared.protocol.codec import decode_from_server, encode
from gloam_shared.protocol.commands import Wait
from gloam_shared.protocol.framing import Framer, first_frame, frame
from gloam_shared.protocol.messages.chat import ChatLine, SendChat
from gloam_shared.protocol.messages.login import AskStatus, Bye, Hello, Joined, Login, Status
from gloam_shared.protocol.registry import PROTOCOL_VERSION, FromServer
from support.client.fake_client import FakeClient
from support.processes.addresses import own_address
from support.processes.process_usage import Usage
from support.processes.server_process import ServerProcess

pytestmark = pytest.mark.end_to_end

PATIENCE_S = 30
HELLO = first_frame(encode(Hello(PROTOCOL_VERSION, "by sockets")))
GARBAGE = b"\xff" * 1_000_000


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """One realm for all of these tests, which takes plain text from this machine's other addresses too."""
    data = tmp_path_factory.mktemp("sockets") / "realm"
    with ServerProcess(data, "--listen", "0.0.0.0", "--plain", "--open", campaign="jsrogue") as running:
        yield running


def dialled(server: ServerProcess, *said: bytes, host: str = "127.0.0.1") -> socket.socket:
    line = socket.create_connection((host, server.port), timeout=PATIENCE_S)
    for each in said:
        with contextlib.suppress(ConnectionError):  # it may be cut off before it has spoken
            line.sendall(each)
    return line


def answered(server: ServerProcess, said: bytes, host: str) -> bytes:
    """Return the bytes of a new line's answer; none where it is cut off, also before it stands."""
    try:
        return heard(dialled(server, said, host=host))
    except ConnectionError:
        return b""


def heard(line: socket.socket) -> bytes:
    """Return everything that arrives until the server ends the line, politely or not."""
    received = bytearray()
    with contextlib.suppress(ConnectionError):
        while data := line.recv(65_536):
            received += data
    line.close()
    return bytes(received)


def messages(data: bytes) -> list[FromServer]:
    return [decode_from_server(body) for body in Framer(limits.FRAME_FROM_SERVER_MAX).feed(data)]


def asked(server: ServerProcess, host: str = "127.0.0.1") -> list[FromServer]:
    """Return what a question for the status is answered."""
    return messages(answered(server, first_frame(encode(AskStatus())), host))


@pytest.mark.thorough
@pytest.mark.rule("A1", "A2", "A7")
def test_silent_drips_or_stops_frame_cut_off(server: ServerProcess) -> None:
    """All at once, for each takes its deadline."""
    with FakeClient(server.port, "Anna") as anna:
        silent, stopped, dripping = dialled(server), dialled(server, HELLO[:7]), dialled(server)
        dripping.settimeout(0.25)
        cut = False
        for byte in HELLO[:-1].ljust(PATIENCE_S * 4, b"."):
            anna.settle(0.01)
            with contextlib.suppress(TimeoutError):
                try:
                    dripping.sendall(bytes([byte]))
                    cut = not dripping.recv(1)
                except ConnectionError:
                    cut = True
            if cut:
                break
        dripping.close()
        assert cut
        assert heard(silent) == heard(stopped) == b""
        anna.do(Wait())


@pytest.mark.rule("A3")
@pytest.mark.parametrize("opening", [b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"SSH-2.0-OpenSSH_9.2\r\n"])
def test_another_protocol_gets_line_people_read(server: ServerProcess, opening: bytes) -> None:
    """Another protocol gets one line that people can read."""
    result = heard(dialled(server, opening))
    assert result.isascii()
    assert result.count(b"\n") == 1
    assert b"Gloam" in result
    assert b"gloam HOST" in result


@pytest.mark.rule("A4")
@pytest.mark.parametrize("length", [1_025, 2**31, 2**32 - 1])
def test_length_beyond_bounds_ends_line(server: ServerProcess, length: int) -> None:
    """A length beyond all bounds ends the line without a word."""
    assert heard(dialled(server, length.to_bytes(4, "big"))) == b""


def pour(server: ServerProcess) -> None:
    """Let fourteen lines send a megabyte of garbage each, as far as they get."""
    lines = [dialled(server) for _ in range(14)]
    for line in lines:
        with contextlib.suppress(ConnectionError):
            line.sendall(GARBAGE)
    assert {heard(line) for line in lines} == {b""}


@pytest.mark.rule("A9")
def test_garbage_megabyte_costs_server_nothing(server: ServerProcess) -> None:
    """Garbage by the megabyte costs the server nothing."""
    usage = Usage(server.process.pid)
    pour(server)
    before_mb = usage.resident_mb()
    for _ in range(3):
        pour(server)
    assert usage.resident_mb() - before_mb <= 1
    assert [type(each) for each in asked(server)] == [Status]


@pytest.mark.rule("A31")
def test_a_stalled_connection_frees_its_name(
    server: ServerProcess,
) -> None:
    """A stalled connection is replaced and cut off, and its name is free immediately."""
    login = frame(encode(Login("Mute", b"Mute".ljust(limits.TOKEN_SIZE, b"."))))
    stalled = dialled(server, HELLO, login)
    with FakeClient(server.port, "Anna") as anna:
        anna.wait_for(lambda: anna.sees("Mute"))
        with FakeClient(server.port, "Mute") as mute:
            assert [each.name for each in mute.view.party].count("Mute") == 1
            assert "replaced" in [each.code for each in messages(heard(stalled)) if isinstance(each, Bye)]


@pytest.mark.rule("A47")
def test_terminal_obey_never_leaves_server(server: ServerProcess) -> None:
    """A sequence that a terminal would obey never leaves the server."""
    with FakeClient(server.port, "Anna") as anna, FakeClient(server.port, "Bert") as bert:
        anna.link.send(SendChat("\x1b]0;owned\x07\x9b31mhello\u202e"))
        anna.settle()
        bert.wait_for(bert.chat)
        assert bert.chat() == [ChatLine("Anna", "]0;owned31mhello")]


@pytest.mark.rule("A30", "A34")
def test_caps_and_flapping_of_a_foreign_address(server: ServerProcess) -> None:
    """Connection caps and flapping count for an address that is not this machine's own."""
    host = own_address()
    eight = [dialled(server, HELLO, host=host) for _ in range(limits.CONNECTIONS_PER_ADDRESS_MAX)]
    assert all(line.recv(4) for line in eight), "each is welcomed"
    stranger = HELLO + frame(encode(Login("Carl", b"Carl".ljust(limits.TOKEN_SIZE, b"."))))
    ninth = messages(heard(dialled(server, stranger, host=host)))
    assert [each.code for each in ninth if isinstance(each, Bye)] == ["too-many"]
    with FakeClient(server.port, "Anna"):
        for line in eight:
            line.close()
        for _ in range(limits.FLAPS_MAX):
            answered(server, b"\xff\xff\xff\xff", host)
        received = messages(answered(server, stranger, host))
        assert [each.code for each in received if isinstance(each, Bye)] in ([], ["too-many"])
        assert not any(isinstance(each, Joined) for each in received), (
            "only who comes back by a token is heard"
        )
        assert [type(each) for each in asked(server)] == [Status], "this machine is never shut out"


LIMITED = """import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))
from gloam_server.cli.main import cli; cli()"""
"""A server that the system grants few descriptors."""


@pytest.mark.thorough
def test_descriptors_few_newcomer_answered(tmp_path: Path) -> None:
    """With few descriptors a newcomer is answered while a flood lasts."""
    with (
        ServerProcess(tmp_path / "realm", campaign="jsrogue", program=("-c", LIMITED)) as few,
        contextlib.ExitStack() as flood,
    ):
        for _ in range(80):
            with contextlib.suppress(ConnectionError):  # it may be cut off immediately
                flood.enter_context(dialled(few))
        assert [type(each) for each in asked(few)] == [Status]
        few.log_line("40 descriptors: room for 8 connections, and 8 kept")
    assert "EMFILE" not in few.errors.read_text()
