"""Chat and pings between players: sent immediately, never written into the journal of the dungeon."""

import logging
from collections.abc import Callable
from functools import partial
from typing import Final, TypeAlias

from twisted.python.failure import Failure

from gloam_server.autopilot.interruptions import is_addressed, is_urgent
from gloam_server.engine.engine import Engine
from gloam_server.engine.messages import Say
from gloam_server.engine.player import Player
from gloam_server.gateway.chat.delivery import Delivery
from gloam_server.gateway.chat.ignore_lists import IgnoreLists
from gloam_server.gateway.chat.missed_chat import MissedChat
from gloam_server.gateway.chat.recipients import party_of, recipients, refusal
from gloam_server.gateway.chat.reports import Reports
from gloam_server.storage.chat_store import IgnoredPlayer
from gloam_server.storage.errors import StorageError
from gloam_server.storage.writer import Writer
from gloam_shared.protocol.codec import encode
from gloam_shared.protocol.framing import frame
from gloam_shared.protocol.messages.chat import Ignore, MapPing, MapPinged, Report, SendChat, Speak, Spoken

_log: Final = logging.getLogger(__name__)

ChatMessage: TypeAlias = SendChat | Speak | MapPing | Ignore | Report
"""The messages about words that a player sends."""


class Chat:
    """Passes on words and pings to the players who hear them, and keeps them for players who are away.

    A player's plan stops if the player is named, whispered to or urgently pinged.
    """

    def __init__(self, engine: Engine, on_block: Callable[[Player, int], None]) -> None:
        self._dungeon = engine.dungeon
        self._players = engine.players
        self._scheduler = engine.scheduler
        self._views = engine.views
        self._answers = engine.loop.answers
        self._presence = engine.loop.presence
        self._delivery = Delivery(engine.views)
        self._loop = engine.loop
        self._writer = engine.writer
        self._clock = engine.clock
        self._missed = MissedChat(engine.players, engine.clock, engine.writer)
        self._ignoring = _accounts_with_lists(engine.writer)
        self._ignore_lists = IgnoreLists(engine.writer, engine.views, self._delivery, on_block)
        self._reports = Reports(engine.clock, engine.writer, self._delivery)

    def handle(self, player: Player, message: ChatMessage) -> None:
        """Carry out one message."""
        match message:
            case Ignore():
                self._ignore_lists.change(player, message)
            case Report():
                self._reports.take(player, message)
            case _:
                self._deliver(player, message)

    def player_joined(self, player: Player) -> None:
        """Send a player who has joined what they missed; the first time, read what is kept of them."""
        if player.audience.known:
            self._catch_up(player)
        elif player.account in self._ignoring:
            kept = self._writer.call(self._writer.directory.ignored_by, player.account)
            kept.addCallbacks(partial(self._begin, player), partial(self._unread, player))
        else:
            self._begin(player, [])

    def forget(self, account: int) -> None:
        """Drop what memory holds of an account that was removed."""
        self._missed.forget(account)

    def close(self) -> None:
        """Write what is not written yet: the server stops."""
        self._missed.close()

    def _begin(self, player: Player, ignored: list[IgnoredPlayer]) -> None:
        if not player.audience.known:  # it may have been read twice, for two connections
            player.audience.known = True
            self._ignore_lists.begin(player, ignored)
            self._missed.begin(player)
        self._catch_up(player)

    def _unread(self, player: Player, failure: Failure) -> None:
        """Let a player hear all, if what is kept of them cannot be read now."""
        _log.warning("the lists of %s cannot be read: %s", player.name, failure.getErrorMessage())
        self._begin(player, [])

    def _catch_up(self, player: Player) -> None:
        if not player.connection:
            return
        if player.audience.ignored:
            self._ignore_lists.send(player)
        missed = self._missed.take_missed(player)
        if missed:
            self._delivery.tell(player, "While you were away, players said:")
        for said in missed:
            self._delivery.deliver(said, [player])

    def _deliver(self, player: Player, spoken: SendChat | Speak | MapPing) -> None:
        match spoken:
            case SendChat(words):
                self._speak(player, Speak("say", words))
            case Speak():
                self._speak(player, spoken)
            case MapPing():
                self._ping(player, spoken)
        self._answers.send(self._scheduler.take_refusals())
        self._loop.wake()

    def _speak(self, player: Player, words: Speak) -> None:
        """Send a player's words to the players who hear them; they stop the plans of players that they address."""
        hearers = recipients(self._players, self._dungeon.realm, player, words)
        if not hearers:
            self._delivery.tell(player, refusal(player, words))
            return
        whispered = words.channel == "whisper"
        target = next((each.name for each in hearers if each is not player), "") if whispered else ""
        self._presence.report_arrival(player, self._clock.now_ms())
        self._delivery.deliver(Spoken(words.channel, player.name, words.text, target), hearers)
        if not whispered:
            party = party_of(self._dungeon.realm, player.account) if words.channel == "party" else ()
            self._missed.note(player, words, party)
        heard = {each.account for each in hearers}
        deed = "whispers to" if whispered else "speaks of"
        self._stop(
            player,
            f"You stop: {player.name} {deed} you.",
            lambda other: other.account in heard and (whispered or is_addressed(other.name, words.text)),
        )

    def _ping(self, player: Player, call: MapPing) -> None:
        """Send a ping to all players who do not block its player; an urgent one stops the plans on the level.

        A ping is talk, not an action: a warning must be quick, so it waits neither for a turn nor for the disk, and is
        lost in a crash. A ping from a level that the player is not on, or for a cell that does not exist, is dropped.
        """
        in_play = self._players.in_dungeon(player.account)
        if in_play is None:
            return
        _, level, _ = in_play
        if call.depth != level.partition or call.cell >= level.grid.size:
            return
        self._presence.report_arrival(player, self._clock.now_ms())
        framed = frame(encode(MapPinged(player.name, call.word, call.depth, call.cell)))
        hearers = [each for each in self._players.connected() if not each.audience.blocks(player.account)]
        for each in hearers:
            self._views.take(Say(each.connection, framed))
        if is_urgent(call.word):
            near = {other.account for other in self._players.on_level(level).values()}
            near &= {each.account for each in hearers}
            self._stop(player, f"You stop: {player.name} calls.", lambda other: other.account in near)

    def _stop(self, speaker: Player, reason: str, concerns: Callable[[Player], bool]) -> None:
        for other in self._players.connected():
            if other is not speaker and other.turns.plan_number is not None and concerns(other):
                self._scheduler.end_plan(other, reason, "called")


def _accounts_with_lists(writer: Writer) -> set[int]:
    """Return the accounts whose lists must be read at their first login; called at the start, before there are players."""
    try:
        return writer.directory.ignoring()
    except StorageError as error:
        _log.warning("who ignores or blocks others cannot be read: %s", error)
        return set()
