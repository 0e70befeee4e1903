"""The header that a proxy sends in front of a connection that it relays."""

from ipaddress import ip_address

from gloam_server.net.proxy_protocol import SIGNATURE

OWN_LINE = SIGNATURE + b"\x20\x00\x00\x00"
"""A health check."""
UNKNOWN_LINE = SIGNATURE + b"\x21\x00\x00\x00"
"""A line whose origin the proxy does not know."""


def header(host: str, port: int = 50_000, more: bytes = b"") -> bytes:
    """Return the header for a connection from an address; `more` are further fields of the proxy."""
    source = ip_address(host).packed
    payload = source + source[::-1] + port.to_bytes(2) + (7_373).to_bytes(2) + more
    family = 0x11 if len(source) == 4 else 0x21
    return SIGNATURE + bytes((0x21, family)) + len(payload).to_bytes(2) + payload
