"""Things and experience are conserved in random play of the four shipped campaigns by several players (F35, F46)."""

import pytest

from gloam_server.content.shipped import SHIPPED
from support.world.random_campaign import Company

ROUNDS = 180


def look(company: Company) -> None:
    """Raise AssertionError unless each item is in one place, and every creature has the experience of its events."""
    counted = company.things()
    assert set(counted.values()) == {1}
    assert set(counted) == company.known
    for number, experience in company.experienced().items():
        assert experience == company.experience[number], f"creature {number}"


@pytest.mark.thorough
@pytest.mark.rule("F46", "F35")
@pytest.mark.parametrize("key", sorted(SHIPPED))
def test_items_and_experience_change_by_events(key: str) -> None:
    """Items and experience change only by an event that names them."""
    company = Company(key, 1)
    for number in range(ROUNDS):
        company.live()
        if number % 5 == 0:
            look(company)
    look(company)
    assert set(company.kinds_seen) >= {"strikes", "kills", "ExperienceGained", "ItemCreated", "ItemDestroyed"}
