"""What can happen to the client: keys, messages, the connection, the clock, the window. Data only."""

from typing import NamedTuple, TypeAlias

from gloam_client.state.friend_locations import NO_LOCATIONS, FriendLocations
from gloam_client.state.item_memory import ItemMemory
from gloam_shared.protocol.commands import AnyCommand
from gloam_shared.protocol.messages import FromServer, Pace
from gloam_shared.view.view import View


class KeyPressed(NamedTuple):
    """A key was pressed."""

    key: str


class TextPasted(NamedTuple):
    """Text was pasted."""

    text: str


class MessagesReceived(NamedTuple):
    """Messages came, and this is how the link stands after them."""

    messages: tuple[FromServer, ...]
    view: View
    pace: Pace
    name: str
    unanswered_since_ms: int | None
    heard_ms: int
    round_trip_ms: int | None


class CommandSent(NamedTuple):
    """A command went out."""

    command: AnyCommand
    unanswered_since_ms: int | None


class JoinStarted(NamedTuple):
    """The client connects under a name; `address` is the server's, "" if not known yet."""

    name: str
    address: str


class ConnectionLost(NamedTuple):
    """The connection is lost; it is tried again at `retry_ms`."""

    text: str
    since_ms: int
    retry_ms: int


class ConnectionRestored(NamedTuple):
    """The connection is back after `away_ms`."""

    away_ms: int


class JoinFailed(NamedTuple):
    """There is no way into the dungeon under this name, and why: back to the title, where there is one."""

    text: str


class CredentialsAsked(NamedTuple):
    """The door asks for something before it opens: `code` is the server's, `text` its words."""

    code: str
    text: str


class ServerStopped(NamedTuple):
    """The private server has stopped while it was played on, and why."""

    text: str


class Resized(NamedTuple):
    """The window has another size."""

    width: int
    height: int


class TimerFired(NamedTuple):
    """Time went by."""


class Notice(NamedTuple):
    """The client itself has something to say."""

    text: str
    tone: str = "note"


class ServerAddress(NamedTuple):
    """Where others can join is known; `private` tells that this player's own server stands there."""

    text: str
    private: bool


class MemoryLoaded(NamedTuple):
    """What was kept of this life by an earlier run of the client."""

    recall: ItemMemory
    whereabouts: FriendLocations = NO_LOCATIONS


FromOutside: TypeAlias = (
    MessagesReceived
    | CommandSent
    | JoinStarted
    | ConnectionLost
    | ConnectionRestored
    | JoinFailed
    | CredentialsAsked
    | ServerStopped
    | Resized
    | TimerFired
    | Notice
    | ServerAddress
    | MemoryLoaded
)
ClientEvent: TypeAlias = KeyPressed | TextPasted | FromOutside
