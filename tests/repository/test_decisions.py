"""The decisions of server/docs/decisions: complete, listed once, and cited by numbers and files that exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "server" / "docs" / "decisions"
FILES = sorted(FOLDER.glob("[0-9]*.md"))
PAGES_MAX = 60
"""More pages hide those that matter: a reason that concerns one module stands beside its code."""
HEADINGS = ["Context", "Decision", "Price", "Code"]
NUMBERS = {int(path.name[:4]) for path in FILES}
CITATION = re.compile(r"\bdecisions? ((?:\d+(?:, | and )?)+)", re.IGNORECASE)
LINK = re.compile(r"decisions/(\d{4}[\w-]*\.md)")


def sources() -> list[Path]:
    """Return every text in which a decision may be cited."""
    folders = ("server", "client", "shared", "tests")
    inside = [path for folder in folders for path in (ROOT / folder).rglob("*")]
    return [path for path in (*ROOT.glob("*.md"), *inside) if path.suffix in {".py", ".md", ".toml"}]


def test_decisions_are_few() -> None:
    assert len(FILES) <= PAGES_MAX


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_decision_number_and_headings(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.startswith(f"# {int(path.name[:4])}. ")
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == HEADINGS
    code = re.findall(r"^- `(.*)`$", text.partition("## Code")[2], re.MULTILINE)
    assert code
    assert [each for each in code if not (ROOT / each).is_file()] == []


def test_index_lists_decision_once_title() -> None:
    """The index lists every decision once by its title."""
    listed = re.findall(
        r"^- \[(.*)\]\((.*)\)$", (FOLDER / "README.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    there = [
        (path.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# "), path.name) for path in FILES
    ]
    assert sorted(listed, key=lambda each: each[1]) == there
    assert len(there) == len(NUMBERS)


def test_every_decision_that_is_cited_exists() -> None:
    unknown = []
    cited = set()
    for path in sources():
        text = path.read_text(encoding="utf-8")
        for match in CITATION.finditer(text):
            numbers = {int(each) for each in re.findall(r"\d+", match[1])}
            cited |= numbers
            unknown += [f"{path.relative_to(ROOT)}: {each}" for each in sorted(numbers - NUMBERS)]
        unknown += [
            f"{path.relative_to(ROOT)}: {name}"
            for name in LINK.findall(text)
            if not (FOLDER / name).is_file()
        ]
    assert unknown == []
    assert cited  # the pattern finds citations
