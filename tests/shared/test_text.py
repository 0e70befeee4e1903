"""The text that may be shown, and the names that players may have. A-numbers are rows of `server/docs/limits.md`."""

import sys
import unicodedata

import pytest
import wcwidth
from hypothesis import example, given
from hypothesis import strategies as st

from gloam_shared import limits
from gloam_shared.text import cells, clean, clusters, fit_name, fold, loses_signs, name_fault
from support.run.effort import effort

CODES = [*range(effort(0x20000, 0xE0000)), *range(0xE0000, effort(0xE0200, sys.maxunicode + 1))]
"""Every character with CI=true, else the two planes that are in use and the invisible ones of the last."""


@pytest.mark.thorough
def test_every_character_is_as_wide_as_it_is_counted() -> None:
    wrong = [
        f"U+{code:04X}"
        for code in CODES
        if not 0xD800 <= code < 0xE000 and wcwidth.wcswidth(shown := clean(f"x{chr(code)}x")) != cells(shown)
    ]
    assert wrong == []


SIGNS = st.text(
    st.sampled_from(
        "ab1#*漢가ㄱ\u1100\u1161☀❤👩👍🏽🔥🇩🇪\u200d\ufe0f\u20e3\u0301\u0e31\u0e49ตงหह\u094d\u093fक\u1037 \u202e\u034f"
    )
)
"""Texts of the parts that clusters are made of, in any order."""


@given(st.one_of(st.text(), SIGNS))
def test_cleaning_is_done_in_one_go(text: str) -> None:
    shown = clean(text)
    assert clean(shown) == shown
    assert not loses_signs(shown)


@given(st.one_of(st.text(), SIGNS))
@example("\U0001f300\u200d\U0001f1e6")
@example("\U0001f1e6\u200d\U0001f300")
def test_clusters_are_bounded_and_hold_no_tricks(text: str) -> None:
    for cluster in clusters(clean(text)):
        assert 1 <= len(cluster) <= 8
        assert cells(cluster) in (1, 2)
        invisible = [char for char in cluster if unicodedata.category(char) in ("Cf", "Cc", "Co", "Cn")]
        assert set(invisible) <= {"\u200d"}
        assert cluster.strip("\u200d") == cluster


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
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("e" + "\u0301" * 40, "é"),
        ("x" + "\u0301" * 40, "x"),
        ("x" + "\u0301" * 4, "x"),
        ("x" + "\u0301" * 3, "x\u0301\u0301\u0301"),
        ("\u0301" * 40, ""),
        (" \u0301x", "x"),
    ],
)
def test_few_marks_on_a_letter(text: str, shown: str) -> None:
    assert clean(text) == shown


@pytest.mark.rule("A50")
@pytest.mark.parametrize(
    ("text", "wide"),
    [
        ("漢字", 4),
        ("가나다", 6),
        ("カタカナー", 10),
        ("ｗｉｄｅ", 8),
        ("ｱ", 1),
        ("😀", 2),
        ("🇩🇪", 2),
        ("👩\u200d👩\u200d👧", 2),
        ("❤\ufe0f\u200d🔥", 2),
        ("👍🏽", 2),
        ("1\ufe0f\u20e3", 2),
        ("☀\ufe0f", 2),
        ("“Füße” – ‘ja’ — …", 17),
        ("é жук Ω", 7),
        ("ตั้งน้ำ", 4),
        ("हिन्दी", 4),
        ("ကြို့", 2),
        ("שָׁלוֹם", 4),
    ],
)
def test_words_of_all_alphabets_pass(text: str, wide: int) -> None:
    """A text that terminals agree on is shown as it is written, and as wide as it is counted."""
    assert clean(text) == unicodedata.normalize("NFC", text)
    assert cells(clean(text)) == wide
    assert not loses_signs(text)


@pytest.mark.rule("A48", "A50")
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("🇩", "?"),
        ("☰", "?"),
        ("\u1100\u1175\u1175", "기"),
        ("🏴\U000e0067\U000e0062\U000e007f", "🏴"),
        ("a🏽", "a"),
        ("a\ufe0f", "a"),
        ("1\u20e3", "1"),
        ("👩" + "\u200d👧" * 8, "👩"),
        ("\u3164\uffa0\u2800\u115f", ""),
        ("क\u200dष", "कष"),
    ],
)
def test_what_terminals_do_not_agree_on(text: str, shown: str) -> None:
    assert clean(text) == shown


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("漢字 “ja”", False),
        ("plain?", False),
        ("a\u200bb\u202e", False),
        ("☰", True),
        ("\ue000", True),
        ("x" + "\u0301" * 9, True),
    ],
)
def test_a_speaker_can_know_what_is_lost(text: str, lost: bool) -> None:
    assert loses_signs(text) is lost


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
def test_any_text_becomes_a_permitted_name(text: str) -> None:
    assert name_fault(fit_name(text)) is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("bert", "Bert"),
        ("j.doe", "Jdoe"),
        ("José", "Jose"),
        ("Jürgen", "Jurgen"),
        ("Иван", "Wanderer"),
        ("root", "Wanderer"),
        ("", "Wanderer"),
        ("3po99", "Po99"),
    ],
)
def test_a_login_name_becomes_a_name(text: str, name: str) -> None:
    assert fit_name(text) == name


def test_no_shown_category_holds_controls() -> None:
    shown = {
        unicodedata.category(char) for char in map(chr, range(0x3000)) if clean(f"x{char}x") == f"x{char}x"
    }
    assert shown.isdisjoint({"Cc", "Cf", "Cs", "Co", "Cn", "Me", "Zl", "Zp"})
