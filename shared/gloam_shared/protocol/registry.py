"""All messages, both ways: the closed unions, and for each message when it may be sent and which limit it has.

A new message is a class in its module of `messages`, a member of a union, and a row of a table here.
"""

from types import MappingProxyType
from typing import Final, Literal, NamedTuple, TypeAlias

from gloam_shared.protocol.commands import NEEDS_ABILITY
from gloam_shared.protocol.messages.chat import (
    ChatFromClient,
    ChatFromServer,
    ChatLine,
    MapPing,
    MapPinged,
    Report,
    SendChat,
    Shun,
    Shunned,
    Speak,
    Spoken,
)
from gloam_shared.protocol.messages.lives import (
    BESIDE_CHOICE,
    ChooseKit,
    Died,
    JoinFriend,
    LivesFromClient,
    LivesFromServer,
    NewLife,
    Recap,
    SetBeside,
)
from gloam_shared.protocol.messages.login import (
    AskStatus,
    Bye,
    Error,
    Goodbye,
    Hello,
    Joined,
    Login,
    LoginFromClient,
    LoginFromServer,
    Notice,
    PasswordStatus,
    Resume,
    ResumeToken,
    SetPassword,
    Status,
    Welcome,
)
from gloam_shared.protocol.messages.parties import (
    AnswerInvite,
    InviteToParty,
    LeadParty,
    LeaveParty,
    PartyInvite,
    PartyNews,
    PartyRequest,
    PartyState,
    SetPartyChoices,
)
from gloam_shared.protocol.messages.play import (
    Acknowledge,
    Answer,
    Away,
    Heartbeat,
    HeartbeatReply,
    Pace,
    PlayFromClient,
    PlayFromServer,
    Refresh,
    SubmitCommand,
    Thinking,
    Update,
)
from gloam_shared.protocol.messages.records import (
    AskChronicle,
    AskHistory,
    AskLadder,
    AskMapMemory,
    Chronicle,
    History,
    Ladder,
    MapMemory,
    RecordsFromClient,
    RecordsFromServer,
)
from gloam_shared.protocol.messages.replays import AskReplay, ReplayPart
from gloam_shared.protocol.messages.trade import TradeState
from gloam_shared.protocol.messages.watching import (
    AskWatchable,
    EndWatching,
    SetWatchable,
    Watch,
    Watchable,
    Watchers,
    WatchFromClient,
    WatchFromServer,
    Watching,
    WatchLogin,
)

PROTOCOL_VERSION: Final = 2
"""The newest version that this package speaks."""
PROTOCOL_OLDEST: Final = 2
"""The oldest version that it still speaks."""
_OWN = ("references", "party", "chronicle", "history", "beside", "watch", "channels", "ladder", "recap", "parties", BESIDE_CHOICE, "kits")  # fmt: skip
ABILITIES: Final = (*_OWN, *dict.fromkeys(NEEDS_ABILITY.values()))
"""The abilities that this package knows: features that a connection uses if both sides have them."""

FromClient: TypeAlias = (
    LoginFromClient | PlayFromClient | ChatFromClient | LivesFromClient | RecordsFromClient | PartyRequest | WatchFromClient
    | AskReplay
)  # fmt: skip
FromServer: TypeAlias = (
    LoginFromServer | PlayFromServer | ChatFromServer | LivesFromServer | RecordsFromServer | PartyNews | WatchFromServer
    | TradeState | ReplayPart
)  # fmt: skip

Phase: TypeAlias = Literal["greeting", "lobby", "playing", "watching", "fetching", "closed"]
"""The phases of a connection, as the server's session has them."""
RequestLimit: TypeAlias = Literal["lists", "boards", "parties", "lives", "maps", "histories", "chronicles"]
"""The limits of one connection on what a client asks, besides the limit on all its messages."""


class ClientRow(NamedTuple):
    """The phases in which a client may send a message, and its own limit besides the limit on all messages."""

    phases: frozenset[str]
    limit: RequestLimit | None = None


def _in(*phases: Phase, limit: RequestLimit | None = None) -> ClientRow:
    return ClientRow(frozenset(phases), limit)


CLIENT_MESSAGES: Final = MappingProxyType[type[FromClient], ClientRow](
    {
        Hello: _in("greeting"),
        AskStatus: _in("greeting"),
        Login: _in("lobby"),
        SubmitCommand: _in("playing"),
        Acknowledge: _in("playing", "watching"),
        SendChat: _in("playing"),
        Thinking: _in("playing"),
        AskMapMemory: _in("playing", limit="maps"),
        Refresh: _in("playing", "watching"),
        NewLife: _in("playing", limit="lives"),
        HeartbeatReply: _in("playing", "watching"),
        Goodbye: _in("playing", "watching"),
        Away: _in("playing"),
        SetPassword: _in("playing"),
        Resume: _in("lobby"),
        MapPing: _in("playing"),
        AskChronicle: _in("playing", limit="chronicles"),
        AskHistory: _in("playing", limit="histories"),
        JoinFriend: _in("playing", limit="lives"),
        SetBeside: _in("playing"),
        WatchLogin: _in("lobby"),
        AskWatchable: _in("watching", limit="lists"),
        Watch: _in("watching", limit="lists"),
        SetWatchable: _in("playing"),
        EndWatching: _in("playing"),
        Speak: _in("playing"),
        Shun: _in("playing", limit="lists"),
        Report: _in("playing", limit="lists"),
        AskLadder: _in("greeting", "playing", "watching", limit="boards"),
        InviteToParty: _in("playing", limit="parties"),
        AnswerInvite: _in("playing", limit="parties"),
        LeaveParty: _in("playing", limit="parties"),
        SetPartyChoices: _in("playing", limit="parties"),
        LeadParty: _in("playing", limit="parties"),
        AskReplay: _in("lobby", "fetching"),
        ChooseKit: _in("playing", limit="lives"),
    }
)
"""All messages of clients."""

_ANY_TIME: Final[tuple[type[FromServer], ...]] = (
    ResumeToken,
    PasswordStatus,
    Notice,
    ChatLine,
    Spoken,
    Shunned,
    MapPinged,
    Heartbeat,
    Answer,
    MapMemory,
    Chronicle,
    History,
    Watchers,
    Ladder,
    PartyInvite,
    PartyState,
    Error,
)
"""Messages that may arrive at any time after a login, in any order."""


def _phase(name: str, leads_to: dict[type[FromServer], str], *stay: type[FromServer]) -> dict[str, str]:
    """Return a phase: the messages that lead to another phase, and those that do not."""
    return {
        kind.__name__: to for kind, to in {**dict.fromkeys(stay, name), **leads_to, Bye: "closed"}.items()
    }


PHASES: Final[dict[str, dict[str, str]]] = {
    "connected": _phase("connected", {Welcome: "greeted", Status: "closed", Ladder: "closed"}, Error),
    "greeted": _phase(
        "greeted", {Joined: "playing", Watchable: "watching", ReplayPart: "fetching"}, *_ANY_TIME
    ),
    "fetching": _phase("fetching", {}, ReplayPart, Error),
    "playing": _phase("playing", {Died: "dead"}, Joined, Update, Pace, TradeState, *_ANY_TIME),
    "dead": _phase("dead", {Joined: "playing"}, Recap, *_ANY_TIME),
    "watching": _phase("watching", {}, Watchable, Watching, Update, *_ANY_TIME),
    "closed": {},
}
"""Phase of a client -> message of the server -> the next phase. The first is "connected"; other messages do not arrive."""
