"""Compression: the server's messages after its welcome may be one deflate stream; a client reads it in any pieces."""

import zlib
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gloam_shared import limits
from gloam_shared.protocol.codec import Malformed, encode
from gloam_shared.protocol.compression import DEFLATE, Compressor, Decompressor
from gloam_shared.protocol.framing import FrameTooLarge, FrameWriter
from gloam_shared.protocol.messages.chat import ChatLine
from gloam_shared.protocol.messages.login import Welcome
from gloam_shared.protocol.registry import FromServer
from gloam_shared.protocol.server_stream import ServerStream

LINES = tuple(ChatLine("Anna", f"line {number} of words") for number in range(20))


def sent(abilities: tuple[str, ...], lines: tuple[FromServer, ...] = LINES) -> bytes:
    """Return what a server sends on a connection with these abilities."""
    frames, compressor = FrameWriter(), Compressor()
    data = frames.frame(encode(Welcome(2, "The Arena", 0, 8, abilities=abilities)))
    for line in lines:
        framed = frames.frame(encode(line))
        data += compressor.compress(framed) if DEFLATE in abilities else framed
    return data


@given(st.lists(st.integers(0, 2_000), max_size=40), st.booleans())
def test_any_slicing_gives_the_same_messages(cuts: list[int], compressed: bool) -> None:
    data = sent((DEFLATE,) if compressed else ())
    stream, places = ServerStream(limits.FRAME_FROM_SERVER_MAX), [0, *sorted(cuts), len(data)]
    messages = [message for start, end in pairwise(places) for message in stream.feed(data[start:end])]
    assert tuple(messages[1:]) == LINES


def test_it_is_shorter_than_plain_frames() -> None:
    assert 2 * len(sent((DEFLATE,))) < len(sent(()))


@pytest.mark.parametrize("garbage", [b"\xff" * 40, b"\x03\x00" * 20])
def test_what_is_no_deflate_stream_is_malformed(garbage: bytes) -> None:
    """Bytes that cannot be read, and a stream that ends before its connection."""
    with pytest.raises(Malformed):
        ServerStream(limits.FRAME_FROM_SERVER_MAX).feed(sent((DEFLATE,), ()) + garbage)


@pytest.mark.rule("A77")
def test_few_bytes_that_stand_for_many_cost_little() -> None:
    """A client holds one piece at a time, and the limit of a frame holds for what is decompressed."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    bomb = packer.compress(bytes([255]) * 50_000_000) + packer.flush(zlib.Z_SYNC_FLUSH)
    assert len(bomb) < 100_000
    sizes = [len(piece) for piece in Decompressor().decompress(bomb)]
    assert sum(sizes) == 50_000_000
    assert max(sizes) <= 65_536
    with pytest.raises(FrameTooLarge):
        ServerStream(limits.FRAME_FROM_SERVER_MAX).feed(sent((DEFLATE,), ()) + bomb)


def test_a_secret_is_compressed_apart() -> None:
    """Words that repeat a part of a secret are not shorter than others."""

    def length_of(guess: bytes) -> int:
        compressor = Compressor()
        compressor.compress_apart(b"secret 7f3a9c5e1d2b8a6f")
        return len(compressor.compress(guess))

    assert length_of(b"7f3a9c5e1d2b8a6f") == length_of(b"0b5d8e2f4c1a9d7e")
