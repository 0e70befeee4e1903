"""One question to a server without a login: asked on a connection of its own, which ends with the answer."""

import asyncio
from typing import TypeVar

from gloam_client.net.address import Address
from gloam_client.net.tls_connect import ConnectFailed, TrustedStream
from gloam_shared import limits
from gloam_shared.protocol.codec import Malformed, decode_from_server, encode
from gloam_shared.protocol.framing import ForeignProtocol, Framer, FrameTooLarge, first_frame
from gloam_shared.protocol.messages import Bye, Error, FromClient, FromServer

Reply = TypeVar("Reply", bound=FromServer)


async def ask(place: Address, line: TrustedStream, question: FromClient, kind: type[Reply]) -> Reply:
    """Ask on an open connection, close it, and return the answer of that kind. Raises ConnectFailed."""
    try:
        line.writer.write(first_frame(encode(question)))
        async with asyncio.timeout(limits.HANDSHAKE_S):
            return await _answer(place, line, kind)
    except (Malformed, ForeignProtocol, FrameTooLarge) as error:
        raise ConnectFailed(f"What answers at {place} is no Gloam server; check the port.") from error
    except TimeoutError as error:
        raise ConnectFailed(f"{place} answers nothing; is that a Gloam server?") from error
    except OSError as error:
        raise ConnectFailed(f"{place} closed the connection.") from error
    finally:
        line.writer.transport.abort()  # closing in good form would outlive this loop


async def _answer(place: Address, line: TrustedStream, kind: type[Reply]) -> Reply:
    """Return the first message of a kind; a refusal that comes instead raises ConnectFailed."""
    framer = Framer(limits.FRAME_FROM_SERVER_MAX)
    while data := await line.reader.read(65_536):
        for body in framer.feed(data):
            message = decode_from_server(body)
            if isinstance(message, kind):
                return message
            if isinstance(message, Bye | Error):
                raise ConnectFailed(message.text, code=message.code)
    raise ConnectFailed(f"{place} closed the connection without an answer.")
