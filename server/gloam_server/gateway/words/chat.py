"""Chat and pings between players: sent at once, never written into the journal."""

from collections.abc import Callable

from gloam_server.autopilot.interruptions import is_addressed, is_urgent
from gloam_server.engine.engine import Engine
from gloam_server.engine.player import Player
from gloam_server.gateway.words.delivery import deliver, tell
from gloam_server.gateway.words.recipients import recipients, refusal
from gloam_shared.protocol.chat_messages import Speak, Spoken
from gloam_shared.protocol.messages import MapPing, MapPinged, SendChat


class Chat:
    """Passes on words and pings.

    A player's plan stops if the player is named, whispered to or urgently pinged.
    """

    def __init__(self, engine: Engine) -> None:
        self._dungeon = engine.dungeon
        self._players = engine.players
        self._scheduler = engine.scheduler
        self._broadcaster = engine.broadcaster
        self._loop = engine.loop

    def deliver(self, player: Player, spoken: SendChat | Speak | MapPing) -> None:
        """Send a player's words to those who hear their channel, or a ping to all players."""
        match spoken:
            case SendChat(words):
                self._speak(player, Speak("say", words))
            case Speak():
                self._speak(player, spoken)
            case MapPing():
                self._ping(player, spoken)
        self._broadcaster.answer(self._scheduler.take_refusals())
        self._loop.wake()

    def _speak(self, player: Player, words: Speak) -> None:
        """Send a player's words to those who hear them; they stop the plans of players that they address."""
        hearers = recipients(self._players, self._dungeon.realm, player, words)
        if not hearers:
            tell(player, refusal(words))
            return
        whispered = words.channel == "whisper"
        target = next((each.name for each in hearers if each is not player), "") if whispered else ""
        deliver(Spoken(words.channel, player.name, words.text, target), hearers)
        heard = {each.account for each in hearers}
        deed = "whispers to" if whispered else "speaks of"
        self._stop(
            player,
            f"You stop: {player.name} {deed} you.",
            lambda other: other.account in heard and (whispered or is_addressed(other.name, words.text)),
        )

    def _ping(self, player: Player, call: MapPing) -> None:
        """Send a ping to all players; an urgent one stops the plans of the others on the level.

        A ping from a level that the player is not on, or for a cell that does not exist, is dropped.
        """
        standing = self._players.in_dungeon(player.account)
        if standing is None:
            return
        _, level, _ = standing
        if call.depth != level.place or call.cell >= level.grid.size:
            return
        self._broadcaster.broadcast(MapPinged(player.name, call.word, call.depth, call.cell))
        if is_urgent(call.word):
            near = {other.account for other in self._players.on_level(level).values()}
            self._stop(player, f"You stop: {player.name} calls.", lambda other: other.account in near)

    def _stop(self, speaker: Player, reason: str, concerns: Callable[[Player], bool]) -> None:
        for other in self._players.connected():
            if other is not speaker and other.turns.plan_number is not None and concerns(other):
                self._scheduler.end_plan(other, reason, "called")
