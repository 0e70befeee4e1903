"""The client's side of a connection that has joined, and the messages that it gets and sends."""

from typing import Final

from gloam_client.net.protocol_client import CLIENT_ABILITIES, ProtocolClient
from gloam_shared import limits
from gloam_shared.protocol.codec import decode_from_client, encode
from gloam_shared.protocol.framing import Framer, first_frame, frame
from gloam_shared.protocol.messages.login import Joined, Welcome, hello_of
from gloam_shared.protocol.messages.play import Update
from gloam_shared.protocol.registry import PROTOCOL_OLDEST, PROTOCOL_VERSION, FromClient, FromServer
from gloam_shared.view import patch
from gloam_shared.view.view import NOWHERE
from support.client.fake_server import level_view

TOKEN: Final = bytes(limits.TOKEN_SIZE)


GREETING: Final = first_frame(encode(Welcome(PROTOCOL_VERSION, "gloam", 0, 8)))
"""The first message of a server."""


HELLO: Final = hello_of(PROTOCOL_VERSION, "test", PROTOCOL_OLDEST, CLIENT_ABILITIES)
"""The first message of a link."""


def sent(link: ProtocolClient) -> list[FromClient]:
    """Return what a link sends, and take it from it."""
    data = link.outgoing()
    framer = Framer(limits.FRAME_FROM_CLIENT_MAX)
    if data[:1] != b"\0":  # not the first frame of a connection
        framer.feed(first_frame(b""))
    return [decode_from_client(body) for body in framer.feed(data)]


def dialled(link: ProtocolClient, now_ms: int = 0) -> ProtocolClient:
    """Return a link on a new connection that the server has greeted."""
    link.connected(now_ms)
    link.receive(GREETING, now_ms)
    return link


def greeted(link: ProtocolClient) -> ProtocolClient:
    """Return the same, with nothing left to send."""
    dialled(link).outgoing()
    return link


def wire(*messages: FromServer) -> bytes:
    """Return messages of the server as bytes, such as follow its greeting."""
    return b"".join(frame(encode(message)) for message in messages)


def joined_link(number: int = 0) -> ProtocolClient:
    """Return a link that has joined the game, with nothing left to send."""
    link = greeted(ProtocolClient("Ann", TOKEN, "test"))
    link.receive(wire(Joined("Ann", number, 1)), 0)
    link.outgoing()
    return link


def whole(done: int = 0) -> Update:
    """Return an update that shows the whole of a level."""
    return Update(patch.diff(NOWHERE, level_view()), done, whole=True)
