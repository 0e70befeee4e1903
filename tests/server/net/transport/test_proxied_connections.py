"""Lines through a proxy: the address that its header names counts, and nothing begins before it."""

import logging
from collections.abc import Callable
from ipaddress import ip_network

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gloam_server.gateway.login.login_attempt import AccessRules
from gloam_server.net.encryption import Encryption
from gloam_server.net.networks import RelayedAddress, counted_network, network_of
from gloam_server.net.proxied_connections import ProxiedFactory
from gloam_server.net.tls_sniffing import TlsSniffingFactory
from gloam_shared import limits
from gloam_shared.protocol.messages.login import AskStatus, Bye, Hello, Joined, Login, PasswordStatus, Status
from gloam_shared.protocol.registry import PROTOCOL_VERSION
from support.server.proxy_header import OWN_LINE, UNKNOWN_LINE, header
from support.server.sim_server import SimServer
from support.server.tls_client import Caller, certified
from support.server.transports import Wire, address, connect

PROXY, GUEST = "172.18.0.1", "203.0.113.7"
PROXIES = (ip_network("172.18.0.0/16"), ip_network("127.0.0.2/32"), ip_network("fd00::/8"))
HELLO = Hello(PROTOCOL_VERSION)


def login(name: str) -> Login:
    return Login(name, name.encode().ljust(limits.TOKEN_SIZE, b"."))


class Dialled(Caller):
    """A line as a proxy begins it."""

    def __init__(
        self,
        server: SimServer,
        encryption: Encryption,
        front: bytes = b"",
        *,
        peer: str = PROXY,
        tls: bool = True,
    ) -> None:
        super().__init__(server, encryption, tls=tls)
        self.line.connectionLost()
        server.settle()
        self.wire = Wire()
        lines = ProxiedFactory(
            TlsSniffingFactory(server.factory, encryption, server.clock),
            PROXIES,
            server.clock,
            server.front.refusals.record,
        )
        self.line = lines.buildProtocol(address(peer))  # type: ignore[assignment]  # what Caller dials has the same methods
        connect(self.line, self.wire)
        self.lines = lines
        self.send(front)

    def addresses(self) -> list[str]:
        """Return the addresses of the connected clients."""
        connected = self.server.view_side.clients.connected()
        return [str(getattr(each.connection and each.connection.address, "host", "")) for each in connected]


Dial = Callable[..., Dialled]


@pytest.fixture(scope="module")
def encryptions(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, Encryption]:
    files = certified(tmp_path_factory.mktemp("certificate"))
    return {plain: Encryption(files, plain=plain) for plain in (False, True)}


@pytest.fixture
def server() -> SimServer:
    return SimServer()


@pytest.fixture
def dial(server: SimServer, encryptions: dict[bool, Encryption]) -> Dial:
    """Dials the server from a proxy: `dial(header, peer=..., tls=..., plain=...)`."""

    def dialled(front: bytes = b"", *, plain: bool = False, peer: str = PROXY, tls: bool = True) -> Dialled:
        return Dialled(server, encryptions[plain], front, peer=peer, tls=tls)

    return dialled


@pytest.mark.parametrize("peer", [PROXY, "127.0.0.2", "fd00::5", "::ffff:172.18.0.1"])
@pytest.mark.parametrize("guest", [GUEST, "2001:db8::7"])
def test_player_behind_proxy_plays(dial: Dial, peer: str, guest: str) -> None:
    """A player behind a proxy plays by tls under their own address."""
    caller = dial(header(guest), peer=peer)
    caller.shake_hands()
    caller.say(HELLO, login("Anna"))
    assert Joined in map(type, caller.heard())
    assert caller.addresses() == [guest]


def test_plain_text_proxy_taken_host_says(dial: Dial) -> None:
    """Plain text through a proxy is taken where the host says so."""
    caller = dial(header(GUEST), tls=False, plain=True)
    caller.say(AskStatus())
    assert isinstance(caller.heard()[0], Status)


@pytest.mark.parametrize("guest", [GUEST, "127.0.0.1", "::1", "::ffff:127.0.0.1"])
@pytest.mark.parametrize("peer", [PROXY, "127.0.0.2"])
def test_no_line_proxy_taken_machine(dial: Dial, guest: str, peer: str) -> None:
    """No line through a proxy is taken for this machine s own."""
    caller = dial(header(guest), peer=peer, tls=False)
    caller.say(AskStatus())
    assert b"unencrypted" in caller.received()
    assert network_of(RelayedAddress(guest, 1, 0)) != ""  # type: ignore[arg-type]  # Twisted's is by zope
    assert counted_network(RelayedAddress(guest, 1, 0), ()) != ""  # type: ignore[arg-type]
    inside = dial(header(guest), peer=peer)
    inside.shake_hands()
    inside.say(HELLO, login("Anna"))
    assert PasswordStatus in map(type, inside.heard()), "at this machine no player is offered a password"


def test_so_is_one_of_which_the_proxy_knows_nothing(dial: Dial) -> None:
    caller = dial(UNKNOWN_LINE, peer="127.0.0.2", tls=False)
    caller.say(AskStatus())
    assert b"unencrypted" in caller.received()


def test_limits_of_an_address_are_those_of_the_guest(dial: Dial, server: SimServer) -> None:
    for _ in range(limits.CONNECTIONS_PER_ADDRESS_MAX):
        assert not dial(header(GUEST), tls=False, plain=True).wire.closed
    ninth = dial(header(GUEST), tls=False, plain=True)
    ninth.say(HELLO)
    assert [each.code for each in ninth.heard() if isinstance(each, Bye)] == ["too-many"]
    assert not dial(header("203.0.113.8"), tls=False, plain=True).wire.closed
    assert set(server.connections._by_network) == {f"{GUEST}/32", "203.0.113.8/32"}


def test_guest_comes_and_goes_shut_and_proxy(dial: Dial) -> None:
    """A guest who connects and leaves again and again is shut out and the proxy is not."""
    for _ in range(limits.FLAPS_MAX):
        dial(header(GUEST)).line.connectionLost()
    assert dial(header(GUEST)).wire.aborted
    assert not dial(header("203.0.113.8")).wire.closed


def test_trusted_networks_asked_guest_address(encryptions: dict[bool, Encryption]) -> None:
    """Trusted networks are asked for the guest s address."""
    server = SimServer(rules=AccessRules(open=True, trusted=(ip_network("172.18.0.0/16"),)))
    for _ in range(limits.FLAPS_MAX):
        Dialled(server, encryptions[False], header(GUEST)).line.connectionLost()
    assert Dialled(server, encryptions[False], header(GUEST)).wire.aborted
    assert not Dialled(server, encryptions[False], header("172.18.0.9")).wire.aborted


@pytest.mark.parametrize("front", [b"", OWN_LINE, OWN_LINE[:7]])
def test_a_proxy_s_own_looks_are_not_counted(dial: Dial, server: SimServer, front: bytes) -> None:
    for _ in range(limits.FLAPS_MAX * 2):
        dial(front).line.connectionLost()
    assert not dial(OWN_LINE).wire.closed
    assert server.front.refusals.counts["proxy"] == 0
    assert server.connections.open == 1
    assert server.connections._by_network == {}


@pytest.mark.parametrize(
    "front",
    [
        b"PROXY TCP4 203.0.113.7 203.0.113.1 50000 7373\r\n",
        b"\x16\x03\x01\x00\xc8\x01",
        b"GET / HTTP/1.1\r\n",
        b"\0\0\0\x05\x92\x01\x01",
        header(GUEST)[:12] + b"\x31",
        b"\xff" * 16_384,
    ],
)
def test_without_header_proxy_line_cut_off(
    dial: Dial, server: SimServer, front: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """Without a header a proxy s line is cut off and counted."""
    with caplog.at_level(logging.WARNING):
        caller = dial(front)
    assert caller.wire.aborted
    assert caller.received() == b""
    assert server.front.refusals.counts["proxy"] == 1
    assert server.connections.open == 0
    assert f"{PROXY}: 1 refused: proxy" in caplog.text


def test_a_header_from_elsewhere_is_garbage_as_before(dial: Dial, server: SimServer) -> None:
    caller = dial(header(GUEST), peer="198.51.100.9", plain=True, tls=False)
    assert caller.wire.closed
    assert server.front.refusals.counts["proxy"] == 0
    assert caller.addresses() == []


@pytest.mark.parametrize("front", [b"", header(GUEST)[:1], header(GUEST)[:-1]])
def test_a_header_must_be_whole_in_time(dial: Dial, server: SimServer, front: bytes) -> None:
    caller = dial(front)
    server.clock.advance(limits.HANDSHAKE_S - 1)
    assert not caller.wire.aborted
    server.clock.advance(1)
    assert caller.wire.aborted
    assert server.front.refusals.counts["late"] == 1


@pytest.mark.parametrize("after_s", [0, 1, limits.HANDSHAKE_S - 1])
def test_a_header_that_comes_late_moves_no_deadline(dial: Dial, server: SimServer, after_s: int) -> None:
    caller = dial()
    server.clock.advance(after_s)
    caller.send(header(GUEST))
    waited = after_s
    while not caller.wire.aborted:
        server.clock.advance(1)
        waited += 1
    assert waited == max(limits.HANDSHAKE_S, after_s + 1)


def test_lines_wait_header_oldest_yields(dial: Dial) -> None:
    """bound: PROXY_HEADERS_MAX."""
    first = dial()
    lines = first.lines
    wires: list[Wire] = []
    for _ in range(limits.PROXY_HEADERS_MAX):
        reader = lines.buildProtocol(address(PROXY))
        wires.append(Wire())
        connect(reader, wires[-1])
    assert first.wire.aborted
    assert not any(wire.aborted for wire in wires)


@settings(max_examples=20, deadline=None)
@given(cuts=st.sets(st.integers(1, 90)))
def test_however_header_first_bytes_sliced_mean(encryptions: dict[bool, Encryption], cuts: set[int]) -> None:
    """However header and first bytes are sliced they mean the same."""
    server = SimServer()
    caller = Dialled(server, encryptions[True])
    data = header(GUEST) + caller.hello()
    ends = sorted({cut for cut in cuts if cut < len(data)} | {len(data)})
    for begin, end in zip([0, *ends], ends, strict=False):
        caller.send(data[begin:end])
    caller.shake_hands()
    caller.say(HELLO, login("Anna"))
    assert Joined in map(type, caller.heard())
    assert caller.addresses() == [GUEST]


def test_server_without_certificate_reads_headers(server: SimServer) -> None:
    """A server without a certificate reads headers too."""
    lines = ProxiedFactory(server.factory, PROXIES, server.clock, server.front.refusals.record)
    line, wire = lines.buildProtocol(address(PROXY)), Wire()
    assert line is not None
    connect(line, wire)
    line.dataReceived(header(GUEST))
    assert set(server.connections._by_network) == {f"{GUEST}/32"}
