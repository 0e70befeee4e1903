"""Food for everybody: the supply grows with the players who come, and only once with each (rule F48)."""

import pytest

from gloam_server.content.definitions import Campaign
from gloam_server.world.creature import born
from gloam_server.world.dungeon import Dungeon, found, populate
from gloam_server.world.inputs import Arrive, Enter
from gloam_server.world.numbers import REALM_PLACE
from support.campaigns import shipped


def peopled(campaign: Campaign) -> Dungeon:
    dungeon = found(campaign, 5)
    populate(dungeon)
    return dungeon


def food_on(dungeon: Dungeon, place: int) -> int:
    """Return how much food lies on a level."""
    kinds = dungeon.campaign.items
    return sum(kinds[item.kind].food > 0 for _, item in dungeon.levels[place].lying())


def visit(dungeon: Dungeon, account: int, place: int, number: int) -> None:
    """Let a new body of a player come to a level."""
    body = born(dungeon.campaign.player_kind, number, name=f"Player{account}", account=account)
    dungeon.run(place, Arrive(body, -1, (9, number, 0)))


@pytest.mark.parametrize("name", ["gloam", "jsrogue", "rltut", "ruggrogue"])
def test_f48_everybody_but_the_first_brings_food_to_a_level_once(name: str) -> None:
    dungeon = peopled(shipped(name))
    place = 2
    laid = food_on(dungeon, place)
    visit(dungeon, 1, place, 10_001)
    assert food_on(dungeon, place) == laid, "what lies there is for the first"

    visit(dungeon, 2, place, 10_002)
    more = food_on(dungeon, place) - laid
    assert more > 0
    visit(dungeon, 2, place, 10_003)  # his next life
    visit(dungeon, 1, place, 10_004)
    assert food_on(dungeon, place) == laid + more

    visit(dungeon, 3, place, 10_005)
    assert food_on(dungeon, place) == laid + 2 * more


def test_f48_it_lies_where_nobody_sees_it() -> None:
    dungeon = peopled(shipped("gloam"))
    level = dungeon.levels[1]
    before = {item.number for _, item in level.lying()}
    for account in range(1, 9):
        dungeon.run(REALM_PLACE, Enter(account, f"Player{account}"))
    brought = [(cell, item) for cell, item in level.lying() if item.number not in before]

    assert brought
    assert all(dungeon.campaign.items[item.kind].food > 0 for _, item in brought)
    assert not any(level.sight(player)[cell] for player in level.players() for cell, _ in brought)


def test_f48_a_monster_brings_nothing() -> None:
    dungeon = peopled(shipped("gloam"))
    laid = food_on(dungeon, 2)
    visit(dungeon, 1, 2, 10_001)
    dungeon.run(2, Arrive(born(dungeon.campaign.creatures["rat"], 10_002), -1, (9, 10_002, 0)))

    assert food_on(dungeon, 2) == laid
