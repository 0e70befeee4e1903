"""One question to a server without a login: asked on a connection of its own, which ends with the answer."""

import asyncio
from pathlib import Path
from typing import NamedTuple, TypeVar

from gloam_client.net import local_server
from gloam_client.net.guest.guest_conversation import talk
from gloam_client.net.tls_connect import ConnectFailed, TlsConnector, TrustedStream, dial_plainly
from gloam_client.user_files.address import Address
from gloam_client.user_files.known_servers import KnownServers
from gloam_client.user_files.user_folders import world_folder
from gloam_shared import limits
from gloam_shared.protocol.messages.login import AskStatus, Error, Status
from gloam_shared.protocol.messages.records import AskLadder, AskNews, Ladder, News
from gloam_shared.protocol.registry import FromClient, FromServer
from gloam_shared.text import clean

Reply = TypeVar("Reply", bound=FromServer)


async def ask(address: Address, line: TrustedStream, question: FromClient, kind: type[Reply]) -> Reply:
    """Ask on an open connection, close it, and return the answer of that kind. Raises ConnectFailed.

    A refusal instead raises ConnectFailed with its text and code.
    """
    slow = f"{address} answers nothing; is that a Gloam server?"
    try:
        async with talk(address, line, within_s=limits.HANDSHAKE_S, slow=slow) as conversation:
            conversation.say(question)
            while True:
                message = await conversation.hear()
                if isinstance(message, kind):
                    return message
                if isinstance(message, Error):
                    raise ConnectFailed(message.text, code=message.code)  # noqa: TRY301  # as a farewell in `hear`
    except ConnectFailed as error:
        raise _explained(address, error, question) from error


async def ask_board(address: Address, data: Path, question: AskLadder) -> Ladder:
    """Ask the server at an address for a board; no key is remembered. Raises ConnectFailed."""
    return await ask_at(address, data, question, Ladder)


async def ask_news(address: Address, data: Path) -> News:
    """Ask the server at an address for the news of its week; no key is remembered. Raises ConnectFailed."""
    return await ask_at(address, data, AskNews(), News)


async def ask_at(address: Address, data: Path, question: AskLadder | AskNews, kind: type[Reply]) -> Reply:
    """Ask the server at an address for its ladder or its news; no key is remembered. Raises ConnectFailed."""
    line = await TlsConnector(KnownServers(data), remember=False).dial(address)
    return await ask(address, line, question, kind)


async def ask_own_board(data: Path, campaign: str, question: AskLadder) -> Ladder:
    """Ask this user's own world of a campaign, whose server starts for it. Raises ConnectFailed or NoLocalServer."""
    folder = world_folder(data, campaign)
    if not (folder / "world.sqlite3").exists():
        raise ConnectFailed(f"You have no world of {campaign or 'gloam'} yet; gloam starts one.")
    running = await local_server.ensure(folder, campaign)
    return await ask(running.address, await dial_plainly(running.address), question, Ladder)


def _explained(address: Address, error: ConnectFailed, question: FromClient) -> ConnectFailed:
    """Return the error in words for the user: an older server does not know the question, or one of its words."""
    match question, error.code:
        case AskLadder(order="beacons"), "unknown":
            lacks = "ranks no lives by beacons"
        case AskLadder(), "unknown":
            lacks = "has no ladder"
        case AskNews(), "unknown":
            lacks = "has no news"
        case _:
            return error
    return ConnectFailed(f"The server at {address} is older and {lacks}.", code=error.code)


class ServerStatus(NamedTuple):
    """The answer of a server, and after how many milliseconds it arrived."""

    campaign: str
    players: int
    version: str
    ms: int

    def words(self, address: Address) -> str:
        """Return the status as a sentence about a server."""
        summary = f"{self.campaign}, {self.players} playing, version {self.version}"
        return clean(f"{address} answers in {self.ms} ms: {summary}")


async def probe(address: Address, data: Path) -> ServerStatus:
    """Ask the server at an address for its status; no key is remembered. Raises ConnectFailed."""
    line = await TlsConnector(KnownServers(data), remember=False).dial(address)
    return await ask_status(address, line)


async def ask_status(address: Address, line: TrustedStream) -> ServerStatus:
    """Ask for the status on an open connection, and close it. Raises ConnectFailed."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    status = await ask(address, line, AskStatus(), Status)
    return ServerStatus(status.campaign, status.players, status.version, int((loop.time() - began) * 1_000))
