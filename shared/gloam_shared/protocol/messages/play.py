"""Messages of play: commands, views and their acknowledgement, the state of time, heartbeats."""

from typing import Annotated, Final, TypeAlias

from msgspec import Meta

from gloam_shared.protocol.commands import AnyCommand
from gloam_shared.protocol.messages import base
from gloam_shared.view.changes import Patch

SURFACES: Final = "surfaces"
"""The ability to show surfaces: fire, ice, webs and the like (`changes.Surfaces`)."""

PACKED_MOVES: Final = "packed-moves"
"""The ability to read `changes.Moves`: where a crowd moves, updates are shorter."""

# From the client.


class SubmitCommand(base.Message, frozen=True, tag=4):
    """Command number `number` (from 1, rising), and the newest applied patch (`ack`)."""

    number: Annotated[int, Meta(ge=1, le=2**31 - 1)]
    ack: base.Number
    command: AnyCommand


class Acknowledge(base.Message, frozen=True, tag=5):
    """The newest applied patch, if no command carries it."""

    patch: base.Number


class Thinking(base.Message, frozen=True, tag=7):
    """The player has a list, an aim, a chat line or a question open: a turn that waits for them waits longer."""


class Refresh(base.Message, frozen=True, tag=9):
    """Ask for the whole view again."""


class HeartbeatReply(base.Message, frozen=True, tag=11):
    """The answer to `Heartbeat`, with its number."""

    number: base.Number


class Away(base.Message, frozen=True, tag=13):
    """The player is away from the keyboard. Any command removes the mark."""


# From the server.


class Update(base.ServerMessage, frozen=True, tag=67):
    """The next patch, relative to the client's view (`whole`: relative to the empty view).

    Both sides count patches, from 1 on each connection. Commands up to number `done` are answered; 0 means no change.
    """

    changes: Patch
    done: base.Number = 0
    whole: bool = False


class Answer(base.ServerMessage, frozen=True, tag=68):
    """Command `number` is over without a turn: refused or replaced. `code` says how for programs, `text` for people, `reason` why."""

    number: base.Number
    code: base.AnswerCode
    text: base.Text = ""
    reason: base.AnswerReason = ""


class Pace(base.ServerMessage, frozen=True, tag=69):
    """The state of time: `for_names` are the players that the turn waits for, at most `ms` longer.

    `waiting` says whether the player's command waits, `held` whether something holds this player, `plan` whether a plan
    of theirs runs. `choosing` are the players in `for_names` who sent `Thinking`; they get more time. Players that a
    turn waits for get this message immediately, players who wait get it after `PACE_AFTER_MS`.
    """

    held: bool = False
    waiting: bool = False
    plan: bool = False
    ms: base.Count = 0
    for_names: tuple[base.Text, ...] = ()
    choosing: tuple[base.Text, ...] = ()


class Heartbeat(base.ServerMessage, frozen=True, tag=73):
    """A heartbeat; `ms` is the last round trip that the server measured."""

    number: base.Number
    ms: base.Count = 0


PlayFromClient: TypeAlias = SubmitCommand | Acknowledge | Thinking | Refresh | HeartbeatReply | Away
PlayFromServer: TypeAlias = Update | Answer | Pace | Heartbeat
