"""The status of a server: asked on a connection of its own, without a login."""

import asyncio
from pathlib import Path
from typing import NamedTuple

from gloam_client.net.address import Address
from gloam_client.net.known_servers import KnownServers
from gloam_client.net.tls_connect import ConnectFailed, TlsConnector, TrustedStream
from gloam_shared import limits
from gloam_shared.protocol.codec import Malformed, decode_from_server, encode
from gloam_shared.protocol.framing import ForeignProtocol, Framer, FrameTooLarge, first_frame
from gloam_shared.protocol.messages import AskStatus, Bye, Status
from gloam_shared.text import clean


class ServerStatus(NamedTuple):
    """What a server answered, and after how many milliseconds."""

    campaign: str
    players: int
    version: str
    ms: int

    def words(self, place: Address) -> str:
        """Return the status as a sentence about a server."""
        summary = f"{self.campaign}, {self.players} playing, version {self.version}"
        return clean(f"{place} answers in {self.ms} ms: {summary}")


async def probe(place: Address, data: Path) -> ServerStatus:
    """Ask the server at an address for its status; no key is remembered. Raises ConnectFailed."""
    line = await TlsConnector(KnownServers(data), remember=False).dial(place)
    return await ask_status(place, line)


async def ask_status(place: Address, line: TrustedStream) -> ServerStatus:
    """Ask for the status on an open connection, and close it. Raises ConnectFailed."""
    loop = asyncio.get_running_loop()
    reader, writer = line.reader, line.writer
    began = loop.time()
    framer = Framer(limits.FRAME_FROM_SERVER_MAX)
    try:
        writer.write(first_frame(encode(AskStatus())))
        async with asyncio.timeout(limits.HANDSHAKE_S):
            while data := await reader.read(65_536):
                for body in framer.feed(data):
                    match decode_from_server(body):
                        case Status(campaign=campaign, players=players, version=version):
                            return ServerStatus(
                                campaign, players, version, int((loop.time() - began) * 1_000)
                            )
                        case Bye(text=text):
                            raise ConnectFailed(text)
                        case _:
                            pass
    except (Malformed, ForeignProtocol, FrameTooLarge) as error:
        raise ConnectFailed(f"What answers at {place} is no Gloam server; check the port.") from error
    except TimeoutError as error:
        raise ConnectFailed(f"{place} answers nothing; is that a Gloam server?") from error
    except OSError as error:
        raise ConnectFailed(f"{place} closed the connection.") from error
    finally:
        writer.transport.abort()  # closing in good form would outlive this loop
    raise ConnectFailed(f"{place} closed the connection without an answer.")
