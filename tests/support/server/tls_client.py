"""A client of bytes that speaks TLS, to a server that sniffs for it: all in memory and under a manual clock."""

import ssl
from contextlib import suppress
from pathlib import Path

from gloam_server.net.certificate import Files, ensure, own_files
from gloam_server.net.encryption import Encryption
from gloam_server.net.tls_sniffing import TlsSniffingFactory
from gloam_shared import limits
from gloam_shared.protocol.codec import decode_from_server, encode
from gloam_shared.protocol.framing import Framer, FrameWriter
from gloam_shared.protocol.registry import FromClient, FromServer
from support.server.sim_server import SimServer
from support.server.transports import Wire, address, connect

NOW_S = 1_700_000_000
FAR = "203.0.113.7"


def certified(folder: Path) -> Files:
    """Return a certificate that a server has written itself."""
    ensure(own_files(folder), NOW_S)
    return own_files(folder)


class Caller:
    """One line to a server with a doorstep; what is said on it is plain unless `tls` is given."""

    def __init__(
        self,
        server: SimServer,
        encryption: Encryption,
        host: str = FAR,
        *,
        tls: bool = True,
        version: ssl.TLSVersion | None = None,
    ) -> None:
        self.server = server
        self.wire = Wire()
        self.line = TlsSniffingFactory(server.factory, encryption, server.clock).buildProtocol(address(host))
        connect(self.line, self.wire)
        self._frames, self._framer = FrameWriter(), Framer(limits.FRAME_FROM_SERVER_MAX)
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        if version is not None:
            context.minimum_version = context.maximum_version = version
            context.set_ciphers("DEFAULT:@SECLEVEL=0")  # or OpenSSL itself would not say an older version
        self.tls = context.wrap_bio(self._incoming, self._outgoing) if tls else None

    def hello(self) -> bytes:
        """Return the first bytes of a handshake."""
        assert self.tls is not None
        with suppress(ssl.SSLWantReadError):
            self.tls.do_handshake()
        return self._outgoing.read()

    def shake_hands(self) -> None:
        """Finish the handshake. Raises SSLError where it cannot be."""
        assert self.tls is not None
        for _ in range(8):
            self.send(self.hello())
            self._incoming.write(bytes(self.wire.sent))
            self.wire.sent.clear()
            try:
                self.tls.do_handshake()
            except ssl.SSLWantReadError:
                continue
            self.send(self._outgoing.read())
            return
        raise AssertionError("the handshake does not end")

    def say(self, *messages: FromClient) -> None:
        """Send messages."""
        self.speak(b"".join(self._frames.frame(encode(message)) for message in messages))

    def speak(self, data: bytes) -> None:
        """Send bytes as the line takes them."""
        if self.tls is None:
            self.send(data)
        else:
            self.tls.write(data)
            self.send(self._outgoing.read())

    def send(self, data: bytes) -> None:
        """Send bytes as they are."""
        if data and not self.wire.aborted:
            self.line.dataReceived(data)
        self.server.settle()
        self.server.clock.advance(0)

    def received(self) -> bytes:
        """Return the bytes that have arrived, decrypted, and forget them."""
        data = bytes(self.wire.sent)
        self.wire.sent.clear()
        if self.tls is None:
            return data
        self._incoming.write(data)
        clear = b""
        with suppress(ssl.SSLWantReadError):
            while got := self.tls.read(65_536):
                clear += got
        return clear

    def heard(self) -> list[FromServer]:
        """Return the messages that have arrived, and forget them."""
        return [decode_from_server(body) for body in self._framer.feed(self.received())]

    def is_told_farewell(self) -> bool:
        """Tell whether TLS itself was ended by the server."""
        assert self.tls is not None
        self._incoming.write(bytes(self.wire.sent))
        self.wire.sent.clear()
        try:
            while self.tls.read(65_536):
                pass
        except ssl.SSLWantReadError:
            return False
        return True
