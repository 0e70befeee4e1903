"""Lines that open and close: after fifteen within a minute their address is not heard for five minutes."""

from collections.abc import Callable
from ipaddress import ip_network
from itertools import cycle

import pytest

from gloam_server.gateway.login.login_attempt import AccessRules
from gloam_server.sessions.rate_limits import ReconnectLimiter
from gloam_shared import limits
from gloam_shared.protocol.messages.login import AskStatus, Hello, Login
from gloam_shared.protocol.registry import PROTOCOL_VERSION
from support.server.raw_client import RawClient
from support.server.sim_server import SimServer

FAR, NEAR_FAR = "203.0.113.7", "203.0.113.8"


def come_and_go(server: SimServer, host: str, times: int, meanwhile: Callable[[RawClient], None]) -> None:
    for _ in range(times):
        client = RawClient(server, host)
        meanwhile(client)
        client.vanish()
        server.settle()


def silently(_: RawClient) -> None:
    pass


def greeting(client: RawClient) -> None:
    client.say(Hello(PROTOCOL_VERSION))


_NAMES = cycle(f"Anna{at}" for at in range(8))
"""One name alone may not log in so often."""


def playing(client: RawClient) -> None:
    client.log_in(next(_NAMES))


def asking(client: RawClient) -> None:
    client.say(AskStatus())


def turned_away_for_want_of_room(client: RawClient) -> None:
    client.say(Hello(PROTOCOL_VERSION), Login("Carl", b"Carl".ljust(limits.TOKEN_SIZE, b".")))
    client.server.pass_time(limits.LOGIN_GAP_MS)
    assert client.codes() == ["full"]


def is_shut_out(server: SimServer, host: str = FAR) -> bool:
    client = RawClient(server, host)
    shut = client.wire.aborted
    assert not shut or client.heard() == []
    client.vanish()
    return shut


@pytest.mark.rule("A34")
@pytest.mark.parametrize("meanwhile", [silently, greeting])
@pytest.mark.parametrize(
    ("times", "shut"), [(limits.FLAPS_MAX - 1, False), (limits.FLAPS_MAX, True), (limits.FLAPS_MAX + 1, True)]
)
def test_flapping_is_cut_off_early(meanwhile: Callable[[RawClient], None], times: int, *, shut: bool) -> None:
    """bound: FLAPS_MAX."""
    server = SimServer()
    for _ in range(times):
        come_and_go(server, FAR, 1, meanwhile)
        server.clock.advance(1)
    assert is_shut_out(server) is shut
    assert not is_shut_out(server, NEAR_FAR), "another address is not concerned"


@pytest.mark.rule("A34")
def test_five_minutes_later_he_is_heard_again() -> None:
    """bound: FLAPS_SHUT_S."""
    server = SimServer()
    come_and_go(server, FAR, limits.FLAPS_MAX, silently)
    server.clock.advance(limits.FLAPS_SHUT_S - 1)
    assert is_shut_out(server)
    server.clock.advance(1)
    assert not is_shut_out(server)
    assert not is_shut_out(server), "one more is one more, not the sixteenth"


@pytest.mark.rule("A34")
def test_over_more_than_a_minute_it_is_no_flapping() -> None:
    """bound: FLAPS_WITHIN_S."""
    for pause_s, shut in (
        (limits.FLAPS_WITHIN_S - 1, True),
        (limits.FLAPS_WITHIN_S, False),
        (limits.FLAPS_WITHIN_S + 1, False),
    ):
        server = SimServer()
        come_and_go(server, FAR, 1, silently)
        server.clock.advance(pause_s)
        come_and_go(server, FAR, limits.FLAPS_MAX - 1, silently)
        assert is_shut_out(server) is shut


@pytest.mark.rule("A34")
@pytest.mark.parametrize("meanwhile", [playing, asking])
def test_line_logs_or_asks_status_none(meanwhile: Callable[[RawClient], None]) -> None:
    """A line that logs in or asks for the status is none."""
    server = SimServer()
    come_and_go(server, FAR, limits.FLAPS_MAX * 2, meanwhile)
    assert not is_shut_out(server)


@pytest.mark.rule("A34")
def test_nor_is_one_that_the_server_has_no_room_for() -> None:
    server = SimServer(players_max=1)
    server.join("Anna")
    come_and_go(server, FAR, limits.FLAPS_MAX + 1, turned_away_for_want_of_room)
    assert not is_shut_out(server)


@pytest.mark.rule("A34")
def test_nor_are_those_beyond_the_cap_of_their_address() -> None:
    """A household that returns immediately after a cut finds its own dead lines in the way for a while."""
    server = SimServer()
    for at in range(limits.CONNECTIONS_PER_ADDRESS_MAX):
        RawClient(server, FAR).log_in(f"Anna{at}")
    come_and_go(server, FAR, limits.FLAPS_MAX * 2, silently)
    last = RawClient(server, FAR)
    assert last.codes() == ["too-many"]


@pytest.mark.rule("A34")
@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "10.1.2.3"])
def test_machine_and_trusted_networks_never_shut(host: str) -> None:
    """This machine and trusted networks are never shut out."""
    server = SimServer(rules=AccessRules(open=True, trusted=(ip_network("10.0.0.0/8"),)))
    come_and_go(server, host, limits.FLAPS_MAX * 3, silently)
    assert not is_shut_out(server, host)


@pytest.mark.rule("A34")
def test_plays_address_not_disturbed() -> None:
    """A player who plays on from that address is not disturbed."""
    server = SimServer()
    anna = server.join("Anna", host=FAR)
    come_and_go(server, FAR, limits.FLAPS_MAX + 5, silently)
    stranger = RawClient(server, FAR)
    stranger.say(Hello(PROTOCOL_VERSION), Login("Bert", b"Bert".ljust(limits.TOKEN_SIZE, b".")))
    assert stranger.codes() == ["too-many"], "only who comes back is heard there"
    assert anna.up


@pytest.mark.thorough
@pytest.mark.rule("A34")
def test_what_is_remembered_of_addresses_is_bounded() -> None:
    flaps = ReconnectLimiter()
    for at in range(12_000):
        for _ in range(limits.FLAPS_MAX):
            flaps.count(f"net {at}", now_ms=at)
    assert len(flaps._shut_until_ms) <= 10_000
    assert flaps.is_shut("net 11999", 12_000)
