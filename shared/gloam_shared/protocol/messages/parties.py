"""Messages about parties, both ways: invites, membership, and what members know of each other (rule F93)."""

from enum import IntFlag
from typing import Annotated, Final, TypeAlias

from msgspec import Meta, Struct

from gloam_shared.protocol.messages import base

Patience = Annotated[int, Meta(ge=0, le=2)]
"""The time that turns should wait for the members: 0 as long as in the realm, 1 longer, 2 longest."""

LENDS: Final = "lends"
"""The ability of a realm where members of a party may `Give` each other what is bound to their lives."""


class MemberMark(IntFlag):
    """The state of a member, as their party knows it.

    FOUGHT is a member held by a foe, DEAD one whose life is over, ABSENT one whose body is not in the dungeon.
    """

    LEADER = 1
    SHARES = 2
    FOUGHT = 4
    DEAD = 8
    ABSENT = 16
    CUT_OFF = 32
    AWAY = 64


# From the client.


class InviteToParty(base.Message, frozen=True, tag=35):
    """Invite this player to the own party, or to a new one. If that player has invited this one, join their party."""

    name: base.PlayerName


class AnswerInvite(base.Message, frozen=True, tag=36):
    """Accept or decline the invite of the player `name`; "" is the newest one."""

    name: base.PlayerName = ""
    accept: bool = True


class LeaveParty(base.Message, frozen=True, tag=37):
    """Leave the party; with a name the leader sends that member away."""

    name: base.PlayerName = ""


class SetPartyChoices(base.Message, frozen=True, tag=38):
    """Say whether this player shares maps with their party, and which patience they ask for."""

    shares: bool
    patience: Patience


class LeadParty(base.Message, frozen=True, tag=39):
    """The leader lets the member `name` lead; with "" a member leads in place of a leader who is not connected."""

    name: base.PlayerName = ""


PartyRequest: TypeAlias = InviteToParty | AnswerInvite | LeaveParty | SetPartyChoices | LeadParty
"""All messages about parties that a client sends."""


# From the server.


class PartyInvite(base.ServerMessage, frozen=True, tag=95):
    """The player `name` invites this one; the invite is open for `seconds`, and no longer open with 0."""

    name: base.Text
    seconds: base.Count


class PartyMember(Struct, frozen=True, array_like=True):
    """A member of the party.

    `depth` is 0 for a member who is not in the dungeon, `cell` -1 for a member who does not share maps.

    `patience` is what the member asks for, `marks` is a sum of `MemberMark`.
    """

    name: base.Text
    depth: base.Count
    cell: int
    hp: base.Count
    hp_max: base.Count
    level: base.Count
    marks: int
    patience: base.Count = 0


class PartyState(base.ServerMessage, frozen=True, tag=96):
    """The player's party, in the order in which its members joined; without members the player has none.

    It is sent after a login and when it changes. `patience` is the party's: the longest that a member asks for.
    """

    members: tuple[PartyMember, ...] = ()
    patience: base.Count = 0


PartyNews: TypeAlias = PartyInvite | PartyState
"""All messages about parties that a server sends."""
