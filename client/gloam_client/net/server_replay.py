"""A replay that the host of a server shares: fetched by its id, part by part, without a login."""

import asyncio
from pathlib import Path
from typing import Final

from gloam_client.net.address import Address
from gloam_client.net.known_servers import KnownServers
from gloam_client.net.tls_connect import ConnectFailed, TlsConnector, TrustedStream
from gloam_shared import limits
from gloam_shared.protocol.codec import Malformed, UnknownKind, decode_from_server, encode
from gloam_shared.protocol.framing import ForeignProtocol, Framer, FrameTooLarge, FrameWriter
from gloam_shared.protocol.messages import (
    PROTOCOL_OLDEST,
    PROTOCOL_VERSION,
    Bye,
    Error,
    FromClient,
    FromServer,
    Hello,
    Welcome,
)
from gloam_shared.protocol.replay_messages import REPLAYS, AskReplay, ReplayPart

_SLOW_S: Final = 1
"""The pause before the same question again, when many fetch replays at the same time."""


async def fetch_replay(place: Address, data: Path, wanted: str) -> bytes:
    """Return the file of a replay that the server at an address shares; no key is remembered. Raises ConnectFailed."""
    line = await TlsConnector(KnownServers(data), remember=False).dial(place)
    try:
        async with asyncio.timeout(limits.REPLAY_S):
            return await _Conversation(place, line).fetch(wanted)
    except (Malformed, ForeignProtocol, FrameTooLarge) as error:
        raise ConnectFailed(f"What answers at {place} is no Gloam server; check the port.") from error
    except TimeoutError as error:
        raise ConnectFailed(f"{place} is too slow to fetch the replay from; try again later.") from error
    except OSError as error:
        raise ConnectFailed(f"{place} closed the connection.") from error
    finally:
        line.writer.transport.abort()  # closing in good form would outlive this loop


class _Conversation:
    """One connection that greets and asks for parts; each answer is awaited before the next question."""

    def __init__(self, place: Address, line: TrustedStream) -> None:
        self._place = place
        self._line = line
        self._frames = FrameWriter()
        self._framer = Framer(limits.FRAME_FROM_SERVER_MAX)
        self._come: list[bytes] = []

    async def fetch(self, wanted: str) -> bytes:
        """Return the whole file. Raises ConnectFailed."""
        self._say(Hello(PROTOCOL_VERSION, "gloam replay", PROTOCOL_OLDEST, (REPLAYS,)))
        welcome = await self._hear()
        if not isinstance(welcome, Welcome) or REPLAYS not in welcome.abilities:
            raise ConnectFailed(f"The server at {self._place} is older and shares no replays.")
        first = await self._part(wanted, 0)
        whole = bytearray(first.data)
        for number in range(1, first.parts):
            part = await self._part(wanted, number)
            if (part.parts, part.size) != (first.parts, first.size):
                raise ConnectFailed("The replay changed on the server while it came; fetch it again.")
            whole += part.data
        if len(whole) != first.size:
            raise ConnectFailed(f"The replay did not come whole from {self._place}; fetch it again.")
        return bytes(whole)

    async def _part(self, wanted: str, number: int) -> ReplayPart:
        """Return one part, asked for again while the server is busy."""
        while True:
            self._say(AskReplay(wanted, number))
            answer = await self._hear()
            if isinstance(answer, ReplayPart) and answer.part == number:
                return answer
            if not isinstance(answer, Error):
                raise ConnectFailed(f"The replay did not come whole from {self._place}; fetch it again.")
            if answer.code != "slow":
                raise ConnectFailed(answer.text, code=answer.code)
            await asyncio.sleep(_SLOW_S)

    def _say(self, message: FromClient) -> None:
        self._line.writer.write(self._frames.frame(encode(message)))

    async def _hear(self) -> FromServer:
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
                raise ConnectFailed(f"{self._place} closed the connection without an answer.")
            self._come += self._framer.feed(data)
        return self._come.pop(0)
