"""Every rule of the rulebook is named by a test: the list of those that are not is empty."""

import pytest

from rulebook import ARTICLES, GAMES, named, untested


@pytest.mark.parametrize("parts", [ARTICLES, GAMES], ids=["articles", "games"])
def test_every_rule_is_named_by_a_test(parts: dict[str, int]) -> None:
    assert untested(parts) == []


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("test_j7_4_to_j7_6_a_cave", {"J7.4", "J7.5", "J7.6"}),
        ("test_rg7_and_rg17_blows", {"RG.7", "RG.17"}),
        ("test_j10_14_full", {"J10.14"}),
        ("test_r7_next", {"R7"}),
        ("test_four_ways", set()),
    ],
)
def test_the_names_of_tests_are_read_as_people_read_them(name: str, rules: set[str]) -> None:
    assert named(name) == rules
