"""For which network an address counts."""

from ipaddress import ip_network

import pytest
from twisted.internet.address import IPv4Address, IPv6Address, UNIXAddress

from gloam_server.net.networks import counted_network, network_of


@pytest.mark.parametrize(
    ("address", "network"),
    [
        (IPv4Address("TCP", "203.0.113.9", 1), "203.0.113.9/32"),
        (IPv4Address("TCP", "127.0.0.1", 1), ""),
        (IPv6Address("TCP", "2001:db8::1:2", 1), "2001:db8::/64"),
        (IPv6Address("TCP", "::1", 1), ""),
        (IPv6Address("TCP", "::ffff:203.0.113.9", 1), "203.0.113.9/32"),
        (IPv6Address("TCP", "::ffff:127.0.0.1", 1), ""),
        (IPv6Address("TCP", "fe80::1%eth0", 1), "fe80::/64"),
        (UNIXAddress("a socket"), ""),
    ],
)
def test_address_counts_network_and_loopback_none(address: object, network: str) -> None:
    """An address counts for its network and loopback for none."""
    assert network_of(address) == network  # type: ignore[arg-type]  # Twisted's addresses implement it by zope


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("10.255.0.1", ""),
        ("11.0.0.1", "11.0.0.1/32"),
        ("::ffff:10.1.2.3", ""),
        ("2001:db8::5", ""),
        ("2001:db9::5", "2001:db9::/64"),
        ("127.0.0.1", ""),
    ],
)
def test_what_is_trusted_is_not_counted(host: str, network: str) -> None:
    trusted = (ip_network("10.0.0.0/8"), ip_network("2001:db8::/32"))
    kind = IPv6Address if ":" in host else IPv4Address
    assert counted_network(kind("TCP", host, 1), trusted) == network  # type: ignore[arg-type]  # as above
