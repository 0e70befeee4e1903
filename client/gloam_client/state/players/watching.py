"""The client's state of watching: the players who can be watched, the one watched now, and this player's watchers."""

from msgspec import Struct
from msgspec.structs import replace

from gloam_shared.protocol.messages.watching import (
    BansChanged,
    Watchable,
    WatchablePlayer,
    WatchChoice,
    Watchers,
    Watching,
    WhoWatches,
)
from gloam_shared.text import clean


class WatchState(Struct, frozen=True):
    """All of it; `here` says that this client is connected to watch, and not to play."""

    here: bool = False
    players: tuple[WatchablePlayer, ...] | None = None
    """The newest list; None before the first."""
    name: str = ""
    """The player who is watched now; "" for none."""
    delay_s: int = 0
    watchers: tuple[str, ...] = ()
    """The players who watch this player."""
    guests: int = 0
    """The guests who watch this player by a link."""
    choice: WhoWatches | None = None
    """The people who may watch this player, as the server keeps it; None from a server that keeps none."""
    bans: int = 0
    """The bans since this client watches: a door asks again for its guests after each."""

    def take(self, message: Watchable | Watching | Watchers | WatchChoice | BansChanged) -> "WatchState":
        """Return the state after a message of the server."""
        match message:
            case Watchable(players):
                return replace(self, players=players)
            case Watching(name, delay_s):
                return replace(self, name=clean(name), delay_s=delay_s)
            case Watchers(names, guests):
                return replace(self, watchers=tuple(map(clean, names)), guests=guests)
            case WatchChoice(who):
                return replace(self, choice=who or None)
            case BansChanged():
                return replace(self, bans=self.bans + 1)


def watcher_news(before: WatchState, after: WatchState) -> list[str]:
    """Return a sentence for each watcher of this player who began or stopped, and for the first and the last guest."""
    news = [f"{name} watches you." for name in after.watchers if name not in before.watchers]
    news += [f"{name} no longer watches you." for name in before.watchers if name not in after.watchers]
    if after.guests and not before.guests:
        news.append("You are watched by a link.")
    elif before.guests and not after.guests:
        news.append("No one watches you by a link any more.")
    return news


def guest_words(guests: int) -> str:
    """Return how many guests watch, in words; "" for none."""
    return f"{guests} by a link" if guests else ""


def idle_words(idle_s: int) -> str:
    """Return for how long a player has been idle, in words."""
    if idle_s < 10:
        return "active"
    return f"idle {idle_s} s" if idle_s < 120 else f"idle {idle_s // 60} min"
