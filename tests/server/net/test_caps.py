"""How many connections there may be, in all and from one address."""

import pytest

from gloam_server.net.factory import network_of
from gloam_shared import limits
from gloam_shared.limits import CONNECTIONS_PER_ADDRESS_MAX
from server.net.raw import RawClient
from support.realm import SimServer, address

FAR = "203.0.113.7"


def test_a30_the_ninth_connection_from_one_address_is_turned_away() -> None:
    server = SimServer()
    eight = [RawClient(server, FAR) for _ in range(CONNECTIONS_PER_ADDRESS_MAX)]
    ninth = RawClient(server, FAR)

    assert [client.wire.closed for client in eight] == [False] * 8
    assert ninth.codes() == ["too-many"]
    assert ninth.wire.closed
    server.clock.advance(1)
    assert ninth.wire.aborted


def test_a30_who_was_turned_away_is_not_heard_and_not_counted() -> None:
    server = SimServer()
    clients = [RawClient(server, FAR) for _ in range(CONNECTIONS_PER_ADDRESS_MAX + 1)]
    clients[-1].send(b"GET / HTTP/1.1")
    clients[-1].vanish()
    assert server.factory.open == CONNECTIONS_PER_ADDRESS_MAX
    assert RawClient(server, FAR).wire.closed


def test_a30_when_one_leaves_another_may_come() -> None:
    server = SimServer()
    clients = [RawClient(server, FAR) for _ in range(CONNECTIONS_PER_ADDRESS_MAX)]
    clients[3].vanish()

    assert not RawClient(server, FAR).wire.closed
    assert RawClient(server, FAR).wire.closed


def test_a30_other_addresses_are_not_concerned() -> None:
    server = SimServer()
    for _ in range(CONNECTIONS_PER_ADDRESS_MAX):
        RawClient(server, FAR)

    assert not RawClient(server, "203.0.113.8").wire.closed


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "::1"])
def test_loopback_has_no_cap_of_its_own(host: str) -> None:
    server = SimServer()

    assert not any(RawClient(server, host).wire.closed for _ in range(CONNECTIONS_PER_ADDRESS_MAX * 3))


def test_there_is_a_cap_on_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CONNECTIONS_MAX", 3)
    server = SimServer()

    assert [RawClient(server, f"203.0.113.{at}").wire.closed for at in range(4)] == [
        False,
        False,
        False,
        True,
    ]


@pytest.mark.parametrize(
    ("host", "network"),
    [
        (FAR, f"{FAR}/32"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("127.0.0.1", ""),
        ("::1", ""),
        ("not an address", ""),
    ],
)
def test_an_address_counts_for_its_network(host: str, network: str) -> None:
    assert network_of(address(host)) == network


def test_nothing_is_remembered_of_addresses_that_have_gone() -> None:
    server = SimServer()
    for at in range(50):
        RawClient(server, f"198.51.100.{at}").vanish()

    assert server.factory.open == 0
    assert not server.factory._by_network
