"""Bytes to frames and back: a 4-byte big-endian length, then that many bytes. Any slicing gives the same frames."""

from typing import Final

LENGTH_SIZE: Final = 4
_OPENINGS: Final = (b"GET ", b"POST", b"HEAD", b"PUT ", b"OPTI", b"SSH-", b"CONN", b"\x16\x03")
"""What other programs say first: HTTP, SSH, TLS."""


class FrameTooLarge(Exception):
    """A frame announces more bytes than it may have."""


class ForeignProtocol(Exception):
    """The peer speaks HTTP, SSH or TLS, not this protocol."""


def frame(body: bytes) -> bytes:
    """Return `body` with its length before it."""
    return len(body).to_bytes(LENGTH_SIZE, "big") + body


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

        Raises FrameTooLarge or ForeignProtocol as soon as four bytes tell; nothing more can be read after that.
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
        if len(self._held) < LENGTH_SIZE:
            if self._virgin and self._held[:2] == b"\x16\x03":
                raise ForeignProtocol
            return None
        size = int.from_bytes(self._held[:LENGTH_SIZE], "big")
        if size > self.frame_max:
            if self._virgin and self._held.startswith(_OPENINGS):
                raise ForeignProtocol
            raise FrameTooLarge
        if len(self._held) < LENGTH_SIZE + size:
            return None
        body = bytes(self._held[LENGTH_SIZE : LENGTH_SIZE + size])
        del self._held[: LENGTH_SIZE + size]
        self._virgin = False
        return body
