"""The greeting: a campaign's own words and formula reach the client before its player does anything."""

from functools import cache

import pytest

from gloam_shared.messages import Welcome
from support.campaigns import shipped
from support.realm import SimServer


@cache
def welcome(campaign: str) -> Welcome:
    """Return how the server of a shipped campaign greets."""
    [told] = SimServer(shipped(campaign), 1).join("Anna").of_kind(Welcome)
    assert isinstance(told, Welcome)
    return told


@pytest.mark.parametrize("campaign", ["jsrogue", "gloam"])
def test_j14_9_what_a_level_brings_is_offered_by_letters_as_stats(campaign: str) -> None:
    told = welcome(campaign)
    assert (told.choosing, told.marks) == ("Choose a stat to increase", "letters")


def test_t14_9_what_a_level_brings_is_offered_by_digits_as_a_bonus() -> None:
    told = welcome("rltut")
    assert (told.choosing, told.marks) == ("Choose a level up bonus", "digits")
