"""Parties: small groups of players who stay together through their lives (rule F93). Membership is by account.

A party has two to `PARTY_MAX` members. One of them leads. If the leader leaves, the member who has been in it longest leads.
A party with one member left is over.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple, assert_never

from msgspec import Struct, field

from gloam_server.world.model.inputs import ChooseInParty, JoinParty, LeadParty, LeaveParty, PartyInput
from gloam_shared.level_numbers import PartitionId
from gloam_shared.limits import PARTY_MAX

PATIENCE_MAX: Final = 2
"""The longest patience that a member can ask for: 0 is the realm's, 1 patient, 2 very patient."""


class Member(Struct):
    """A member of a party: whether they share what they see, and the patience that they ask for, 0 to 2."""

    account: int
    name: str
    shares: bool = True
    patience: int = 0


class Party(Struct):
    """A party. `members` are in the order in which they joined, `places` are the levels that may have its chart."""

    number: int
    leader: int
    members: list[Member]
    partitions: list[PartitionId] = field(default_factory=list, name="places")

    def member(self, account: int) -> Member | None:
        """Return the member with this account; None if there is none."""
        return next((each for each in self.members if each.account == account), None)

    @property
    def patience(self) -> int:
        """The patience of the party: the longest that a member asks for."""
        return max(each.patience for each in self.members)


class Parties(Struct):
    """All parties of a realm. `minted` is the number of parties so far, `number_of` the party of each account."""

    minted: int = 0
    parties: dict[int, Party] = field(default_factory=dict)
    number_of: dict[int, int] = field(default_factory=dict)

    def of(self, account: int) -> Party | None:
        """Return the party of an account; None without one."""
        number = self.number_of.get(account)
        return None if number is None else self.parties[number]

    def together(self, one: int, other: int) -> bool:
        """Return whether two accounts are in the same party."""
        number = self.number_of.get(one)
        return number is not None and number == self.number_of.get(other)

    def shared_by(self, account: int) -> int:
        """Return the number of the party with which a player shares what they see; 0 for none."""
        party = self.of(account)
        member = party.member(account) if party is not None else None
        return party.number if party is not None and member is not None and member.shares else 0

    def numbers_for(self, account: int) -> tuple[int, int]:
        """Return the number of the party with which a player shares, and of their party; 0 for none."""
        return self.shared_by(account), self.number_of.get(account, 0)

    def note_partition(self, account: int, partition: PartitionId) -> None:
        """Note that a level gets the chart of a player's party, if they share."""
        if number := self.shared_by(account):
            partitions = self.parties[number].partitions
            if partition not in partitions:
                partitions.append(partition)


class PartyChange(NamedTuple):
    """The result of an input: the accounts that may share with another party now, and the party that is over."""

    accounts: tuple[int, ...] = ()
    ended: Party | None = None


def change_parties(parties: Parties, input_: PartyInput) -> PartyChange:
    """Carry out an input about parties. One that is no longer possible changes nothing."""
    match input_:
        case JoinParty():
            return _join(parties, input_)
        case LeaveParty(account):
            return _leave(parties, account)
        case LeadParty(account):
            party = parties.of(account)
            if party is not None:
                party.leader = account
            return PartyChange()
        case ChooseInParty():
            return _choose(parties, input_)
        case _:
            assert_never(input_)


def _join(parties: Parties, input_: JoinParty) -> PartyChange:
    account, host = input_.account, input_.host
    party = parties.of(host)
    if account == host or parties.of(account) is not None:
        return PartyChange()
    if party is not None and len(party.members) >= PARTY_MAX:
        return PartyChange()
    came = [account]
    if party is None:
        parties.minted += 1
        party = Party(parties.minted, host, [Member(host, input_.host_name)])
        parties.parties[party.number] = party
        came.append(host)
    party.members.append(Member(account, input_.name))
    parties.number_of.update(dict.fromkeys(came, party.number))
    return PartyChange(tuple(came))


def _leave(parties: Parties, account: int) -> PartyChange:
    party = parties.of(account)
    if party is None:
        return PartyChange()
    party.members = [each for each in party.members if each.account != account]
    del parties.number_of[account]
    if len(party.members) > 1:
        if party.leader == account:
            party.leader = party.members[0].account
        return PartyChange((account,))
    left = [each.account for each in party.members]
    for each in left:
        del parties.number_of[each]
    del parties.parties[party.number]
    return PartyChange((account, *left), party)


def _choose(parties: Parties, input_: ChooseInParty) -> PartyChange:
    party = parties.of(input_.account)
    member = party.member(input_.account) if party is not None else None
    if member is not None:
        member.shares, member.patience = input_.shares, min(max(input_.patience, 0), PATIENCE_MAX)
    return PartyChange((input_.account,))


def companions(parties: Parties, account: int) -> Iterator[Member]:
    """Yield the other members of a player's party."""
    party = parties.of(account)
    if party is not None:
        yield from (each for each in party.members if each.account != account)
