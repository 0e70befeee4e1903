"""The server's word on a guest who wants to watch: asked for each page, since all pages share one connection.

The server sees the guest's own address and device, so its limits and bans hold for them.
"""

from typing import Final

from gloam_client.app_start import agent
from gloam_client.net.guest.guest_conversation import talk
from gloam_client.net.tls_connect import ConnectFailed
from gloam_client.user_files.address import Address
from gloam_door.upstream import Upstream, Visitor
from gloam_shared import limits
from gloam_shared.protocol.messages.login import Error, Welcome, hello_of
from gloam_shared.protocol.messages.watching import GUEST_WATCH, Watchable, WatchLogin
from gloam_shared.protocol.registry import ABILITIES, PROTOCOL_OLDEST, PROTOCOL_VERSION

_SLOW: Final = "The game server does not answer; it may be restarting. Try again in a moment."


async def require_admission(upstream: Upstream, address: Address, guest_at: Visitor, token: bytes) -> None:
    """Ask the server whether the device of a guest may watch. Raises ConnectFailed with its reason.

    A server that lets no guest watch is no reason here: the shared client says so.
    """
    line = await upstream.dial(guest_at)
    async with talk(address, line, within_s=limits.LOGIN_S, slow=_SLOW) as conversation:
        conversation.say(hello_of(PROTOCOL_VERSION, agent(), PROTOCOL_OLDEST, ABILITIES))
        while True:
            match await conversation.hear():
                case Welcome() as welcome if GUEST_WATCH not in welcome.abilities:
                    return
                case Welcome():
                    conversation.say(WatchLogin("", token))
                case Watchable():
                    return
                case Error() as refused:
                    raise ConnectFailed(refused.text, code=refused.code)
