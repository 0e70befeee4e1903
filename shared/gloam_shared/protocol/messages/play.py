"""Messages of play: commands, views and their acknowledgement, the state of time, heartbeats."""

from typing import Annotated, TypeAlias

from msgspec import Meta

from gloam_shared.protocol.commands import AnyCommand
from gloam_shared.protocol.messages.base import (
    AnswerCode,
    AnswerReason,
    Count,
    Message,
    Number,
    ServerMessage,
    Text,
)
from gloam_shared.view.changes import Patch

# From the client.


class SubmitCommand(Message, frozen=True, tag=4):
    """Command number `number` (from 1, rising), and the newest applied patch (`ack`)."""

    number: Annotated[int, Meta(ge=1, le=2**31 - 1)]
    ack: Number
    command: AnyCommand


class Acknowledge(Message, frozen=True, tag=5):
    """The newest applied patch, if no command carries it."""

    patch: Number


class Thinking(Message, frozen=True, tag=7):
    """The player has a list, an aim, a chat line or a question open: a turn that waits for them waits longer."""


class Refresh(Message, frozen=True, tag=9):
    """Ask for the whole view again."""


class HeartbeatReply(Message, frozen=True, tag=11):
    """The answer to `Heartbeat`, with its number."""

    number: Number


class Away(Message, frozen=True, tag=13):
    """The player is away from the keyboard. Any command removes the mark."""


# From the server.


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


class Heartbeat(ServerMessage, frozen=True, tag=73):
    """A heartbeat; `ms` is the last round trip that the server measured."""

    number: Number
    ms: Count = 0


PlayFromClient: TypeAlias = SubmitCommand | Acknowledge | Thinking | Refresh | HeartbeatReply | Away
PlayFromServer: TypeAlias = Update | Answer | Pace | Heartbeat
