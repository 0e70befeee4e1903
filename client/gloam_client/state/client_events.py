"""The events of the client: keys, messages, the connection, the clock, the window. Data only."""

from typing import NamedTuple, TypeAlias

from gloam_client.input.mouse import MouseEvent
from gloam_client.replays.replay_library import KeptReplay
from gloam_client.state.home import Home
from gloam_client.state.map.friend_locations import NO_LOCATIONS, FriendLocations
from gloam_client.state.map.item_memory import ItemMemory
from gloam_client.state.players.ladder import LadderOwner
from gloam_client.state.replaying import ReplayShown
from gloam_client.user_files.address import Address
from gloam_shared.protocol.commands import AnyCommand
from gloam_shared.protocol.messages.dungeons import Dungeons
from gloam_shared.protocol.messages.play import Pace
from gloam_shared.protocol.messages.records import Ladder
from gloam_shared.protocol.registry import FromServer
from gloam_shared.view.view import View


class KeyPressed(NamedTuple):
    """A key was pressed."""

    key: str


class MouseUsed(NamedTuple):
    """The mouse was moved or clicked."""

    event: MouseEvent


class TextPasted(NamedTuple):
    """Text was pasted."""

    text: str


class MessagesReceived(NamedTuple):
    """Messages arrived; with the connection's state after them."""

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
    """The client connects under a name; `address` is the server's, "" if not known yet. `watches`: to watch.

    `one_life` says that the world has one life, like the world of a seed of the day.
    """

    name: str
    address: str
    watches: bool = False
    one_life: bool = False


class OwnLinkReceived(NamedTuple):
    """The own link that was asked for, "" for none; `fresh` and `former` as they were asked."""

    link: str
    fresh: bool = False
    former: str = ""


class DungeonsReceived(NamedTuple):
    """The host at an address has several dungeons: the player chooses one, to play or to watch."""

    address: Address
    found: Dungeons
    watches: bool


class ConnectionLost(NamedTuple):
    """The connection is lost; it is tried again at `retry_ms`."""

    text: str
    since_ms: int
    retry_ms: int


class ConnectionRestored(NamedTuple):
    """The connection is back after `away_ms`."""

    away_ms: int


class JoinFailed(NamedTuple):
    """Joining under this name failed, with the reason; the title screen follows if there is one."""

    text: str


class CredentialsAsked(NamedTuple):
    """The login asks for a credential: `code` and `text` are the server's."""

    code: str
    text: str


class ServerStopped(NamedTuple):
    """The private server has stopped during play, with the reason."""

    text: str


class Resized(NamedTuple):
    """The window has another size."""

    width: int
    height: int


class TimerFired(NamedTuple):
    """Time went by."""


class Notice(NamedTuple):
    """The client has a message of its own."""

    text: str
    tone: str = "note"


class ServerAddress(NamedTuple):
    """The address for joining is known; `private` says that it is this player's own server."""

    text: str
    private: bool


class MemoryLoaded(NamedTuple):
    """The memory of this life that an earlier run of the client stored."""

    recall: ItemMemory
    whereabouts: FriendLocations = NO_LOCATIONS


class LadderReceived(NamedTuple):
    """The owner of a ladder was asked for a board of its ladder, and answered, or why not."""

    owner: LadderOwner
    answer: Ladder | str


class HomeChanged(NamedTuple):
    """A change in the title's data."""

    home: Home


class ReplaysListed(NamedTuple):
    """The list of this user's replays was read again."""

    replays: tuple[KeptReplay, ...]


class ReplayMoved(NamedTuple):
    """The open replay shows something else."""

    shown: ReplayShown


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
    | HomeChanged
    | ReplaysListed
    | LadderReceived
    | ReplayMoved
)
ClientEvent: TypeAlias = (
    KeyPressed | MouseUsed | TextPasted | OwnLinkReceived | DungeonsReceived | FromOutside
)
