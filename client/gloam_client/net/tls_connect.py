"""From an address to a trusted connection: TLS with a known server key, plain text only to this machine."""

import asyncio
import socket
import ssl
from asyncio import StreamReader, StreamWriter
from ipaddress import ip_address
from typing import Any, Final, Literal, NamedTuple

from gloam_client.user_files.address import Address
from gloam_client.user_files.known_servers import BadKnownServers, KnownServers
from gloam_shared import limits
from gloam_shared.protocol.key_pins import key_pin
from gloam_shared.text import clean

_SEQUENCE: Final = 0x30
_VERSION: Final = 0xA0
_BEFORE_THE_KEY: Final = 5
"""Serial number, signature algorithm, issuer, validity, subject (RFC 5280, 4.1)."""


class NoCertificate(ValueError):
    """The bytes are no X.509 certificate."""


def public_key(certificate: bytes) -> bytes:
    """Return the SubjectPublicKeyInfo of a certificate, both in DER. Raises NoCertificate."""
    signed = _inside(certificate, 0)
    start, end = _inside(certificate, signed[0])
    if certificate[start : start + 1] == bytes([_VERSION]):
        start = _after(certificate, start)
    for _ in range(_BEFORE_THE_KEY):
        start = _after(certificate, start)
    key_end = _inside(certificate, start)[1]
    if key_end > end or end > signed[1]:
        raise NoCertificate("A part of the certificate is longer than the whole.")
    return certificate[start:key_end]


def _inside(data: bytes, at: int) -> tuple[int, int]:
    """Return where the contents of the sequence at `at` begin and end."""
    if data[at : at + 1] != bytes([_SEQUENCE]):
        raise NoCertificate(f"Byte {at} begins no sequence.")
    return _contents(data, at)


def _after(data: bytes, at: int) -> int:
    """Return where the element behind the one at `at` begins."""
    return _contents(data, at)[1]


def _contents(data: bytes, at: int) -> tuple[int, int]:
    """Return where the contents of the element at `at` begin and end. Its tag is one byte, as all of these are."""
    if at + 2 > len(data):
        raise NoCertificate("The certificate ends too soon.")
    start, length = at + 2, data[at + 1]
    if length >= 0x80:
        size = length & 0x7F
        if not 1 <= size <= 4:
            raise NoCertificate(f"The length at byte {at + 1} is none of DER's.")
        start, length = start + size, int.from_bytes(data[start : start + size], "big")
    if start + length > len(data):
        raise NoCertificate("The certificate ends too soon.")
    return start, start + length


CONNECT_S: Final = 10
_NEXT_ADDRESS_S: Final = 0.25
"""The time for which one address of a host may be silent before the next is tried beside it (RFC 8305)."""
_FAREWELL_S: Final = 1
"""The timeout for the other side to confirm the end of an encrypted connection."""

Trust = Literal["plain", "local", "new", "known", "invited", "vouched"]
"""The reason to trust a connection: plain text or any key on this machine; a key never met, met before, named by an
invite, or vouched for by a certificate authority."""


class ConnectFailed(Exception):
    """There is no connection to the server; the text is one sentence with the reason and the solution, `code` is the goodbye's.

    `wait_s` is the wait before the next try that the server asks for.
    """

    def __init__(self, text: str, *, hopeless: bool = False, code: str = "", wait_s: int = 0) -> None:
        super().__init__(clean(text))  # it may come from the server, and is printed outside of the canvas
        self.text = clean(text)
        self.hopeless = hopeless
        self.code = code
        self.wait_s = wait_s


class TrustedStream(NamedTuple):
    """An open connection. `version` is the TLS version, `pin` the key's pin; both are "" in plain text."""

    reader: StreamReader
    writer: StreamWriter
    trust: Trust = "plain"
    version: str = ""
    pin: str = ""


class _NotEncrypted(Exception):
    """Something answers, but it does not speak TLS."""


async def dial_plainly(address: Address) -> TrustedStream:
    """Open a plain-text connection, only for a private server of this user. Raises ConnectFailed."""
    return TrustedStream(*await _open(address, None))


class TlsConnector:
    """Opens connections to servers, and checks that a known server has the same key as before.

    `invited` is the pin in an invite. Without `remember` nothing is written.
    """

    def __init__(self, known: KnownServers, invited: str = "", *, remember: bool = True) -> None:
        self._known = known
        self._invited = invited
        self._remember = remember

    async def dial(self, address: Address) -> TrustedStream:
        """Open a connection to a server. Raises ConnectFailed."""
        try:
            due = self._invited or self._known.pin(address)
            return await self._dial(address, due)
        except BadKnownServers as error:
            raise ConnectFailed(str(error), hopeless=True) from error

    async def _dial(self, address: Address, due: str) -> TrustedStream:
        try:
            line = await _open_encrypted(address, _any_certificate())
        except _NotEncrypted as error:
            if due:
                raise ConnectFailed(
                    f"{address} accepts no encrypted connection, though it has a key that you know ({due}): another server may answer "
                    f"in its place; ask its host. If it has none any more: gloam forget {address}",
                    hopeless=True,
                ) from error
            return await _dial_this_machine(address)
        try:
            return line._replace(trust=await self._judge(address, line, due))
        except BaseException:
            line.writer.transport.abort()
            raise

    async def _judge(self, address: Address, line: TrustedStream, due: str) -> Trust:
        """Return why a connection's key is trusted, and remember it. Raises ConnectFailed."""
        if not due and _is_loopback(line.writer):
            return "local"
        trust: Trust
        if line.pin == due:
            trust = "invited" if self._invited else "known"
        elif not due:
            trust = "new"
        elif await _is_vouched_for(address, line.pin):
            trust = "vouched"
        else:
            raise ConnectFailed(
                _explain_changed_key(address, due, line.pin, invited=bool(self._invited)),
                hopeless=True,
                code="pin",
            )
        if self._remember and trust != "known" and self._known.pin(address) != line.pin:
            self._known.remember(address, line.pin)
        return trust


async def _dial_this_machine(address: Address) -> TrustedStream:
    """Open an unencrypted connection, only to this machine, where no attacker can listen."""
    line = await dial_plainly(address)
    if _is_loopback(line.writer):
        return line
    line.writer.transport.abort()
    raise ConnectFailed(
        f"{address} accepts no encrypted connection, and the client makes no other to another machine; is that a Gloam server?"
    )


async def _is_vouched_for(address: Address, pin: str) -> bool:
    """Return whether a certificate authority that this system trusts vouches for the key and the host."""
    try:
        line = await _open_encrypted(address, ssl.create_default_context())
    except (ConnectFailed, _NotEncrypted):
        return False
    line.writer.transport.abort()
    return line.pin == pin


async def _open_encrypted(address: Address, context: ssl.SSLContext) -> TrustedStream:
    """Open a TLS connection. Raises ConnectFailed without an answer, and _NotEncrypted without TLS."""
    try:
        reader, writer = await _open(address, context)
    except ssl.SSLError as error:
        raise _NotEncrypted from error
    session: ssl.SSLObject = writer.get_extra_info("ssl_object")
    try:
        pin = key_pin(public_key(session.getpeercert(binary_form=True) or b""))
    except NoCertificate as error:
        writer.transport.abort()
        raise ConnectFailed(
            f"{address} has no certificate that can be read; is that a Gloam server?"
        ) from error
    return TrustedStream(reader, writer, version=(session.version() or "").replace("v", " "), pin=pin)


async def _open(address: Address, context: ssl.SSLContext | None) -> tuple[StreamReader, StreamWriter]:
    """Connect. Raises ConnectFailed, or SSLError if TLS was requested and the answer is something else."""
    encrypted: dict[str, Any] = {}
    if context is not None:
        encrypted = {
            "ssl": context,
            "server_hostname": address.host.rstrip("."),
            "ssl_shutdown_timeout": _FAREWELL_S,
        }
    try:
        async with asyncio.timeout(CONNECT_S):
            return await asyncio.open_connection(
                address.host,
                address.port,
                limit=limits.FRAME_FROM_SERVER_MAX,
                happy_eyeballs_delay=_NEXT_ADDRESS_S,
                **encrypted,
            )
    except TimeoutError as error:
        raise ConnectFailed(
            f"{address} does not answer within {CONNECT_S} s; check the address and your network."
        ) from error
    except ConnectionRefusedError as error:
        raise ConnectFailed(f"Nothing listens at {address}; is the server running there?") from error
    except ssl.SSLError:
        raise
    except OSError as error:
        if context is not None and isinstance(error, ConnectionError):  # in the middle of the handshake
            raise ssl.SSLError(str(error)) from error
        raise ConnectFailed(_network_fault(address, error)) from error
    except (UnicodeError, ValueError) as error:
        raise ConnectFailed(
            f'"{address.host}" is no host name; check its spelling.', hopeless=True
        ) from error


def _any_certificate() -> ssl.SSLContext:
    """Return a context that accepts every certificate: only its key is checked."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


def _is_loopback(writer: StreamWriter) -> bool:
    host = str(writer.get_extra_info("peername", ("",))[0])
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


def _explain_changed_key(address: Address, due: str, pin: str, *, invited: bool) -> str:
    if invited:
        return (
            f"{address} does not have the key that your invite names (it is {due}, and {pin} answers): another server may "
            "answer in its place. Ask its host for a new line, and join with that."
        )
    return (
        f"The key of {address} has changed: it was {due}, and {pin} answers. Either its host has made a new certificate, "
        "or another server answers in its place, which would learn your password. Ask the host for the pin that "
        f"`gloam-server status` shows. If it is the new one: gloam forget {address}, and join again."
    )


def _network_fault(address: Address, error: OSError) -> str:
    if isinstance(error, socket.gaierror):
        return f'No computer called "{address.host}" is known; check the spelling and your network.'
    if "Multiple exceptions" in str(error) or "Connect call failed" in str(error):
        return f"Nothing listens at {address}; is the server running there?"
    return f"{address} cannot be reached ({(error.strerror or 'network fault').lower()}); check the address."
