"""A conversation with a server without a login: messages said and heard on a connection that ends with it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from gloam_client.net.tls_connect import ConnectFailed, TrustedStream
from gloam_client.user_files.address import Address
from gloam_shared import limits
from gloam_shared.protocol.codec import Malformed, UnknownKind, decode_from_server, encode
from gloam_shared.protocol.framing import ForeignProtocol, Framer, FrameTooLarge, FrameWriter
from gloam_shared.protocol.messages.login import Bye
from gloam_shared.protocol.registry import FromClient, FromServer


class GuestConversation:
    """One open connection; each answer is awaited before the next question."""

    def __init__(self, address: Address, line: TrustedStream) -> None:
        self.address = address
        self._line = line
        self._frames = FrameWriter()
        self._framer = Framer(limits.FRAME_FROM_SERVER_MAX)
        self._come: list[bytes] = []

    def say(self, message: FromClient) -> None:
        """Send a message."""
        self._line.writer.write(self._frames.frame(encode(message)))

    async def hear(self) -> FromServer:
        """Return the next message of a known kind. A farewell raises ConnectFailed."""
        while True:
            body = await self._next_body()
            try:
                message = decode_from_server(body)
            except UnknownKind:
                continue
            if isinstance(message, Bye):
                raise ConnectFailed(message.text, code=message.code)
            return message

    async def _next_body(self) -> bytes:
        while not self._come:
            async with asyncio.timeout(limits.DEAD_S):
                data = await self._line.reader.read(65_536)
            if not data:
                raise ConnectFailed(f"{self.address} closed the connection without an answer.")
            self._come += self._framer.feed(data)
        return self._come.pop(0)


@asynccontextmanager
async def talk(
    address: Address, line: TrustedStream, *, within_s: float, slow: str
) -> AsyncIterator[GuestConversation]:
    """Hold a conversation, then close the connection.

    Each fault becomes a ConnectFailed with one sentence; after `within_s` seconds it is `slow`.
    """
    try:
        async with asyncio.timeout(within_s):
            yield GuestConversation(address, line)
    except (Malformed, ForeignProtocol, FrameTooLarge) as error:
        raise ConnectFailed(f"What answers at {address} is no Gloam server; check the port.") from error
    except TimeoutError as error:
        raise ConnectFailed(slow) from error
    except OSError as error:
        raise ConnectFailed(f"{address} closed the connection.") from error
    finally:
        line.writer.transport.abort()  # closing in good form would outlive this loop
