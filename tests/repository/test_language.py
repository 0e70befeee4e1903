"""Plain technical English: old-fashioned words stay out of documents, docstrings, comments and the programs' texts."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from support.documents.prose import comments, docstrings

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
"""The number of these words that a file needs, to quote them as they are."""

_PROGRAMS: Final = ("client", "server", "shared")
_DOCUMENTS: Final = ("*.md", "client/**/*.md", "server/**/*.md", "shared/**/*.md", "tests/**/*.md")
_CONFIGURATION: Final = ("Makefile", "pyproject.toml", "docker-compose.yml")


OPENING: Final = re.compile(
    r"(What|Who|Which|Whose|Whom|Where|When|That|If|How|Why|Until|Since|So long|By how|For how|One who)\b"
)
"""A docstring begins with a verb or a noun instead: "Return ...", "The fields that ..."."""

PHRASES: Final = re.compile(
    r"\b(one\s+who|those\s+who|(that|those)\s+of|in\s+vain|but\s+for|whoever|whatever|so\s+far\s+as|all\s+that"
    r"|for\s+good|bec(ame|omes?)\s+of|(?<!all\s)at\s+once(?!(,?\s|\sfor\sall[\w\s]+,\s)then\b)"
    r"|of\s+(it|them)\s+there\s+\w+"
    r"|(?<![`'\"])(come|comes|came)(?![`'\"]|\s+(from|first|last|before|after|next|close|to\s+(more|less|the\s+same))\b))\b",
    re.IGNORECASE,
)
"""Syntax of another language. A burst ("20 at once, then one in a second") may stay, and "come" where it gives an order
or an origin; elsewhere something arrives, joins, appears or returns."""

_SUSPECT: Final = re.compile(rf'"""\s*{OPENING.pattern}')
_CONTINUED: Final = re.compile(r"\n\s*#\s*")

PLAIN_DOCUMENTS: Final = (
    "README.md",
    "CONTRIBUTING.md",
    "server/ARCHITECTURE.md",
    "server/CAMPAIGNS.md",
    "server/HOSTING.md",
    "server/docs/limits.md",
    "shared/PROTOCOL.md",
)


def sentences(path: Path) -> Iterator[str]:
    """Yield the docstrings and comments of a module; and of a program, its other texts."""
    source = path.read_text(encoding="utf-8")
    for passage in comments(source):
        yield passage.text
    if path.relative_to(ROOT).parts[0] in _PROGRAMS:
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value
    else:
        for passage in docstrings(source):
            yield passage.text


def translated(path: Path, name: str) -> list[str]:
    """Return the docstrings that begin with a relative pronoun, and the foreign phrases of a module or a document."""
    source = path.read_text(encoding="utf-8")
    found = list[str]()
    if path.suffix != ".py":
        return [f"{name}: {phrase[0]}" for phrase in PHRASES.finditer(source)]
    if not _SUSPECT.search(source) and not PHRASES.search(_CONTINUED.sub("\n", source)):
        return []  # spares most modules the parser
    for passage in docstrings(source):
        if opening := OPENING.match(passage.text.strip()):
            found.append(f"{name}:{passage.line}: {opening[0]} ...")
    for passage in (*docstrings(source), *comments(source)):
        found += [f"{name}:{passage.line}: {phrase[0]}" for phrase in PHRASES.finditer(passage.text)]
    return found


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


@pytest.mark.parametrize("part", [*_PROGRAMS, "tests"])
def test_docstrings_and_comments_have_plain_syntax(part: str) -> None:
    paths = sorted((ROOT / part).rglob("*.py"))
    assert [found for path in paths for found in translated(path, path.relative_to(ROOT).as_posix())] == []


@pytest.mark.parametrize("name", PLAIN_DOCUMENTS)
def test_documents_have_plain_syntax(name: str) -> None:
    assert translated(ROOT / name, name) == []


def test_an_old_fashioned_word_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("Whoever joins is told so; they get the map.")
    assert hits(page) == ["Whoever", "is told"]


def test_translated_syntax_is_found(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(
        '"""What of a body counts."""\n'
        'LIMIT = 3\n"""Players, but\nfor those who watch."""\n'
        "#: Comes from a file, and then\n# comes at once\n"
    )
    assert [finding.partition(": ")[2] for finding in translated(module, "module.py")] == [
        "What ...",
        "but\nfor",
        "those who",
        "comes",
        "at once",
    ]
