"""Messages about what is remembered: maps, the chronicle, the past of a monster, the ladder."""

from typing import Annotated, Final, Literal, TypeAlias, get_args

from msgspec import Meta, Struct

from gloam_shared import limits
from gloam_shared.protocol.messages.base import Count, Message, Number, ServerMessage, Text

LadderSpan: TypeAlias = Literal["all", "season", "day", "party"]
"""The lives on a board: all, those that ended in this quarter of the year or on this day (both UTC), or of a party."""

LadderOrder: TypeAlias = Literal["depth", "level", "kills", "victory", "turns", "beacons"]
"""The rank on a board: by the deepest level, the own level, kills, victories (then few turns), the most turns, or lit beacons.

"beacons" is asked only with the ability "beacons".
"""

SPANS: Final[tuple[LadderSpan, ...]] = get_args(LadderSpan)

ORDERS: Final[tuple[LadderOrder, ...]] = get_args(LadderOrder)

Moment = Annotated[int, Meta(ge=0, le=2**53 - 1)]
"""Seconds since 1970."""

LadderName = Annotated[str, Meta(max_length=64)]


# From the client.


class AskMapMemory(Message, frozen=True, tag=8):
    """Ask what the player remembers of the level at `depth`. Answered by `MapMemory`."""

    depth: Annotated[int, Meta(ge=1, le=1_000)]


class AskChronicle(Message, frozen=True, tag=17):
    """Ask for the chronicle of the realm. Answered by `Chronicle`. Sent only with the ability "chronicle"."""


class AskHistory(Message, frozen=True, tag=18):
    """Ask for the history of the monster with this handle. Answered by `History`. Sent only with the ability "history"."""

    handle: Number


class AskLadder(Message, frozen=True, tag=50):
    """Ask for one board of the ladder. Answered by `Ladder`, or by `Error` "slow".

    `name` is the player whose own rank is wanted, "" for none. `party` are the names for the span "party"; without
    names it is the party of the player who asks. Also possible instead of `Hello`, without a login: the connection is closed after the answer.
    """

    span: LadderSpan = "all"
    order: LadderOrder = "depth"
    name: LadderName = ""
    party: Annotated[tuple[LadderName, ...], Meta(max_length=limits.LADDER_PARTY_MAX)] = ()


class AskNews(Message, frozen=True, tag=62):
    """Instead of `Hello`, without a login: ask for the news of the last week. Answered by `News`, or by `Error` "slow"."""


# From the server.


class MapMemory(ServerMessage, frozen=True, tag=71):
    """Remembered terrain of a level: packed as in `run_length`, with values, relative to an unknown level."""

    depth: Count
    width: Count
    height: Count
    packed: bytes


class PastLife(Struct, frozen=True, array_like=True):
    """A life that is over: its full name, whether it won, the cause of its end, its deepest level, its own level, its turns."""

    name: Text
    won: bool
    by: Text
    depth: Count
    level: Count
    turns: Count


class Wanted(Struct, frozen=True, array_like=True):
    """A living creature with a name, and where it was seen last, or the way into the deeper level that the news told since."""

    name: Text
    depth: Count
    cell: Count


class Chronicle(ServerMessage, frozen=True, tag=80):
    """The chronicle of the realm: the greatest lives that are over, the best first.

    In sentences: the living creatures with a name, the greatest first, and the newest events, the newest last. `wanted`
    are the named creatures that players have seen, in the same order.
    """

    lives: tuple[PastLife, ...] = ()
    named: tuple[Text, ...] = ()
    events: tuple[Text, ...] = ()
    wanted: tuple[Wanted, ...] = ()


class History(ServerMessage, frozen=True, tag=81):
    """The past of a monster in sight: `level` is 0 for a creature that is no monster.

    It appeared at level `born_level` on level `born_depth`, in turn `born_turn` there: 0 with that level, -1 unknown. It
    killed `kills` creatures, `victim_count` of them players; `victims` are the newest of these. `learned` are traits,
    `powers` sentences about what it resists and deals.
    """

    handle: Number
    level: Count = 0
    born_level: Count = 0
    born_depth: Count = 0
    born_turn: int = -1
    kills: Count = 0
    victims: tuple[Text, ...] = ()
    victim_count: Count = 0
    learned: tuple[Text, ...] = ()
    powers: tuple[Text, ...] = ()


class LadderRow(Struct, frozen=True, array_like=True):
    """A life on a board: its rank from 1, its full name, its own level, its deepest level, kills, turns, and victories.

    `by` is the cause of its end: of death, or, if `won`, of the last victory. `at_s` is when it ended, in seconds since
    1970. `beacons` counts the beacons that it lit. `dungeon` is where it was lived, on a board of several dungeons.
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
    beacons: Count = 0
    dungeon: Text = ""


class Ladder(ServerMessage, frozen=True, tag=104):
    """One board: the best lives, the best first, and the best life of the player who was named, with its rank.

    `lives` is the number of lives on the whole board, `since_s` the beginning of its time in seconds since 1970, 0 for
    all time. Lives compare on equal terms only where the campaign, its `content` and the version of the `rules` are the
    same. `dungeons` names the dungeons of the host whose lives are compared, all with this campaign; none if it is this one alone.
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
    dungeons: tuple[Text, ...] = ()


class NewsItem(Struct, frozen=True, array_like=True):
    """One event: its kind for programs, and a sentence.

    The kinds are "won", "death", "depth" (no player was as deep before), "rose", "fell", "revenge" (a player avenged
    others) and "forgotten" (a name).
    """

    kind: Text
    text: Text


class News(ServerMessage, frozen=True, tag=112):
    """The events of the last week that the chronicle still has, the newest last.

    `since_s` is the beginning of the week in seconds since 1970. Only deaths have a time: events between a death before
    that and the first one after it count as new.
    """

    campaign: Text
    since_s: Moment = 0
    items: tuple[NewsItem, ...] = ()


Question: TypeAlias = AskMapMemory | AskChronicle | AskHistory
"""The messages of a player that are answered from the dungeon, and change nothing."""
RecordsFromClient: TypeAlias = Question | AskLadder | AskNews
RecordsFromServer: TypeAlias = MapMemory | Chronicle | History | Ladder | News
