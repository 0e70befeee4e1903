"""Messages about watching: a connection without a body that sees what a player sees, and the player's word on it.

All need the ability "watch", and what concerns guests `GUEST_WATCH`: visitors of a door who watch without a name.
`BansChanged` needs `GUEST_BANS`, and `WatchChoice` needs `WATCH_CHOICE`.
"""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from gloam_shared import limits
from gloam_shared.protocol.messages import base

GUEST_WATCH: Final = "guest-watch"
"""The ability of a server whose host lets guests watch."""

GUEST_BANS: Final = "guest-bans"
"""The ability of a door that asks again for its guests when the host bans a name."""

WATCH_CHOICE: Final = "watch-choice"
"""The ability of a server that keeps with the account who may watch, and of a client that shows what is kept."""

WhoWatches: TypeAlias = Literal["no one", "friends", "everyone"]
"""The people who may watch a player; guests of a door are among everyone."""

# From the client.


class WatchLogin(base.Message, frozen=True, tag=30):
    """Log in under this name to watch instead of `Login`, without a body.

    Fields as in `Login`; answered by `Watchable`. With an empty name a door watches for its guests.
    """

    name: base.PlayerName
    token: base.Token
    password: base.Text = ""
    invite: base.PlayerName = ""


class AskWatchable(base.Message, frozen=True, tag=31):
    """A watcher asks for the players who allow watching. Answered by `Watchable`."""


class Watch(base.Message, frozen=True, tag=32):
    """A watcher asks for the view of this player; "" ends watching. Answered by `Watching`, or by `Error` "watching"."""

    name: base.PlayerName


class SetWatchable(base.Message, frozen=True, tag=33):
    """A player says whether others may watch; until then a server lets no one watch. `guests` may only where this is set.

    With the ability `WATCH_CHOICE` the server keeps it, and answers by `WatchChoice`.
    """

    allowed: bool
    guests: bool = False

    @property
    def who(self) -> WhoWatches:
        """Return the people who may watch."""
        return "everyone" if self.allowed and self.guests else "friends" if self.allowed else "no one"


class EndWatching(base.Message, frozen=True, tag=34):
    """A player ends the watching of this watcher, who cannot watch them again; "" ends the watching of all watchers."""

    name: base.PlayerName = ""


class CountGuests(base.Message, frozen=True, tag=60):
    """A door says how many guests see what this connection watches."""

    count: Annotated[int, Meta(ge=0, le=limits.GUESTS_MAX)]


# From the server.


class WatchablePlayer(Struct, frozen=True, array_like=True):
    """A player who allows watching: their level, depth, seconds since their last message, number of watchers.

    `delay_s` says how late this watcher sees them.
    """

    name: base.Text
    level: base.Count
    depth: base.Count
    idle_s: base.Count
    watchers: base.Count
    delay_s: base.Count


class Watchable(base.ServerMessage, frozen=True, tag=92):
    """The players who allow watching, the most active first."""

    players: tuple[WatchablePlayer, ...] = ()


class Watching(base.ServerMessage, frozen=True, tag=93):
    """The watcher sees this player from now on, `delay_s` late; with "" the watching is over, and `text` says why."""

    name: base.Text
    delay_s: base.Count = 0
    text: base.Text = ""


class Watchers(base.ServerMessage, frozen=True, tag=94):
    """The names of all who watch this player now, and the number of guests; sent to the player when one begins or stops."""

    names: tuple[base.Text, ...] = ()
    guests: base.Count = 0


class WatchChoice(base.ServerMessage, frozen=True, tag=114):
    """The people who may watch this player, as the server keeps it; "" before the first choice. Sent before `Joined`, too."""

    who: Literal["no one", "friends", "everyone", ""] = ""


class BansChanged(base.ServerMessage, frozen=True, tag=113):
    """The host has banned a name: the door that gets this asks again, for each guest, whether they may watch."""


WatchFromClient: TypeAlias = WatchLogin | AskWatchable | Watch | SetWatchable | EndWatching | CountGuests

WatchFromServer: TypeAlias = Watchable | Watching | Watchers | WatchChoice | BansChanged
