"""One question to a server without a login: asked on a connection of its own, which ends with the answer."""

from typing import TypeVar

from gloam_client.net.guest.guest_conversation import talk
from gloam_client.net.tls_connect import ConnectFailed, TrustedStream
from gloam_client.user_files.address import Address
from gloam_shared import limits
from gloam_shared.protocol.messages.login import Error
from gloam_shared.protocol.registry import FromClient, FromServer

Reply = TypeVar("Reply", bound=FromServer)


async def ask(place: Address, line: TrustedStream, question: FromClient, kind: type[Reply]) -> Reply:
    """Ask on an open connection, close it, and return the answer of that kind. Raises ConnectFailed.

    A refusal instead raises ConnectFailed with its text and code.
    """
    slow = f"{place} answers nothing; is that a Gloam server?"
    async with talk(place, line, within_s=limits.HANDSHAKE_S, slow=slow) as conversation:
        conversation.say(question)
        while True:
            message = await conversation.hear()
            if isinstance(message, kind):
                return message
            if isinstance(message, Error):
                raise ConnectFailed(message.text, code=message.code)
