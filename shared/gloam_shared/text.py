"""The characters that a terminal may show: one allowlist for server and client. Rules for names."""

import re
import unicodedata
from collections.abc import Iterator
from contextvars import ContextVar
from functools import lru_cache
from typing import Final

from gloam_shared import limits

NAME_PATTERN: Final = "[A-Za-z][A-Za-z0-9]*"
"""The regular expression that a whole name matches."""
RESERVED: Final = frozenset(
    "admin administrator root server system gloam moderator operator owner host nobody everyone all you someone "
    "con prn aux nul com1 com2 com3 lpt1 lpt2 lpt3".split()
)
_ALIKE: Final = str.maketrans("i012345789|", "lolzeastbgl")
_SHOWN: Final = frozenset("Lu Ll Lt Lm Lo Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So".split())
_MARKS: Final = frozenset(("Mn", "Mc"))
_PARTS: Final = _SHOWN | _MARKS
_PICTURES: Final = frozenset(("So", "Sm", "Sk"))
_JOINER: Final = "\u200d"
_EMOJI: Final = "\ufe0f"
_KEYCAP: Final = "\u20e3"
_BLANK: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufe00-\ufe0e\U000e0100-\U000e01ef]"
)
"""Letters, marks and signs that are drawn as nothing, such as fillers and variation selectors."""
_UNSURE: Final = re.compile(
    "[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff"  # parts of Hangul, drawn into the letter before them
    "\u2630-\u2637\u268a-\u268f\u4dc0-\u4dff\U0001d300-\U0001d376"  # narrow or wide by Unicode's version
    "\U0001f1e6-\U0001f1ff]"  # halves of flags
)
_FLAG: Final = re.compile("[\U0001f1e6-\U0001f1ff]{2}")
_CLUSTER_MAX: Final = 8
"""The most code points of a cluster; a family of four has seven."""
_MARKS_MAX: Final = 3
"""The most marks above or below one letter: Burmese needs three, and more would reach into the line above."""

_AMBIGUOUS: Final = ContextVar("cells of a sign of ambiguous width", default=1)
"""One, except on terminals that are set up for East Asian fonts. Of a context: a process may draw for several terminals."""


@lru_cache(maxsize=4_096)  # a client cleans the names in view again in every frame
def clean(text: str) -> str:
    """Return `text` with only what every terminal shows as wide as it is counted: clusters of one or two cells.

    Control, format, private-use, unassigned and blank characters are removed. A cluster of uncertain width becomes
    `?`; one with too many code points or marks keeps its first.
    """
    if text.isascii() and text.isprintable():
        return text.strip()
    kept = unicodedata.normalize("NFC", "".join(_shown(text)))
    return "".join(map(_certain, clusters(kept))).strip()


def loses_signs(text: str) -> bool:
    """Return whether `clean` shows less than a person wrote: a `?` or a part of a sign, or none of one too new."""
    seen = unicodedata.normalize("NFC", "".join(_shown(text))).strip()
    return clean(text) != seen or any(unicodedata.category(char) in ("Cn", "Co") for char in text)


def clusters(text: str) -> list[str]:
    """Return the grapheme clusters of a text: what a reader takes for one sign."""
    if text.isascii():
        return list(text)
    from wcwidth import iter_graphemes  # noqa: PLC0415  # 50 ms that the client's first picture does not need

    return list(iter_graphemes(text))


def count_ambiguous(width: int) -> None:
    """Count signs of "ambiguous" width, such as quotes and Greek letters, as the terminal of this client draws them.

    Whether the width of a sign is certain does not depend on the terminal: `clean` depends only on the text.
    """
    _AMBIGUOUS.set(width)


def ambiguous_cells() -> int:
    """Return in how many cells the terminal of this client draws a sign of ambiguous width."""
    return _AMBIGUOUS.get()


def cells(text: str) -> int:
    """Return in how many cells a terminal shows a clean text."""
    return len(text) if text.isascii() else sum(map(_counted, clusters(text)))


def cut(text: str, width: int) -> str:
    """Return the beginning of a text in at most `width` cells: no cluster is cut in two."""
    if text.isascii():
        return text[: max(width, 0)]
    kept = []
    for cluster in clusters(text):
        width -= _counted(cluster)
        if width < 0:
            break
        kept.append(cluster)
    return "".join(kept)


def pad(text: str, width: int) -> str:
    """Return a text with spaces behind it up to `width` cells."""
    return text + " " * (width - cells(text))


def as_cell(cluster: str) -> str:
    """Return one cluster as a terminal may show it: itself if `clean` keeps it, else `?`."""
    return cluster if cluster == " " or clean(cluster) == cluster else "?"


def _shown(text: str) -> Iterator[str]:
    """Yield the characters that may be part of a cluster; a joiner only between pictures, where it is seen."""
    before = last = ""
    for at, char in enumerate(text):
        after = text[at + 1 : at + 2]
        if char.isspace():
            kept = " "
        elif char == _JOINER:
            kept = char if (_is_picture(last) or last == _EMOJI) and _is_picture(after) else ""
        elif char == _EMOJI:
            kept = char if _is_picture(last) or (last in "#*0123456789" and after == _KEYCAP) else ""
        elif char == _KEYCAP:
            kept = char if last == _EMOJI and before.isascii() else ""
        else:
            kept = char if unicodedata.category(char) in _PARTS and not _BLANK.match(char) else ""
        if kept:
            before, last = last, kept
            yield kept


def _is_picture(char: str) -> bool:
    return char != "" and not char.isascii() and unicodedata.category(char) in _PICTURES


@lru_cache(maxsize=4_096)
def _certain(cluster: str) -> str:
    """Return a cluster if its width is certain, else its first character, a `?`, or nothing for a lone mark."""
    cluster = cluster.strip(_JOINER)  # one that joins nothing, such as a picture with half of a flag
    if not cluster:
        return ""
    first, rest = cluster[0], cluster[1:]
    if _FLAG.fullmatch(cluster) or (first.isascii() and not rest):
        return cluster
    if unicodedata.category(first) in _MARKS:
        return ""
    alone = first if first.isascii() or _is_certain(first) else "?"
    return cluster if alone == first and _belongs(first, rest) else alone


def _belongs(first: str, rest: str) -> bool:
    """Return whether terminals draw the rest of a cluster into the same cells as its first character."""
    if first == " " or len(rest) >= _CLUSTER_MAX or _UNSURE.search(rest):
        return False
    kinds = [unicodedata.category(char) for char in rest]
    if _is_picture(first) or rest.endswith(_KEYCAP):
        return _width(first + rest) == 2
    marks = "".join("m" if kind == "Mn" else "l" for kind in kinds)
    return (
        {*kinds} <= {*_MARKS, "Lo", "Lm"}
        and "m" * (_MARKS_MAX + 1) not in marks
        and _width(first + rest) in (1, 2)
    )


def _is_certain(char: str) -> bool:
    """Return whether the tables of Unicode agree on the width of a character, letters of "ambiguous" width included."""
    wide = unicodedata.east_asian_width(char) in "WF"
    return not _UNSURE.match(char) and _width(char) == (2 if wide else 1)


def _counted(cluster: str) -> int:
    """Return the cells of a cluster; one that is not clean is drawn as a `?`."""
    if _width(cluster) == 2:
        return 2
    return _AMBIGUOUS.get() if unicodedata.east_asian_width(cluster[0]) == "A" else 1


@lru_cache(maxsize=4_096)
def _width(cluster: str) -> int:
    from wcwidth import wcswidth  # noqa: PLC0415  # as above

    return wcswidth(cluster)


def name_fault(name: str) -> str | None:
    """Return why `name` cannot be a character's name, as a sentence with the correction, or None if it can."""
    if not limits.NAME_MIN <= len(name) <= limits.NAME_MAX:
        return f"A name has {limits.NAME_MIN} to {limits.NAME_MAX} characters; choose another."
    if not re.fullmatch(NAME_PATTERN, name):
        return "A name is made of the letters A to Z and digits, and begins with a letter; choose another."
    if fold(name) in RESERVED:
        return f'The name "{name}" is reserved; choose another.'
    return None


def skeleton(name: str) -> str:
    """Return the form that names share when they look alike: Bill, BiII, Bi1l and B1ll are `blll`.

    Each digit is as its letter, and no two digits are as the same one, so Bot1 and Bot2 differ.
    """
    return fold(name).translate(_ALIKE).replace("rn", "m").replace("vv", "w")


def fold(name: str) -> str:
    """Return the form that compares names: Bert, bert and BERT are equal."""
    return name.casefold()


def capitalize_name(name: str) -> str:
    """Return a name with a capital first letter, which distinguishes it from names of kinds ("Ann", "the rat")."""
    return name[:1].upper() + name[1:]


def fit_name(wanted: str) -> str:
    """Return a permitted name as near as possible to `wanted`, such as a login name on this machine."""
    plain = unicodedata.normalize("NFKD", wanted)  # "José" without its accent, not without its last letter
    letters = re.sub(r"[^A-Za-z0-9]", "", plain).lstrip("0123456789")[: limits.NAME_MAX]
    name = capitalize_name(letters)
    return name if name_fault(name) is None else "Wanderer"
