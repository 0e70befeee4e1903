"""One spelling in everything that people read, American, and plain words."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.documents.prose import comments, docstrings

ROOT = Path(__file__).parents[2]
_BRITISH = re.compile(
    r"\b\w*(colour|armour|defence|behaviour|favour|honour|labour|neighbour|vapour|humour|splendour|centre|metre"
    r"|grey|travell|cancell|levell|learnt|spelt|burnt|dreamt|catalogue|dialogue|judgement"
    r"|(organ|real|recogn|minim|maxim|initial|summar|synchron|apolog)is(e|es|ed|ing|ation)\b)\w*",
    re.IGNORECASE,
)
_QUAINT = re.compile(
    r"\b(nobody|somebody|everybody|anybody|whoever|whom|anew|upon|lest|perchance)\b", re.IGNORECASE
)
_RESERVED = "admin administrator root "
"""The start of the list of reserved names, which contains "nobody"."""
_KEYS = frozenset({"name", "words", "story", "title", "text", "word", "appearances"})
"""The keys of a campaign that are shown to players."""
_GROUP = "any armour"
"""A group of things, by its key in the files."""
_FIELD = re.compile(r"[A-Z]\w*\.\w+")
"""A field of a type, by its name in the code."""
_AS_IT_STANDS = re.compile(
    r"""```.*?```|`[^`\n]*`|<!--\ table:[^>]+?-->\n(?:\n(?:\|[^\n]*\n)+)?  # code, and tables made from the code
    |"any\ armour"|(?<=\|\ )attack,\ defence(?=,)|\bColoured\b        # keys of files, a type of the wire""",
    re.DOTALL | re.VERBOSE,
)
"""The parts of a document that cite a name in the code or in a file."""
_QUOTED = re.compile(r'`[^`]*`|"(any armour|levelled)"')
"""The names of code, and the keys of files, that a docstring or comment cites."""
SIDES = ("client/gloam_client", "shared/gloam_shared", "server/gloam_server", "server/gloam_lab")


def texts(path: Path) -> Iterator[str]:
    """Yield the strings of a module that are sentences or words for people: neither docstrings nor identifiers."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docs = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        text = node.value if isinstance(node, ast.Constant) and id(node) not in docs else None
        if (
            isinstance(text, str)
            and text != _GROUP
            and not _FIELD.fullmatch(text)
            and (" " in text or text[:1].isupper())
        ):
            yield re.sub(r"`\w+`", "", text)  # keys of campaigns are as they are


def shown(node: Any, key: str = "") -> Iterator[str]:
    """Yield what a campaign's file tells players."""
    if isinstance(node, dict):
        for name, value in node.items():
            yield from shown(value, name)
    elif isinstance(node, list):
        for value in node:
            yield from shown(value, key)
    elif isinstance(node, str) and key in _KEYS:
        yield node


@pytest.mark.parametrize("side", SIDES)
def test_the_programs_speak_american_english(side: str) -> None:
    found = [
        (str(path.relative_to(ROOT)), text)
        for path in sorted((ROOT / side).rglob("*.py"))
        for text in texts(path)
        if _BRITISH.search(text)
    ]
    assert not found


@pytest.mark.parametrize("part", [*SIDES, "tests"])
def test_docstrings_are_american_english(part: str) -> None:
    found = []
    for path in sorted((ROOT / part).rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if _BRITISH.search(source):  # spares most modules the parser
            found += [
                f"{path.relative_to(ROOT)}:{passage.line}: {word[0]}"
                for passage in (*docstrings(source), *comments(source))
                for word in _BRITISH.finditer(_QUOTED.sub("", passage.text))
            ]
    assert found == []


def test_the_campaigns_speak_american_english() -> None:
    data = ROOT / "server" / "gloam_server" / "content" / "data"
    output = [
        (str(path.relative_to(data)), text)
        for path in sorted(data.rglob("*.toml"))
        for text in shown(tomllib.loads(path.read_text(encoding="utf-8")))
    ]
    assert len(output) > 300
    assert not [one for one in output if _BRITISH.search(one[1])]
    assert not [one for one in output if _QUAINT.search(one[1])]


@pytest.mark.parametrize("side", SIDES)
def test_the_programs_say_it_in_plain_words(side: str) -> None:
    found = [
        (str(path.relative_to(ROOT)), text)
        for path in sorted((ROOT / side).rglob("*.py"))
        for text in texts(path)
        if _QUAINT.search(text) and not text.startswith(_RESERVED)
    ]
    assert not found


def test_the_documents_are_written_in_american_english() -> None:
    documents = [*ROOT.glob("*.md"), *(ROOT / "server").rglob("*.md"), *(ROOT / "shared").rglob("*.md")]
    assert len(documents) > 60
    prose = {path: _AS_IT_STANDS.sub("", path.read_text(encoding="utf-8")) for path in documents}
    found = [
        (str(path.relative_to(ROOT)), line)
        for path, text in prose.items()
        for line in text.splitlines()
        if _BRITISH.search(line)
    ]
    assert not found
