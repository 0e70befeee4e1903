"""Checks of a campaign's kit, victory and graves."""

import pytest

from gloam_server.content.kit_entry import KitEntry, parse_kit_entry
from gloam_server.content.loader import CampaignError
from support.content.campaigns import arena_with


@pytest.mark.parametrize(
    ("outline", "sentence"),
    [
        ('kit = ["sworf"]', "kit[0] is 'sworf': did you mean sword?"),
        (
            'kit = ["apple", "sword+x"]',
            "kit[1] is 'sword+x': write the key of a thing, and a bonus where it has one",
        ),
        (
            '[victory]\nrule = "slay"\ncreature = "kobolt"',
            "victory.creature is 'kobolt': did you mean kobold?",
        ),
        ('[victory]\nrule = "use"\nitem = "aple"', "victory.item is 'aple': did you mean apple?"),
        ('[victory]\nrule = "escape"\nitem = "apple"\nagain = true', "victory.again is True: write false"),
    ],
)
def test_each_mistake_is_named(outline: str, sentence: str) -> None:
    with pytest.raises(CampaignError) as raised:
        arena_with(outline=outline)
    assert str(raised.value).startswith(f"In campaign.toml, {sentence}")


def test_a_kit_of_more_than_there_are_slots_is_refused() -> None:
    with pytest.raises(CampaignError, match="name at most 10 things"):
        arena_with(outline=f"kit = {['apple'] * 11}")


@pytest.mark.rule("RG.13")
def test_a_kit_names_a_bonus_after_a_plus() -> None:
    assert parse_kit_entry("knife+1") == KitEntry("knife", 1)
    assert parse_kit_entry("ration") == KitEntry("ration", 0)
    assert parse_kit_entry("knife+") is parse_kit_entry("knife+x") is None
