"""The same question to the servers of all dungeons of a host, without a login."""

import asyncio
from pathlib import Path
from typing import Final

from gloam_client.net.guest.guest_conversation import talk
from gloam_client.net.guest.server_questions import Reply, ask_at
from gloam_client.net.many_dungeons import Dungeon, safe_dungeons
from gloam_client.net.tls_connect import ConnectFailed, TlsConnector, TrustedStream
from gloam_client.user_files.address import Address
from gloam_client.user_files.known_servers import KnownServers
from gloam_shared import limits
from gloam_shared.protocol.messages.dungeons import DUNGEONS, AskDungeons, Dungeons
from gloam_shared.protocol.messages.login import Hello, Welcome
from gloam_shared.protocol.messages.records import AskLadder, AskNews
from gloam_shared.protocol.registry import PROTOCOL_OLDEST, PROTOCOL_VERSION

_AT_ONCE: Final = 4
"""The most servers that are asked at the same time: a host limits the connections of an address."""
_UNSERVED: Final = "No server has it open now."


async def ask_dungeons(address: Address, data: Path) -> tuple[Dungeon, ...]:
    """Return the dungeons of the host of the server at an address, this one alone for an older server. Raises ConnectFailed."""
    line = await TlsConnector(KnownServers(data), remember=False).dial(address)
    return safe_dungeons(address, await _listed(address, line))


async def ask_everywhere(
    address: Address, data: Path, question: AskLadder | AskNews, kind: type[Reply]
) -> list[tuple[Dungeon, Reply | str]]:
    """Return each dungeon of a host with its answer, or with a sentence that says why there is none. Raises ConnectFailed."""
    room = asyncio.Semaphore(_AT_ONCE)

    async def answer(dungeon: Dungeon) -> Reply | str:
        if not dungeon.served:
            return _UNSERVED
        try:
            async with room:
                return await ask_at(dungeon.address, data, question, kind)
        except ConnectFailed as error:
            return error.text

    dungeons = await ask_dungeons(address, data)
    return list(zip(dungeons, await asyncio.gather(*map(answer, dungeons)), strict=True))


async def _listed(address: Address, line: TrustedStream) -> Dungeons:
    """Greet on an open connection, ask for the list, and close it; an older server lists nothing."""
    slow = f"{address} answers nothing; is that a Gloam server?"
    async with talk(address, line, within_s=limits.HANDSHAKE_S, slow=slow) as conversation:
        conversation.say(Hello(PROTOCOL_VERSION, "gloam", PROTOCOL_OLDEST, (DUNGEONS,)))
        while True:
            match await conversation.hear():
                case Welcome(abilities=abilities) if DUNGEONS in abilities:
                    conversation.say(AskDungeons())
                case Welcome():
                    return Dungeons("")
                case Dungeons() as found:
                    return found
