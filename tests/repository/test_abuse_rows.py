"""Every abuse and every limit is named by a test, and every number of an abuse that is cited has its row."""

import re
from typing import Final

import pytest

from gloam_shared import limits
from support.documents.abuse import BOUNDS, DOCUMENT, Named, abuses, named, numbers, untested
from support.documents.rulebook import writings

UNUSED: Final = (22, 65)
"""Numbers without a row; the document says so."""


def test_abuse_and_limit_named_test() -> None:
    """Every abuse and every limit is named by a test."""
    assert untested() == []


def test_every_abuse_that_is_cited_has_a_row() -> None:
    cited = numbers()
    for path in writings():
        cited |= {int(number) for number in re.findall(r"\bA(\d{1,2})\b", path.read_text(encoding="utf-8"))}
    assert sorted(cited - {*abuses(), *UNUSED}) == []


def test_every_bound_that_the_document_names_is_one() -> None:
    names = re.findall(r"`([A-Z_]{4,})`", DOCUMENT.read_text(encoding="utf-8"))
    assert [name for name in names if not hasattr(limits, name)] == []


def test_every_limit_that_is_listed_is_one() -> None:
    assert [bound for bound in BOUNDS if not hasattr(limits, bound)] == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('@pytest.mark.rule("A26", "A54")', Named({26, 54}, set())),
        ("    # A26: reserved names", Named({26}, set())),
        ('    """bounds: NAME_MIN, NAME_MAX."""', Named(set(), {"NAME_MIN", "NAME_MAX"})),
        ("data_of_4A = KP_A5", Named(set(), set())),
    ],
)
def test_what_a_test_names_is_read_as_people_read_it(source: str, found: Named) -> None:
    assert named(source) == found
