"""A command as it comes: refused at once, carried out without time, or left to wait for the player's turn."""

from typing import TypeAlias

from gloam_server.engine.players import Player
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


def accept_command(
    player: Player, level: Level, body: Creature, number: int, command: AnyCommand
) -> list[CommandReply]:
    """Take a command that just came. What waited before it is answered as replaced; a choice stops nothing."""
    if number <= max(player.answered, body.command):
        return [Answer(number, "done")]
    if player.pending_command is not None and player.pending_command[0] == number:
        return []
    if isinstance(command, Duel):
        return [_duel(player, level, body, number, command)]
    if isinstance(command, Choose):
        return [_choose(player, level, body, number, command)]
    replies: list[CommandReply] = []
    waiting_since_ms, stepped = player.clock.waiting_since_ms, player.stepped
    if player.pending_command is not None:
        replies.append(_replaced(player))
    player.drop_pending()
    match command:
        case Stop():
            player.answered = number
            replies.append(Answer(number, "done"))
        case _:
            replies.append(_queue_command(player, level, body, number, command))
            if player.pending_command is not None or player.running_plan is not None:
                player.clock.waiting_since_ms = waiting_since_ms
            if player.pending_command is not None and isinstance(command, Move | Climb | Plan):
                player.stepped = stepped  # who walks on picks up first what the last step led to
    return replies


def _replaced(player: Player) -> Answer:
    assert player.pending_command is not None
    number = player.pending_command[0]
    player.answered = max(player.answered, number)
    return Answer(number, "replaced")


def _choose(player: Player, level: Level, body: Creature, number: int, command: Choose) -> CommandReply:
    player.pending_choices = [each for each in player.pending_choices if each > body.command]
    if number in player.pending_choices:
        return None
    if body.points <= len(player.pending_choices):
        return _refuse(player, number, "state", "You have no level-up choice to make.")
    if command.option >= len(gain_choices(level, body)):
        return _refuse(player, number, "choice", "That choice is not offered.")
    player.pending_choices.append(number)
    return FreeAction(body.number, number, command)


def _duel(player: Player, level: Level, body: Creature, number: int, command: Duel) -> CommandReply:
    player.pending_consents = [each for each in player.pending_consents if each > body.command]
    if number in player.pending_consents:
        return None
    other = plan_consent(level, body, command.handle, agree=command.agree)
    if isinstance(other, Impossible):
        return _refuse(player, number, other.code, other.reason)
    player.pending_consents.append(number)
    return FreeAction(body.number, number, command)


def _queue_command(
    player: Player, level: Level, body: Creature, number: int, command: AnyCommand
) -> CommandReply:
    """Let a command wait. A plan is looked at when its turn is due: until then it costs nothing, however many come."""
    if not isinstance(command, Plan | Climb):
        assert not isinstance(command, Choose | Duel | Stop)
        outcome = plan(level, body, command)
        if isinstance(outcome, Impossible):
            return _refuse(player, number, outcome.code, outcome.reason)
    player.pending_command = (number, command)
    return None


def _refuse(player: Player, number: int, reason: RefusalCode, text: str) -> Answer:
    player.answered = max(player.answered, number)
    return refusal(number, text, reason)
