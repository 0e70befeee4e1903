"""The bytes of one connection from a server, read as messages."""

from typing import Final

from gloam_shared.protocol.codec import UnknownKind, decode_from_server
from gloam_shared.protocol.compression import DEFLATE, Decompressor
from gloam_shared.protocol.framing import Framer
from gloam_shared.protocol.messages.login import Welcome
from gloam_shared.protocol.registry import FromServer


class ServerStream:
    """Reads frames of at most `frame_max` bytes, compressed after a `Welcome` with the ability `deflate`."""

    def __init__(self, frame_max: int) -> None:
        self._framer: Final = Framer(frame_max)
        self._decompressor: Decompressor | None = None
        self.plain_bytes = 0
        """The bytes of frames that have arrived so far, after decompression."""

    def feed(self, data: bytes) -> list[FromServer]:
        """Take bytes and return the messages that they complete, except messages of unknown kinds.

        Raises FrameTooLarge, ForeignProtocol and Malformed; nothing more can be read after that.
        """
        messages: list[FromServer] = []
        for piece in [data] if self._decompressor is None else self._decompressor.decompress(data):
            self.plain_bytes += len(piece)
            self._framer.hold(piece)
            while (body := self._framer.next_frame()) is not None:
                try:
                    message = decode_from_server(body)
                except UnknownKind:
                    continue
                messages.append(message)
                if isinstance(message, Welcome) and DEFLATE in message.abilities and not self._decompressor:
                    self._decompressor = Decompressor()
                    return messages + self.feed(self._framer.release())
        return messages
