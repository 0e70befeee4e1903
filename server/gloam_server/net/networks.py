"""The network by which an address is counted: a /32, a /64, or none."""

from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, TypeAlias

from twisted.internet.interfaces import IAddress

Networks: TypeAlias = tuple[IPv4Network | IPv6Network, ...]

_KEPT: Final = 4_096
"""The number of addresses that are kept parsed: more than connections."""


@dataclass(frozen=True, slots=True)
class RelayedAddress:
    """The origin of a proxied connection, as the proxy reports it; `opened_ms` is when the proxy connected.

    `ours` means that it is the proxy's own connection, such as a health check. `door` is the kind of door that a visitor
    used, "" for none.
    """

    host: str
    port: int
    opened_ms: int
    ours: bool = False
    door: str = ""


def network_of(address: IAddress, *, loopback_exempt: bool = True) -> str:
    """Return the /32 or /64 of an address, or "" for loopback and for what is no IP address.

    A connection through a proxy never counts as loopback, even if the header names such an address.
    """
    ip = _ip_of(address)
    if ip is None or (ip.is_loopback and loopback_exempt and not isinstance(address, RelayedAddress)):
        return ""
    return _subnet_of(ip)


def counted_network(address: IAddress, trusted: Networks, *, loopback_exempt: bool = True) -> str:
    """Return an address's network for counting.

    "" for loopback, trusted networks and a proxy's own connections.
    """
    if is_within(address, trusted) or (isinstance(address, RelayedAddress) and address.ours):
        return ""
    return network_of(address, loopback_exempt=loopback_exempt)


def is_within(address: IAddress, networks: Networks) -> bool:
    """Return whether an address lies in any of some networks."""
    ip = _ip_of(address)
    return ip is not None and any(ip in each for each in networks)


def _ip_of(address: IAddress) -> IPv4Address | IPv6Address | None:
    return _parse(str(getattr(address, "host", "")))


# An address is looked at several times in its connection, and each time costs as much as a small message.
@lru_cache(maxsize=_KEPT)
def _parse(host: str) -> IPv4Address | IPv6Address | None:
    try:
        ip = ip_address(host.partition("%")[0])
    except ValueError:
        return None
    return getattr(ip, "ipv4_mapped", None) or ip


def _subnet_of(ip: IPv4Address | IPv6Address) -> str:
    return f"{ip}/32" if ip.version == 4 else _subnet_of_ipv6(ip)


@lru_cache(maxsize=_KEPT)
def _subnet_of_ipv6(ip: IPv6Address) -> str:
    return str(ip_network(f"{ip}/64", strict=False))
