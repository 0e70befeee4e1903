"""The origins of connections, as values of the link and as Twisted has them."""

from typing import Final, cast

from twisted.internet.address import IPv4Address, IPv6Address, UNIXAddress
from twisted.internet.interfaces import IAddress

from gloam_server.link.link_messages import Address
from gloam_server.net.networks import RelayedAddress

_KINDS: Final = {"v4": IPv4Address, "v6": IPv6Address}


def address_to_link(address: IAddress) -> Address:
    """Return an origin as a value."""
    match address:
        case RelayedAddress(host, port, _, ours, door):
            return Address("", host, port, relayed=True, ours=ours, door=door)
        case IPv4Address() | IPv6Address():
            return Address("v6" if isinstance(address, IPv6Address) else "v4", address.host, address.port)
        case _:
            return Address("", "", 0)


def address_from_link(address: Address) -> IAddress:
    """Return an origin as the gateway knows it, for words and limits. The time at which a proxy connected stays in the view process."""
    if address.relayed:
        return cast(
            IAddress, RelayedAddress(address.host, address.port, 0, ours=address.ours, door=address.door)
        )
    kind = _KINDS.get(address.kind)
    return cast(IAddress, UNIXAddress(b"") if kind is None else kind("TCP", address.host, address.port))
