"""The client's state of watching: the players who can be watched, the one watched now, and this player's watchers."""

from dataclasses import dataclass, replace

from gloam_shared.protocol.messages.watching import Watchable, WatchablePlayer, Watchers, Watching
from gloam_shared.text import clean


@dataclass(frozen=True, slots=True)
class WatchState:
    """All of it; `here` says that this client is connected to watch, and not to play."""

    here: bool = False
    players: tuple[WatchablePlayer, ...] | None = None
    """The newest list; None before the first."""
    name: str = ""
    """The player who is watched now; "" for none."""
    delay_s: int = 0
    watchers: tuple[str, ...] = ()
    """The players who watch this player."""

    def take(self, message: Watchable | Watching | Watchers) -> "WatchState":
        """Return the state after a message of the server."""
        match message:
            case Watchable(players):
                return replace(self, players=players)
            case Watching(name, delay_s):
                return replace(self, name=clean(name), delay_s=delay_s)
            case Watchers(names):
                return replace(self, watchers=tuple(map(clean, names)))


def watcher_news(before: tuple[str, ...], after: tuple[str, ...]) -> list[str]:
    """Return a sentence for each watcher of this player who began or stopped."""
    came = [f"{name} watches you." for name in after if name not in before]
    return came + [f"{name} no longer watches you." for name in before if name not in after]


def idle_words(idle_s: int) -> str:
    """Return for how long a player has been idle, in words."""
    if idle_s < 10:
        return "active"
    return f"idle {idle_s} s" if idle_s < 120 else f"idle {idle_s // 60} min"
