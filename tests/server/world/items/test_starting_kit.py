"""The start kit: every new life has its own (rules F44, RG.13, A64)."""

import pytest

from gloam_server.world.model.creature import Creature
from gloam_server.world.model.events import SentIntoPlay
from gloam_server.world.model.inputs import EnterPlay
from gloam_server.world.realm.realm import Realm, apply_realm
from support.content.campaigns import arena_with

CAMPAIGN = arena_with(outline='kit = ["rock", "sword+1", "tunic", "sword"]')


def begin(realm: Realm, account: int) -> Creature:
    [sent] = apply_realm(realm, CAMPAIGN, EnterPlay(account, f"Player{account}"))
    assert isinstance(sent, SentIntoPlay)
    return sent.body


@pytest.mark.rule("F44")
def test_every_life_begins_with_a_kit_of_its_own() -> None:
    realm = Realm(arrival=5)
    bodies = [begin(realm, account) for account in (1, 2)]
    numbers = [item.number for body in bodies for item in body.carried]
    assert len(set(numbers)) == len(numbers) == 8
    for body in bodies:
        assert [item.kind for item in body.carried] == ["rock", "sword", "tunic", "sword"]
        assert {item.bound for item in body.carried} == {body.number}


@pytest.mark.rule("RG.13")
def test_the_first_of_each_use_is_taken_up_at_once() -> None:
    body = begin(Realm(arrival=5), 1)
    assert body.wielded == body.carried[1].number
    assert body.worn == body.carried[2].number


@pytest.mark.rule("RG.13")
def test_a_bonus_stands_in_the_thing() -> None:
    body = begin(Realm(arrival=5), 1)
    assert [item.bonus for item in body.carried] == [0, 1, 0, 0]
