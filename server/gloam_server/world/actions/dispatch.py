"""From a command to a deed, and the deed done. The same for players and monsters."""

from typing import assert_never

from gloam_server.world.actions import belongings, melee, movement, pickup, stairs
from gloam_server.world.creature import Creature
from gloam_server.world.level import Level
from gloam_server.world.outcome import (
    Bite,
    Deed,
    Dig,
    Don,
    Gather,
    Grip,
    Impossible,
    LayDown,
    Outcome,
    Pass,
    Stairs,
    Step,
    Strike,
    Swap,
)
from gloam_server.world.stage import Stage
from gloam_shared.commands import Action, Climb, Drop, Eat, Move, PickUp, Wait, Wear, Wield


def resolve(level: Level, creature: Creature, command: Action) -> Outcome:
    """Return what a command comes to, as things stand: a deed, or why not. Changes nothing and costs nothing."""
    match command:
        case Move(dx, dy):
            return movement.resolve_move(level, creature, dx, dy)
        case Climb(down):
            return stairs.resolve_climb(level, creature, down=down)
        case Wait():
            return Pass()
        case PickUp(handles):
            return pickup.resolve_pick_up(level, creature, handles)
        case Drop(slot):
            return belongings.resolve_drop(creature, slot)
        case Eat(slot):
            return belongings.resolve_eat(level, creature, slot)
        case Wield(slot):
            return belongings.resolve_wield(level, creature, slot)
        case Wear(slot):
            return belongings.resolve_wear(level, creature, slot)
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
            movement.walk(stage, creature, cell)
        case Strike(target):
            melee.strike(stage, creature, stage.level.creatures[target])
        case Swap(other):
            movement.swap(stage, creature, stage.level.creatures[other])
        case Dig(cell):
            movement.dig(stage, creature, cell)
        case Stairs(place):
            stairs.climb(stage, creature, place)
        case Gather(items):
            pickup.gather(stage, creature, items)
        case LayDown(slot):
            belongings.lay_down(stage, creature, slot)
        case Bite(slot):
            belongings.bite(stage, creature, slot)
        case Grip(slot):
            belongings.grip(stage, creature, slot)
        case Don(slot):
            belongings.don(stage, creature, slot)
        case _:
            assert_never(deed)


def attempt(stage: Stage, creature: Creature, command: Action) -> Impossible | None:
    """Do what a command comes to; return the reason if it came to nothing."""
    outcome = resolve(stage.level, creature, command)
    if isinstance(outcome, Impossible):
        return outcome
    perform(stage, creature, outcome)
    return None
