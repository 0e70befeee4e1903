"""The queue of commands: each is refused immediately, costs no time, or waits for its player's turn."""

from typing import Final, cast, get_args

from gloam_server.engine.commit_queue import CommitQueue
from gloam_server.engine.consents import CommandReply, Consents
from gloam_server.engine.game_clock import GameClock
from gloam_server.engine.game_loop import GameLoop
from gloam_server.engine.messages import Say, Views
from gloam_server.engine.player import Player, PlayerCommand
from gloam_server.engine.players import Players
from gloam_server.engine.server_statistics import ServerStatistics
from gloam_server.world.actions import plan
from gloam_server.world.combat.duels import plan_consent
from gloam_server.world.growth.bents import choice_level
from gloam_server.world.growth.experience import level_options
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.inputs import FreeAction
from gloam_server.world.model.level import Level
from gloam_server.world.model.outcome import Impossible
from gloam_server.world.trading.trades import NO_TRADE, plan_confirmation, plan_offer, trade_of
from gloam_shared.protocol import commands
from gloam_shared.protocol.answers import refusal
from gloam_shared.protocol.codes import RefusalCode
from gloam_shared.protocol.messages.play import Answer

# Tuples: the sum of two kinds is made again at each call.
_AGREEING: Final = (commands.Duel, *get_args(commands.TradeCommand))
_WALKING: Final = (commands.Move, commands.Climb, *get_args(commands.Plan))
_PLANS: Final = (*get_args(commands.Plan), commands.Climb)
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
        consents: Consents,
        views: Views,
    ) -> None:
        self._players = players
        self._loop = loop
        self._commits = commits
        self._clock = clock
        self._statistics = statistics
        self._consents = consents
        self._views = views
        self._answers = loop.answers
        self._arrived = 0

    def put(self, player: Player, command: PlayerCommand) -> None:
        """Accept a command that arrived on a player's connection. Its answer, if any, is a message to the view side."""
        self._statistics.commands[type(command.command).__name__] += 1
        connection, turns = player.connection, player.turns
        in_play = self._players.in_dungeon(player.account)
        if in_play is None or player.attached != in_play[2].number:
            self._views.take(Say(connection, Answer(command.number, "cannot", _NO_BODY, "no_body")))
            return
        _, level, body = in_play
        answered = turns.answered
        refused = self._consents.refusal(player, level, body, command.command)
        replies = accept_command(player, level, body, *command, refused=refused)
        for reply in (*replies, *self._consents.consequences(player, level, body, command, replies)):
            self._pass_on(connection, level, reply)
        waits = turns.pending_command
        is_overtaken = waits is not None and waits.number < turns.received
        if turns.answered != answered or is_overtaken or turns.sent_overtaken:
            self._answers.note(player)
        if turns.wants_turn:
            self._arrived += 1
            turns.arrival_order = self._arrived
            turns.clock.command_arrived(self._clock.now_ms())
        self._loop.wake()

    def _pass_on(self, connection: int, level: Level, reply: CommandReply) -> None:
        match reply:
            case Answer(code="done"):  # perhaps by a batch that is not durable yet
                self._commits.when_durable(lambda: self._views.take(Say(connection, reply)))
            case Answer():
                self._views.take(Say(connection, reply))
            case FreeAction():
                self._loop.submit(level.partition, reply)
            case None:
                pass


def accept_command(
    player: Player,
    level: Level,
    body: Creature,
    number: int,
    command: commands.AnyCommand,
    refused: Impossible | None = None,
) -> list[CommandReply]:
    """Accept a new command. A waiting one is answered as replaced; a free command replaces none.

    `refused` is why the server refuses a trade or a gift that the level would allow.
    """
    turns = player.turns
    if number <= max(turns.answered, body.command):
        return [Answer(number, "done")]
    if turns.pending_command is not None and turns.pending_command.number == number:
        return []
    turns.received = max(turns.received, number)
    if isinstance(command, _AGREEING):
        return [_agree(player, level, body, number, command, refused)]
    if isinstance(command, commands.Choose):
        return [_choose(player, level, body, number, command)]
    replies: list[CommandReply] = []
    waiting_since_ms, stepped = turns.clock.waiting_since_ms, turns.stepped
    if turns.pending_command is not None:
        turns.answer(turns.pending_command.number)
        replies.append(Answer(turns.pending_command.number, "replaced"))
    turns.drop_pending()
    if isinstance(command, commands.Stop):
        turns.answered = number
        return [*replies, Answer(number, "done")]
    replies.append(_queue_command(player, level, body, number, command, refused))
    if turns.pending_command is not None:
        turns.clock.waiting_since_ms = waiting_since_ms
        if isinstance(command, _WALKING):
            turns.stepped = stepped  # a player who walks on first picks up items where the last step led
    return replies


def _choose(
    player: Player, level: Level, body: Creature, number: int, command: commands.Choose
) -> CommandReply:
    """Carry out a level-up choice beside the waiting command, which it does not replace, because it costs no time.

    The number that the server reports as done stays below the waiting command, so a cut cannot lose that one.
    """
    turns = player.turns
    turns.pending_choices = [each for each in turns.pending_choices if each > body.command]
    if number in turns.pending_choices:
        return None
    if body.points <= len(turns.pending_choices):
        return _refuse(player, number, "state", "You have no level-up choice to make.")
    late = isinstance(command, commands.ChooseFor) and command.level != choice_level(level, body)
    if late or command.option >= len(level_options(level, body)):
        return _refuse(player, number, "choice", "That choice is not offered.")
    turns.pending_choices.append(number)
    return FreeAction(body.number, number, command)


def _agree(
    player: Player,
    level: Level,
    body: Creature,
    number: int,
    command: commands.Duel | commands.TradeCommand,
    refused: Impossible | None,
) -> CommandReply:
    """Return the input of a consent to a duel, or of a word in a trade; or the refusal."""
    turns = player.turns
    turns.pending_consents = [each for each in turns.pending_consents if each > body.command]
    if number in turns.pending_consents:
        return None
    outcome = refused or _plan_free(level, body, command)
    if isinstance(outcome, Impossible):
        return _refuse(player, number, outcome.reason, outcome.text)
    turns.pending_consents.append(number)
    return FreeAction(body.number, number, command)


def _plan_free(
    level: Level, body: Creature, command: commands.Duel | commands.TradeCommand
) -> object | Impossible:
    """Return anything but a refusal if a consent is possible now."""
    match command:
        case commands.Duel(handle, agree):
            return plan_consent(level, body, handle, agree=agree)
        case commands.OfferTrade():
            return plan_offer(level, body, command)
        case commands.ConfirmTrade():
            return plan_confirmation(level, body, command)
        case commands.EndTrade():
            return trade_of(level, body.number) or NO_TRADE


def _queue_command(
    player: Player,
    level: Level,
    body: Creature,
    number: int,
    command: commands.AnyCommand,
    refused: Impossible | None,
) -> CommandReply:
    """Queue a command. A plan is examined only when its turn is due, so that many of them cost nothing."""
    if not isinstance(command, _PLANS):
        outcome = refused or plan(
            level, body, cast(commands.ActionCommand, command)
        )  # the others were carried out before
        if isinstance(outcome, Impossible):
            return _refuse(player, number, outcome.reason, outcome.text)
    player.turns.pending_command = PlayerCommand(number, command)
    return None


def _refuse(player: Player, number: int, reason: RefusalCode, text: str) -> Answer:
    player.turns.answer(number)
    return refusal(number, text, reason)
