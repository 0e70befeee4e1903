"""The PROXY protocol's header, version 2: a proxy names the client's address in front of its bytes. Sans-I/O and strict.

Twisted's own parser is not used: it takes version 1 as well, needs the first 16 bytes in one piece, buffers
64 KiB, and fails with a KeyError on some families.
"""

from ipaddress import IPv4Address, IPv6Address
from typing import Final, NamedTuple

SIGNATURE: Final = b"\r\n\r\n\x00\r\nQUIT\n"
HEADER_MAX: Final = 536
"""The most bytes of a header: by its specification it always fits the smallest TCP segment."""

_FIXED: Final = 16
"""The signature, version and command, family, and the length of what follows: 12, 1, 1 and 2 bytes."""
_LOCAL, _PROXY = 0x20, 0x21
_UNSPEC, _TCP4, _TCP6 = 0x00, 0x11, 0x21
_ADDRESSES: Final = {_UNSPEC: 0, _TCP4: 12, _TCP6: 36}
"""The bytes of a family's addresses; further fields follow them."""
_DOOR_FIELD: Final = 0xE0
"""The field with the kind of door, of those that the specification leaves to its users. All others are ignored."""
DOORS: Final = frozenset({"web", "ssh"})
"""The kinds of doors: a browser, or ssh."""


class BadHeader(Exception):
    """The bytes are no valid header of version 2."""


class Header(NamedTuple):
    """A complete header of `size` bytes; the bytes after it belong to the client.

    `relayed` says that a client's bytes follow, from `host` and `port` ("" if the proxy does not know). Otherwise it is
    the proxy's own connection, such as a health check. `door` is one of DOORS for a visitor of a door, else "".
    """

    size: int
    relayed: bool
    host: str = ""
    port: int = 0
    door: str = ""


def parse(data: bytes) -> Header | None:
    """Return the header at the start of `data`, or None while it is incomplete.

    Raises BadHeader as soon as the received bytes cannot become one, however they were split.
    """
    if data[: len(SIGNATURE)] != SIGNATURE[: len(data)]:
        raise BadHeader
    if len(data) > 12 and data[12] not in (_LOCAL, _PROXY):
        raise BadHeader
    if len(data) > 13 and data[12] == _PROXY and data[13] not in _ADDRESSES:
        raise BadHeader
    if len(data) < _FIXED:
        return None
    size = _FIXED + int.from_bytes(data[14:16])
    relayed, family = data[12] == _PROXY, data[13]
    if size > HEADER_MAX or (relayed and size < _FIXED + _ADDRESSES[family]):
        raise BadHeader
    if len(data) < size:
        return None
    if not relayed or family == _UNSPEC:
        return Header(size, relayed)
    door = _door_in(data[_FIXED + _ADDRESSES[family] : size])
    return Header(size, relayed, *_source(family, data[_FIXED:size]), door)


def _source(family: int, addresses: bytes) -> tuple[str, int]:
    if family == _TCP4:
        return str(IPv4Address(addresses[:4])), int.from_bytes(addresses[8:10])
    return str(IPv6Address(addresses[:16])), int.from_bytes(addresses[32:34])


def _door_in(fields: bytes) -> str:
    """Return the kind of door that the fields after the addresses name; "" for none, or for an unknown one."""
    while len(fields) >= 3:
        end = 3 + int.from_bytes(fields[1:3])
        if fields[0] == _DOOR_FIELD:
            door = fields[3:end].decode("ascii", errors="replace")
            return door if door in DOORS else ""
        fields = fields[end:]
    return ""
