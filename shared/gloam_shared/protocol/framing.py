"""Bytes to frames and back. Any slicing gives the same frames.

The first frame each way has a header of four bytes, the length of its body, highest first: it is the same in all
versions of the protocol, so that two sides can always read each other's greeting. Every later frame has a header of one
to three bytes, seven bits of the length in each, lowest first, the eighth bit set on all but the last.
"""

from typing import Final

LENGTH_SIZE: Final = 4
HEAD_MAX: Final = 3
"""The most bytes in the header of a later frame."""

_HEADS: Final = tuple([bytes([size]) for size in range(128)])
"""The headers of one byte."""

_OPENINGS: Final = (b"GET ", b"POST", b"HEAD", b"PUT ", b"OPTI", b"SSH-", b"CONN", b"\x16\x03")
"""The first bytes of other protocols: HTTP, SSH, TLS."""


class FrameTooLarge(Exception):
    """A frame announces more bytes than it may have."""


class ForeignProtocol(Exception):
    """The peer speaks HTTP, SSH or TLS, not this protocol."""


def first_frame(body: bytes) -> bytes:
    """Return the first frame of a connection's direction: `body` after a header of four bytes."""
    return len(body).to_bytes(LENGTH_SIZE, "big") + body


def frame(body: bytes) -> bytes:
    """Return a later frame: `body` after the shortest possible header."""
    size = len(body)
    if size < 128:
        return _HEADS[size] + body
    head = bytearray()
    while size > 127:
        head.append(size & 127 | 128)
        size >>= 7
    head.append(size)
    return bytes(head) + body


class FrameWriter:
    """Makes the frames of one direction of one connection."""

    def __init__(self) -> None:
        self._first = True

    def frame(self, body: bytes) -> bytes:
        """Return the next frame."""
        first, self._first = self._first, False
        return first_frame(body) if first else frame(body)


class Framer:
    """Collects the bytes of one direction of one connection and returns whole frames."""

    def __init__(self, frame_max: int) -> None:
        self.frame_max = frame_max
        self._held = bytearray()
        self._virgin = True

    @property
    def partial(self) -> bool:
        """Whether a frame has begun but is not complete."""
        return bool(self._held)

    def peek(self, count: int) -> bytes:
        """Return the first buffered bytes, at most `count`: a frame's length, then its body."""
        return bytes(self._held[:count])

    def feed(self, data: bytes) -> list[bytes]:
        """Take bytes and return the frames that they complete.

        Raises FrameTooLarge or ForeignProtocol as soon as the header shows it; nothing more can be read after that.
        """
        self.hold(data)
        frames = []
        while (body := self.next_frame()) is not None:
            frames.append(body)
        return frames

    def hold(self, data: bytes) -> None:
        """Take bytes for `next_frame`, for a caller that handles each frame before the next is parsed."""
        self._held += data

    def only_frame(self, data: bytes) -> bytes | None:
        """Return the body of the one short frame that `data` is, after nothing else; None if it must be held and parsed.

        Most of what a client sends is one command or one acknowledgement at a time.
        """
        size = len(data) - 1
        if self._held or self._virgin or size < 0 or data[0] != size or size > min(127, self.frame_max):
            return None
        return data[1:]

    def release(self) -> bytes:
        """Return all buffered bytes, and forget them: what follows is not plain frames any more."""
        held = bytes(self._held)
        self._held.clear()
        return held

    def next_frame(self) -> bytes | None:
        """Return the next whole buffered frame, or None. Raises the same errors as `feed`."""
        head = self._first_head() if self._virgin else self._head()
        if head is None:
            return None
        start, size = head
        if len(self._held) < start + size:
            return None
        body = bytes(self._held[start : start + size])
        del self._held[: start + size]
        self._virgin = False
        return body

    def _first_head(self) -> tuple[int, int] | None:
        """Return the lengths of the first frame's header and body, or None if too few bytes have arrived."""
        if len(self._held) < LENGTH_SIZE:
            if self._held[:2] == b"\x16\x03":
                raise ForeignProtocol
            return None
        size = int.from_bytes(self._held[:LENGTH_SIZE], "big")
        if size > self.frame_max:
            raise ForeignProtocol if self._held.startswith(_OPENINGS) else FrameTooLarge
        return LENGTH_SIZE, size

    def _head(self) -> tuple[int, int] | None:
        """Return the same of a later frame."""
        size = 0
        for at, byte in enumerate(self._held[:HEAD_MAX]):
            size |= (byte & 127) << 7 * at
            if size > self.frame_max:
                raise FrameTooLarge
            if byte < 128:
                return at + 1, size
        if len(self._held) >= HEAD_MAX:
            raise FrameTooLarge
        return None
