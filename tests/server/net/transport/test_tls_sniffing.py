"""The first byte of a line: TLS or plain text, and what each may do."""

import logging
from collections.abc import Callable
from pathlib import Path

import pytest

from gloam_server.net.connection import Connection
from gloam_server.net.encryption import Encryption
from gloam_shared import limits
from gloam_shared.protocol.messages.chat import SendChat
from gloam_shared.protocol.messages.login import AskStatus, Bye, Hello, Joined, Login, Status, Welcome
from gloam_shared.protocol.messages.play import Acknowledge, HeartbeatReply, Update
from gloam_shared.protocol.registry import PROTOCOL_VERSION
from support.server.parties import company
from support.server.sim_server import SimServer
from support.server.tls_client import FAR, Caller, certified

HELLO = Hello(PROTOCOL_VERSION)
HOME = "127.0.0.1"


def login(name: str) -> Login:
    return Login(name, name.encode().ljust(limits.TOKEN_SIZE, b"."))


@pytest.fixture
def call(tmp_path: Path) -> Callable[..., Caller]:
    """Calls a server that has a certificate: `call(host, tls=..., plain=...)`."""
    server = SimServer()
    encryptions = {plain: Encryption(certified(tmp_path), plain=plain) for plain in (False, True)}

    def calling(host: str = FAR, *, tls: bool = True, plain: bool = False, at: SimServer = server) -> Caller:
        return Caller(at, encryptions[plain], host, tls=tls)

    return calling


def seconds_until_aborted(caller: Caller, drip: bytes = b"", at_most: int = 30) -> int:
    """Return after how many seconds a line is cut off that gets one byte of `drip` a second."""
    for second in range(at_most):
        if caller.wire.aborted:
            return second
        caller.send(drip[second : second + 1])
        caller.server.clock.advance(1)
        caller.server.settle()
    return at_most


@pytest.mark.parametrize("host", [FAR, HOME])
def test_who_begins_with_tls_plays_from_everywhere(call: Callable[..., Caller], host: str) -> None:
    caller = call(host)
    caller.shake_hands()
    caller.say(HELLO, login("Anna"))
    kinds = [type(message) for message in caller.heard()]
    assert kinds[0] is Welcome
    assert Joined in kinds


def test_plain_text_is_taken_from_this_machine(call: Callable[..., Caller]) -> None:
    caller = call(HOME, tls=False)
    caller.say(AskStatus())
    assert isinstance(caller.heard()[0], Status)


def test_and_from_others_where_the_host_says_so(call: Callable[..., Caller]) -> None:
    caller = call(FAR, tls=False, plain=True)
    caller.say(AskStatus())
    assert isinstance(caller.heard()[0], Status)


@pytest.mark.rule("A3")
@pytest.mark.parametrize(
    "opening", [b"\0\0\0\x05\x92\x01\x01", b"\0", b"GET / HTTP/1.1\r\n", b"SSH-2.0-OpenSSH_9\r\n"]
)
def test_else_it_gets_one_readable_line(call: Callable[..., Caller], opening: bytes) -> None:
    caller = call(FAR, tls=False)
    caller.send(opening)
    line = caller.received()
    assert line.isascii()
    assert line.endswith(b"\r\n")
    assert line.count(b"\n") == 1
    assert b"unencrypted" in line
    assert b"gloam HOST" in line
    assert caller.wire.closed
    caller.server.clock.advance(1)
    assert caller.wire.aborted


@pytest.mark.rule("A4")
def test_garbage_gets_no_answer(call: Callable[..., Caller]) -> None:
    caller = call(FAR, tls=False)
    caller.send(b"\xff" * 16_384)
    assert caller.wire.aborted
    assert caller.received() == b""


def test_nothing_heeded_comes_plain_text(call: Callable[..., Caller]) -> None:
    """Nothing that arrives in plain text is heeded from elsewhere."""
    caller = call(FAR, tls=False)
    caller.say(HELLO, login("Anna"))
    caller.say(HELLO, login("Anna"))
    assert not caller.server.dungeon.levels[1].players()
    assert caller.server.engine.players.connected() == []


@pytest.mark.rule("A3")
def test_other_protocols_are_reported_so_under_tls_too(call: Callable[..., Caller]) -> None:
    caller = call()
    caller.shake_hands()
    caller.speak(b"GET / HTTP/1.1\r\n")
    assert b"Gloam" in caller.received()


@pytest.mark.rule("A1")
def test_says_nothing_cut_off_after_five_seconds(call: Callable[..., Caller]) -> None:
    """A client that says nothing is cut off after five seconds."""
    assert seconds_until_aborted(call()) == limits.HANDSHAKE_S


@pytest.mark.rule("A1")
@pytest.mark.parametrize("kept", [1, 2, 5, 100])
def test_so_is_who_sends_half_a_client_hello(call: Callable[..., Caller], kept: int) -> None:
    caller = call()
    caller.send(caller.hello()[:kept])
    assert seconds_until_aborted(caller) == limits.HANDSHAKE_S


@pytest.mark.rule("A2")
def test_a_handshake_that_drips_moves_no_deadline(call: Callable[..., Caller]) -> None:
    caller = call()
    assert seconds_until_aborted(caller, caller.hello()) == limits.HANDSHAKE_S


@pytest.mark.rule("A1")
def test_so_is_who_shakes_hands_and_says_nothing_more(call: Callable[..., Caller]) -> None:
    caller = call()
    caller.server.clock.advance(2)
    caller.shake_hands()
    assert seconds_until_aborted(caller) == limits.HANDSHAKE_S - 2


@pytest.mark.rule("A9")
def test_a_handshake_that_never_ends_is_not_held(call: Callable[..., Caller]) -> None:
    callers = [call(HOME) for _ in range(14)]
    record = (
        b"\x16\x03\x01\x40\x00" + b"\x01\x01\xff\xff" + bytes(16_380)
    )  # a hello of 131,071 bytes, and its first part
    for caller in callers:
        caller.send(record[:8_192])
        assert not caller.wire.aborted
        caller.send(record[8_192 : limits.TLS_HANDSHAKE_MAX])
        assert not caller.wire.aborted
        caller.send(record[limits.TLS_HANDSHAKE_MAX :])
        assert caller.wire.aborted
        caller.line.connectionLost()
    assert callers[0].server.connections.open == 0


def test_after_its_handshake_a_line_may_say_more(call: Callable[..., Caller]) -> None:
    caller = call()
    caller.shake_hands()
    caller.say(HELLO, login("Anna"))
    patch = 0
    for said in range(2 * limits.TLS_HANDSHAKE_MAX // 1_000):
        updates = sum(isinstance(message, Update) for message in caller.heard())
        patch += updates
        acks = [Acknowledge(patch)] if updates else []
        caller.say(SendChat(f"{said}".ljust(1_000, "x")), *acks)
        caller.server.clock.advance(1)
    assert not caller.wire.closed


def test_handshake_none_ends_line_and_logged(
    call: Callable[..., Caller], caplog: pytest.LogCaptureFixture
) -> None:
    """A handshake that is none ends the line and is logged."""
    caller = call()
    with caplog.at_level(logging.WARNING):
        caller.send(b"\x16\x03\x01\x00\x05hello")
        assert caller.wire.closed
        caller.line.connectionLost()
    assert [record.getMessage() for record in caplog.records if " tls" in record.getMessage()]
    assert caller.server.connections.open == 0
    assert caller.server.timers() == 0


@pytest.mark.rule("A30")
def test_who_finds_no_room_can_read_it_under_tls(call: Callable[..., Caller]) -> None:
    callers = [call() for _ in range(limits.CONNECTIONS_PER_ADDRESS_MAX + 1)]
    late = callers[-1]
    assert late.wire.sent == b""
    late.shake_hands()
    assert [getattr(message, "code", "") for message in late.heard()] == ["too-many"]
    late.server.clock.advance(1)
    assert late.wire.aborted
    assert [caller.wire.closed for caller in callers[:-1]] == [False] * limits.CONNECTIONS_PER_ADDRESS_MAX


@pytest.mark.rule("A30")
def test_a_silent_client_without_room_is_closed(call: Callable[..., Caller]) -> None:
    """A client that finds no room and stays silent is closed after a second."""
    for _ in range(limits.CONNECTIONS_PER_ADDRESS_MAX):
        call()
    assert seconds_until_aborted(call()) == 1


def test_line_ends_says_farewell(call: Callable[..., Caller]) -> None:
    """A line that ends says farewell and is cut a second later."""
    caller = call()
    caller.shake_hands()
    caller.say(Hello(PROTOCOL_VERSION + 1))
    assert isinstance(caller.heard()[-1], Bye)
    assert caller.is_told_farewell()
    caller.server.clock.advance(1)
    assert caller.wire.aborted


@pytest.mark.rule("A31")
def test_a_stalled_socket_is_cut_off_within_a_second(call: Callable[..., Caller]) -> None:
    """A player with a stalled socket is cut off within a second."""
    server, _ = company("Anna")
    stuck = call(at=server)
    stuck.shake_hands()
    stuck.say(HELLO, login("Bert"))
    server.join("Bert")
    server.clock.advance(1)
    assert stuck.wire.aborted


@pytest.mark.thorough
def test_line_full_no_more_held_bound(call: Callable[..., Caller]) -> None:
    """For a line that is full no more is held than its bound."""
    server, (anna,) = company("Anna")
    mute = call(at=server)
    mute.shake_hands()
    mute.say(HELLO, login("Mute"))
    mute.say(Acknowledge(sum(isinstance(message, Update) for message in mute.heard())))
    connection = server.view_side.clients.connected()[-1].connection
    assert isinstance(connection, Connection)
    connection.pauseProducing()
    for said in range(2 * limits.QUEUED_BYTES_MAX // 200):
        anna.send(SendChat(f"{said} ".ljust(200, "x")))
        server.clock.advance(1)
        anna.link.tick(server.now_ms)
        mute.say(HeartbeatReply(0))
        assert len(mute.wire.sent) <= limits.QUEUED_BYTES_MAX * 5 // 4, "with 22 bytes of TLS to each"
        if mute.wire.aborted:
            break

    assert mute.wire.aborted
    assert said * 200 > limits.QUEUED_BYTES_MAX // 2


def test_nothing_is_left_of_a_line_that_is_gone(call: Callable[..., Caller]) -> None:
    caller = call()
    caller.shake_hands()
    caller.say(HELLO)
    caller.line.connectionLost()
    assert caller.server.connections.open == 0
    assert caller.server.timers() == 0
