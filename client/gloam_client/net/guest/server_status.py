"""The status of a server: asked on a connection of its own, without a login."""

import asyncio
from pathlib import Path
from typing import NamedTuple

from gloam_client.net.guest.one_question import ask
from gloam_client.net.tls_connect import TlsConnector, TrustedStream
from gloam_client.user_files.address import Address
from gloam_client.user_files.known_servers import KnownServers
from gloam_shared.protocol.messages.login import AskStatus, Status
from gloam_shared.text import clean


class ServerStatus(NamedTuple):
    """The answer of a server, and after how many milliseconds it arrived."""

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
    began = loop.time()
    status = await ask(place, line, AskStatus(), Status)
    return ServerStatus(status.campaign, status.players, status.version, int((loop.time() - began) * 1_000))
