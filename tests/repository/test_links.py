"""Links between the documents lead to files and headings that are there, and their tables are whole."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
_LINK: Final = re.compile(r"\]\(([^)\s]+)\)")
_CUT_TABLE: Final = re.compile(r"\|\n\n(\|.*\|)\n(?!\|[ :|-]+\|$)", re.MULTILINE)
"""Rows after a blank line that are no table of their own: no rule stands below the first of them."""
_HEADING: Final = re.compile(r"^#+ (.+)$", re.MULTILINE)


def documents() -> list[Path]:
    """Return every document of the repository."""
    folders = [ROOT / name for name in ("server", "client", "shared", "tests")]
    return [*sorted(ROOT.glob("*.md")), *(path for each in folders for path in sorted(each.rglob("*.md")))]


def anchors(path: Path) -> set[str]:
    """Return the anchors that a document's headings have on a forge."""
    kept = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in _HEADING.findall(path.read_text("utf-8")))
    return {words.strip().replace(" ", "-") for words in kept}


def broken(path: Path) -> Iterator[str]:
    """Yield the links of a document that lead nowhere."""
    for link in _LINK.findall(path.read_text("utf-8")):
        if "://" in link:
            continue
        file, _, anchor = link.partition("#")
        goal = (path.parent / file).resolve() if file else path
        if not goal.exists() or (anchor and anchor not in anchors(goal)):
            yield link


@pytest.mark.parametrize("path", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_the_links_of_a_document_lead_somewhere(path: Path) -> None:
    assert list(broken(path)) == []


@pytest.mark.parametrize("path", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_blank_line_cuts_a_table(path: Path) -> None:
    assert _CUT_TABLE.findall(path.read_text("utf-8")) == []
