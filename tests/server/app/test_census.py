"""The census of a campaign: what new realms hold, what no realm can hold, and what is rare."""

import pytest
from msgspec import structs

from gloam_server.app.census import Census, count_late, find_rare, find_unreachable, take_census
from gloam_server.content.campaign import Campaign
from gloam_server.content.loader import load
from gloam_server.content.shipped import SHIPPED
from support.content.campaigns import arena_files, shipped

SEEDS = range(1, 4)


def peopled(*changes: tuple[bytes, bytes]) -> Campaign:
    """Return the arena with a large population, and with these changes of its creatures."""
    files = arena_files(monsters=60)
    for old, new in changes:
        assert old in files["creatures.toml"]
        files["creatures.toml"] = files["creatures.toml"].replace(old, new, 1)
    return load(files)


def named(campaign: Campaign, seeds: range = SEEDS) -> list[str]:
    """Return what a census of the campaign finds out of reach, by the first three words of each sentence."""
    return [" ".join(each.split()[:3]) for each in find_unreachable(campaign, take_census(campaign, seeds))]


NO_BAT = (b'name = "bat"', b'name = "bat"\nspawns = false')


def test_what_does_not_spawn_is_named() -> None:
    """A kind that neither spawns nor is called never appears."""
    assert "The creature bat" not in named(peopled())
    assert "The creature bat" in named(peopled(NO_BAT))


def test_what_is_called_comes() -> None:
    """A kind that does not spawn appears if a kind that spawns calls it."""
    caller = (b'name = "kobold"', b'name = "kobold"\ncalls = "bat"\ncalls_percent = 5')
    assert "The creature bat" not in named(peopled(NO_BAT, caller))


def test_levels_beyond_the_tracker_are_reported() -> None:
    """An item for levels that no depth reaches is named with the greatest difficulty."""
    census = Census(realms=7, highest=12)
    [line] = [each for each in find_unreachable(shipped("gloam"), census) if "item star_sword" in each]
    assert line == (
        "The item star_sword never comes: it begins at level 21, and no depth of 7 realms is harder than level 12; "
        "lower its levels."
    )


def test_trophies_come_by_the_dead_with_a_name() -> None:
    """A trophy that only the named leave needs no level; without names it never appears."""
    campaign = shipped("gloam")
    nameless = structs.replace(campaign, named=structs.replace(campaign.named, max=0))
    lines = [
        {each.split()[2] for each in find_unreachable(each, Census(realms=7, highest=12))}
        for each in (campaign, nameless)
    ]
    assert set(campaign.named.trophies) & lines[1]
    assert not set(campaign.named.trophies) & lines[0]


@pytest.mark.thorough
def test_each_trophy_and_trait_of_gloam_comes() -> None:
    """Trophies count where a creature of their people or trait is, and traits where one learns them: none is rare."""
    campaign = shipped("gloam")
    census = take_census(campaign, range(1, 13))
    assert find_unreachable(campaign, census) == []
    assert {key for key in campaign.trophies if not census.items[key]} == set()
    assert [line for line in find_rare(census) if "trait" in line] == []


def test_the_companion_of_a_kit_comes_with_it() -> None:
    campaign = shipped("gloam")
    line = "The creature old_wolf never comes"
    census = take_census(campaign, [1])
    assert not any(told.startswith(line) for told in find_unreachable(campaign, census))
    alone = structs.replace(campaign, kits=())
    assert any(told.startswith(line) for told in find_unreachable(alone, census))


def test_what_no_creature_learns_is_named() -> None:
    campaign = shipped("gloam")
    deaf = {key: structs.replace(kind, learns=()) for key, kind in campaign.creatures.items()}
    campaign = structs.replace(campaign, creatures=deaf)
    told = find_unreachable(campaign, take_census(campaign, [1]))
    assert any(line.startswith("The trait scent never comes: no creature") for line in told)
    assert any(line.startswith("The item ember_heart never comes") for line in told)


@pytest.mark.thorough
def test_a_spell_that_nothing_uses_is_named() -> None:
    """A spell is reachable by creatures, items, traps and shrines that appear."""
    campaign = shipped("rltut")
    assert named(campaign) == []
    bare = take_census(campaign, SEEDS)
    bare.items.clear()
    assert any(each.startswith("The spell ") for each in find_unreachable(campaign, bare))


def test_rare_kinds_are_reported() -> None:
    """Fewer than 5 of 100 realms is rare; a kind that never appears is not rare but unreachable."""
    census = Census(realms=100)
    census.creatures.update(rat=100, dragon=4, troll=5)
    assert find_rare(census) == [
        "The creature dragon is in 4 of 100 realms only: raise its weight or widen its levels."
    ]


@pytest.mark.thorough
@pytest.mark.parametrize("name", [name for name in SHIPPED if name != "gloam"])
def test_all_of_a_classic_comes(name: str) -> None:
    """No shipped campaign holds anything that never appears."""
    assert named(shipped(name), range(1, 16)) == []


@pytest.mark.thorough
def test_the_second_half_differs_in_kind() -> None:
    """Below the middle of the flagship most realms show places, rooms, devices and behaviors for the first time."""
    late = count_late(take_census(shipped("gloam"), range(1, 13)))
    assert late["kind of level"] >= 5
    assert late["drawn room"] >= 20
    assert late["device"] >= 8
    assert late["behavior"] >= 10


def test_one_level_shows_nothing_late() -> None:
    """Things that the first half shows, too, do not count: two levels of one kind differ in nothing but their creatures."""
    late = count_late(take_census(peopled(), SEEDS))
    assert late == {"kind of level": 0, "drawn room": 0, "device": 0, "behavior": 0}
