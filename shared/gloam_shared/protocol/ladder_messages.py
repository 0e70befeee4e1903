"""The messages about the ladder: the lives that ended on a server, ranked. They need the ability "ladder"."""

from typing import Annotated, Final, Literal, TypeAlias, get_args

from msgspec import Meta, Struct

from gloam_shared import limits
from gloam_shared.protocol.message_base import Count, Message, ServerMessage, Text

LadderSpan: TypeAlias = Literal["all", "season", "day", "party"]
"""The lives on a board: all, those that ended in this quarter of the year or on this day (both UTC), or of a party."""
LadderOrder: TypeAlias = Literal["depth", "level", "kills", "victory", "turns"]
"""The rank on a board: by the deepest level, the own level, kills, victories (then few turns), or the most turns."""
SPANS: Final[tuple[LadderSpan, ...]] = get_args(LadderSpan)
ORDERS: Final[tuple[LadderOrder, ...]] = get_args(LadderOrder)

Moment = Annotated[int, Meta(ge=0, le=2**53 - 1)]
"""Seconds since 1970."""
LadderName = Annotated[str, Meta(max_length=64)]


class AskLadder(Message, frozen=True, tag=50):
    """Ask for one board of the ladder. Answered by `Ladder`, or by `Error` "slow".

    `name` is the player whose own rank is wanted, "" for none. `party` are the names for the span "party"; without
    names it is the party of the player who asks. Also possible instead of `Hello`, without a login: the connection is closed after the answer.
    """

    span: LadderSpan = "all"
    order: LadderOrder = "depth"
    name: LadderName = ""
    party: Annotated[tuple[LadderName, ...], Meta(max_length=limits.LADDER_PARTY_MAX)] = ()


class LadderRow(Struct, frozen=True, array_like=True):
    """A life on a board: its rank from 1, its full name, its own level, its deepest level, kills, turns, and victories.

    `by` is the cause of its end: of death, or, if `won`, of the last victory. `at_s` is when it ended, in seconds since
    1970.
    """

    rank: Count
    name: Text
    level: Count
    depth: Count
    kills: Count
    turns: Count
    wins: Count
    won: bool
    by: Text
    at_s: Moment


class Ladder(ServerMessage, frozen=True, tag=104):
    """One board: the best lives, the best first, and the best life of the player who was named, with its rank.

    `lives` is the number of lives on the whole board, `since_s` the beginning of its time in seconds since 1970, 0 for
    all time. Lives compare on equal terms only where the campaign, its `content` and the version of the `rules` are the
    same.
    """

    span: Text
    order: Text
    campaign: Text
    content: Text
    rules: Count
    since_s: Moment = 0
    lives: Count = 0
    rows: tuple[LadderRow, ...] = ()
    own: LadderRow | None = None
