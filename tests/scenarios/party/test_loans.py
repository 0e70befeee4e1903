"""Loans: what is bound to a life in the hands of a friend of the party, until they part (rule F131)."""

import pytest
from msgspec.structs import replace

from gloam_server.content.campaign_schema import FriendRules
from gloam_server.world import actions
from gloam_server.world.model.inputs import Leave, LevelInput, Remove, ShareMaps
from gloam_server.world.model.outcome import Impossible
from gloam_shared.protocol.commands import Climb, Drop, Give
from support.content.campaigns import arena
from support.scenarios.scenario import Scenario

RULES = FriendRules(lends=True)


def lent(drawing: str = "#12.m#", m: str = "ogre") -> Scenario:
    """Return a level on which player 1 has lent player 2, of the same party, a sword, which that one wields."""
    scene = Scenario(drawing, campaign=replace(arena(), friends=RULES), m=m)
    for name in ("1", "2"):
        scene.apply(ShareMaps(scene[name].number, 0, (0, int(name), 0), member=1))
    sword = scene.give("1", "sword")[0]
    sword.bound = scene["1"].number
    scene.turn(("1", Give(0, handle(scene, "2"))))
    assert (scene.names("1"), scene.names("2")) == ([], ["a sword"])
    scene.wield("2", sword.number)
    return scene


def handle(scene: Scenario, name: str) -> int:
    return scene.level.handles[scene[name].number]


@pytest.mark.rule("F131")
def test_a_bound_item_is_lent_only_in_the_party() -> None:
    scene = Scenario("#12#", campaign=replace(arena(), friends=RULES))
    scene.give("1", "sword")[0].bound = scene["1"].number
    outcome = actions.plan(scene.level, scene["1"], Give(0, handle(scene, "2")))
    assert isinstance(outcome, Impossible)
    assert outcome.reason == "bound"


@pytest.mark.rule("F131")
def test_a_loan_goes_back_by_hand_and_to_no_third() -> None:
    scene = lent("#123#")
    scene.apply(ShareMaps(scene["3"].number, 0, (0, 3, 0), member=1))
    assert isinstance(actions.plan(scene.level, scene["2"], Give(0, handle(scene, "3"))), Impossible)
    scene.turn(("2", Give(0, handle(scene, "1"))))
    assert (scene.names("1"), scene.names("2"), scene["2"].wielded) == (["a sword"], [], 0)


@pytest.mark.rule("F131")
@pytest.mark.parametrize("who", ["1", "2"])
@pytest.mark.parametrize("how", ["leave", "ban", "party"])
def test_a_loan_returns_when_they_part(who: str, how: str) -> None:
    scene = lent()
    number = scene[who].number
    parting: dict[str, LevelInput] = {
        "leave": Leave(number),
        "ban": Remove(number, "banned", (0, 9, 0)),
        "party": ShareMaps(number, 0, (0, 9, 0)),
    }
    scene.apply(parting[how])
    assert (scene.names("1"), scene.names("2"), scene["2"].wielded) == (["a sword"], [], 0)


@pytest.mark.rule("F131")
def test_a_loan_does_not_take_the_stairs() -> None:
    scene = lent("#1>#".replace("1>", "12") + "\n#.>#")
    scene.level.move(scene["2"], scene.grid.width + 2)
    scene.turn(("2", Climb(down=True)))
    assert (scene.names("1"), scene.names("2")) == (["a sword"], [])


@pytest.mark.rule("F131")
@pytest.mark.parametrize("who", ["1", "2"])
def test_a_death_ends_a_loan(who: str) -> None:
    """The borrower's death gives it back; with its owner's death it is gone, as everything bound to that life."""
    scene = lent("#m12#" if who == "1" else "#12m#")
    scene.set_health(who, hp=1)
    scene.hunt("m", who)
    other = "2" if who == "1" else "1"
    for _ in range(9):
        if scene.alive(who):
            scene.turn((who, None))
    assert not scene.alive(who)
    left = [item.name for _, item in scene.level.items_at() if item.name == "sword"]
    assert (scene.names(other), left) == ((["a sword"] if who == "2" else []), [])


@pytest.mark.rule("F131")
def test_a_full_pack_drops_what_returns() -> None:
    scene = lent()
    scene.give("1", *["rock"] * 10)
    scene.apply(Leave(scene["2"].number))
    assert [item.name for item in scene.level.piles[scene["1"].cell]] == ["sword"]


@pytest.mark.rule("F131")
def test_a_loan_shares_no_slot_with_own_items() -> None:
    campaign = replace(arena(), friends=RULES, stack=9)
    scene = Scenario("#12#", campaign=campaign)
    for name in ("1", "2"):
        scene.apply(ShareMaps(scene[name].number, 0, (0, int(name), 0), member=1))
        scene.give(name, "apple")[0].bound = scene[name].number
    scene.turn(("1", Give(0, handle(scene, "2"))))
    assert scene.names("2") == ["a apple", "b apple"]
    scene.turn(("2", Drop(1)))
    assert scene.names("2") == ["a apple"]
