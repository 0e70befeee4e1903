"""The requests of players about parties: to invite, join, leave, lead and choose.

The realm's inputs carry them out (rule F93).
"""

from collections.abc import Callable
from typing import Final

from msgspec import UNSET

from gloam_server.engine.engine import Engine
from gloam_server.engine.messages import Say
from gloam_server.engine.player import Player
from gloam_server.gateway.parties.open_invites import OpenInvites
from gloam_server.world.combat.party.shared_fight import beyond_party
from gloam_server.world.model import inputs
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.realm.parties import Parties, Party, companions
from gloam_server.world.realm.realm import parties_of
from gloam_shared import limits
from gloam_shared.protocol.messages.chat import ChatLine
from gloam_shared.protocol.messages.login import Error
from gloam_shared.protocol.messages.parties import (
    AnswerInvite,
    InviteToParty,
    LeadParty,
    LeaveParty,
    PartyInvite,
    PartyRequest,
    SetPartyChoices,
)
from gloam_shared.protocol.registry import FromServer
from gloam_shared.text import fold

_FULL: Final = f"A party has at most {limits.PARTY_MAX} members; one has to leave first."
_IN_ONE: Final = "You are in a party; leave it first."
_IN_NONE: Final = "You are in no party; invite a player to make one."
_NO_INVITE: Final = "No one has invited you; an invite is open for 5 minutes."
_NOT_LEADER: Final = "Only the leader of the party can do that; ask them."
_ABILITY: Final = "parties"


class PartyRequests:
    """Carries out what players ask about parties; what cannot be is answered with `Error` "party"."""

    def __init__(self, engine: Engine) -> None:
        self._dungeon = engine.dungeon
        self._players = engine.players
        self._loop = engine.loop
        self._clock = engine.clock
        self._views = engine.views
        self._invites = OpenInvites()

    def hear(self, player: Player, request: PartyRequest) -> None:
        """Carry out one request of a player."""
        match request:
            case InviteToParty(name):
                refusal = self._invite(player, name)
            case AnswerInvite(name, accept):
                refusal = self._answer(player, name, accept=accept)
            case LeaveParty(name):
                refusal = self._leave(player, name)
            case SetPartyChoices(shares, patience):
                refusal = self._choose(player, shares=shares, patience=patience)
            case LeadParty(name):
                refusal = self._lead(player, name)
        if refusal:
            self._send(player, Error("party", refusal))

    def mend(self, player: Player) -> None:
        """Let the body of a player who logs in share as the realm has it: its level may have missed a change (a fault)."""
        in_play = self._players.in_dungeon(player.account)
        parties = self._dungeon.realm.parties
        if in_play is None or not isinstance(parties, Parties):
            return
        party = parties.of(player.account)
        member = party.member(player.account) if party is not None else None
        if in_play[2].party != (parties.shared_by(player.account) or UNSET):
            shares, patience = (member.shares, member.patience) if member is not None else (False, 0)
            self._submit(inputs.ChooseInParty(player.account, shares, patience))

    def together(self, one: int, other: int) -> bool:
        """Return whether two accounts are in the same party."""
        return parties_of(self._dungeon.realm).together(one, other)

    def names(self, player: Player) -> tuple[str, ...]:
        """Return the names of the members of a player's party; of the player alone without one."""
        party = self._party(player.account)
        return tuple(member.name for member in party.members) if party is not None else (player.name,)

    def expel(self, account: int) -> None:
        """Take an account out of its party and close its invites: its host has banned it."""
        party = self._party(account)
        for guest in self._invites.close_from(account):
            self._close(guest, account)
        if party is not None:
            self._submit(inputs.LeaveParty(account), lambda: self._announce_leaving(party, account))

    def end_of_blocked(self, player: Player, account: int) -> None:
        """Close the invite of an account that a player blocks."""
        if account in self._invites.from_hosts(player.account, self._clock.now_ms()):
            self._invites.accept(account, player.account)
            self._close(player.account, account)

    def _party(self, account: int) -> Party | None:
        return parties_of(self._dungeon.realm).of(account)

    def _invite(self, host: Player, name: str) -> str:
        guest = self._connected(name)
        if guest is host:
            return "You cannot invite yourself; name another player."
        if guest is None or guest.audience.blocks(host.account):  # A67: the same words for both
            return "That player is not here; wait until they come."
        party, other = self._party(host.account), self._party(guest.account)
        if other is not None:
            same = party is not None and party.number == other.number
            return f"{guest.name} is in {'your' if same else 'a'} party already; invite another player."
        if party is not None and len(party.members) >= limits.PARTY_MAX:
            return _FULL
        now_ms = self._clock.now_ms()
        if party is None and guest.account in self._invites.from_hosts(host.account, now_ms):
            return self._join(host, guest)
        if not _knows_parties(guest):
            return f"{guest.name}'s client is older and knows no parties; they can upgrade it."
        refusal = self._invites.invite(host.account, guest.account, guest.name, now_ms)
        if not refusal:
            self._send(guest, PartyInvite(host.name, limits.PARTY_INVITE_S))
            self._tell(host, f"You invite {guest.name} to your party.")
        return refusal

    def _answer(self, guest: Player, name: str, *, accept: bool) -> str:
        hosts = [
            host
            for account in self._invites.from_hosts(guest.account, self._clock.now_ms())
            if (host := self._players.by_account(account)) is not None
        ]
        if name:
            hosts = [host for host in hosts if fold(host.name) == fold(name)]
        if not hosts:
            return f"{name} has not invited you; invite them yourself." if name else _NO_INVITE
        host = hosts[-1]
        if accept:
            return self._join(guest, host)
        self._invites.decline(host.account, guest.account, self._clock.now_ms())
        self._close(guest.account, host.account)
        self._tell(host, f"{guest.name} does not join your party.")
        return ""

    def _join(self, guest: Player, host: Player) -> str:
        """Let a player join the party of another who has invited them."""
        party = self._party(host.account)
        if self._party(guest.account) is not None:
            return _IN_ONE
        if party is not None and len(party.members) >= limits.PARTY_MAX:
            return _FULL
        self._invites.accept(host.account, guest.account)
        self._close(guest.account, host.account)
        joins = inputs.JoinParty(guest.account, guest.name, host.account, host.name)
        self._submit(joins, lambda: self._announce_joining(guest, host))
        return ""

    def _announce_joining(self, guest: Player, host: Player) -> None:
        """Tell all members who has joined, or the guest that another was faster."""
        if not self.together(guest.account, host.account):
            self._send(guest, Error("party", _FULL))
            return
        self._tell(
            guest, f"You join the party of {host.name}. Its members share maps, unless they choose not to."
        )
        self._tell_others(guest.account, f"{guest.name} joins the party.")
        self._tell_of_crowd(guest)

    def _tell_of_crowd(self, newest: Player) -> None:
        """Tell all members how much more foes withstand, if the party has become a crowd (rule F190)."""
        party, percent = self._party(newest.account), self._dungeon.campaign.friends.crowd_percent
        if party is None or not (beyond := beyond_party(len(party.members))) or not percent:
            return
        words = f"Where all {len(party.members)} of the party are on a level, foes withstand {percent * beyond} % more."
        self._tell(newest, words)
        self._tell_others(newest.account, words)

    def _leave(self, player: Player, name: str) -> str:
        party = self._party(player.account)
        if party is None:
            return _IN_NONE
        leaver = player.account
        if name:
            member = next((each for each in party.members if fold(each.name) == fold(name)), None)
            if member is None:
                return f"{name} is not in your party; name one of its members."
            if party.leader != player.account and member.account != player.account:
                return _NOT_LEADER
            leaver = member.account
        self._submit(inputs.LeaveParty(leaver), lambda: self._announce_leaving(party, leaver))
        return ""

    def _announce_leaving(self, party: Party, leaver: int) -> None:
        """Tell a former member and all others who has left; a party of one is over."""
        gone, left = (
            self._players.by_account(leaver),
            [each for each in party.members if each.account != leaver],
        )
        if gone is not None:
            self._tell(gone, "You are no longer in the party.")
        for member in left:
            player = self._players.by_account(member.account)
            if player is not None and gone is not None:
                over = " The party is over." if len(left) == 1 else ""
                self._tell(player, f"{gone.name} is no longer in the party.{over}")

    def _choose(self, player: Player, *, shares: bool, patience: int) -> str:
        if self._party(player.account) is None:
            return _IN_NONE
        self._submit(inputs.ChooseInParty(player.account, shares, patience))
        return ""

    def _lead(self, player: Player, name: str) -> str:
        """Hand the lead over, or take it from a leader who is not connected."""
        party = self._party(player.account)
        if party is None:
            return _IN_NONE
        if name:
            member = next((each for each in party.members if fold(each.name) == fold(name)), None)
            if member is None:
                return f"{name} is not in your party; name one of its members."
            if party.leader != player.account:
                return _NOT_LEADER
        else:
            leader = self._players.by_account(party.leader)
            if leader is not None and leader.connection:
                return f"{leader.name} leads the party; ask them."
            member = party.member(player.account)
        assert member is not None
        leads = member
        self._submit(
            inputs.LeadParty(leads.account), lambda: self._announce_leader(leads.account, leads.name)
        )
        return ""

    def _announce_leader(self, account: int, name: str) -> None:
        leader = self._players.by_account(account)
        if leader is not None:
            self._tell(leader, "You lead the party.")
        self._tell_others(account, f"{name} leads the party.")

    def _tell_others(self, account: int, words: str) -> None:
        for member in companions(parties_of(self._dungeon.realm), account):
            player = self._players.by_account(member.account)
            if player is not None:
                self._tell(player, words)

    def _close(self, guest: int, host: int) -> None:
        """Let a client know that an invite is no longer open."""
        invited, inviting = self._players.by_account(guest), self._players.by_account(host)
        if invited is not None and inviting is not None and _knows_parties(invited):
            self._send(invited, PartyInvite(inviting.name, 0))

    def _tell(self, player: Player, words: str) -> None:
        self._send(player, ChatLine("", words))

    def _send(self, player: Player, message: FromServer) -> None:
        self._views.take(Say(player.connection, message))

    def _connected(self, name: str) -> Player | None:
        return next((each for each in self._players.connected() if fold(each.name) == fold(name)), None)

    def _submit(self, input_: inputs.PartyInput, after: Callable[[], None] | None = None) -> None:
        self._loop.submit(REALM_PARTITION, input_, after)


def _knows_parties(player: Player) -> bool:
    return _ABILITY in player.abilities
