"""What players say and call out to each other: told at once, and never written into the journal."""

import re
from collections.abc import Callable
from typing import Final

from gloam_server.engine.game_loop import GameLoop
from gloam_server.engine.players import Player
from gloam_server.sessions.effects import RelayChat, RelayPing
from gloam_shared import text
from gloam_shared.protocol.messages import ChatLine, MapPinged

_WORD: Final = re.compile("[a-z0-9]+")
_URGENT: Final = frozenset({"come", "danger"})
"""Calls at which nobody on the level walks on without being asked."""


class Chat:
    """Passes words on. Who is spoken of, or called, stops what he had planned."""

    def __init__(self, beats: GameLoop) -> None:
        self._beats = beats

    def deliver(self, player: Player, spoken: RelayChat | RelayPing) -> None:
        """Tell everybody what a player says or calls out."""
        match spoken:
            case RelayChat(words):
                self._say(player, words)
            case RelayPing():
                self._ping(player, spoken)
        self._beats.answer_refusals()
        self._beats.wake()

    def _say(self, player: Player, words: str) -> None:
        """Tell everybody what a player says; it stops whom it names."""
        self._beats.broadcaster.broadcast(ChatLine(player.name, words))
        spoken = set(_WORD.findall(text.fold(words)))
        self._stop(
            player, f"You stop: {player.name} speaks of you.", lambda other: text.fold(other.name) in spoken
        )

    def _ping(self, player: Player, call: RelayPing) -> None:
        """Tell everybody what a player calls out; if it is urgent, it stops the others on his level.

        A call from a level that he is not on, or for a cell that there is not, is dropped.
        """
        standing = self._beats.roster.in_dungeon(player.account)
        if standing is None:
            return
        _, level, _ = standing
        if call.depth != level.place or call.cell >= level.width * level.height:
            return
        self._beats.broadcaster.broadcast(MapPinged(player.name, call.word, call.depth, call.cell))
        if call.word in _URGENT:
            near = {other.account for other in self._beats.roster.on_level(level).values()}
            self._stop(player, f"You stop: {player.name} calls.", lambda other: other.account in near)

    def _stop(self, speaker: Player, reason: str, concerns: Callable[[Player], bool]) -> None:
        for other in self._beats.roster.connected():
            if other is not speaker and other.plan_number is not None and concerns(other):
                self._beats.scheduler.end_plan(other, reason, "called")
