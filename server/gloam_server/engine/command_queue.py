"""The queue of commands: each is refused at once, costs no time, or waits for its player's turn."""

from typing import TypeAlias

from gloam_server.engine.commit_queue import CommitQueue
from gloam_server.engine.game_clock import GameClock
from gloam_server.engine.game_loop import GameLoop
from gloam_server.engine.player import Player, PlayerCommand
from gloam_server.engine.players import Players
from gloam_server.engine.server_statistics import ServerStatistics
from gloam_server.net.connection import Connection
from gloam_server.world.actions import plan
from gloam_server.world.combat.duels import plan_consent
from gloam_server.world.combat.experience import gain_choices
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.inputs import FreeAction
from gloam_server.world.model.level import Level
from gloam_server.world.model.outcome import Impossible
from gloam_shared.protocol.answers import refusal
from gloam_shared.protocol.codes import RefusalCode
from gloam_shared.protocol.commands import AnyCommand, Choose, Climb, Duel, Move, Plan, Stop
from gloam_shared.protocol.messages import Answer

CommandReply: TypeAlias = Answer | FreeAction | None
"""An answer to send, an input that takes no time, or None: the command waits."""

_NO_BODY = "You have no body in the dungeon now."


class CommandQueue:
    """Takes commands of all players, and wakes the game loop. At most one command of each player waits."""

    def __init__(
        self,
        players: Players,
        loop: GameLoop,
        commits: CommitQueue,
        clock: GameClock,
        statistics: ServerStatistics,
    ) -> None:
        self._players = players
        self._loop = loop
        self._commits = commits
        self._clock = clock
        self._statistics = statistics
        self._arrived = 0

    def put(self, player: Player, command: PlayerCommand) -> None:
        """Accept a command that came on a player's connection."""
        self._statistics.commands[type(command.command).__name__] += 1
        connection = player.connection
        assert connection is not None
        standing = self._players.in_dungeon(player.account)
        view = player.client.view
        if standing is None or view is None or view.body != standing[2].number:
            connection.send(Answer(command.number, "cannot", _NO_BODY, "no_body"))
            return
        _, level, body = standing
        for reply in accept_command(player, level, body, *command):
            self._pass_on(connection, level, reply)
        if player.turns.wants_turn:
            self._arrived += 1
            player.turns.arrival_order = self._arrived
            player.turns.clock.command_came(self._clock.now_ms())
        self._loop.wake()

    def _pass_on(self, connection: Connection, level: Level, reply: CommandReply) -> None:
        match reply:
            case Answer(code="done"):  # perhaps by a batch that is not durable yet
                self._commits.when_durable(lambda: connection.send(reply))
            case Answer():
                connection.send(reply)
            case FreeAction():
                self._loop.submit(level.place, reply)
            case None:
                pass


def accept_command(
    player: Player, level: Level, body: Creature, number: int, command: AnyCommand
) -> list[CommandReply]:
    """Accept a new command. A waiting one is answered as replaced; a free command replaces none."""
    turns = player.turns
    if number <= max(turns.answered, body.command):
        return [Answer(number, "done")]
    if turns.pending_command is not None and turns.pending_command.number == number:
        return []
    if isinstance(command, Duel):
        return [_duel(player, level, body, number, command)]
    if isinstance(command, Choose):
        return [_choose(player, level, body, number, command)]
    replies: list[CommandReply] = []
    waiting_since_ms, stepped = turns.clock.waiting_since_ms, turns.stepped
    if turns.pending_command is not None:
        turns.answer(turns.pending_command.number)
        replies.append(Answer(turns.pending_command.number, "replaced"))
    turns.drop_pending()
    if isinstance(command, Stop):
        turns.answered = number
        return [*replies, Answer(number, "done")]
    replies.append(_queue_command(player, level, body, number, command))
    if turns.pending_command is not None:
        turns.clock.waiting_since_ms = waiting_since_ms
        if isinstance(command, Move | Climb | Plan):
            turns.stepped = stepped  # a player who walks on first picks up items where the last step led
    return replies


def _choose(player: Player, level: Level, body: Creature, number: int, command: Choose) -> CommandReply:
    turns = player.turns
    turns.pending_choices = [each for each in turns.pending_choices if each > body.command]
    if number in turns.pending_choices:
        return None
    if body.points <= len(turns.pending_choices):
        return _refuse(player, number, "state", "You have no level-up choice to make.")
    if command.option >= len(gain_choices(level, body)):
        return _refuse(player, number, "choice", "That choice is not offered.")
    turns.pending_choices.append(number)
    return FreeAction(body.number, number, command)


def _duel(player: Player, level: Level, body: Creature, number: int, command: Duel) -> CommandReply:
    turns = player.turns
    turns.pending_consents = [each for each in turns.pending_consents if each > body.command]
    if number in turns.pending_consents:
        return None
    other = plan_consent(level, body, command.handle, agree=command.agree)
    if isinstance(other, Impossible):
        return _refuse(player, number, other.reason, other.text)
    turns.pending_consents.append(number)
    return FreeAction(body.number, number, command)


def _queue_command(
    player: Player, level: Level, body: Creature, number: int, command: AnyCommand
) -> CommandReply:
    """Queue a command. A plan is examined only when its turn is due, so that many of them cost nothing."""
    if not isinstance(command, Plan | Climb):
        assert not isinstance(command, Choose | Duel | Stop)
        outcome = plan(level, body, command)
        if isinstance(outcome, Impossible):
            return _refuse(player, number, outcome.reason, outcome.text)
    player.turns.pending_command = PlayerCommand(number, command)
    return None


def _refuse(player: Player, number: int, reason: RefusalCode, text: str) -> Answer:
    player.turns.answer(number)
    return refusal(number, text, reason)
