"""The deliberate differences from the originals, by number and reason in each classic's file, and in CAMPAIGNS.md."""

import re
from pathlib import Path
from typing import Final

import pytest

from support.content.shipped_files import files
from support.documents.rulebook import rules

CLASSICS: Final = ("jsrogue", "rltut", "ruggrogue")
DOCUMENT: Final = (Path(__file__).parents[3] / "server" / "CAMPAIGNS.md").read_text(encoding="utf-8")

_LINE: Final = re.compile(r"^#   ([JTRG]+\d*\.?\d+) +\S.{20,}", re.MULTILINE)
_RULE: Final = re.compile(r"[JTRG]+\d*\.?\d+")


def values_of_file(key: str) -> list[str]:
    """Return the rules that the head of a classic's campaign file names, each with a reason behind it."""
    text = files(key)["campaign.toml"].decode()
    head = text[: text.index("\nkey =")]
    return _LINE.findall(head[head.index("Where Gloam differs") :])


def values_of_document(key: str) -> list[str]:
    """Return the rules in a classic's column of the table in CAMPAIGNS.md."""
    part = DOCUMENT[DOCUMENT.index("## Where Gloam differs") : DOCUMENT.index("## Every key")]
    rows = [line.strip("|").split("|") for line in part.splitlines() if line.startswith("| ")]
    column = [name.strip() for name in rows[0]].index(key)
    return [rule for row in rows[1:] for rule in _RULE.findall(row[column])]


@pytest.mark.parametrize("key", CLASSICS)
def test_classics_file_document_tell_same(key: str) -> None:
    """A classics file and the document tell of the same differences."""
    values = values_of_file(key)
    assert values
    assert sorted(values) == sorted(values_of_document(key))


@pytest.mark.parametrize("key", CLASSICS)
def test_document_rules_says_difference(key: str) -> None:
    """The document of rules says what each difference is."""
    said = rules()
    assert [rule for rule in values_of_file(key) if not said[rule].rsplit("|", 1)[-1].strip()] == []


@pytest.mark.parametrize(
    ("key", "exceptions"),
    [
        ("jsrogue", {"J7.18", "J14.6", "J14.10", "J14.13", "J14.14"}),
        ("rltut", {"T14.2", "T14.4", "T14.6", "TG.13"}),
        ("ruggrogue", {"R8", "R9", "RG.10"}),
    ],
)
def test_the_best_known_differences_are_among_them(key: str, exceptions: set[str]) -> None:
    assert exceptions <= set(values_of_file(key))


@pytest.mark.parametrize("key", CLASSICS)
def test_no_file_of_a_classic_claims_to_be_exact(key: str) -> None:
    assert not any(re.search(rb"\bexact\b", body) for body in files(key).values())
