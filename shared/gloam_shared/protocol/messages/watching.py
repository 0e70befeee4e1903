"""Messages about watching: a connection without a body that sees what a player sees, and the player's word on it.

All need the ability "watch".
"""

from typing import TypeAlias

from msgspec import Struct

from gloam_shared.protocol.messages.base import (
    Count,
    Message,
    PlayerName,
    ServerMessage,
    Text,
    Token,
)

# From the client.


class WatchLogin(Message, frozen=True, tag=30):
    """Log in under this name to watch instead of `Login`, without a body.

    Fields as in `Login`; answered by `Watchable`.
    """

    name: PlayerName
    token: Token
    password: Text = ""
    invite: PlayerName = ""


class AskWatchable(Message, frozen=True, tag=31):
    """A watcher asks for the players who allow watching. Answered by `Watchable`."""


class Watch(Message, frozen=True, tag=32):
    """A watcher asks for the view of this player; "" ends watching. Answered by `Watching`, or by `Error` "watching"."""

    name: PlayerName


class SetWatchable(Message, frozen=True, tag=33):
    """A player says whether others may watch; until then a server lets no one watch."""

    allowed: bool


class EndWatching(Message, frozen=True, tag=34):
    """A player ends the watching of this watcher, who cannot watch them again; "" ends the watching of all watchers."""

    name: PlayerName = ""


# From the server.


class WatchablePlayer(Struct, frozen=True, array_like=True):
    """A player who allows watching: their level, depth, seconds since their last message, number of watchers.

    `delay_s` says how late this watcher sees them.
    """

    name: Text
    level: Count
    depth: Count
    idle_s: Count
    watchers: Count
    delay_s: Count


class Watchable(ServerMessage, frozen=True, tag=92):
    """The players who allow watching, the most active first."""

    players: tuple[WatchablePlayer, ...] = ()


class Watching(ServerMessage, frozen=True, tag=93):
    """The watcher sees this player from now on, `delay_s` late; with "" the watching is over, and `text` says why."""

    name: Text
    delay_s: Count = 0
    text: Text = ""


class Watchers(ServerMessage, frozen=True, tag=94):
    """The names of all who watch this player now; sent to the player when one begins or stops."""

    names: tuple[Text, ...] = ()


WatchFromClient: TypeAlias = WatchLogin | AskWatchable | Watch | SetWatchable | EndWatching

WatchFromServer: TypeAlias = Watchable | Watching | Watchers
