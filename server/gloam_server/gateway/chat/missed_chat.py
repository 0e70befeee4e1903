"""The newest words, kept for players who are away. They are written every few seconds, together, so a crash loses few."""

import logging
from collections import deque
from collections.abc import Collection
from typing import Final

from twisted.python.failure import Failure

from gloam_server.engine.game_clock import GameClock
from gloam_server.engine.player import Player
from gloam_server.engine.players import Players
from gloam_server.net.reactor import DelayedCall
from gloam_server.storage.chat_store import StoredChat
from gloam_server.storage.errors import StorageError
from gloam_server.storage.writer import Writer
from gloam_shared import limits
from gloam_shared.protocol.messages.chat import Speak, Spoken

_log: Final = logging.getLogger(__name__)


class MissedChat:
    """The chat to all, or to a party, and up to where each player was there."""

    def __init__(self, players: Players, clock: GameClock, writer: Writer) -> None:
        self._players = players
        self._clock = clock
        self._writer = writer
        self._kept: deque[StoredChat] = deque(maxlen=limits.SAID_KEPT_MAX)
        self._before: dict[int, int] = {}
        self._read()
        self.newest = self._kept[-1].number if self._kept else 0
        self._written = self.newest
        self._heard: dict[int, int] = {}
        self._timer: DelayedCall | None = None

    def note(self, speaker: Player, words: Speak, hearers: Collection[int] = ()) -> None:
        """Keep words that all may read, or only the accounts `hearers`."""
        self.newest += 1
        wall_s = self._clock.wall_s()
        kept = StoredChat(
            self.newest, wall_s, words.channel, speaker.account, speaker.name, words.text, tuple(hearers)
        )
        self._kept.append(kept)
        for player in self._players.connected():
            if player.audience.known:
                self._note_heard(player)
        self._write_later()

    def begin(self, player: Player) -> None:
        """Take up to where a player was there before the server started; a new one has missed nothing."""
        heard = self._before.get(player.account)
        if heard is None:
            self._note_heard(player)
        else:
            player.audience.heard = min(heard, self.newest)

    def take_missed(self, player: Player) -> list[Spoken]:
        """Return the newest words that a player may read and was not there for; they are then no longer missed."""
        now_s, audience = self._clock.wall_s(), player.audience
        missed = [
            Spoken(said.channel, said.name, said.text, ago_s=max(now_s - said.at_s, 1))  # type: ignore[arg-type]  # ours
            for said in self._kept
            if said.number > audience.heard
            and said.account != player.account
            and audience.hears(said.account)
            and (not said.hearers or player.account in said.hearers)
            and now_s - said.at_s <= limits.SAID_KEPT_S
        ]
        if audience.heard < self.newest:
            self._note_heard(player)
            self._write_later()
        return missed[-limits.SAID_MISSED_MAX :]

    def forget(self, account: int) -> None:
        """Drop up to where a player was there: their account was removed."""
        self._before.pop(account, None)
        self._heard.pop(account, None)

    def close(self) -> None:
        """Write what is not written yet: the server stops."""
        if self._timer is not None and self._timer.active():
            self._timer.cancel()
        if self._written < self.newest or self._heard:
            self._write()

    def _read(self) -> None:
        """Read the words of before the start, when there are no players yet."""
        try:
            self._kept.extend(self._writer.directory.stored_chat())
            self._before = self._writer.directory.listeners()
        except StorageError as error:
            _log.warning("what was said before is not known: %s", error)

    def _note_heard(self, player: Player) -> None:
        player.audience.heard = self._heard[player.account] = self.newest

    def _write_later(self) -> None:
        if self._timer is None or not self._timer.active():
            self._timer = self._clock.reactor.callLater(limits.SAID_WRITTEN_S, self._write)

    def _write(self) -> None:
        """Write the newest words; what fails is written with the next ones."""
        now_s = self._clock.wall_s()
        while self._kept and now_s - self._kept[0].at_s > limits.SAID_KEPT_S:
            self._kept.popleft()
        said = [each for each in self._kept if each.number > self._written]
        heard, self._heard = self._heard, {}
        oldest = self._kept[0].number if self._kept else self.newest + 1
        done = self._writer.call(self._writer.directory.store_chat, said, heard, oldest)
        done.addCallbacks(lambda _: self._wrote(said), lambda failure: self._failed(heard, failure))

    def _wrote(self, said: list[StoredChat]) -> None:
        self._written = max([self._written, *(each.number for each in said)])

    def _failed(self, heard: dict[int, int], failure: Failure) -> None:
        self._heard = heard | self._heard
        _log.warning("what was said is not written yet: %s", failure.getErrorMessage())
