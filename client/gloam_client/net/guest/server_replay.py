"""A replay that the host of a server shares: fetched by its id, part by part, without a login."""

import asyncio
from pathlib import Path
from typing import Final

from gloam_client.net.guest.guest_conversation import GuestConversation, talk
from gloam_client.net.tls_connect import ConnectFailed, TlsConnector, TrustedStream
from gloam_client.user_files.address import Address
from gloam_client.user_files.known_servers import KnownServers
from gloam_shared import limits
from gloam_shared.protocol.messages.login import Error, Hello, Welcome
from gloam_shared.protocol.messages.replays import REPLAYS, AskReplay, ReplayPart
from gloam_shared.protocol.registry import PROTOCOL_OLDEST, PROTOCOL_VERSION

_SLOW_S: Final = 1
"""The pause before the same question again, when many fetch replays at the same time."""


async def fetch_replay(address: Address, data: Path, wanted: str) -> bytes:
    """Return the file of a replay that the server at an address shares; no key is remembered. Raises ConnectFailed."""
    line = await TlsConnector(KnownServers(data), remember=False).dial(address)
    return await fetch_from(address, line, wanted)


async def fetch_from(address: Address, line: TrustedStream, wanted: str) -> bytes:
    """Return the file of a shared replay over an open connection, and close it. Raises ConnectFailed."""
    slow = f"{address} is too slow to fetch the replay from; try again later."
    async with talk(address, line, within_s=limits.REPLAY_S, slow=slow) as conversation:
        return await _fetch(conversation, wanted)


async def _fetch(conversation: GuestConversation, wanted: str) -> bytes:
    """Greet, and return the whole file. Raises ConnectFailed."""
    conversation.say(Hello(PROTOCOL_VERSION, "gloam replay", PROTOCOL_OLDEST, (REPLAYS,)))
    welcome = await conversation.hear()
    if not isinstance(welcome, Welcome) or REPLAYS not in welcome.abilities:
        raise ConnectFailed(f"The server at {conversation.address} is older and shares no replays.")
    first = await _part(conversation, wanted, 0)
    whole = bytearray(first.data)
    for number in range(1, first.parts):
        part = await _part(conversation, wanted, number)
        if (part.parts, part.size) != (first.parts, first.size):
            raise ConnectFailed("The replay changed on the server while it was fetched; fetch it again.")
        whole += part.data
    if len(whole) != first.size:
        raise _not_whole(conversation.address)
    return bytes(whole)


async def _part(conversation: GuestConversation, wanted: str, number: int) -> ReplayPart:
    """Return one part, asked for again while the server is busy."""
    while True:
        conversation.say(AskReplay(wanted, number))
        answer = await conversation.hear()
        if isinstance(answer, ReplayPart) and answer.part == number:
            return answer
        if not isinstance(answer, Error):
            raise _not_whole(conversation.address)
        if answer.code != "slow":
            raise ConnectFailed(answer.text, code=answer.code)
        await asyncio.sleep(_SLOW_S)


def _not_whole(address: Address) -> ConnectFailed:
    return ConnectFailed(f"The replay did not come whole from {address}; fetch it again.")
