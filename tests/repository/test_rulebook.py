"""The documents of rules, the code that cites them and the tests that prove them agree on every ID."""

import re
from collections import Counter

import pytest

from support.documents.abuse import abuses
from support.documents.rule_tables import documents, filled
from support.documents.rulebook import DOCUMENTS, cited, every_test, proven, rows, rules, untested, writings


def test_every_rule_stands_in_one_row() -> None:
    counted = Counter(rule for path in DOCUMENTS.glob("*.md") for rule, _ in rows(path))
    assert [rule for rule, times in counted.items() if times > 1] == []


def test_every_rule_that_is_cited_stands_in_a_document() -> None:
    unknown = {
        path.name: sorted(found)
        for path in writings()
        if (found := cited(path.read_text(encoding="utf-8")) - set(rules()))
    }
    assert unknown == {}


def test_every_id_in_a_marker_stands_in_a_document() -> None:
    known = {*rules(), *(f"A{number}" for number in abuses())}
    assert sorted(proven() - known) == []


def test_no_name_of_a_test_holds_an_id() -> None:
    holds = re.compile(r"_(?:j7|j10|j14|t14|jg|tg|rg|[rfa])_?\d+(?=_|$)")
    assert [test.name for test in every_test() if holds.search(test.name)] == [], (
        "IDs go into pytest.mark.rule"
    )


def test_every_rule_is_named_by_a_test() -> None:
    assert untested() == []


def test_the_tables_of_numbers_are_those_of_the_code() -> None:
    stale = [path.name for path in documents() if filled(text := path.read_text(encoding="utf-8")) != text]
    assert stale == [], "`make rules` writes them again"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("(rules J14.6-J14.11, F35).", {"J14.6", "J14.11", "F35"}),
        ("Rule RG.1: 30 attempts", {"RG.1"}),
        ("R9, RG.10.", {"R9", "RG.10"}),
        ("`F401`, F1, KP_R2, R2D2, J7", set()),
    ],
)
def test_citations_are_read_as_people_read_them(text: str, found: set[str]) -> None:
    assert cited(text) == found


def test_no_code_cites_paper_outside_repository() -> None:
    """No code cites a paper outside of the repository."""
    outside = re.compile(r"\b(?:rows? [UPLV]\d|RULEBOOK|DESIGN\b|REVIEW_|LIMITS\.md)|\([PLVU]\d{1,2}\)")
    code = [path for path in writings() if path.suffix != ".md"]
    citing = [path.name for path in code if outside.search(path.read_text(encoding="utf-8"))]
    assert set(citing) <= {"test_rulebook.py"}
