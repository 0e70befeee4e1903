"""Frames: any slicing gives the same; bytes that are not a frame are refused as soon as possible."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gloam_shared import limits
from gloam_shared.protocol import framing


def begun(frame_max: int) -> framing.Framer:
    """Return a framer that has had its first frame."""
    framer = framing.Framer(frame_max)
    assert framer.feed(framing.first_frame(b"")) == [b""]
    return framer


@given(st.lists(st.binary(max_size=400), max_size=8), st.lists(st.integers(0, 3_000), max_size=12))
def test_any_slicing_gives_the_same_frames(bodies: list[bytes], cuts: list[int]) -> None:
    writer = framing.FrameWriter()
    stream = b"".join(writer.frame(body) for body in bodies)
    framer = framing.Framer(400)
    found: list[bytes] = []
    edges = [0, *sorted(cut for cut in cuts if cut < len(stream)), len(stream)]
    for start, stop in pairwise(edges):
        found += framer.feed(stream[start:stop])
    assert found == bodies
    assert not framer.partial


@given(st.binary(max_size=140) | st.binary(max_size=140).map(framing.frame), st.integers(0, 200))
def test_an_only_frame_is_what_parsing_gives(data: bytes, frame_max: int) -> None:
    only = begun(frame_max).only_frame(data)
    if only is not None:
        assert begun(frame_max).feed(data) == [only]


def test_bytes_after_others_are_no_only_frame() -> None:
    assert framing.Framer(300).only_frame(framing.frame(b"a")) is None, "the first frame has another header"
    framer = begun(300)
    assert framer.only_frame(framing.frame(b"a") + framing.frame(b"b")) is None
    framer.hold(framing.frame(b"ab")[:2])
    assert framer.only_frame(framing.frame(b"a")) is None


def test_byte_by_byte_gives_the_same_frames() -> None:
    framer = framing.Framer(300)
    stream = framing.first_frame(b"a") + framing.frame(b"") + framing.frame(b"b" * 300)
    assert [body for byte in stream for body in framer.feed(bytes([byte]))] == [b"a", b"", b"b" * 300]


@pytest.mark.parametrize(
    ("size", "head"),
    [
        (0, "00"),
        (127, "7f"),
        (128, "80 01"),
        (300, "ac 02"),
        (16_383, "ff 7f"),
        (16_384, "80 80 01"),
        (262_144, "80 80 10"),
    ],
)
def test_a_head_has_as_few_bytes_as_do(size: int, head: str) -> None:
    framed = framing.frame(bytes(size))
    assert framed[: len(framed) - size].hex(" ") == head
    assert begun(limits.FRAME_FROM_SERVER_MAX).feed(framed) == [bytes(size)]


@pytest.mark.rule("A7")
def test_a_frame_that_has_begun_is_partial() -> None:
    framer = framing.Framer(10)
    framer.feed(framing.first_frame(b"whole") + b"\5")
    assert framer.partial


@pytest.mark.rule("A6")
@pytest.mark.parametrize("most", [limits.FRAME_BEFORE_LOGIN_MAX, limits.FRAME_FROM_CLIENT_MAX])
def test_a_frame_up_to_the_limit(most: int) -> None:
    for size in (most - 1, most):
        assert framing.Framer(most).feed(framing.first_frame(bytes(size))) == [bytes(size)]
        assert begun(most).feed(framing.frame(bytes(size))) == [bytes(size)]
    with pytest.raises(framing.FrameTooLarge):
        framing.Framer(most).feed(framing.first_frame(bytes(most + 1))[:4])
    with pytest.raises(framing.FrameTooLarge):
        begun(most).feed(framing.frame(bytes(most + 1))[:2])


@pytest.mark.rule("A4")
@pytest.mark.parametrize("head", [b"\xff\xff", b"\x80\x80\x80", b"\xff\xff\xff\xff", b"\x80\x80\x80\x00"])
def test_head_not_end_refused_third_byte(head: bytes) -> None:
    """A head that does not end is refused by its third byte."""
    with pytest.raises(framing.FrameTooLarge):
        begun(limits.FRAME_FROM_CLIENT_MAX).feed(head)


@pytest.mark.rule("A3")
@pytest.mark.parametrize(
    "opening",
    [
        b"GET / HTTP/1.1\r\n",
        b"POST /",
        b"HEAD /",
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"\x16\x03\x01\x02\x00\x01",
        b"\x16\x03",
    ],
)
def test_other_protocols_known_first_bytes(opening: bytes) -> None:
    """Other protocols are known by their first bytes."""
    with pytest.raises(framing.ForeignProtocol):
        framing.Framer(limits.FRAME_BEFORE_LOGIN_MAX).feed(opening)


@pytest.mark.rule("A4")
@pytest.mark.parametrize("opening", [b"\x80\0\0\0", b"\xff\xff\xff\xff", b"\0\x01\0\0", b"junk"])
def test_length_above_limit_refused_four_bytes(opening: bytes) -> None:
    """A length above the limit is refused by its four bytes."""
    with pytest.raises(framing.FrameTooLarge):
        framing.Framer(limits.FRAME_BEFORE_LOGIN_MAX).feed(opening)


@pytest.mark.rule("A5")
def test_a_frame_of_no_bytes_is_a_frame() -> None:
    assert framing.Framer(10).feed(b"\0\0\0\0\0") == [b"", b""]


def test_another_protocols_opening_within() -> None:
    """Another protocols opening within a conversation is just a frame."""
    framer = begun(80)
    assert framer.feed(b"GET / HTTP/1.1\r\n") == []
    assert framer.partial


def test_frames_before_a_bad_one_can_be_had_one_by_one() -> None:
    framer = begun(10)
    framer.hold(framing.frame(b"good") + b"\xff\xff\xff")
    assert framer.next_frame() == b"good"
    with pytest.raises(framing.FrameTooLarge):
        framer.next_frame()


def test_the_limit_may_grow_between_two_frames() -> None:
    framer = begun(4)
    framer.hold(framing.frame(b"four") + framing.frame(b"eight..."))
    assert framer.next_frame() == b"four"
    framer.frame_max = 8
    assert framer.next_frame() == b"eight..."
