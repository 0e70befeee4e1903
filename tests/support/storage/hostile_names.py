"""Names of folders that break a URI, shell command, pattern or text line without correct escaping."""

import os
from typing import Final

from hypothesis import strategies as st

NAMES: Final = (
    "w #1",
    "what?mode=memory",
    "%41%00",
    "a b",
    'it\'s "quoted"',
    "é ü 龍 🐉",
    "two\nlines",
    "\x1b]0;title\x07",
    "[a-z]*",
    "-rf",
    "$HOME`id`",
    "file:w&cache=shared",
    "back\\slash",
    ":memory:",
    os.fsdecode(b"\xff\xfe not UTF-8"),
    "n" * 200,
    "ж" * 120,
)
"""Each in turn is a folder's name in the tests of what opens worlds."""

FEW: Final = (
    "w #1?x%41 é\n\x1b[31m'\"$`",
    "file:w&cache=shared",
    os.fsdecode(b"\xff\xfe not UTF-8"),
    "ж" * 120,
)
"""The names that trip most, in few names."""

_BYTES: Final = st.binary(min_size=1, max_size=120).filter(lambda name: not {0, 47} & set(name))
_TEXT: Final = st.text(st.sampled_from("#?%&=+;:'\"\\ \t\n~$*[]{}é龍\u202eA41"), min_size=1, max_size=40).map(
    os.fsencode
)

names: Final = (
    st.one_of(_TEXT, _BYTES, st.sampled_from(NAMES).map(os.fsencode))
    .filter(lambda name: name not in (b".", b".."))
    .map(os.fsdecode)
)
"""Any name that a file system takes."""
