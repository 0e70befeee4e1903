"""Frames that are too long, too many, foreign or out of place."""

import msgpack
import pytest

from gloam_shared.protocol.codec import encode
from gloam_shared.protocol.framing import frame
from gloam_shared.protocol.messages.chat import SendChat
from gloam_shared.protocol.messages.login import AskStatus, Error, Goodbye, Hello, Login, Status
from gloam_shared.protocol.messages.play import HeartbeatReply, Thinking
from gloam_shared.protocol.registry import PROTOCOL_VERSION, FromClient
from support.protocol.examples import examples
from support.server.parties import actions, turn
from support.server.raw_client import RawClient
from support.server.sim_server import SimServer

TOKEN = b"Anna".ljust(32, b".")


def playing() -> RawClient:
    """Return a client that plays."""
    client = RawClient(SimServer())
    client.log_in("Anna")
    return client


def padded(length: int) -> bytes:
    """Return the body of a command, of a given length by a text that is too long to be one."""
    body: bytes = msgpack.packb([6, "x" * (length - 5)])
    assert len(body) == length
    return body


@pytest.mark.rule("A3")
@pytest.mark.parametrize(
    "opening",
    [b"GET / HTTP/1.1\r\n", b"POST /", b"SSH-2.0-OpenSSH_9\r\n", b"\x16\x03\x01\x02\x00\x01", b"\x16\x03"],
)
def test_other_protocols_get_one_readable_line(opening: bytes) -> None:
    client = RawClient(SimServer())
    client.send(opening)
    line = bytes(client.wire.sent)
    assert line.isascii()
    assert line.endswith(b"\r\n")
    assert line.count(b"\n") == 1
    assert b"Gloam" in line
    assert b"gloam HOST" in line
    assert client.wire.closed


@pytest.mark.rule("A4")
@pytest.mark.parametrize("length", [1_025, 4_097, 2**31, 2**32 - 1])
def test_length_above_limit_ends_line_at_once(length: int) -> None:
    """A length above the limit ends the line immediately."""
    client = RawClient(SimServer())
    client.send(length.to_bytes(4, "big"))
    assert client.wire.aborted
    assert client.wire.sent == b""


@pytest.mark.parametrize(("length", "codes"), [(1_023, ["state"]), (1_024, ["state"]), (1_025, [])])
def test_before_the_login_a_frame_may_have_1024_bytes(length: int, codes: list[str]) -> None:
    """bound: FRAME_BEFORE_LOGIN_MAX."""
    client = RawClient(SimServer())
    client.say_raw(padded(length))
    assert client.wire.aborted is not bool(codes)
    assert client.codes() == codes


@pytest.mark.rule("A5")
def test_an_empty_frame_is_reported_and_disconnects() -> None:
    client = playing()
    client.send(frame(b""))
    assert client.codes() == ["empty"]
    assert client.wire.closed


@pytest.mark.rule("A6")
@pytest.mark.parametrize(("length", "code"), [(4_095, "range"), (4_096, "range"), (4_097, "too-big")])
def test_the_frame_limit_is_4096_bytes(length: int, code: str) -> None:
    """bound: FRAME_FROM_CLIENT_MAX."""
    client = playing()
    client.say_raw(padded(length))
    assert client.codes() == [code]
    assert client.wire.closed is (code == "too-big")


@pytest.mark.rule("A8")
def test_a_burst_of_frames_is_cut_to_sixty() -> None:
    """Of ten thousand frames in one burst sixty are taken and the rest dropped."""
    client = playing()
    server = client.server
    server.clock.advance(2)
    friend = server.join("Bert")
    client.wire.sent.clear()
    client.send(frame(encode(Thinking())) * 10_000)
    assert client.of_kind(Error) == [Error("rate", "Too many messages; some were dropped.")]
    assert not client.wire.closed
    turn(server, friend)
    assert actions(server, friend) == 1


@pytest.mark.rule("A8")
@pytest.mark.parametrize(("count", "errors"), [(59, 0), (60, 0), (61, 1)])
def test_sixty_frames_at_once_are_no_flood(count: int, errors: int) -> None:
    """bound: COMMANDS_BURST."""
    client = playing()
    client.server.clock.advance(2)
    client.send(frame(encode(Thinking())) * count)
    assert len(client.of_kind(Error)) == errors


@pytest.mark.rule("A8")
def test_a_flood_that_lasts_ten_seconds_ends_the_line() -> None:
    client = playing()
    flood = frame(encode(HeartbeatReply(0))) * 100
    for _ in range(10):
        assert not client.wire.closed
        client.send(flood)
        client.server.clock.advance(1)
    client.send(flood)
    assert client.codes()[-1] == "rate"
    assert client.wire.closed


@pytest.mark.rule("A9")
def test_garbage_ends_the_line_at_its_first_read() -> None:
    clients = [RawClient(server) for server in [SimServer()] * 14]
    for client in clients:
        client.send(b"\xff" * 16_384)
        assert client.wire.aborted
        assert client.wire.sent == b""
        client.vanish()
    assert clients[0].server.connections.open == 0
    assert clients[0].server.timers() == 1, "the log's summary of them, and nothing else"
    clients[0].server.clock.advance(10)
    assert clients[0].server.timers() == 0


@pytest.mark.rule("A18")
def test_message_unknown_kind_forgiven_twice() -> None:
    """A message of an unknown kind is forgiven twice a minute."""
    client = playing()
    unknown = frame(msgpack.packb([99]))
    client.send(unknown)
    client.send(unknown)
    assert client.codes() == ["unknown", "unknown"]
    assert not client.wire.closed
    client.send(unknown)
    assert client.codes() == ["unknown"]
    assert client.wire.closed


@pytest.mark.rule("A18")
def test_a_minute_later_they_are_forgotten() -> None:
    client = playing()
    for _ in range(4):
        client.send(frame(msgpack.packb([99])))
        for _ in range(4):
            client.server.clock.advance(8)
            client.acknowledge()
    assert not client.wire.closed


@pytest.mark.rule("A19")
@pytest.mark.parametrize(
    "message",
    examples("playing", "watching"),
    ids=lambda message: type(message).__name__,
)
@pytest.mark.parametrize("greeted", [False, True])
def test_belongs_dungeon_no_place(message: FromClient, *, greeted: bool) -> None:
    """A message for the dungeon has no place before it."""
    client = RawClient(SimServer())
    if greeted:
        client.say(Hello(PROTOCOL_VERSION))
    client.say(message)
    assert client.codes() == ["state"]
    assert client.wire.closed


@pytest.mark.rule("A19")
def test_so_has_a_login_without_a_greeting() -> None:
    client = RawClient(SimServer())
    client.say(Login("Anna", TOKEN))
    assert client.codes() == ["state"]


@pytest.mark.rule("A20")
@pytest.mark.parametrize("again", [Login("Anna", TOKEN), Hello(PROTOCOL_VERSION), AskStatus()])
def test_a_second_login_on_one_line_ends_it(again: FromClient) -> None:
    client = playing()
    client.say(again)
    assert client.codes() == ["state"]
    assert client.wire.closed


@pytest.mark.rule("A20")
def test_also_while_the_first_is_still_looked_at() -> None:
    client = RawClient(SimServer(write_s=1.0))
    client.say(Hello(PROTOCOL_VERSION), Login("Anna", TOKEN), Login("Bert", TOKEN))
    client.server.advance(5_000)
    assert client.codes() == ["state"]
    assert not client.server.dungeon.levels[1].players()


@pytest.mark.rule("A21")
@pytest.mark.parametrize(("protocol", "older"), [(0, "client"), (PROTOCOL_VERSION + 1, "server")])
def test_another_version_says_which_side_to_upgrade(protocol: int, older: str) -> None:
    client = RawClient(SimServer())
    client.say(Hello(protocol))
    (bye,) = client.heard()
    assert getattr(bye, "code", "") == "version"
    assert f"protocol {PROTOCOL_VERSION}" in getattr(bye, "text", "")
    assert f"upgrade the {older} with `pip install .` in a newer clone" in getattr(bye, "text", "")
    assert client.wire.closed


def test_who_asks_for_the_status_gets_it_and_no_more() -> None:
    client = RawClient(SimServer())
    client.say(AskStatus())
    assert client.heard() == [Status(ready=True, campaign="arena", players=0, version="test", open=True)]
    assert client.wire.closed


def test_what_comes_after_the_end_is_not_heard() -> None:
    client = playing()
    friend = client.server.join("Bert")
    client.say(Goodbye(), SendChat("are you there?"))
    client.say(SendChat("are you there?"))
    assert friend.chat() == []
