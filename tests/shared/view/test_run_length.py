"""Packed map differences: there and back, small, and strict."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gloam_shared.view import run_length


@st.composite
def map_pairs(draw: st.DrawFn, most: int) -> tuple[bytes, bytes, int]:
    width, height = draw(st.integers(1, 20)), draw(st.integers(1, 20))
    cells = st.binary(min_size=width * height, max_size=width * height)
    old, new = (bytes(byte % (most + 1) for byte in draw(cells)) for _ in range(2))
    return old, new, width


@given(map_pairs(most=255))
def test_values_there_and_back(pair: tuple[bytes, bytes, int]) -> None:
    old, new, width = pair
    assert run_length.apply_values(old, run_length.diff_values(old, new, width), width) == new


@given(map_pairs(most=1))
def test_flags_there_and_back(pair: tuple[bytes, bytes, int]) -> None:
    old, new, width = pair
    assert run_length.apply_flags(old, run_length.diff_flags(old, new, width), width) == new


def test_alike_maps_have_no_difference() -> None:
    assert run_length.diff_values(b"", b"", 0) == run_length.diff_flags(b"\1\0", b"\1\0", 2) == b""
    assert run_length.apply_values(b"\1\2", b"", 2) == b"\1\2"


def test_the_worked_example_of_the_protocol() -> None:
    old = bytes.fromhex("00 00 00 00 00  00 01 01 01 00  00 00 00 00 00")
    new = bytes.fromhex("00 02 00 00 00  00 01 03 01 00  00 02 00 00 00")
    assert run_length.diff_values(old, new, 5) == bytes.fromhex("01 02 50 33 02")
    tall = bytes.fromhex("00 02 00 00 00  00 02 01 01 00  00 02 00 00 00")
    assert run_length.diff_values(old, tall, 5) == bytes.fromhex("13 22 22")
    was = bytes.fromhex("00 00 00 00 00  00 01 01 01 00  00 00 00 00 00")
    now = bytes.fromhex("00 00 00 00 00  00 00 00 01 01  01 00 00 00 00")
    assert run_length.diff_flags(was, now, 5) == bytes.fromhex("06 11 1f")


def test_a_step_costs_tens_of_bytes() -> None:
    width, height = 80, 45
    old, new = (bytes(_disc(x, 20, width, height)) for x in (30, 31))
    assert len(run_length.diff_flags(old, new, width)) < 80
    assert len(run_length.diff_values(old, new, width)) < 120


def test_far_cell_takes_number_several_half_bytes() -> None:
    """A far cell takes a number of several half bytes."""
    old = bytes(2_000)
    new = bytes(1_000) + b"\1" + bytes(999)
    assert run_length.diff_flags(old, new, 2_000) == bytes.fromhex("08 df 10")
    assert run_length.apply_flags(old, bytes.fromhex("08 df 10"), 2_000) == new


@pytest.mark.parametrize(
    "packed",
    [
        b"\x20\x15",
        b"\x07\x15",
        b"\x00\x7f",
        b"\x00\x2f",
        b"\x08",
        b"\x00",
        b"\x0f\xff\xff\xff\x11",
        b"\x00\x0f\xff\x7f",
    ],
)
def test_what_does_not_fit_the_map_is_refused(packed: bytes) -> None:
    with pytest.raises(ValueError, match="packed map difference"):
        run_length.apply_values(bytes(6), packed, 3)


@given(st.binary(max_size=30), st.integers(0, 5), st.integers(0, 5))
def test_any_bytes_are_applied_or_refused(packed: bytes, width: int, height: int) -> None:
    for apply in (run_length.apply_values, run_length.apply_flags):
        try:
            assert len(apply(bytes(width * height), packed, width)) == width * height
        except ValueError:
            continue


def _disc(x: int, y: int, width: int, height: int, radius: int = 8) -> list[int]:
    return [
        int((cell % width - x) ** 2 + (cell // width - y) ** 2 <= radius**2) for cell in range(width * height)
    ]
