"""The way from a door to the game server: a Unix socket, or TLS with a known key, with the visitor's address in front."""

import asyncio
import logging
import ssl
from ipaddress import ip_address
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from gloam_client.net.tls_connect import CONNECT_S, ConnectFailed, NoCertificate, TrustedStream, public_key
from gloam_client.user_files.address import Address
from gloam_door.identity import Door
from gloam_shared import limits
from gloam_shared.protocol.key_pins import key_pin

_SIGNATURE: Final = b"\r\n\r\n\x00\r\nQUIT\n\x21"
"""The beginning of a PROXY header of version 2, for a relayed connection."""
_FAMILIES: Final = {4: 0x11, 6: 0x21}
_DOOR_FIELD: Final = b"\xe0"
_AWAY: Final = "The game server does not answer; it may be restarting. Try again in a moment."
_log: Final = logging.getLogger(__name__)


class Visitor(NamedTuple):
    """The origin of a visit: the way, and the address of the visitor."""

    door: Door
    host: str
    port: int = 0


class Upstream(Protocol):
    """The way to one game server."""

    async def dial(self, visitor: Visitor, reader: asyncio.StreamReader | None = None) -> TrustedStream:
        """Open a connection for a visitor, who reads by `reader`, or by a usual one. Raises ConnectFailed."""


def proxy_header(visitor: Visitor) -> bytes:
    """Return the PROXY header, version 2, that names a visitor, and the way by which they arrive."""
    source = ip_address(visitor.host)
    source = getattr(source, "ipv4_mapped", None) or source
    addresses = source.packed + bytes(len(source.packed)) + visitor.port.to_bytes(2) + bytes(2)
    door = visitor.door.encode()
    payload = addresses + _DOOR_FIELD + len(door).to_bytes(2) + door
    return _SIGNATURE + bytes((_FAMILIES[source.version],)) + len(payload).to_bytes(2) + payload


class SocketUpstream:
    """The server's Unix socket for doors."""

    def __init__(self, path: Path) -> None:
        self._path = path

    async def dial(self, visitor: Visitor, reader: asyncio.StreamReader | None = None) -> TrustedStream:
        """Open a connection for a visitor. Raises ConnectFailed."""
        reader = reader or asyncio.StreamReader(limit=limits.FRAME_FROM_SERVER_MAX)
        loop, protocol = asyncio.get_running_loop(), asyncio.StreamReaderProtocol(reader)
        try:
            async with asyncio.timeout(CONNECT_S):
                transport, _ = await loop.create_unix_connection(lambda: protocol, str(self._path))
        except (OSError, TimeoutError) as error:
            raise ConnectFailed(_AWAY) from error
        writer = asyncio.StreamWriter(transport, protocol, reader, loop)
        writer.write(proxy_header(visitor))
        return TrustedStream(reader, writer, trust="local")


class TlsUpstream:
    """A server on another machine, to which this door is a proxy; `pin` is the pin of its key."""

    def __init__(self, address: Address, pin: str) -> None:
        self._address = address
        self._pin = pin
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self._context.check_hostname, self._context.verify_mode = False, ssl.CERT_NONE
        self._context.minimum_version = ssl.TLSVersion.TLSv1_2

    async def dial(self, visitor: Visitor, reader: asyncio.StreamReader | None = None) -> TrustedStream:
        """Open a connection for a visitor. Raises ConnectFailed, also if the server has another key."""
        reader = reader or asyncio.StreamReader(limit=limits.FRAME_FROM_SERVER_MAX)
        loop, protocol = asyncio.get_running_loop(), asyncio.StreamReaderProtocol(reader)
        try:
            async with asyncio.timeout(CONNECT_S):
                transport, _ = await loop.create_connection(
                    lambda: protocol, self._address.host, self._address.port
                )
                writer = asyncio.StreamWriter(transport, protocol, reader, loop)
                writer.write(proxy_header(visitor))
                await writer.start_tls(self._context, server_hostname=self._address.host)
        except (OSError, TimeoutError) as error:
            raise ConnectFailed(_AWAY) from error
        session: ssl.SSLObject = writer.get_extra_info("ssl_object")
        try:
            pin = key_pin(public_key(session.getpeercert(binary_form=True) or b""))
        except NoCertificate:
            pin = ""
        if pin != self._pin:
            writer.transport.abort()
            _log.error("the server at %s has another key than the pin of this door", self._address)
            raise ConnectFailed(
                "Another server answers in place of the game server; tell the host.", hopeless=True
            )
        return TrustedStream(reader, writer, "known", (session.version() or "").replace("v", " "), pin)
