"""From a command to a deed, and the deed done. The same for players and monsters."""

from typing import assert_never

from gloam_server.world.actions import melee, movement, stairs
from gloam_server.world.creature import Creature
from gloam_server.world.level import Level
from gloam_server.world.outcome import Deed, Dig, Impossible, Outcome, Pass, Stairs, Step, Strike, Swap
from gloam_server.world.stage import Stage
from gloam_shared.commands import Action, Climb, Move, Wait


def resolve(level: Level, creature: Creature, command: Action) -> Outcome:
    """Return what a command comes to, as things stand: a deed, or why not. Changes nothing and costs nothing."""
    match command:
        case Move(dx, dy):
            return movement.resolve_move(level, creature, dx, dy)
        case Climb(down):
            return stairs.resolve_climb(level, creature, down=down)
        case Wait():
            return Pass()
        case _:
            assert_never(command)


def guard(level: Level, creature: Creature) -> Deed:
    """Return what a creature on guard does: strike back at an adjacent attacker, otherwise stay."""
    attacker = melee.adjacent_attacker(level, creature)
    return Pass() if attacker is None else Strike(attacker.number)


def perform(stage: Stage, creature: Creature, deed: Deed) -> None:
    """Do a deed that `resolve` allowed a moment ago, on the same level."""
    match deed:
        case Pass():
            pass
        case Step(cell):
            stage.level.move(creature, cell)
        case Strike(target):
            melee.strike(stage, creature, stage.level.creatures[target])
        case Swap(other):
            movement.swap(stage, creature, stage.level.creatures[other])
        case Dig(cell):
            movement.dig(stage, creature, cell)
        case Stairs(place):
            stairs.climb(stage, creature, place)
        case _:
            assert_never(deed)


def attempt(stage: Stage, creature: Creature, command: Action) -> Impossible | None:
    """Do what a command comes to; return the reason if it came to nothing."""
    outcome = resolve(stage.level, creature, command)
    if isinstance(outcome, Impossible):
        return outcome
    perform(stage, creature, outcome)
    return None
