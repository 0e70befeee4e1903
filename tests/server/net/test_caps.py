"""The number of connections there may be, in all and from one address."""

from ipaddress import ip_network

import pytest

from gloam_server.gateway.login.login_attempt import AccessRules
from gloam_server.net.connection_counts import AdmissionStatus, ConnectionLimits
from gloam_server.net.networks import counted_network, network_of
from gloam_server.net.reactor import ACCEPTS_MAX, accept_few
from gloam_shared import limits
from gloam_shared.limits import CONNECTIONS_PER_ADDRESS_MAX, CONNECTIONS_RESERVED
from gloam_shared.protocol.messages.login import Hello, Login
from gloam_shared.protocol.registry import PROTOCOL_VERSION
from support.server.raw_client import RawClient
from support.server.sim_server import SimServer
from support.server.transports import address

FAR = "203.0.113.7"


@pytest.mark.rule("A30")
def test_ninth_connection_address_turned_away() -> None:
    """bound: CONNECTIONS_PER_ADDRESS_MAX."""
    server = SimServer()
    eight = [RawClient(server, FAR) for _ in range(CONNECTIONS_PER_ADDRESS_MAX)]
    ninth = RawClient(server, FAR)
    assert [client.wire.closed for client in eight] == [False] * 8
    assert ninth.codes() == ["too-many"]
    assert ninth.wire.closed
    server.clock.advance(1)
    assert ninth.wire.aborted


@pytest.mark.rule("A30")
def test_turned_away_not_heard_and_not_counted() -> None:
    """A client that was turned away is not heard and not counted."""
    server = SimServer()
    clients = [RawClient(server, FAR) for _ in range(CONNECTIONS_PER_ADDRESS_MAX + 1)]
    clients[-1].send(b"GET / HTTP/1.1")
    clients[-1].vanish()
    assert server.connections.open == CONNECTIONS_PER_ADDRESS_MAX
    assert RawClient(server, FAR).wire.closed


@pytest.mark.rule("A30")
def test_when_one_leaves_another_may_come() -> None:
    server = SimServer()
    clients = [RawClient(server, FAR) for _ in range(CONNECTIONS_PER_ADDRESS_MAX)]
    clients[3].vanish()
    assert not RawClient(server, FAR).wire.closed
    assert RawClient(server, FAR).wire.closed


@pytest.mark.rule("A30")
def test_other_addresses_are_not_concerned() -> None:
    server = SimServer()
    for _ in range(CONNECTIONS_PER_ADDRESS_MAX):
        RawClient(server, FAR)
    assert not RawClient(server, "203.0.113.8").wire.closed


@pytest.mark.rule("A30")
def test_addresses_ipv6_network_cap() -> None:
    """The addresses of one ipv6 network have one cap."""
    server = SimServer()
    clients = [RawClient(server, f"2001:db8:1:2::{at}") for at in range(1, CONNECTIONS_PER_ADDRESS_MAX + 2)]
    assert [client.wire.closed for client in clients] == [False] * CONNECTIONS_PER_ADDRESS_MAX + [True]
    assert not RawClient(server, "2001:db8:1:3::1").wire.closed


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "::1"])
def test_loopback_has_no_cap_of_its_own(host: str) -> None:
    server = SimServer()
    assert not any(RawClient(server, host).wire.closed for _ in range(CONNECTIONS_PER_ADDRESS_MAX * 3))


@pytest.mark.rule("A30")
def test_trusted_networks_have_no_cap_of_their_own() -> None:
    server = SimServer(rules=AccessRules(open=True, trusted=(ip_network("203.0.113.0/24"),)))
    assert not any(RawClient(server, FAR).wire.closed for _ in range(CONNECTIONS_PER_ADDRESS_MAX * 3))


def test_beyond_cap_reserved_place_comes_back() -> None:
    """bound: CONNECTIONS_MAX."""
    server = SimServer(connections_max=3)
    server.join("Anna").leave()
    for _ in range(3):
        newcomer = RawClient(server)
        assert server.connections.admission_of(newcomer.connection) is AdmissionStatus.ADMITTED
    stranger = RawClient(server)
    stranger.say(Hello(PROTOCOL_VERSION), Login("Bert", bytes(limits.TOKEN_SIZE)))
    anna = RawClient(server)
    anna.log_in("Anna")
    assert stranger.codes() == ["too-many"]
    assert stranger.wire.closed
    assert server.store.directory.account_by_name("bert") is None
    assert anna.connection.player


@pytest.mark.rule("A30")
def test_reserved_place_no_way_round_cap_address() -> None:
    """A reserved place is no way round the cap on an address."""
    server = SimServer(connections_max=3)
    clients = [RawClient(server, FAR) for _ in range(CONNECTIONS_PER_ADDRESS_MAX + 1)]
    assert [client.wire.closed for client in clients] == [False] * CONNECTIONS_PER_ADDRESS_MAX + [True]


def test_sits_last_reserved_place() -> None:
    """bound: CONNECTIONS_RESERVED."""
    server = SimServer(connections_max=1)
    server.join("Anna").leave()
    RawClient(server)
    silent = [RawClient(server) for _ in range(CONNECTIONS_RESERVED)]
    assert not any(client.wire.closed for client in silent)
    anna = RawClient(server)
    assert [client.wire.aborted for client in silent] == [True] + [False] * (CONNECTIONS_RESERVED - 1)
    silent[0].vanish()
    anna.log_in("Anna")
    assert server.connections.open == 1 + CONNECTIONS_RESERVED


def test_reserved_places_played_next_turned_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next player is turned away when all reserved places are taken."""
    monkeypatch.setattr(limits, "CONNECTIONS_RESERVED", 2)
    server = SimServer(connections_max=1)
    for name in ("Anna", "Bert"):
        server.join(name).leave()
    RawClient(server)
    for name in ("Anna", "Bert"):
        RawClient(server).log_in(name)
    late = RawClient(server)
    assert late.codes() == ["too-many"]
    assert late.wire.closed


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


def test_nothing_remembered_addresses_gone() -> None:
    """Nothing is remembered of addresses that have gone."""
    server = SimServer()
    for at in range(50):
        RawClient(server, f"198.51.100.{at}").vanish()
    assert server.connections.open == 0
    assert not server.connections._by_network


def test_loopback_counted_like_any_other_address() -> None:
    """Loopback is counted like any other address where its exemption is taken back."""
    server = SimServer()
    server.connections._room = ConnectionLimits(trusted=(ip_network("127.0.0.1/32"),), loopback_exempt=False)
    for _ in range(CONNECTIONS_PER_ADDRESS_MAX):
        assert not RawClient(server, "127.9.9.9").wire.closed
    assert RawClient(server, "127.9.9.9").codes() == ["too-many"]
    assert not RawClient(server, "127.0.0.1").wire.closed
    assert counted_network(address("127.9.9.9"), (), loopback_exempt=False) == "127.9.9.9/32"


def test_crowd_dials_accepted_few_time() -> None:
    """A crowd that dials is accepted a few at a time."""

    class Port:
        """Twisted's port, as far as it accepts: this many together, and more from turn to turn."""

        numberAccepts = 100  # noqa: N815
        accepted = 0

        def doRead(self) -> None:  # noqa: N802
            self.accepted += self.numberAccepts
            self.numberAccepts += 20

        def getHost(self) -> None: ...  # noqa: N802

        def stopListening(self) -> None: ...  # noqa: N802

    port = Port()
    accept_few(port)  # type: ignore[arg-type]  # it has no address
    for _ in range(5):
        port.doRead()

    assert port.accepted == 5 * ACCEPTS_MAX
