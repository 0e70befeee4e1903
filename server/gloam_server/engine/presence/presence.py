"""Presence: the players as others see them. Arrivals, departures and absences are reported after a delay.

So an unstable connection costs the others neither bytes nor lines of chat.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from gloam_server.engine.player import Player
from gloam_server.engine.players import PlayerInPlay, Players
from gloam_server.engine.timing.gather_time import PARTY_FEW
from gloam_server.views.party_view import friend_of, sorted_by_name
from gloam_server.views.texts.life_summaries import arrival_text, departure_text
from gloam_server.world.transition.dungeon import Dungeon
from gloam_shared.view.view import CreatureFlag, Friend

LARGE_PARTY_MS: Final = 250
"""The interval at which a large party is looked at: each look is at all of its players, and their changes wait longer
than this."""

TOGETHER_MS: Final = 250
"""The time within which other players may join or leave and still share a line: logins begin one after another."""

_NO_MARK: Final = CreatureFlag(0)


class PresenceChange(NamedTuple):
    """Players who joined or left at the same look, and the message about them: one line, even for hundreds."""

    players: list[Player]
    text: Callable[[Sequence[str]], str]

    def message(self) -> str:
        """Return the message about all of them."""
        return self.text([player.name for player in self.players])

    def message_to(self, newcomer: Player) -> str:
        """Return the message to a player who has just joined: of others, and not of what was before.

        "" if nothing is left.

        A change is reported later than it happens, so a newcomer may be there by then.
        """
        came_ms = newcomer.attendance.present.since_ms - TOGETHER_MS
        others = [
            player.name
            for player in self.players
            if player is not newcomer and player.attendance.present.since_ms >= came_ms
        ]
        return self.text(others) if others else ""


class Presence:
    """The party as shown to all players. Bodies in play at the start are not reported as arrivals."""

    def __init__(self, dungeon: Dungeon, players: Players) -> None:
        self._dungeon = dungeon
        self._players = players
        self._present: set[int] | None = None
        self.friends: dict[int, Friend] = {}
        """The party by account."""
        self.party: tuple[Friend, ...] = ()
        self._rests_until_ms = 0
        self._skipped = False

    def update(
        self, players_in_play: Sequence[PlayerInPlay], now_ms: int, *, at_once: bool = False
    ) -> list[PresenceChange]:
        """Update the party; return the arrivals and departures to report. A large party rests unless it is `at_once`."""
        self._skipped = not at_once and len(players_in_play) > PARTY_FEW and now_ms < self._rests_until_ms
        if self._skipped:
            return []
        self._rests_until_ms = now_ms + LARGE_PARTY_MS
        accounts = {player.account for player, _, _ in players_in_play}
        former = self._present
        if former is None:
            former = {player.account for player, _, _ in players_in_play if not player.attendance.present.now}
        watched = self._watched(former)
        until_ms = now_ms + self._together_ms(watched, now_ms)
        for player in watched:
            player.attendance.present.settle(until_ms)
            player.attendance.away.settle(now_ms)
        present = {
            p.account
            for p in watched
            if p.attendance.present.reported or (p.account in former and p.account in accounts)
        }
        self._present = present
        self._note_party(players_in_play, present)
        changes = (
            (self._by_name(present - former), arrival_text),
            (self._by_name(former - present), departure_text),
        )
        return [PresenceChange(players, text) for players, text in changes if players]

    def _together_ms(self, watched: Iterable[Player], now_ms: int) -> int:
        """Return how much too early changes are reported: with one that is due, those that are due soon after it."""
        dues = [due for player in watched if (due := player.attendance.present.due_ms()) is not None]
        return TOGETHER_MS if min(dues, default=now_ms + 1) <= now_ms else 0

    def look_at_ms(self) -> int | None:
        """Return when the next change is reported; None without a change, or without a player to notify."""
        if not self._players.is_anyone_connected():
            return None
        if self._skipped:
            return self._rests_until_ms
        watched = self._watched(self._present or set())
        due = [
            at
            for player in watched
            for at in (player.attendance.present.due_ms(), player.attendance.away.due_ms())
        ]
        return min((at for at in due if at is not None), default=None)

    def _watched(self, present: set[int]) -> list[Player]:
        """Return the players with possible changes."""
        known = {player.account: player for player in self._players.connected()}
        for account in present:
            player = self._players.by_account(account)
            if player is not None:
                known[account] = player
        return list(known.values())

    def _note_party(self, players_in_play: Sequence[PlayerInPlay], present: set[int]) -> None:
        """Store the party. Players who have just left stay in it as they were; dead players do not."""
        fallen = self._dungeon.realm.fallen
        kept = {a: f for a, f in self.friends.items() if a in present and a not in fallen}
        now = {
            each[0].account: friend_of(each[0].name, each[1], each[2], reported_marks(each[0]))
            for each in players_in_play
            if each[0].account in present
        }
        friends = kept | now
        if friends != self.friends:  # else the party stays the same object, which all views share
            known = self.friends
            self.friends = {a: known[a] if known.get(a) == f else f for a, f in friends.items()}
            self.party = sorted_by_name(self.friends.values())

    def _by_name(self, accounts: set[int]) -> list[Player]:
        players = (self._players.by_account(account) for account in accounts)
        return sorted((player for player in players if player is not None), key=lambda player: player.name)


def reported_marks(player: Player) -> CreatureFlag:
    """Return the marks that others see on a player, from the state of the connection."""
    if not player.attendance.present.reported:
        return CreatureFlag.CUT_OFF
    return CreatureFlag.AWAY if player.attendance.away.reported else _NO_MARK
