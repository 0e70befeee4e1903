"""Every refusal of the server, and every end of a connection after `Hello`, says why by its code."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, get_args

import pytest

from gloam_server.storage.shared_replays import SUFFIX
from gloam_shared import limits
from gloam_shared.protocol import registry
from gloam_shared.protocol.codes import ByeCode, ErrorCode
from gloam_shared.protocol.messages.login import Bye, Error, hello_of
from gloam_shared.protocol.messages.records import AskLadder, Ladder
from gloam_shared.protocol.messages.replays import REPLAYS, AskReplay, ReplayPart
from gloam_shared.protocol.messages.watching import WatchLogin
from gloam_shared.protocol.registry import ABILITIES, PROTOCOL_VERSION, FromClient, FromServer
from support.fuzz import typed_values
from support.fuzz.broken_frames import NASTY, pack
from support.server.raw_client import RawClient
from support.server.sim_server import SimServer
from support.simulation.randomness import Chance

HELLO: Final = hello_of(PROTOCOL_VERSION, "test", 0, (*ABILITIES, REPLAYS))
SAMPLES: Final = 6


def greeting(server: SimServer, _: str) -> RawClient:
    return RawClient(server)


def lobby(server: SimServer, _: str) -> RawClient:
    client = RawClient(server)
    client.say(HELLO)
    return client


def playing(server: SimServer, name: str) -> RawClient:
    client = RawClient(server)
    client.log_in(name)
    return client


def watching(server: SimServer, name: str) -> RawClient:
    client = lobby(server, name)
    client.say(WatchLogin(name, name.encode().ljust(limits.TOKEN_SIZE, b".")))
    server.pass_time(limits.LOGIN_GAP_MS)
    return client


PHASES: Final[tuple[Callable[[SimServer, str], RawClient], ...]] = (greeting, lobby, playing, watching)


def samples(kind: type[FromClient]) -> Iterator[bytes]:
    """Yield messages of a kind with values that are allowed, and with one field that is not."""
    chance, make = Chance(kind.__name__), typed_values.makers(FromClient)[kind]
    for _ in range(SAMPLES):
        raw = make(chance)
        yield pack(raw)
        if len(raw) > 1:
            raw[chance.randrange(1, len(raw))] = chance.choice(
                (-1, "\u0301" * 65, "   " * 400, [[[]]], None, 2**60)
            )
            yield pack(raw)
        yield pack([*raw, "x" * 5_000])


def says_why(came: list[FromServer]) -> bool:
    """Return whether the last message is a farewell with its code, or the answer to a question without a login."""
    return bool(came) and registry.PHASES["connected"].get(type(came[-1]).__name__) == "closed"


@pytest.mark.rule("A13", "A17", "A19")
@pytest.mark.parametrize("phase", PHASES, ids=lambda phase: phase.__name__)
@pytest.mark.parametrize("kind", get_args(FromClient), ids=lambda kind: kind.__name__)
def test_connection_ends_with_a_code(
    kind: type[FromClient], phase: Callable[[SimServer, str], RawClient]
) -> None:
    server = SimServer()
    for at, body in enumerate(samples(kind)):
        client = phase(server, f"Ann{at}")
        came = client.heard()
        client.say_raw(body)
        server.pass_time(1_100)
        came = client.heard()
        silent = phase is greeting and len(body) > limits.FRAME_BEFORE_LOGIN_MAX  # it may be no client at all
        assert says_why(came) or silent or not client.wire.closed, body
        codes = {each.code for each in came if isinstance(each, Bye | Error)}
        assert codes <= {
            *get_args(ErrorCode),
            *(code for part in get_args(ByeCode) for code in get_args(part)),
        }
        client.vanish()


@pytest.mark.parametrize("body", NASTY)
def test_broken_bytes_end_a_connection_with_a_code(body: bytes) -> None:
    server = SimServer()
    for phase in PHASES:
        client = phase(server, "Ann")
        client.heard()
        client.say_raw(body)
        assert says_why(client.heard()) or not client.wire.closed
        client.vanish()


@pytest.mark.parametrize("name", ["\u0301" * 64, "\U0001f432" * 64, "   ", "\u200b\u3000", "a\nb"])
@pytest.mark.parametrize("phase", [greeting, playing, watching], ids=lambda phase: phase.__name__)
def test_odd_name_on_the_ladder_is_nobodys(name: str, phase: Callable[[SimServer, str], RawClient]) -> None:
    client = phase(SimServer(), "Ann")
    client.heard()
    client.say(AskLadder(name=name))
    [board] = client.of_kind(Ladder)
    assert isinstance(board, Ladder)
    assert board.own is None


@pytest.mark.rule("A80")
@pytest.mark.parametrize("times", [8, 300])
def test_many_parts_of_a_replay_at_once(times: int, tmp_path: Path) -> None:
    """One part at a time is sent to a client that does not read; the others are refused, and the connection stays."""
    (tmp_path / f"Ann-1{SUFFIX}").write_bytes(os.urandom(limits.REPLAY_PART_BYTES) * 8)
    server = SimServer(replays=tmp_path)
    client = lobby(server, "Ann")
    client.heard()
    send = client.connection.send

    def full(message: FromServer) -> None:
        send(message)
        if isinstance(message, ReplayPart):
            client.connection.pauseProducing()  # as a transport does when 64 KiB wait

    client.connection.send = full  # type: ignore[method-assign]
    client.say(*(AskReplay("Ann-1", part % 8) for part in range(times)))
    came = client.heard()
    assert [type(each) for each in came[:2]] == [ReplayPart, Error]
    assert {each.code for each in came if isinstance(each, Error)} <= {"slow", "rate"}
    assert len([each for each in came if isinstance(each, ReplayPart)]) == 1
    assert not client.wire.closed

    client.connection.resumeProducing()
    server.pass_time(5_000)
    client.say(AskReplay("Ann-1", 1))
    assert client.of_kind(ReplayPart)
