"""Plain technical English: old-fashioned words stay out of documents, docstrings, comments and the programs' texts."""

import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
WORDS: Final = re.compile(
    r"\b(he|him|his|himself|whoever|whomever|whom|anew|so many|upon|lest|nobody|somebody|to be had|aslant"
    r"|belongings|one carries|round and round"
    r"|(is|are|was|were|be|been|being) told)\b",
    re.IGNORECASE,
)
"""Players are "they", a creature or a disk is "it"; a player "gets a message"."""

ALLOWED: Final = Counter(
    {
        "server/gloam_server/cli/certificate_command.py": 1,  # a parameter's name
        "server/gloam_server/gateway/login/login_refusals.py": 3,  # reserved names
        "shared/PROTOCOL.md": 1,  # a reserved name
        "shared/gloam_shared/narration/rendering.py": 1,  # a determiner in names
        "shared/gloam_shared/text.py": 1,  # a reserved name
        "tests/repository/test_spelling.py": 1,  # a reserved name
    }
)
"""How many of these words a file needs, to quote them as they are."""

_PROGRAMS: Final = ("client", "server", "shared")
_DOCUMENTS: Final = ("*.md", "client/**/*.md", "server/**/*.md", "shared/**/*.md", "tests/**/*.md")
_CONFIGURATION: Final = ("Makefile", "pyproject.toml", "docker-compose.yml")


def sentences(path: Path) -> Iterator[str]:
    """Yield the docstrings and comments of a module; and of a program, its other texts."""
    source = path.read_text(encoding="utf-8")
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    tree = ast.parse(source)
    bare = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    everything = path.relative_to(ROOT).parts[0] in _PROGRAMS
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and (everything or id(node) in bare)
        ):
            yield node.value


def hits(path: Path) -> list[str]:
    """Return the words of the list in a file."""
    source = path.read_text(encoding="utf-8")
    if not WORDS.search(source):  # spares most modules the parser
        return []
    texts = sentences(path) if path.suffix == ".py" else [source]
    return [found[0] for text in texts for found in WORDS.finditer(text)]


def too_many(paths: Iterator[Path]) -> dict[str, list[str]]:
    """Return the files with more of these words than they may have, and the words."""
    found = {str(path.relative_to(ROOT)): hits(path) for path in sorted(paths)}
    return {name: words for name, words in found.items() if len(words) > ALLOWED[name]}


@pytest.mark.parametrize("part", [*_PROGRAMS, "tests"])
def test_modules_are_written_in_plain_english(part: str) -> None:
    assert not too_many((ROOT / part).rglob("*.py"))


def test_documents_are_written_in_plain_english() -> None:
    documents = {path for pattern in _DOCUMENTS for path in ROOT.glob(pattern)}
    assert not too_many(iter(documents | {ROOT / name for name in _CONFIGURATION}))


def test_an_old_fashioned_word_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("Whoever joins is told so; they get the map.")
    assert hits(page) == ["Whoever", "is told"]
