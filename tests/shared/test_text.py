"""What may be shown, and who may be called what. A-numbers are rows of `server/docs/limits.md`."""

import sys
import unicodedata

import pytest
import wcwidth
from hypothesis import given
from hypothesis import strategies as st

from gloam_shared import limits
from gloam_shared.text import clean, fit_name, fold, name_fault
from support.run.effort import effort

CODES = [*range(effort(0x20000, 0xE0000)), *range(0xE0000, effort(0xE0200, sys.maxunicode + 1))]
"""Every character with CI=true, else the two planes that are in use and the invisible ones of the last."""


def test_character_shown_cell_wide() -> None:
    """Every printed character is one cell wide."""
    wrong = [
        f"U+{code:04X}"
        for code in CODES
        if not 0xD800 <= code < 0xE000 and wcwidth.wcswidth(shown := clean(f"x{chr(code)}x")) != len(shown)
    ]
    assert wrong == []


@given(st.text())
def test_cleaning_done_go_and_width_length(text: str) -> None:
    """Cleaning is done in one go and width is length."""
    shown = clean(text)
    assert clean(shown) == shown
    assert wcwidth.wcswidth(shown) == len(shown)


@pytest.mark.rule("A47")
@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[2Jhi", "[2Jhi"),
        ("\x1b]52;c;aGk=\x07", "]52;c;aGk="),
        ("\x1bP+q\x1b\\", "P+q\\"),
        ("\x9b31mred\x9d0;t\x9c", "31mred0;t"),
        ("a\0b\bc\x7fd\x07", "abcd"),
        ("one\r\ntwo\tthree", "one  two three"),
        ("\x1b\x07\0", ""),
    ],
)
def test_controls(hostile: str, shown: str) -> None:
    assert clean(hostile) == shown


@pytest.mark.rule("A48")
@pytest.mark.parametrize(
    "char", "\u202e\u2066\u200b\u200d\u2060\ufeff\u00ad\ufe0f\U000e0041\ue000\U000f0000\u0378"
)
def test_what_is_not_seen(char: str) -> None:
    assert clean(f"a{char}b") == "ab"


@pytest.mark.rule("A49")
def test_one_combining_mark_at_most() -> None:
    assert clean("e" + "\u0301" * 40) == "é"
    assert clean("x" + "\u0301" * 40) == "x"
    assert clean("\u0301" * 40) == ""


@pytest.mark.rule("A50")
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("漢字", "??"),
        ("가", "?"),
        ("😀", "?"),
        ("🇩🇪", "??"),
        ("ｗ", "?"),
        ("ｱ", "ｱ"),
        ("…", "?"),
        ("Füße", "Füße"),
        ("é жук Ω", "é жук Ω"),
    ],
)
def test_wide_and_unsure_characters(text: str, shown: str) -> None:
    assert clean(text) == shown


@pytest.mark.rule("A53")
@pytest.mark.parametrize("text", ["{0.__class__}", "%s", "{x!r:>99999999}"])
def test_formats_are_shown_as_they_are(text: str) -> None:
    assert clean(text) == text


@pytest.mark.parametrize("name", ["Bert", "ann", "X99", "Al", "Bo", "A" * limits.NAME_MAX])
def test_names_that_may_be(name: str) -> None:
    assert name_fault(name) is None


def test_a_name_has_two_to_sixteen_characters() -> None:
    """bounds: NAME_MIN, NAME_MAX."""
    permitted = [size for size in range(30) if name_fault("n" * size) is None]
    assert permitted == list(range(limits.NAME_MIN, limits.NAME_MAX + 1))
    assert (limits.NAME_MIN, limits.NAME_MAX) == (2, 16)


@pytest.mark.rule("A26")
@pytest.mark.parametrize(
    "name",
    ["admin", "ADMIN", "Server", "system", "You", "Веrt", "Bеrt", "Bert ", "Bert\n", "ſam", "\u212aarl"],
)
def test_reserved_names_and_letters_that_look_alike(name: str) -> None:
    assert name_fault(name)


@pytest.mark.rule("A54")
@pytest.mark.parametrize(
    "name", ["..", "/etc/passwd", "CON", "a\0b", "", "x" * 10_000, "a", "9lives", "A" * 17]
)
def test_names_that_are_none(name: str) -> None:
    assert name_fault(name)


@pytest.mark.rule("A26")
def test_names_are_one_whatever_their_case() -> None:
    assert fold("BERT") == fold("bert") == fold("Bert")


@given(st.text(max_size=30))
def test_any_wish_becomes_a_permitted_name(wish: str) -> None:
    assert name_fault(fit_name(wish)) is None


@pytest.mark.parametrize(
    ("wish", "name"),
    [("bert", "Bert"), ("j.doe", "Jdoe"), ("root", "Wanderer"), ("", "Wanderer"), ("3po99", "Po99")],
)
def test_a_login_name_becomes_a_name(wish: str, name: str) -> None:
    assert fit_name(wish) == name


def test_no_shown_category_holds_controls() -> None:
    shown = {
        unicodedata.category(char) for char in map(chr, range(0x3000)) if clean(f"x{char}x") == f"x{char}x"
    }
    assert shown.isdisjoint({"Cc", "Cf", "Cs", "Co", "Cn", "Mn", "Me", "Mc", "Zl", "Zp"})
