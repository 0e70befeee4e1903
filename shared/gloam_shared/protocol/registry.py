"""All messages, both ways: the closed unions, and for each message when it may be sent and which limit it has.

A new message is a class in its module of `messages`, a member of a union, and a row of a table here. Its answer stands in
its row; the tests of all messages take their examples from these tables.
"""

from types import MappingProxyType
from typing import Final, Literal, NamedTuple, TypeAlias

from gloam_shared.protocol.commands import NEEDS_ABILITY
from gloam_shared.protocol.messages import chat, lives, login, parties, play, records, watching
from gloam_shared.protocol.messages.dungeons import AskDungeons, Dungeons
from gloam_shared.protocol.messages.replays import AskReplay, ReplayPart
from gloam_shared.protocol.messages.trade import TradeState

PROTOCOL_VERSION: Final = 2
"""The newest version that this package speaks."""
PROTOCOL_OLDEST: Final = 2
"""The oldest version that it still speaks."""
_OWN = ("references", "party", "chronicle", "history", "beside", "watch", "channels", "ladder", "recap", "parties", lives.BESIDE_CHOICE, "kits")  # fmt: skip
ABILITIES: Final = (
    *_OWN,
    *dict.fromkeys(NEEDS_ABILITY.values()),
    chat.HEAL_PING,
    parties.LENDS,
    watching.GUEST_WATCH,
    play.SURFACES,
    watching.GUEST_BANS,
    watching.WATCH_CHOICE,
    lives.BEACONS,
    play.PACKED_MOVES,
)
"""The abilities that this package knows: features that a connection uses if both sides have them.

New ones are last: older servers read the first of a greeting alone."""

FromClient: TypeAlias = (
    login.LoginFromClient | play.PlayFromClient | chat.ChatFromClient | lives.LivesFromClient | records.RecordsFromClient | parties.PartyRequest | watching.WatchFromClient
    | AskReplay | AskDungeons
)  # fmt: skip
FromServer: TypeAlias = (
    login.LoginFromServer | play.PlayFromServer | chat.ChatFromServer | lives.LivesFromServer | records.RecordsFromServer | parties.PartyNews | watching.WatchFromServer
    | TradeState | ReplayPart | Dungeons
)  # fmt: skip

Phase: TypeAlias = Literal["greeting", "lobby", "playing", "watching", "fetching", "closed"]
"""The phases of a connection, as the server's session has them."""
RequestLimit: TypeAlias = Literal["lists", "boards", "parties", "lives", "maps", "histories", "chronicles"]
"""The limits of one connection on what a client asks, besides the limit on all its messages."""


class ClientRow(NamedTuple):
    """The phases in which a client may send a message, its answer, and its own limit besides the limit on all messages."""

    phases: frozenset[str]
    answer: type[FromServer] | None = None
    limit: RequestLimit | None = None


def _in(
    *phases: Phase, answer: type[FromServer] | None = None, limit: RequestLimit | None = None
) -> ClientRow:
    return ClientRow(frozenset(phases), answer, limit)


CLIENT_MESSAGES: Final = MappingProxyType[type[FromClient], ClientRow](
    {
        login.Hello: _in("greeting", answer=login.Welcome),
        login.AskStatus: _in("greeting", answer=login.Status),
        login.Login: _in("lobby", answer=login.Joined),
        play.SubmitCommand: _in("playing", answer=play.Answer),
        play.Acknowledge: _in("playing", "watching"),
        chat.SendChat: _in("playing", answer=chat.ChatLine),
        play.Thinking: _in("playing"),
        records.AskMapMemory: _in("playing", answer=records.MapMemory, limit="maps"),
        play.Refresh: _in("playing", "watching"),
        lives.NewLife: _in("playing", limit="lives"),
        play.HeartbeatReply: _in("playing", "watching"),
        login.Goodbye: _in("playing", "watching", answer=login.Bye),
        play.Away: _in("playing"),
        login.SetPassword: _in("playing", answer=login.PasswordStatus),
        login.Resume: _in("lobby", answer=login.Joined),
        chat.MapPing: _in("playing", answer=chat.MapPinged),
        records.AskChronicle: _in("playing", answer=records.Chronicle, limit="chronicles"),
        records.AskHistory: _in("playing", answer=records.History, limit="histories"),
        lives.JoinFriend: _in("playing", limit="lives"),
        lives.SetBeside: _in("playing"),
        watching.WatchLogin: _in("lobby", answer=watching.Watchable),
        watching.AskWatchable: _in("watching", answer=watching.Watchable, limit="lists"),
        watching.Watch: _in("watching", answer=watching.Watching, limit="lists"),
        watching.SetWatchable: _in("playing"),
        watching.EndWatching: _in("playing"),
        watching.CountGuests: _in("watching", limit="lists"),
        chat.Speak: _in("playing", answer=chat.Spoken),
        chat.Ignore: _in("playing", answer=chat.Ignored, limit="lists"),
        chat.Report: _in("playing", limit="lists"),
        records.AskLadder: _in("greeting", "playing", "watching", answer=records.Ladder, limit="boards"),
        records.AskNews: _in("greeting", answer=records.News),
        parties.InviteToParty: _in("playing", answer=parties.PartyState, limit="parties"),
        parties.AnswerInvite: _in("playing", limit="parties"),
        parties.LeaveParty: _in("playing", answer=parties.PartyState, limit="parties"),
        parties.SetPartyChoices: _in("playing", limit="parties"),
        parties.LeadParty: _in("playing", limit="parties"),
        AskReplay: _in("lobby", "fetching", answer=ReplayPart),
        AskDungeons: _in("lobby", answer=Dungeons),
        lives.ChooseKit: _in("playing", limit="lives"),
        lives.BeginAtBeacon: _in("playing", limit="lives"),
    }
)
"""All messages of clients."""

_ANY_TIME: Final[tuple[type[FromServer], ...]] = (
    login.ResumeToken,
    login.PasswordStatus,
    login.Notice,
    chat.ChatLine,
    chat.Spoken,
    chat.Ignored,
    chat.MapPinged,
    play.Heartbeat,
    play.Answer,
    records.MapMemory,
    records.Chronicle,
    records.History,
    watching.Watchers,
    watching.WatchChoice,
    records.Ladder,
    parties.PartyInvite,
    parties.PartyState,
    login.Error,
)
"""Messages that may arrive at any time after a login, in any order."""


def _phase(name: str, leads_to: dict[type[FromServer], str], *stay: type[FromServer]) -> dict[str, str]:
    """Return a phase: the messages that lead to another phase, and those that do not."""
    return {
        kind.__name__: to
        for kind, to in {**dict.fromkeys(stay, name), **leads_to, login.Bye: "closed"}.items()
    }


PHASES: Final[dict[str, dict[str, str]]] = {
    "connected": _phase(
        "connected",
        {login.Welcome: "greeted", **dict.fromkeys((login.Status, records.Ladder, records.News), "closed")},
        login.Error,
    ),
    "greeted": _phase(
        "greeted",
        {login.Joined: "playing", watching.Watchable: "watching", ReplayPart: "fetching"},
        Dungeons,
        *_ANY_TIME,
    ),
    "fetching": _phase("fetching", {}, ReplayPart, login.Error),
    "playing": _phase(
        "playing", {lives.Died: "dead"}, login.Joined, play.Update, play.Pace, TradeState, *_ANY_TIME
    ),
    "dead": _phase("dead", {login.Joined: "playing"}, lives.Recap, *_ANY_TIME),
    "watching": _phase(
        "watching", {}, watching.Watchable, watching.Watching, watching.BansChanged, play.Update, *_ANY_TIME
    ),
    "closed": {},
}
"""Phase of a client -> message of the server -> the next phase. The first is "connected"; other messages do not arrive."""
