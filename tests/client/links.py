"""A link that has joined, and what goes in and out of it."""

from typing import Final

from gloam_client.link import Link
from gloam_shared import limits, patch
from gloam_shared.codec import decode_from_client, encode
from gloam_shared.framing import Framer, frame
from gloam_shared.messages import FromClient, FromServer, Joined, Update
from gloam_shared.view import NOWHERE
from support.fake_server import level_view

TOKEN: Final = bytes(limits.TOKEN_SIZE)


def sent(link: Link) -> list[FromClient]:
    """Return what a link sends, and take it from it."""
    return [decode_from_client(body) for body in Framer(limits.FRAME_FROM_CLIENT_MAX).feed(link.outgoing())]


def wire(*messages: FromServer) -> bytes:
    """Return messages of the server as bytes."""
    return b"".join(frame(encode(message)) for message in messages)


def joined_link(number: int = 0) -> Link:
    """Return a link that has joined the game, with nothing left to send."""
    link = Link("Ann", TOKEN, "test")
    link.connected(0)
    link.receive(wire(Joined("Ann", number, 1)), 0)
    link.outgoing()
    return link


def whole(number: int = 1, done: int = 0) -> Update:
    """Return an update that shows the whole of a level."""
    return Update(number, done, patch.diff(NOWHERE, level_view()), whole=True)
