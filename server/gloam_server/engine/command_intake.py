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
from gloam_shared.protocol.codes import AnswerCode
from gloam_shared.protocol.commands import AnyCommand, Choose, Climb, Duel, Move, Plan, Stop
from gloam_shared.protocol.messages import Answer

Reply: TypeAlias = Answer | FreeAction | None
"""An answer to send, an input that takes no time, or None: the command waits."""


def take_order(player: Player, level: Level, body: Creature, number: int, command: AnyCommand) -> list[Reply]:
    """Take a command that just came. What waited before it is answered as replaced; a choice stops nothing."""
    if number <= max(player.answered, body.command):
        return [Answer(number, "done")]
    if player.wish is not None and player.wish[0] == number:
        return []
    if isinstance(command, Duel):
        return [_duel(player, level, body, number, command)]
    if isinstance(command, Choose):
        return [_choose(player, level, body, number, command)]
    replies: list[Reply] = []
    waiting_since_ms, stepped = player.clock.waiting_since_ms, player.stepped
    if player.wish is not None:
        replies.append(_replaced(player))
    player.drop_wishes()
    match command:
        case Stop():
            player.answered = number
            replies.append(Answer(number, "done"))
        case _:
            replies.append(_wait(player, level, body, number, command))
            if player.wish is not None or player.course is not None:
                player.clock.waiting_since_ms = waiting_since_ms
            if player.wish is not None and isinstance(command, Move | Climb | Plan):
                player.stepped = stepped  # who walks on picks up first what the last step led to
    return replies


def _replaced(player: Player) -> Answer:
    assert player.wish is not None
    number = player.wish[0]
    player.answered = max(player.answered, number)
    return Answer(number, "replaced")


def _choose(player: Player, level: Level, body: Creature, number: int, command: Choose) -> Reply:
    player.choosing = [each for each in player.choosing if each > body.command]
    if number in player.choosing:
        return None
    if body.points <= len(player.choosing):
        return _refuse(player, number, "state", "You have no level-up choice to make.")
    if command.option >= len(gain_choices(level, body)):
        return _refuse(player, number, "choice", "That choice is not offered.")
    player.choosing.append(number)
    return FreeAction(body.number, number, command)


def _duel(player: Player, level: Level, body: Creature, number: int, command: Duel) -> Reply:
    player.dueling = [each for each in player.dueling if each > body.command]
    if number in player.dueling:
        return None
    other = plan_consent(level, body, command.handle, agree=command.agree)
    if isinstance(other, Impossible):
        return _refuse(player, number, other.code, other.reason)
    player.dueling.append(number)
    return FreeAction(body.number, number, command)


def _wait(player: Player, level: Level, body: Creature, number: int, command: AnyCommand) -> Reply:
    """Let a command wait. A plan is looked at when its turn is due: until then it costs nothing, however many come."""
    if not isinstance(command, Plan | Climb):
        assert not isinstance(command, Choose | Duel | Stop)
        outcome = plan(level, body, command)
        if isinstance(outcome, Impossible):
            return _refuse(player, number, outcome.code, outcome.reason)
    player.wish = (number, command)
    return None


def _refuse(player: Player, number: int, code: AnswerCode, reason: str) -> Answer:
    player.answered = max(player.answered, number)
    return Answer(number, code, reason)
