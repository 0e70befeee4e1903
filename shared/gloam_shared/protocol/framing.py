"""Bytes to frames and back. Any slicing gives the same frames.

The first frame each way has a head of four bytes, the length of its body, highest first: it is the same in all versions of
the protocol, so that two sides can always read each other's greeting. Every later frame has a head of one to three bytes,
seven bits of the length in each, lowest first, the eighth bit set on all but the last.
"""

from typing import Final

LENGTH_SIZE: Final = 4
HEAD_MAX: Final = 3
"""So many bytes the head of a later frame has at most."""

_OPENINGS: Final = (b"GET ", b"POST", b"HEAD", b"PUT ", b"OPTI", b"SSH-", b"CONN", b"\x16\x03")
"""What other programs say first: HTTP, SSH, TLS."""


class FrameTooLarge(Exception):
    """A frame announces more bytes than it may have."""


class ForeignProtocol(Exception):
    """The peer speaks HTTP, SSH or TLS, not this protocol."""


def first_frame(body: bytes) -> bytes:
    """Return the first frame of a connection's direction: `body` behind a head of four bytes."""
    return len(body).to_bytes(LENGTH_SIZE, "big") + body


def frame(body: bytes) -> bytes:
    """Return a later frame: `body` behind a head of as few bytes as do."""
    head = bytearray()
    size = len(body)
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
    """Collects the bytes of one direction of one connection and gives out whole frames."""

    def __init__(self, frame_max: int) -> None:
        self.frame_max = frame_max
        self._held = bytearray()
        self._virgin = True

    @property
    def partial(self) -> bool:
        """Whether a frame has begun and not ended."""
        return bool(self._held)

    def held(self, count: int) -> bytes:
        """Return the first bytes, at most so many, of what is held: a frame's length, then its body."""
        return bytes(self._held[:count])

    def feed(self, data: bytes) -> list[bytes]:
        """Take bytes and return the frames that they complete.

        Raises FrameTooLarge or ForeignProtocol as soon as the head tells; nothing more can be read after that.
        """
        self.hold(data)
        frames = []
        while (body := self.next_frame()) is not None:
            frames.append(body)
        return frames

    def hold(self, data: bytes) -> None:
        """Take bytes for `next_frame`, for who looks at each frame before the next is parsed."""
        self._held += data

    def next_frame(self) -> bytes | None:
        """Return the next whole frame that is held, or None. Raises as `feed` does."""
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
        """Return how long the head and the body of the first frame are, or None when too little has come."""
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
