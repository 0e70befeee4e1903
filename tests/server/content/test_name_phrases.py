"""Every item and creature of every campaign in a sentence: with the right article, and with_count, an uncountable one by its measure."""

import re

import pytest

from gloam_shared.narration.rendering import render_line, with_count
from gloam_shared.view.view import LogLine
from support.content.campaigns import shipped
from support.content.item_phrases import CAMPAIGNS, names

IRREGULAR = {
    "fungus": "fungi", "harpy": "harpies", "leech": "leeches", "lich": "liches", "lizardman": "lizardmen", "wolf": "wolves",
}  # fmt: skip
"""The creatures whose plural takes more than an s."""
UNCOUNTABLE = re.compile(r"(bread|meat|leather|runed plate|food|fish|gear)$", re.IGNORECASE)
SINGULAR = re.compile(r"^(an [aeiou]|a [^aeiou])", re.IGNORECASE)
WRONG_PLURAL = re.compile(r"(fs|fes|(?<![aeo])ys|chs|shs|xs|ss|[^s])$", re.IGNORECASE)


ALL = [
    (key, name)
    for key in CAMPAIGNS
    for kind in shipped(key).items.values()
    for name in names(shipped(key), kind)
]


def head(phrase: str) -> str:
    """Return the noun that is with_count: "loaves" of "2 loaves of bread"."""
    return phrase.partition(" of ")[0]


@pytest.mark.parametrize("campaign", CAMPAIGNS)
def test_a_sentence_about_an_item_reads_right(campaign: str) -> None:
    for name in (name for key, name in ALL if key == campaign):
        _check_sentence(campaign, name)


def _check_sentence(campaign: str, name: str) -> None:
    text = render_line(LogLine("finds", "you", name))
    phrase = text.removeprefix("You see ").removesuffix(".")
    assert text == f"You see {phrase}."
    assert SINGULAR.match(phrase), f"{campaign}: {text}"
    assert not UNCOUNTABLE.search(head(phrase)), f"{campaign}: {text}"


@pytest.mark.parametrize("campaign", CAMPAIGNS)
def test_several_of_an_item_read_right(campaign: str) -> None:
    for name in (name for key, name in ALL if key == campaign):
        _check_several(campaign, name)


def _check_several(campaign: str, name: str) -> None:
    phrase = with_count(name, 2)
    assert phrase.startswith("2 ")
    assert not UNCOUNTABLE.search(head(phrase).rstrip("s")), f"{campaign}: {phrase}"
    assert not WRONG_PLURAL.search(head(phrase)), f"{campaign}: {phrase}"
    measure = render_line(LogLine("finds", "you", name)).rstrip(".").partition(" of ")[2]
    assert phrase.partition(" of ")[2] == measure, f"{campaign}: {phrase}"


@pytest.mark.parametrize(
    "name", sorted({kind.name for key in CAMPAIGNS for kind in shipped(key).creatures.values()})
)
def test_several_creatures_of_a_kind_read_right(name: str) -> None:
    first, space, last = name.rpartition(" ")
    assert with_count(name, 2) == f"2 {first}{space}{IRREGULAR.get(last, f'{last}s')}"


def test_there_are_items_of_all_four_campaigns() -> None:
    assert {campaign for campaign, _ in ALL} == set(CAMPAIGNS)
    assert len(ALL) > 150
