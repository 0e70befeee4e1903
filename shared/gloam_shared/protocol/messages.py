"""All messages, both ways. Each is a positional array that begins with its tag; PROTOCOL.md describes their order.

A command has a number. It is *answered* by the first message with a `done` of at least that number, or by an `Answer`
with that number: carried out, refused, or replaced by a newer one.
"""

from typing import Annotated, Final, TypeAlias

from msgspec import Meta, Struct

from gloam_shared import limits
from gloam_shared.protocol.beside_messages import BESIDE_CHOICE, SetBeside
from gloam_shared.protocol.chat_messages import ChatFromClient, ChatFromServer
from gloam_shared.protocol.commands import NEEDS_ABILITY, AnyCommand, Cell
from gloam_shared.protocol.kit_messages import ChooseKit, KitOffer
from gloam_shared.protocol.ladder_messages import AskLadder, Ladder
from gloam_shared.protocol.message_base import (
    Ability,
    AnswerCode,
    AnswerReason,
    ByeCode,
    Count,
    ErrorCode,
    Message,
    Number,
    ServerMessage,
    Text,
    Token,
    Word,
)
from gloam_shared.protocol.party_messages import PartyNews, PartyRequest
from gloam_shared.protocol.recap_messages import Recap
from gloam_shared.protocol.replay_messages import AskReplay, ReplayPart
from gloam_shared.protocol.trade_messages import TradeState
from gloam_shared.protocol.watch_messages import WatchFromClient, WatchFromServer
from gloam_shared.view.changes import Patch

PROTOCOL_VERSION: Final = 2
"""The newest version that this package speaks."""
PROTOCOL_OLDEST: Final = 2
"""The oldest version that it still speaks."""
_OWN = ("references", "party", "chronicle", "history", "beside", "watch", "channels", "ladder", "recap", "parties", BESIDE_CHOICE, "kits")  # fmt: skip
ABILITIES: Final = (*_OWN, *dict.fromkeys(NEEDS_ABILITY.values()))
"""The abilities that this package knows: features that a connection uses if both sides have them."""


# From the client.


class Hello(Struct, frozen=True, array_like=True, tag=1):
    """The first message: the client's protocol versions, its name for the log, and its abilities.

    `protocol` is the newest version, `oldest` the oldest, 0 for the same. Servers ignore unknown abilities and fields at the end.
    """

    protocol: Count
    agent: Annotated[str, Meta(max_length=64)] = ""
    oldest: Count = 0
    abilities: Annotated[tuple[Ability, ...], Meta(max_length=limits.ABILITIES_MAX)] = ()


class AskStatus(Message, frozen=True, tag=2):
    """Instead of a login: how is the server? Answered by `Status`, then the connection is closed."""


class Login(Message, frozen=True, tag=3):
    """Play as `name`. `token` is this device's secret, which owns the name.

    `password` is for a device that the name does not know yet, `invite` is the code that a private realm requires for a
    new name.
    """

    name: Annotated[str, Meta(max_length=64)]
    token: Token
    password: Text = ""
    invite: Annotated[str, Meta(max_length=64)] = ""


class SubmitCommand(Message, frozen=True, tag=4):
    """Command number `number` (from 1, rising), and the newest applied patch (`ack`)."""

    number: Annotated[int, Meta(ge=1, le=2**31 - 1)]
    ack: Number
    command: AnyCommand


class Acknowledge(Message, frozen=True, tag=5):
    """The newest applied patch, if no command carries it."""

    patch: Number


class SendChat(Message, frozen=True, tag=6):
    """Send a chat message to all players in the realm."""

    text: Text


class Thinking(Message, frozen=True, tag=7):
    """The player has a list, an aim, a chat line or a question open: a turn that waits for them waits longer."""


class AskMapMemory(Message, frozen=True, tag=8):
    """Ask what the player remembers of the level at `depth`. Answered by `MapMemory`."""

    depth: Annotated[int, Meta(ge=1, le=1_000)]


class Refresh(Message, frozen=True, tag=9):
    """Ask for the whole view again."""


class NewLife(Message, frozen=True, tag=10):
    """After `Died`: begin the life after `life`, an heir, with one of the offered keepsakes, by its index.

    If `life` is not the newest life, nothing happens: the message was sent twice.
    """

    life: Number
    keepsake: Annotated[int, Meta(ge=0, le=25)] | None = None


class HeartbeatReply(Message, frozen=True, tag=11):
    """The answer to `Heartbeat`, with its number."""

    number: Number


class Goodbye(Message, frozen=True, tag=12):
    """The player leaves; their body leaves immediately if nothing holds it."""


class Away(Message, frozen=True, tag=13):
    """The player is away from the keyboard. Any command removes the mark."""


class SetPassword(Message, frozen=True, tag=14):
    """Set this name's password, or change it from `old`: for the first one the device's token in hexadecimal digits."""

    new: Text
    old: Text = ""


class Resume(Message, frozen=True, tag=15):
    """Instead of `Login`, after a lost connection: continue as `name`, with its newest `ResumeToken`.

    Answered like a login; an `Error` "auth" or "expired" leaves the connection open for a `Login`.
    """

    name: Annotated[str, Meta(max_length=64)]
    token: Token


class MapPing(Message, frozen=True, tag=16):
    """Ping a cell of the level at `depth` for all players: the player's own cell, or the cell of the cursor."""

    word: Word
    depth: Annotated[int, Meta(ge=1, le=1_000)]
    cell: Cell


class AskChronicle(Message, frozen=True, tag=17):
    """Ask for the chronicle of the realm. Answered by `Chronicle`. Sent only with the ability "chronicle"."""


class AskHistory(Message, frozen=True, tag=18):
    """Ask for the history of the monster with this handle. Answered by `History`. Sent only with the ability "history"."""

    handle: Number


class JoinFriend(Message, frozen=True, tag=19):
    """After `Died` begin the life after `life` beside a friend; in play, take a young life there. Needs "beside".

    `friend` is a name; "" is the friend on the deepest level.
    """

    life: Number
    keepsake: Annotated[int, Meta(ge=0, le=25)] | None = None
    friend: Annotated[str, Meta(max_length=64)] = ""


# From the server.


class Welcome(ServerMessage, frozen=True, tag=64):
    """The answer to `Hello`: the realm and its players.

    `protocol` is the version for the rest of the connection, `abilities` are the client's abilities that the server
    has, too. `story` introduces the campaign. `damage` names its formula of damage ("excess", "ratio"), which a
    client uses to judge danger. `choosing` is the title of the level-up choice, `marks` says what comes before each
    option ("letters", "digits"). `terrain` has the campaign's words for terrain, by its numbers, "" for a client's
    own. `recall` says what a client shows of places out of sight on its map: only the "terrain", or the "things" that
    lay there, too. `realm` identifies this realm, for data that a client keeps about it, and `goal` says in a few words
    how the campaign is won; "" if the server does not send them.
    """

    protocol: Count
    campaign: Text
    players: Count
    players_max: Count
    story: Text = ""
    damage: Text = "excess"
    choosing: Text = "Choose a stat to increase"
    marks: Text = "letters"
    terrain: tuple[Text, ...] = ()
    recall: Text = "things"
    abilities: tuple[Text, ...] = ()
    realm: Text = ""
    goal: Text = ""


class Status(ServerMessage, frozen=True, tag=65):
    """The answer to `AskStatus`."""

    ready: bool
    campaign: Text
    players: Count
    version: Text


class Joined(ServerMessage, frozen=True, tag=66):
    """The answer to `Login`: the player is in the dungeon under this name; `number` is the last answered command of this life.

    `life` counts the lives of this player in this realm, from 1. Of `kits` it may choose one now; see `ChooseKit`.
    """

    name: Text
    number: Number
    life: Number
    kits: tuple[KitOffer, ...] = ()


class Update(ServerMessage, frozen=True, tag=67):
    """The next patch, relative to the client's view (`whole`: relative to the empty view).

    Both sides count patches, from 1 on each connection. Commands up to number `done` are answered; 0 means no change.
    """

    changes: Patch
    done: Number = 0
    whole: bool = False


class Answer(ServerMessage, frozen=True, tag=68):
    """Command `number` is over without a turn: refused or replaced. `code` says how for programs, `text` for people, `reason` why."""

    number: Number
    code: AnswerCode
    text: Text = ""
    reason: AnswerReason = ""


class Pace(ServerMessage, frozen=True, tag=69):
    """The state of time: `for_names` are the players that the turn waits for, at most `ms` longer.

    `waiting` says whether the player's command waits, `held` whether something holds this player, `plan` whether a plan
    of theirs runs. `choosing` are the players in `for_names` who sent `Thinking`; they get more time. Players that a
    turn waits for get this message immediately, players who wait get it after `PACE_AFTER_MS`.
    """

    held: bool = False
    waiting: bool = False
    plan: bool = False
    ms: Count = 0
    for_names: tuple[Text, ...] = ()
    choosing: tuple[Text, ...] = ()


class ChatLine(ServerMessage, frozen=True, tag=70):
    """A chat message; `name` is "" for the server itself."""

    name: Text
    text: Text


class MapMemory(ServerMessage, frozen=True, tag=71):
    """Remembered terrain of a level: packed as in `run_length`, with values, relative to an unknown level."""

    depth: Count
    width: Count
    height: Count
    packed: bytes


class Died(ServerMessage, frozen=True, tag=72):
    """The life is over. `by` is the cause of death, or, with `won`, of the victory; `NewLife` begins the next.

    `life` describes the life in a few lines. `keepsakes` are the items of which the heir may take one.
    """

    by: Text
    depth: Count
    level: Count
    experience: Count
    turns: Count
    kills: Count
    cell: Cell
    won: bool = False
    life: tuple[Text, ...] = ()
    keepsakes: tuple[Text, ...] = ()


class Heartbeat(ServerMessage, frozen=True, tag=73):
    """A heartbeat; `ms` is the last round trip that the server measured."""

    number: Number
    ms: Count = 0


class Notice(ServerMessage, frozen=True, tag=74):
    """A banner for all players, such as about a full disk; "" removes it."""

    text: Text


class Error(ServerMessage, frozen=True, tag=75):
    """Something that the client sent was wrong; the session goes on unless `Bye` follows."""

    code: ErrorCode
    text: Text


class Bye(ServerMessage, frozen=True, tag=76):
    """The server ends the conversation, and why."""

    code: ByeCode
    text: Text


class PasswordStatus(ServerMessage, frozen=True, tag=77):
    """Whether this name has a password: sent after a login from another machine, and when it was set or changed (`fresh`)."""

    password: bool
    fresh: bool = False


class ResumeToken(ServerMessage, frozen=True, tag=78):
    """The token for one `Resume`. Sent after every login and every resume; older tokens are then invalid."""

    token: Token


class MapPinged(ServerMessage, frozen=True, tag=79):
    """A player pinged a cell of the level at `depth`. A client shows an unknown word as it is."""

    name: Text
    word: Text
    depth: Count
    cell: Cell


class PastLife(Struct, frozen=True, array_like=True):
    """A life that is over: its full name, whether it won, the cause of its end, its deepest level, its own level, its turns."""

    name: Text
    won: bool
    by: Text
    depth: Count
    level: Count
    turns: Count


class Chronicle(ServerMessage, frozen=True, tag=80):
    """The chronicle of the realm: the greatest lives that are over, the best first.

    In sentences: the living creatures with a name, the greatest first, and the newest events, the newest last.
    """

    lives: tuple[PastLife, ...] = ()
    named: tuple[Text, ...] = ()
    events: tuple[Text, ...] = ()


class History(ServerMessage, frozen=True, tag=81):
    """The past of a monster in sight: `level` is 0 for a creature that is no monster.

    It appeared at level `born_level` on level `born_depth`, in turn `born_turn` there: 0 with that level, -1 unknown. It
    killed `kills` creatures, `victim_count` of them players; `victims` are the newest of these. `learned` are traits.
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


FromClient: TypeAlias = (
    Hello | AskStatus | Login | SubmitCommand | Acknowledge | SendChat | Thinking | AskMapMemory | Refresh | NewLife | HeartbeatReply | Goodbye | Away
    | SetPassword | Resume | MapPing | AskChronicle | AskHistory | JoinFriend | SetBeside | WatchFromClient | ChatFromClient | AskLadder | PartyRequest | AskReplay | ChooseKit
)  # fmt: skip
FromServer: TypeAlias = (
    Welcome | Status | Joined | Update | Answer | Pace | ChatLine | MapMemory | Died | Heartbeat | Notice | Error | Bye
    | PasswordStatus | ResumeToken | MapPinged | Chronicle | History | TradeState | WatchFromServer | ChatFromServer | Ladder | Recap | PartyNews | ReplayPart
)  # fmt: skip
