"""All messages, both ways. Each is a positional array that begins with its tag; PROTOCOL.md tells their order.

A command carries a number. It is *answered* by the first message whose `done` reaches that number, or by an `Answer`
that carries it: carried out, refused, or replaced by a newer one.
"""

from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from gloam_shared import limits
from gloam_shared.protocol.commands import AnyCommand, Cell
from gloam_shared.view.changes import Patch

PROTOCOL_VERSION: Final = 2
"""The newest version that this package speaks."""
PROTOCOL_OLDEST: Final = 2
"""The oldest version that it speaks still."""
ABILITIES: Final = ("references",)
"""The abilities that this package knows: what the two sides use of a connection where both of them can."""

Number = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Count = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Text = Annotated[str, Meta(max_length=limits.STRING_MAX)]
Word = Literal["come", "danger", "mine", "thanks"]
"""What may be called out: short, the same for everybody, and shown on the map where it was meant."""
Token = Annotated[bytes, Meta(min_length=limits.TOKEN_SIZE, max_length=limits.TOKEN_SIZE)]
Ability = Annotated[str, Meta(max_length=limits.ABILITY_MAX)]

if TYPE_CHECKING:
    from gloam_shared.protocol.codes import AnswerCode, AnswerReason, ByeCode, ErrorCode
else:
    # a newer server may send a code that this client does not know
    AnswerCode = AnswerReason = ByeCode = ErrorCode = Text


class Message(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The base of the client's messages: frozen, a positional array on the wire. A field too many is refused."""


class ServerMessage(Struct, frozen=True, array_like=True):
    """The base of the server's messages: the same, but that a client ignores fields at the end that it does not know."""


# From the client.


class Hello(Struct, frozen=True, array_like=True, tag=1):
    """The first message: which versions of the protocol the client speaks, its name for the log, and its abilities.

    `protocol` is the newest version, `oldest` the oldest, 0 for the same. Servers ignore abilities that they do not know,
    and fields at the end: every version must be able to read every other's greeting.
    """

    protocol: Count
    agent: Annotated[str, Meta(max_length=64)] = ""
    oldest: Count = 0
    abilities: Annotated[tuple[Ability, ...], Meta(max_length=limits.ABILITIES_MAX)] = ()


class AskStatus(Message, frozen=True, tag=2):
    """Instead of a login: how is the server? Answered by `Status`, then the line is closed."""


class Login(Message, frozen=True, tag=3):
    """Play as `name`. `token` is this device's secret, which makes the name its own.

    `password` is for a device that the name does not know yet, `invite` the code that a private realm asks a newcomer
    for.
    """

    name: Annotated[str, Meta(max_length=64)]
    token: Token
    password: Text = ""
    invite: Annotated[str, Meta(max_length=64)] = ""


class SubmitCommand(Message, frozen=True, tag=4):
    """Command number `number` (from 1, rising), and the newest patch seen (`ack`)."""

    number: Annotated[int, Meta(ge=1, le=2**31 - 1)]
    ack: Number
    command: AnyCommand


class Acknowledge(Message, frozen=True, tag=5):
    """The newest patch seen, when no command carries it."""

    patch: Number


class SendChat(Message, frozen=True, tag=6):
    """Speak to everybody in the realm."""

    text: Text


class Thinking(Message, frozen=True, tag=7):
    """The player has a list, an aim, a chat line or a question open: a turn that waits for them gives them time for it."""


class AskMapMemory(Message, frozen=True, tag=8):
    """Ask what the player remembers of the level at `depth`. Answered by `MapMemory`."""

    depth: Annotated[int, Meta(ge=1, le=1_000)]


class Refresh(Message, frozen=True, tag=9):
    """Ask for the whole view again."""


class NewLife(Message, frozen=True, tag=10):
    """After `Died`: begin the life after `life`, an heir, with one of the keepsakes that were offered, by its place there.

    If another than that life is the newest, nothing begins: it was asked for twice.
    """

    life: Number
    keepsake: Annotated[int, Meta(ge=0, le=25)] | None = None


class HeartbeatReply(Message, frozen=True, tag=11):
    """The answer to `Heartbeat`, with its number."""

    number: Number


class Goodbye(Message, frozen=True, tag=12):
    """The player leaves; his body goes at once if nothing holds it."""


class Away(Message, frozen=True, tag=13):
    """The player marks himself as away from the keyboard. Any command takes the mark off."""


class SetPassword(Message, frozen=True, tag=14):
    """Set this name's password, or change it from `old`. Answered by `PasswordStatus`, or by `Error`."""

    new: Text
    old: Text = ""


class Resume(Message, frozen=True, tag=15):
    """Instead of `Login`, after a cut: go on as `name`, by the newest `ResumeToken` of the line that was cut.

    Answered like a login; an `Error` "auth" or "expired" leaves the line open for a `Login`.
    """

    name: Annotated[str, Meta(max_length=64)]
    token: Token


class MapPing(Message, frozen=True, tag=16):
    """Call a word out to everybody, for a cell of the level at `depth`: the one on which the player stands, or points at."""

    word: Word
    depth: Annotated[int, Meta(ge=1, le=1_000)]
    cell: Cell


# From the server.


class Welcome(ServerMessage, frozen=True, tag=64):
    """The answer to `Hello`: the realm and who is in it.

    `protocol` is the version that is spoken from now on, `abilities` are those of the client's that hold here. `story` tells what the campaign is about; `damage` names its formula of damage ("excess", "ratio"), by which a client
    may judge danger. `choosing` is the title of what a level brings, `marks` tells what stands before each of its options
    ("letters", "digits"). `terrain` are the campaign's words for terrain, by its numbers, "" for a client's own. `recall`
    tells what a client may show of places out of sight on its map: the "terrain" alone, or the "things" that lay there, too.
    `realm` names this realm and no other, for what a client keeps of it; "" where the server does not tell.
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


class Status(ServerMessage, frozen=True, tag=65):
    """The answer to `AskStatus`."""

    ready: bool
    campaign: Text
    players: Count
    version: Text


class Joined(ServerMessage, frozen=True, tag=66):
    """The answer to `Login`: in the dungeon, under this name; `number` is the last command this life has answered.

    `life` counts the lives of this player in this realm, from 1.
    """

    name: Text
    number: Number
    life: Number


class Update(ServerMessage, frozen=True, tag=67):
    """The next patch, against the view that the client last held (`whole`: against the empty view).

    Both sides count patches, from 1 on each connection. Commands up to number `done` are answered; 0: no more than before.
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
    """How time stands. `waiting`: my command waits. `for_names`: whom the turn waits for, at most `ms` longer.

    `held` tells whether something holds this player; `plan` whether a plan of theirs is under way. Players who are waited
    for hear of it at once, players who wait when it has lasted `PACE_AFTER_MS`. `choosing` are those of `for_names` who
    have said that they are `Thinking`, and are given longer for it.
    """

    held: bool = False
    waiting: bool = False
    plan: bool = False
    ms: Count = 0
    for_names: tuple[Text, ...] = ()
    choosing: tuple[Text, ...] = ()


class ChatLine(ServerMessage, frozen=True, tag=70):
    """Somebody spoke; `name` is "" for the server itself."""

    name: Text
    text: Text


class MapMemory(ServerMessage, frozen=True, tag=71):
    """Remembered terrain of a level: packed as `runs` tells, with values, against a level of which nothing is known."""

    depth: Count
    width: Count
    height: Count
    packed: bytes


class Died(ServerMessage, frozen=True, tag=72):
    """The life is over. `by` is what killed him, or, if he `won`, how; `NewLife` begins the next.

    `life` tells the life in a few lines. `keepsakes` are the things of which the heir may carry one.
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
    """A banner for everybody, such as a full disk; "" takes it down."""

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
    """Whether this name has a password: told after a login from elsewhere, and when it was set or changed (`fresh`)."""

    password: bool
    fresh: bool = False


class ResumeToken(ServerMessage, frozen=True, tag=78):
    """What `Resume` takes after a cut, once. Told after every login and every resume; the former ones are dead then."""

    token: Token


class MapPinged(ServerMessage, frozen=True, tag=79):
    """Somebody called a word out, for a cell of the level at `depth`. A client shows a word that it does not know as it is."""

    name: Text
    word: Text
    depth: Count
    cell: Cell


FromClient: TypeAlias = (
    Hello | AskStatus | Login | SubmitCommand | Acknowledge | SendChat | Thinking | AskMapMemory | Refresh | NewLife | HeartbeatReply | Goodbye | Away
    | SetPassword | Resume | MapPing
)  # fmt: skip
FromServer: TypeAlias = (
    Welcome | Status | Joined | Update | Answer | Pace | ChatLine | MapMemory | Died | Heartbeat | Notice | Error | Bye
    | PasswordStatus | ResumeToken | MapPinged
)  # fmt: skip
