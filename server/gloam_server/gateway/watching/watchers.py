"""The watchers of the realm: who may watch which player, and who watches now. The view side sends them their views."""

from collections.abc import Callable
from dataclasses import dataclass, field

from gloam_server.engine.engine import Engine
from gloam_server.engine.messages import Say, Watches
from gloam_server.engine.player import Player
from gloam_server.gateway.caller import Caller
from gloam_server.gateway.watching.watch_choices import WatchChoices
from gloam_server.storage.accounts import Account
from gloam_shared import limits
from gloam_shared.protocol.codes import ByeCode
from gloam_shared.protocol.messages import watching
from gloam_shared.protocol.messages.login import Bye, Error
from gloam_shared.protocol.messages.watching import WhoWatches
from gloam_shared.protocol.registry import FromClient
from gloam_shared.text import fold

InParty = Callable[[int, int], bool]
"""Whether the first account is in the party of the second: then it sees the second without delay."""

_FULL = Bye("full", f"{limits.WATCHERS_MAX} people watch here already; try again later.")
_NOT_HERE = Error("watching", "That player cannot be watched now; the list shows who can.")
_NOT_BY_LINK = Error(
    "watching", "No player of that name can be watched by a link now; ask them, or try again later."
)
_CROWDED = Error(
    "watching", f"{limits.WATCHERS_PER_PLAYER_MAX} people watch that player already; choose another player."
)


@dataclass(slots=True)
class _Watcher:
    """One connection that watches: a person with a name, or a door whose guests have none."""

    account: int
    """0 for a door."""
    name: str
    caller: Caller
    guests: int = 0
    """The guests of a door; 0 for a person."""
    watched: int = 0
    """The account of the watched player; 0 for none."""


@dataclass(slots=True)
class _Watched:
    """One player as watchers know them."""

    allowed: bool = False
    guests: bool = False
    """Whether guests may watch, too."""
    chosen: WhoWatches | None = None
    """The player's own choice, which their account keeps; None before the first."""
    refused: dict[int, None] = field(default_factory=dict)
    """The watchers that the player has ended, the oldest first."""


class RealmWatchers:
    """All watchers of a running realm, and what players said about watching."""

    def __init__(self, engine: Engine, in_party: InParty) -> None:
        self._players = engine.players
        self._views = engine.views
        self._clock = engine.clock
        self._choices = WatchChoices(engine.writer)
        engine.turn_side.on_watch_ended = self._end_watch
        self._in_party = in_party
        self._watchers: dict[Caller, _Watcher] = {}
        self._watched: dict[int, _Watched] = {}

    def refusal(self) -> Bye | None:
        """Return why there is no room for another watcher; None if there is."""
        return _FULL if len(self._watchers) >= limits.WATCHERS_MAX else None

    def add(self, caller: Caller, account: Account) -> None:
        """Take in a connection that has logged in to watch. An older one of the same account ends."""
        for other in [each for each in self._watchers.values() if each.account == account.number]:
            other.caller.end("replaced", "You watch from somewhere else.")
            self.lost(other.caller)
        self._seat(_Watcher(account.number, account.name, caller))

    def add_door(self, caller: Caller) -> None:
        """Take in a connection of a door that watches for its guests."""
        self._seat(_Watcher(0, "", caller, guests=1))

    def _seat(self, watcher: _Watcher) -> None:
        self._watchers[watcher.caller] = watcher
        self._views.take(Watches(watcher.caller.number, watcher.account, 0))
        watcher.caller.send(self._list_for(watcher))

    def lost(self, caller: Caller) -> None:
        """Forget a watcher whose connection is over."""
        watcher = self._watchers.pop(caller, None)
        if watcher is not None:
            self._stop(watcher)

    def handle(self, caller: Caller, request: FromClient) -> None:
        """Carry out what a watcher asked for."""
        watcher = self._watchers.get(caller)
        if watcher is None:
            return
        match request:
            case watching.AskWatchable():
                caller.send(self._list_for(watcher))
            case watching.Watch(name):
                self._watch(watcher, name)
            case watching.CountGuests(count) if watcher.guests:
                self._count(watcher, max(count, 1))

    def hear_player(self, player: Player, said: watching.SetWatchable | watching.EndWatching) -> None:
        """Carry out what a player said about who watches them."""
        match said:
            case watching.SetWatchable(allowed, guests):
                self.set_allowed(player, allowed=allowed, guests=guests)
                if watching.WATCH_CHOICE in player.abilities:
                    self._watched[player.account].chosen = said.who
                    self._choices.keep(player.account, said.who)
                    self._tell_choice(player, said.who)
            case watching.EndWatching(name):
                self.end(player, name)

    def set_allowed(self, player: Player, *, allowed: bool, guests: bool = False) -> None:
        """Note whether a player allows watching, and to guests. Who does not is no longer watched."""
        state = self._watched.setdefault(player.account, _Watched())
        state.allowed, state.guests = allowed, allowed and guests
        if not allowed:
            self.end(player, "", f"{player.name} no longer allows watching.")
            return
        if not guests:
            self._end_guests(player, f"{player.name} no longer allows watching by a link.")
        if self._watchers_of(player.account):
            self._tell(player)

    def end(self, player: Player, name: str, words: str = "") -> None:
        """End a watcher's watching of a player; "" ends the watching of all watchers. A named watcher cannot return."""
        for watcher in self._watchers_of(player.account):
            if name and fold(watcher.name) != fold(name):
                continue
            if name:
                self._refuse(player.account, watcher.account)
            self._dismiss(watcher, words or f"{player.name} has ended your watching.")

    def end_of_blocked(self, player: Player, watcher: int) -> None:
        """End the watching of an account that a player blocks: the player looks as if they were not here (A56)."""
        for each in self._watchers_of(player.account):
            if each.account == watcher:
                self._dismiss(each, "That player has left.")

    def player_left(self, player: Player) -> None:
        """End the watching of guests: a player leaves on purpose, or is sent away."""
        self._end_guests(player, f"{player.name} has left.")

    def player_joined(self, player: Player, kept: WhoWatches | None, *, resumes: bool) -> None:
        """Take in that a player has joined; `kept` is the choice that their account had.

        A client that knows no choice of the account says its own after a login, and until then no one watches.
        """
        state = self._watched.get(player.account)
        chosen = state.chosen if state is not None and state.chosen is not None else kept
        if watching.WATCH_CHOICE in player.abilities:
            self._tell_choice(player, chosen)
            if chosen is not None:
                self.set_allowed(player, allowed=chosen != "no one", guests=chosen == "everyone")
                self._watched[player.account].chosen = chosen
                return
        if not resumes and state is not None:
            self.set_allowed(player, allowed=False)

    def forget(self, account: int) -> None:
        """Drop what a player said about watching: their account was removed."""
        self._watched.pop(account, None)

    def expel(self, account: int, code: ByeCode, words: str) -> None:
        """End the connection of a watcher that the host sends away."""
        for watcher in [each for each in self._watchers.values() if each.account == account]:
            watcher.caller.end(code, words)

    def bans_changed(self) -> None:
        """Let each door ask again for its guests: the devices of an account that the host bans are known to it alone."""
        for watcher in self._watchers.values():
            if watcher.guests and watching.GUEST_BANS in watcher.caller.abilities:
                watcher.caller.send(watching.BansChanged())

    def close_all(self, code: ByeCode, words: str) -> None:
        """Say to all watchers that the server stops."""
        for watcher in list(self._watchers.values()):
            watcher.caller.end(code, words)

    def _watch(self, watcher: _Watcher, name: str) -> None:
        self._stop(watcher)
        if not name:
            watcher.caller.send(watching.Watching(""))
            return
        player = next((each for each in self._watchable(watcher) if fold(each.name) == fold(name)), None)
        if player is None:
            watcher.caller.send(_NOT_BY_LINK if watcher.guests else _NOT_HERE)
        elif len(self._watchers_of(player.account)) >= limits.WATCHERS_PER_PLAYER_MAX:
            watcher.caller.send(_CROWDED)
        else:
            self._begin(watcher, player)

    def _begin(self, watcher: _Watcher, player: Player) -> None:
        watcher.watched = player.account
        watcher.caller.send(watching.Watching(player.name, self._delay_s(watcher, player.account)))
        self._tell(player)
        self._views.take(Watches(watcher.caller.number, watcher.account, player.account))

    def _count(self, watcher: _Watcher, guests: int) -> None:
        """Note how many guests a door shows a player to, and let the player know."""
        if guests == watcher.guests:
            return
        watcher.guests = guests
        player = self._players.by_account(watcher.watched) if watcher.watched else None
        if player is not None:
            self._tell(player)

    def _end_guests(self, player: Player, words: str) -> None:
        for watcher in self._watchers_of(player.account):
            if watcher.guests:
                self._dismiss(watcher, words)

    def _dismiss(self, watcher: _Watcher, words: str) -> None:
        self._stop(watcher)
        watcher.caller.send(watching.Watching("", 0, words))

    def _end_watch(self, connection: int, words: str) -> None:
        """End a watching for which the view side has nothing more to show."""
        for watcher in [each for each in self._watchers.values() if each.caller.number == connection]:
            self._dismiss(watcher, words)

    def _stop(self, watcher: _Watcher) -> None:
        """Let a watcher watch no player, and let the player know."""
        former, watcher.watched = watcher.watched, 0
        if former:
            self._views.take(Watches(watcher.caller.number, watcher.account, 0))
        player = self._players.by_account(former) if former else None
        if player is not None:
            self._tell(player)

    def _tell(self, player: Player) -> None:
        """Send a player the names of their watchers."""
        if "watch" in player.abilities:
            watchers = self._watchers_of(player.account)
            names = sorted(each.name for each in watchers if not each.guests)
            guests = sum(each.guests for each in watchers)
            self._views.take(Say(player.connection, watching.Watchers(tuple(names), guests)))

    def _tell_choice(self, player: Player, chosen: WhoWatches | None) -> None:
        self._views.take(Say(player.connection, watching.WatchChoice(chosen or "")))

    def _refuse(self, watched: int, watcher: int) -> None:
        refused = self._watched[watched].refused
        refused[watcher] = None
        if len(refused) > limits.WATCH_REFUSED_MAX:
            refused.pop(next(iter(refused)))

    def _list_for(self, watcher: _Watcher) -> watching.Watchable:
        """Return the players that a watcher may watch, the most active first."""
        now_ms, shown = self._clock.now_ms(), []
        for player in self._watchable(watcher):
            in_play = self._players.in_dungeon(player.account)
            if in_play is None:
                continue
            _, level, body = in_play
            idle_s = max(now_ms - player.attendance.heard_ms, 0) // 1_000
            watchers = len(self._watchers_of(player.account))
            delay_s = self._delay_s(watcher, player.account)
            shown.append(
                watching.WatchablePlayer(player.name, body.level, level.partition, idle_s, watchers, delay_s)
            )
        shown.sort(key=lambda each: (each.idle_s, each.name))
        return watching.Watchable(tuple(shown[: limits.WATCHABLE_SHOWN_MAX]))

    def _watchable(self, watcher: _Watcher) -> list[Player]:
        """Return the connected players who allow this watcher."""
        return [
            player
            for player in self._players.connected()
            if player.account != watcher.account
            and (state := self._watched.get(player.account)) is not None
            and (state.guests if watcher.guests else state.allowed)
            and watcher.account not in state.refused
            and not player.audience.blocks(watcher.account)
            and self._players.in_dungeon(player.account) is not None
        ]

    def _watchers_of(self, account: int) -> list[_Watcher]:
        return [each for each in self._watchers.values() if each.watched == account]

    def _delay_s(self, watcher: _Watcher, account: int) -> int:
        return 0 if self._in_party(watcher.account, account) else limits.WATCH_DELAY_S
