"""Parties as states of the realm: who is in which, who leads, and what each chose (rule F93)."""

import pytest

from gloam_server.world.model.inputs import ChooseInParty, JoinParty, LeadParty, LeaveParty
from gloam_server.world.realm.parties import Parties, change_parties, companions
from gloam_shared.limits import PARTY_MAX


def join(parties: Parties, account: int, host: int) -> None:
    change_parties(parties, JoinParty(account, f"Player{account}", host, f"Player{host}"))


def party_of(*accounts: int) -> Parties:
    """Return parties of which one has these members; the first leads it."""
    parties = Parties()
    for account in accounts[1:]:
        join(parties, account, accounts[0])
    return parties


def members(parties: Parties, account: int) -> list[int]:
    party = parties.of(account)
    return [] if party is None else [each.account for each in party.members]


@pytest.mark.rule("F93")
def test_who_joins_first_makes_the_party() -> None:
    parties = party_of(1, 2, 3)
    party = parties.of(3)
    assert party is not None
    assert (party.leader, members(parties, 2)) == (1, [1, 2, 3])
    assert [each.name for each in companions(parties, 2)] == ["Player1", "Player3"]
    assert parties.together(2, 3)
    assert not parties.together(2, 9)
    assert not parties.together(8, 9)


@pytest.mark.rule("F93")
def test_a_party_has_eight_members() -> None:
    """The ninth stays outside."""
    parties = party_of(*range(1, PARTY_MAX + 2))
    assert members(parties, 1) == list(range(1, PARTY_MAX + 1))
    assert parties.of(PARTY_MAX + 1) is None


@pytest.mark.rule("F93")
def test_a_player_is_in_one_party_at_most() -> None:
    """A member who is asked by another party stays, and no player joins themselves."""
    parties = party_of(1, 2)
    join(parties, 2, 5)
    join(parties, 5, 5)
    assert members(parties, 2) == [1, 2]
    assert parties.of(5) is None


@pytest.mark.rule("F93")
def test_the_oldest_member_follows_a_lost_leader() -> None:
    parties = party_of(1, 2, 3)
    change_parties(parties, LeadParty(3))
    change_parties(parties, LeaveParty(3))
    party = parties.of(1)
    assert party is not None
    assert party.leader == 1
    change_parties(parties, LeaveParty(2))
    assert parties.of(1) is None
    assert not parties.parties
    assert not parties.number_of


@pytest.mark.rule("F93")
def test_the_slowest_decides_the_patience() -> None:
    """U40: each member asks for a patience, and the longest is the party's."""
    parties = party_of(1, 2, 3)
    change_parties(parties, ChooseInParty(2, True, 1))
    change_parties(parties, ChooseInParty(3, False, 7))
    party = parties.of(1)
    assert party is not None
    assert party.patience == 2
    assert [parties.shared_by(account) for account in (1, 2, 3, 4)] == [1, 1, 0, 0]
    change_parties(parties, LeaveParty(3))
    assert party.patience == 1


@pytest.mark.rule("F93")
def test_what_is_no_longer_possible_is_ignored() -> None:
    """Inputs that arrive too late, such as two who leave at the same time, change nothing."""
    parties = Parties()
    for late in (LeaveParty(4), LeadParty(4), ChooseInParty(4, True, 1)):
        change_parties(parties, late)
    assert parties == Parties()
