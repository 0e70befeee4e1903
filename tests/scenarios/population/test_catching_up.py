"""A life that begins beside a friend: their level of the dungeon, a level a few below theirs, a kit of that level."""

import pytest

from gloam_lab.invariants import check_invariants
from gloam_server.rules.growth import least_experience_beyond
from gloam_server.world.items.equipment import total_attack, total_defense
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import Arrive, Beside, EnterPlay, Leave
from gloam_server.world.realm.young_life import YOUNG_ACTIONS
from gloam_server.world.transition.dungeon import Dungeon, new_dungeon, populate
from support.content.campaigns import shipped

GLOAM = shipped("gloam")
DEEP = 6


def body_of(dungeon: Dungeon, account: int) -> Creature:
    life = dungeon.realm.lives[account]
    return dungeon.levels[life.partition].creatures[life.number]


def with_friend_below(level: int = 9) -> tuple[Dungeon, Beside]:
    """Return a realm whose player 1 stands on a deep level, and where a life begins beside them."""
    dungeon = new_dungeon(GLOAM, 5)
    populate(dungeon)
    dungeon.apply_input(REALM_PARTITION, EnterPlay(1, "Ann"))
    dungeon.apply_input(1, Leave(dungeon.realm.lives[1].number))
    life = dungeon.realm.lives[1]
    body = life.kept
    assert body is not None
    body.level, body.experience = level, least_experience_beyond(GLOAM.experience, level - 1)
    life.kept, life.partition = None, DEEP
    dungeon.apply_input(DEEP, Arrive(body, -1, (REALM_PARTITION, dungeon.realm.sequence, 99)))
    return dungeon, Beside(DEEP, body_of(dungeon, 1).cell, level)


def join(dungeon: Dungeon, beside: Beside | None, account: int = 2) -> Creature:
    dungeon.apply_input(REALM_PARTITION, EnterPlay(account, "Bert", beside=beside))
    check_invariants(dungeon.levels[DEEP])
    return body_of(dungeon, account)


@pytest.mark.thorough
@pytest.mark.rule("F92")
@pytest.mark.parametrize(("friend", "level", "choices"), [(9, 6, 3), (4, 1, 0), (2, 1, 0)])
def test_a_new_life_begins_beside_a_friend(friend: int, level: int, choices: int) -> None:
    """It stands next to the friend, three levels below theirs and at least on level 1, unhurt."""
    dungeon, beside = with_friend_below(friend)
    newcomer = join(dungeon, beside)
    assert dungeon.realm.lives[2].partition == DEEP
    assert dungeon.levels[DEEP].grid.distance(newcomer.cell, beside.cell) == 1
    assert newcomer.level == level
    assert newcomer.points == choices, "the player chooses a bent, and cards at levels 3 and 6"
    assert newcomer.hp == newcomer.hp_max


def wields_kit(body: Creature) -> bool:
    return any(item.number == body.wielded and item.kind != "knife" for item in body.carried)


@pytest.mark.thorough
@pytest.mark.rule("F92")
def test_the_kit_fits_the_level() -> None:
    """Weapon and armor for the level are in use, and all of the kit is worth nothing to others."""
    dungeon, beside = with_friend_below(20)
    lives = (join(dungeon, beside, account) for account in range(2, 20))
    newcomer = next(each for each in lives if wields_kit(each))  # a missile stays in the pack
    carried = [item for item in newcomer.slots if item is not None]
    assert all(item.bound == newcomer.number for item in carried)
    used = {item.number: GLOAM.items[item.kind] for item in carried}
    for number in (newcomer.wielded, newcomer.worn):
        kind = used[number]
        assert kind.key not in ("knife", "jerkin")
        assert kind.levels is None or kind.levels[0] <= newcomer.level <= kind.levels[1]


@pytest.mark.rule("F92")
@pytest.mark.parametrize("friend", [1, 6, 12, 20])
def test_no_kit_makes_blows_or_armor_worse(friend: int) -> None:
    """A bow, or a blade below what the starting kit holds, stays in the pack."""
    dungeon, beside = with_friend_below(friend)
    level = dungeon.levels[DEEP]
    for account in range(3, 20):
        newcomer = join(dungeon, beside, account)
        used = total_attack(level, newcomer), total_defense(level, newcomer)
        by_kind = {item.kind: item.number for item in newcomer.carried}
        newcomer.wielded, newcomer.worn = by_kind["knife"], by_kind["jerkin"]
        assert used >= (total_attack(level, newcomer), total_defense(level, newcomer)), account
        assert used[1] >= total_defense(level, newcomer), account


@pytest.mark.rule("F92")
@pytest.mark.parametrize("number", range(3, 9))
def test_a_low_kit_leaves_a_weapon_in_hand(number: int) -> None:
    """A second knife joins the first: the hand does not let go of it."""
    dungeon, beside = with_friend_below(1)
    newcomer = join(dungeon, beside, number)
    assert newcomer.wielded in {item.number for item in newcomer.slots if item is not None}
    assert newcomer.worn in {item.number for item in newcomer.slots if item is not None}


@pytest.mark.rule("F92")
def test_a_young_life_goes_to_a_friend() -> None:
    """A player who has just begun at the entrance may still go to a friend; an older life stays where it is."""
    for actions, partition in ((YOUNG_ACTIONS, DEEP), (YOUNG_ACTIONS + 1, 1)):
        dungeon, beside = with_friend_below()
        newcomer = join(dungeon, None)
        newcomer.actions = actions
        dungeon.apply_input(1, Leave(newcomer.number))
        join(dungeon, beside)
        assert dungeon.realm.lives[2].partition == partition
        assert DEEP in dungeon.realm.lives[2].visited or partition == 1


@pytest.mark.rule("F92")
def test_only_a_life_that_begins_gets_the_kit() -> None:
    """A life from the entrance rises as well, but brings what it has; there a kit would be made on the way."""
    dungeon, beside = with_friend_below()
    newcomer = join(dungeon, None)
    before = sorted(item.number for item in newcomer.carried)
    dungeon.apply_input(1, Leave(newcomer.number))
    join(dungeon, beside)
    assert newcomer.level == 6
    assert sorted(item.number for item in newcomer.carried) == before


@pytest.mark.thorough
@pytest.mark.rule("F92")
@pytest.mark.parametrize("start", ["entrance", "beside"])
def test_a_life_goes_to_a_friend_once(start: str) -> None:
    """By inputs alone, as a server without a check at its door would send them: no second way, no second kit."""
    dungeon, beside = with_friend_below(4)
    newcomer = join(dungeon, beside if start == "beside" else None)
    if start == "entrance":
        dungeon.apply_input(1, Leave(newcomer.number))
        join(dungeon, beside)
    before, experience = sorted(item.number for item in newcomer.carried), newcomer.experience
    for _ in range(30):
        dungeon.apply_input(DEEP, Leave(newcomer.number))
        join(dungeon, Beside(1, -1, 20))

    assert newcomer.joined is True
    assert body_of(dungeon, 2) is newcomer
    assert newcomer.number in dungeon.levels[DEEP].creatures
    assert (newcomer.level, newcomer.experience) == (1, experience)
    assert sorted(item.number for item in newcomer.carried) == before


@pytest.mark.rule("F92")
def test_an_arrival_does_not_catch_up_twice() -> None:
    """The level itself refuses, too: an `Arrive` with a level to rise to gives a body that has risen nothing."""
    dungeon, beside = with_friend_below()
    newcomer = join(dungeon, beside)
    before = sorted(item.number for item in newcomer.carried)
    dungeon.apply_input(DEEP, Leave(newcomer.number))
    dungeon.apply_input(
        DEEP, Arrive(newcomer, -1, (REALM_PARTITION, dungeon.realm.sequence, 99), catches_up=20)
    )
    assert newcomer.level == 6
    assert sorted(item.number for item in newcomer.carried) == before


@pytest.mark.rule("F92")
def test_the_same_input_leads_to_the_same_state() -> None:
    once, again = (with_friend_below() for _ in range(2))
    for dungeon, beside in (once, again):
        join(dungeon, beside)
    assert once[0].state_hash() == again[0].state_hash()


@pytest.mark.rule("F92")
def test_a_closed_level_lets_no_one_catch_up() -> None:
    """A player who asks for a place on a closed level begins at the entrance, like all others."""
    dungeon, beside = with_friend_below()
    dungeon.closed.add(DEEP)
    newcomer = join(dungeon, beside)
    assert dungeon.realm.lives[2].partition == 1
    assert newcomer.level == 1
