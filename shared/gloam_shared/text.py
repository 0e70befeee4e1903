"""The characters that a terminal may show: one allowlist for server and client. Rules for names."""

import re
import unicodedata
from functools import lru_cache
from typing import Final

from gloam_shared import limits

NAME_PATTERN: Final = "[A-Za-z][A-Za-z0-9]*"
"""The regular expression that a whole name matches."""
RESERVED: Final = frozenset(
    "admin administrator root server system gloam moderator operator owner host nobody everyone all you someone "
    "con prn aux nul com1 com2 com3 lpt1 lpt2 lpt3".split()
)
_SHOWN: Final = frozenset("Lu Ll Lt Lo Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So".split())
_UNSURE: Final = re.compile(
    "[\u1160-\u11ff\ud7b0-\ud7ff\uffa0"  # Hangul vowels and endings, drawn into the letter before them
    "\u2630-\u2637\u268a-\u268f\u4dc0-\u4dff\U0001d300-\U0001d376"  # narrow or wide by Unicode's version
    "\U0001f1e6-\U0001f1ff]"  # flags, two by two
)


@lru_cache(maxsize=4_096)  # a client cleans the names in view again in every frame
def clean(text: str) -> str:
    """Return `text` with only characters that are safe in a terminal and exactly one cell wide.

    Control, format, private-use, unassigned and combining characters are removed. Wide characters and those of
    ambiguous width become `?`, so that the counted width is the displayed width. One combining mark survives if NFC
    folds it into its letter.
    """
    kept = []
    for char in unicodedata.normalize("NFC", text):
        if char.isspace():
            kept.append(" ")
        elif unicodedata.category(char) in _SHOWN:
            kept.append(char if char.isascii() or _is_narrow(char) else "?")
    return "".join(kept).strip()


def as_cell(char: str) -> str:
    """Return one character as a terminal cell may show it: the character itself if `clean` keeps it, else `?`."""
    return char if char == " " or clean(char) == char else "?"


def _is_narrow(char: str) -> bool:
    """Whether every terminal draws `char` one cell wide; letters of "ambiguous" width (é, ж) count as narrow."""
    width = unicodedata.east_asian_width(char)
    if width == "A":
        return char.isalpha()
    return width not in "WF" and not _UNSURE.match(char)


def name_fault(name: str) -> str | None:
    """Return why `name` cannot be a character's name, as a sentence with the correction, or None if it can."""
    if not limits.NAME_MIN <= len(name) <= limits.NAME_MAX:
        return f"A name has {limits.NAME_MIN} to {limits.NAME_MAX} characters; choose another."
    if not re.fullmatch(NAME_PATTERN, name):
        return "A name is made of the letters A to Z and digits, and begins with a letter; choose another."
    if fold(name) in RESERVED:
        return f'The name "{name}" is reserved; choose another.'
    return None


def fold(name: str) -> str:
    """Return the form that compares names: Bert, bert and BERT are equal."""
    return name.casefold()


def capitalize_name(name: str) -> str:
    """Return a name with a capital first letter, which distinguishes it from names of kinds ("Ann", "the rat")."""
    return name[:1].upper() + name[1:]


def fit_name(wish: str) -> str:
    """Return a permitted name as near as possible to `wish`, such as a login name on this machine."""
    letters = re.sub(r"[^A-Za-z0-9]", "", wish).lstrip("0123456789")[: limits.NAME_MAX]
    name = capitalize_name(letters)
    return name if name_fault(name) is None else "Wanderer"
