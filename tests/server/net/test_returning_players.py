"""A player who returns by a token gets in though the address is over a bound; no one else does."""

import pytest

from gloam_server.net.connection_counts import AdmissionStatus
from gloam_shared import limits
from gloam_shared.protocol.messages.login import Hello, Joined, Login, Resume, ResumeToken, Welcome
from gloam_shared.protocol.registry import PROTOCOL_VERSION, FromClient
from support.server.raw_client import RawClient
from support.server.sim_server import SimServer

FAR, ELSEWHERE = "203.0.113.7", "198.51.100.7"


def login(name: str) -> Login:
    return Login(name, name.encode().ljust(limits.TOKEN_SIZE, b"."))


def played(server: SimServer, name: str, host: str = FAR) -> tuple[RawClient, bytes]:
    """Return a connection on which a player plays, and their token."""
    client = RawClient(server, host)
    client.say(Hello(PROTOCOL_VERSION), login(name))
    server.advance(10)
    came = client.heard()
    client.acknowledge()
    return client, [each.token for each in came if isinstance(each, ResumeToken)][-1]


def called(server: SimServer, *messages: FromClient, host: str = FAR) -> RawClient:
    client = RawClient(server, host)
    if not client.wire.closed:
        client.say(Hello(PROTOCOL_VERSION), *messages)
        server.advance(10)
    return client


def joins(client: RawClient) -> bool:
    return bool(client.of_kind(Joined))


def shut_out(server: SimServer, host: str = FAR) -> None:
    for _ in range(limits.FLAPS_MAX):
        RawClient(server, host).vanish()
    server.clock.advance(limits.RETURNS_WITHIN_S)


@pytest.mark.parametrize("host", [FAR, ELSEWHERE])
def test_player_comes_back_address_shut(host: str) -> None:
    """A player returns to an address that is shut out."""
    server = SimServer()
    anna, token = played(server, "Anna", host)
    shut_out(server)
    anna.vanish()
    server.settle()
    assert called(server, login("Bert")).codes() == ["too-many"]
    again = called(server, Resume("Anna", token))
    assert joins(again)
    assert server.connections.admission_of(again.connection) is AdmissionStatus.ADMITTED


def test_player_comes_back() -> None:
    """A player returns while all connections of the address are taken."""
    server = SimServer()
    tokens = [played(server, f"Anna{letter}")[1] for letter in "abcdefgh"]
    assert called(server, login("Bert")).codes() == ["too-many"]
    returned = [
        called(server, Resume(f"Anna{letter}", token))
        for letter, token in zip("abcdefgh", tokens, strict=True)
    ]
    assert all(map(joins, returned)), "each of the eight, whose dead lines are counted still"


@pytest.mark.parametrize("token", [bytes(limits.TOKEN_SIZE), b"?" * limits.TOKEN_SIZE])
def test_a_wrong_token_is_no_way_in(token: bytes) -> None:
    server = SimServer()
    played(server, "Anna")
    shut_out(server)
    caller = called(server, Resume("Anna", token))
    assert caller.codes() == ["auth"]
    caller.say(login("Bert"))
    assert caller.codes() == ["too-many"]
    assert caller.wire.closed


def test_no_one_is_heard_where_none_can_return() -> None:
    server = SimServer()
    shut_out(server)
    assert RawClient(server, FAR).wire.aborted


def test_ten_minutes_after_the_last_player_it_stops() -> None:
    """Ten minutes after the last has gone no one is heard any more."""
    server = SimServer()
    anna, _ = played(server, "Anna")
    anna.vanish()
    server.settle()
    server.clock.advance(limits.RESUME_S - 1 - limits.RETURNS_WITHIN_S)
    shut_out(server)
    assert not RawClient(server, FAR).wire.aborted
    server.clock.advance(1)
    assert RawClient(server, FAR).wire.aborted


def test_after_start_played_before_heard() -> None:
    """After a start players who played before are heard."""
    former = SimServer()
    played(former, "Anna")
    server = SimServer(store=former.store)
    shut_out(server)
    assert not RawClient(server, FAR).wire.closed


def test_silent_lines_not_prolong_time() -> None:
    """Silent lines do not prolong the time for which an address is shut out."""
    server = SimServer()
    played(server, "Anna", ELSEWHERE)
    shut_out(server)
    for _ in range(limits.FLAPS_SHUT_S // limits.RETURNS_WITHIN_S - 1):
        for _ in range(limits.RETURNS_MAX):
            RawClient(server, FAR).vanish()
        server.clock.advance(limits.RETURNS_WITHIN_S)
    assert joins(called(server, login("Bert")))


def test_so_many_lines_are_heard_in_ten_seconds() -> None:
    """bound: RETURNS_MAX. bound: RETURNS_WITHIN_S."""
    server = SimServer()
    played(server, "Anna", ELSEWHERE)
    shut_out(server)

    def heard() -> int:
        clients = [RawClient(server, FAR) for _ in range(limits.RETURNS_MAX + 3)]
        for client in clients:
            client.vanish()
        return sum(not client.wire.aborted for client in clients)

    assert heard() == limits.RETURNS_MAX
    assert heard() == 0
    server.clock.advance(limits.RETURNS_WITHIN_S - 1)
    assert heard() == 0
    server.clock.advance(1)
    assert heard() > 0


def test_address_holds_twice_connections_at_most() -> None:
    """An address holds twice its connections at most and the oldest silent one yields."""
    server = SimServer()
    for letter in "abcdefgh":
        played(server, f"Anna{letter}")
    silent = [RawClient(server, FAR) for _ in range(limits.CONNECTIONS_PER_ADDRESS_MAX)]
    assert not any(client.wire.closed for client in silent)
    RawClient(server, FAR)
    assert [client.wire.aborted for client in silent] == [True] + [False] * (len(silent) - 1)


def test_lines_many_addresses_share_reserved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines of many addresses share the reserved places."""
    monkeypatch.setattr(limits, "CONNECTIONS_RESERVED", 3)
    server = SimServer()
    played(server, "Anna", ELSEWHERE)
    hosts = [f"203.0.113.{at}" for at in range(4)]
    for host in hosts:
        shut_out(server, host)
    clients = [RawClient(server, host) for host in hosts]
    assert [client.wire.aborted for client in clients] == [True, False, False, False]


def test_a_silent_line_is_cut_off_in_time() -> None:
    server = SimServer()
    played(server, "Anna", ELSEWHERE)
    shut_out(server)
    client = RawClient(server, FAR)
    client.say(Hello(PROTOCOL_VERSION))
    assert client.of_kind(Welcome)
    server.clock.advance(limits.LOGIN_S)
    assert client.wire.aborted


def test_of_those_who_are_turned_away_so_many_hear_why() -> None:
    """bound: TURNED_AWAY_MAX."""
    server = SimServer(connections_max=1)
    server.connections._room = type(server.connections._room)(1)
    clients = [RawClient(server) for _ in range(1 + limits.CONNECTIONS_RESERVED)]
    for client in clients[1:]:
        server.connections.keep(client.connection)
    crowd = [RawClient(server) for _ in range(limits.TURNED_AWAY_MAX + 2)]
    assert [client.wire.aborted for client in crowd] == [True] * 2 + [False] * limits.TURNED_AWAY_MAX
    assert all(client.wire.closed for client in crowd)
    assert crowd[-1].codes() == ["too-many"]
