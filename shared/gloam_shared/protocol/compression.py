"""Compression of what a server sends: one deflate stream a connection, flushed after each write.

It begins with the first byte after a `Welcome` with the ability `deflate`. A client that does not offer the ability
gets the same frames uncompressed.
"""

import zlib
from collections.abc import Iterator
from typing import Final

from gloam_shared import limits
from gloam_shared.protocol.codec import Malformed

DEFLATE: Final = "deflate"
"""The ability of both sides to compress what the server sends."""

_MEMORY_LEVEL: Final = 3
_LEVEL: Final = 6
_LARGEST_WINDOW: Final = 15
"""A reader of raw deflate accepts every smaller window, too."""
_PIECE_BYTES: Final = 65_536


class Compressor:
    """The server's end of one connection. It holds about 68 KiB."""

    def __init__(self) -> None:
        self._stream = zlib.compressobj(_LEVEL, zlib.DEFLATED, -limits.DEFLATE_WINDOW_BITS, _MEMORY_LEVEL)

    def compress(self, data: bytes) -> bytes:
        """Return the bytes to write for `data`; the other side can read all of it."""
        return self._stream.compress(data) + self._stream.flush(zlib.Z_PARTIAL_FLUSH)

    def compress_apart(self, data: bytes) -> bytes:
        """Return the same for a secret: neither it nor what follows refers to anything before.

        Else the length of a message with words of another player would show whether they guessed a part of the secret.
        """
        before = self._stream.flush(zlib.Z_FULL_FLUSH)
        return before + self._stream.compress(data) + self._stream.flush(zlib.Z_FULL_FLUSH)


class Decompressor:
    """The client's end of one connection."""

    def __init__(self) -> None:
        self._stream = zlib.decompressobj(-_LARGEST_WINDOW)

    def decompress(self, data: bytes) -> Iterator[bytes]:
        """Yield what the bytes stand for in bounded pieces: a few bytes may stand for many. Raises Malformed."""
        more = True
        while more:
            try:
                piece = self._stream.decompress(data, _PIECE_BYTES)
            except zlib.error as error:
                raise Malformed("malformed", "Compressed bytes came that cannot be read.") from error
            if self._stream.eof:
                raise Malformed("malformed", "The compressed stream ended before the connection.")
            data = self._stream.unconsumed_tail
            more = bool(data) or len(piece) == _PIECE_BYTES
            yield piece
