"""The effects that screens request: the only way out of the pure part of the client. Data only."""

from typing import NamedTuple, TypeAlias

from gloam_client.state.options import Options
from gloam_client.state.players.ladder import LadderOwner
from gloam_client.user_files.address import Address
from gloam_shared.protocol.commands import AnyCommand
from gloam_shared.protocol.invite_code import Ticket
from gloam_shared.protocol.messages.records import AskLadder
from gloam_shared.protocol.registry import FromClient


class SendCommand(NamedTuple):
    """Send a command of the game."""

    command: AnyCommand


class SendMessage(NamedTuple):
    """Send any other message."""

    message: FromClient


class ShowMessage(NamedTuple):
    """Show the client's own message: on the message line, which fades, or, if `kept`, in the log."""

    text: str
    tone: str = "note"
    kept: bool = False


class RememberChoice(NamedTuple):
    """Remember the choice from a list, so that it is marked the next time (rule RG.21)."""

    where: str
    what: str


class SpareLetter(NamedTuple):
    """Take this letter for no command for a moment: it would have chosen the only item, which was used without a list."""

    letter: str


class RememberLine(NamedTuple):
    """Keep a finished line of chat, for the key that brings it back."""

    line: str


class SetOptions(NamedTuple):
    """Use these options from now on, and keep them."""

    options: Options


class StartJoining(NamedTuple):
    """Join the dungeon under a name, with the credentials that the login asked for."""

    name: str
    password: str = ""
    invite: str = ""


class GoTo(NamedTuple):
    """Play, or watch, somewhere else: at a server, or in an own world, which gets the seed if it is new."""

    name: str
    address: Address | None = None
    ticket: Ticket = Ticket("")
    campaign: str = ""
    seed: int | None = None
    watches: bool = False
    daily: str = ""
    """The date of the seed of the day, if that is played."""
    chosen: bool = False
    """Whether this is the chosen one of the dungeons of its host."""


class ProbeServer(NamedTuple):
    """Ask a server for its status."""

    address: Address


class AskBoard(NamedTuple):
    """Ask a server, or the own world of a campaign, for a board of its ladder, without a login."""

    owner: LadderOwner
    question: AskLadder


class InviteFriends(NamedTuple):
    """Open the own world to other machines, and get the line for friends."""


class DeleteWorld(NamedTuple):
    """Delete the own world of a campaign."""

    campaign: str


class AskOwnLink(NamedTuple):
    """Get the own link of a visitor; `fresh` makes another, in place of the password or the key `former`."""

    fresh: bool = False
    former: str = ""


class StartWatching(NamedTuple):
    """Connect to the same server to watch, instead of to play."""

    name: str


class WatchPlayer(NamedTuple):
    """Ask for the view of this player; "" goes back to the list."""

    name: str


class StopWatching(NamedTuple):
    """Stop watching: go back to where the player came from, or leave."""


class WriteDump(NamedTuple):
    """Write everything known about this life into the user's folder, as text and as JSON."""


class ListReplays(NamedTuple):
    """Read the list of this user's replays again."""


class OpenReplay(NamedTuple):
    """Play the kept replay with this id."""

    id: str


class DeleteReplay(NamedTuple):
    """Delete the kept replay with this id."""

    id: str


class ControlReplay(NamedTuple):
    """Do something with the open replay: "pause", "faster", "slower", "next", "previous", "close".

    "by" moves it by a number of `turns`, "to" goes to that turn.
    """

    word: str
    turns: int = 0


class LeaveGame(NamedTuple):
    """End the program; `stop_server` ends the private server with it."""

    stop_server: bool = False


class Redraw(NamedTuple):
    """Draw the whole screen again."""


class Ring(NamedTuple):
    """Ring the terminal's bell."""


class Suspend(NamedTuple):
    """Hand the terminal back to the shell for a while."""


Journey: TypeAlias = (
    GoTo
    | ProbeServer
    | AskBoard
    | InviteFriends
    | DeleteWorld
    | AskOwnLink
    | StartWatching
    | WatchPlayer
    | StopWatching
)
"""The requests of the title and the screens of watching, and the one for an own link."""
ReplayEffect: TypeAlias = ListReplays | OpenReplay | DeleteReplay | ControlReplay
"""The requests of the screens of replays."""
ClientEffect: TypeAlias = (
    SendCommand
    | SendMessage
    | ShowMessage
    | RememberChoice
    | SpareLetter
    | RememberLine
    | SetOptions
    | StartJoining
    | Journey
    | WriteDump
    | ReplayEffect
    | LeaveGame
    | Redraw
    | Ring
    | Suspend
)
