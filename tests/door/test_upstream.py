"""The way to the game server: the header that names a visitor is one that the server reads."""

import pytest

from gloam_door.identity import Door
from gloam_door.upstream import Visitor, proxy_header
from gloam_door.visits import network_of
from gloam_server.net.proxy_protocol import Header, parse


@pytest.mark.parametrize("door", ["web", "ssh"])
@pytest.mark.parametrize(
    ("host", "named"),
    [("203.0.113.7", "203.0.113.7"), ("2001:db8::7", "2001:db8::7"), ("::ffff:192.0.2.1", "192.0.2.1")],
)
def test_the_server_reads_the_door_s_header(door: Door, host: str, named: str) -> None:
    data = proxy_header(Visitor(door, host, 50_000))
    assert parse(data) == Header(len(data), relayed=True, host=named, port=50_000, door=door)


def test_an_ipv6_network_counts_as_one_visitor() -> None:
    assert network_of("2001:db8::1") == network_of("2001:db8::ffff") != network_of("2001:db8:0:1::1")
    assert network_of("192.0.2.1") != network_of("192.0.2.2")
    assert network_of("::ffff:192.0.2.1") == network_of("192.0.2.1")
