"""Keys of a visitor's terminal: the same names as on a terminal of this machine, however the bytes are split."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gloam_client.input.bracketed_paste import Pasted
from gloam_client.input.mouse import MouseEvent
from gloam_door.surfaces.key_decoder import KeyDecoder, Pressed
from gloam_door.surfaces.sequence_surface import abilities_of

KNOWN: dict[bytes, Pressed] = {
    b"o": "o",
    b"\r": "ENTER",
    b"\t": "TAB",
    b"\x7f": "BACKSPACE",
    b"\x1b[A": "UP",
    b"\x1bOB": "DOWN",
    b"\x1b[1;2C": "SHIFT_RIGHT",
    b"\x1b[5~": "PGUP",
    b"\x1b[Z": "SHIFT_TAB",
    b"\x12": "CTRL_R",
    "ü".encode(): "ü",
    b"\x1b[<0;12;5M": MouseEvent("left", 11, 4),
    b"\x1b[<65;1;1M": MouseEvent("wheel down", 0, 0),
    b"\x1b[200~two words\x1b[201~": Pasted("two words"),
}


def pressed(pieces: list[bytes]) -> list[Pressed]:
    decoder = KeyDecoder()
    found = [each for piece in pieces for each in decoder.feed(piece, 0.0)]
    return found + decoder.feed(b"", 0.1, final=True)


@pytest.mark.parametrize("data", list(KNOWN))
def test_keys_have_the_key_table_s_names(data: bytes) -> None:
    assert pressed([data]) == [KNOWN[data]]


@given(st.lists(st.sampled_from(list(KNOWN)), max_size=6), st.data())
def test_split_bytes_are_the_same_keys(parts: list[bytes], data: st.DataObject) -> None:
    whole = b"".join(parts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=5)))
    pieces = [whole[a:b] for a, b in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
    assert pressed(pieces) == [KNOWN[part] for part in parts]


def test_esc_waits_for_a_rest_and_is_a_key_without() -> None:
    decoder = KeyDecoder()
    assert decoder.feed(b"\x1b", 0.0) == []
    assert decoder.waits
    assert decoder.feed(b"", 0.1, final=True) == ["ESC"]


@given(st.binary(max_size=200))
def test_no_bytes_are_a_fault(data: bytes) -> None:
    pressed([data[:50], data[50:]])


@pytest.mark.parametrize(
    ("term", "environment", "depth", "linear"),
    [
        ("xterm-256color", {}, "256", False),
        ("xterm-256color", {"COLORTERM": "truecolor"}, "true", False),
        ("xterm-256color", {"NO_COLOR": "1"}, "none", False),
        ("linux", {}, "16", False),
        ("vt100", {}, "none", False),
        ("dumb", {}, "none", True),
        ("xterm", {"GLOAM_SCREEN_READER": "1"}, "none", True),
    ],
)
def test_a_terminal_is_known_by_its_type(
    term: str, environment: dict[str, str], depth: str, linear: bool
) -> None:
    able = abilities_of(term, environment)
    assert (able.depth, able.linear, able.utf8) == (depth, linear, True)
    assert not abilities_of(term, {**environment, "LC_ALL": "C"}).utf8
