"""From a command to a deed, and the deed done. The same for players and monsters."""

from typing import assert_never

from gloam_server.rules.hunger import Work
from gloam_server.world.actions import (
    casting,
    doors,
    giving,
    inventory_use,
    melee,
    missiles,
    pickup,
    potions,
    prize_and_exit,
    scrolls,
    stairs,
    waiting,
    walking,
)
from gloam_server.world.model.context import Stage
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.outcome import (
    Bite,
    Deed,
    Don,
    Drink,
    Escape,
    Gather,
    Grip,
    HandOver,
    Hesitate,
    Hurl,
    Impossible,
    Invoke,
    LayDown,
    Linger,
    Outcome,
    Pass,
    ReadOut,
    Shot,
    Stairs,
    Startle,
    Step,
    Strike,
    Swap,
    Swing,
    Tunnel,
    Unwrap,
)
from gloam_shared.protocol.commands import (
    Action,
    Cast,
    Climb,
    Close,
    Dig,
    Drop,
    Eat,
    Fire,
    Give,
    Move,
    PickUp,
    Quaff,
    Read,
    Throw,
    Use,
    Wait,
    Wear,
    Wield,
)


def resolve(level: Level, creature: Creature, command: Action) -> Outcome:
    """Return what a command comes to, as things stand: a deed, or why not. Changes nothing and costs nothing."""
    match command:
        case Move(dx, dy, digs):
            return walking.resolve_move(level, creature, dx, dy, digs=digs)
        case Dig(dx, dy):
            return walking.resolve_dig(level, creature, dx, dy)
        case Climb(down):
            return stairs.resolve_climb(level, creature, down=down)
        case Wait():
            return Linger()
        case PickUp(handles):
            return pickup.resolve_pick_up(level, creature, handles)
        case Drop(slot):
            return inventory_use.resolve_drop(creature, slot)
        case Eat(slot):
            return inventory_use.resolve_eat(level, creature, slot)
        case Wield(slot):
            return inventory_use.resolve_wield(level, creature, slot)
        case Wear(slot):
            return inventory_use.resolve_wear(level, creature, slot)
        case _:
            return _resolve_art(level, creature, command)


def _resolve_art(
    level: Level, creature: Creature, command: Quaff | Read | Cast | Throw | Fire | Give | Close | Use
) -> Outcome:
    """Return what a command comes to that not every campaign has a use for."""
    match command:
        case Quaff(slot):
            return potions.resolve_quaff(level, creature, slot)
        case Read(slot, cell):
            return scrolls.resolve_read(level, creature, slot, cell)
        case Cast(spell, cell):
            return casting.resolve_cast(level, creature, spell, cell)
        case Throw(slot, cell):
            return missiles.resolve_throw(level, creature, slot, cell)
        case Fire(cell):
            return missiles.resolve_fire(level, creature, cell)
        case Give(slot, handle):
            return giving.resolve_give(level, creature, slot, handle)
        case Close(dx, dy):
            return doors.resolve_close(level, creature, dx, dy)
        case Use(slot, again):
            return prize_and_exit.resolve_use(level, creature, slot, again=again)
        case _:
            assert_never(command)


def guard(level: Level, creature: Creature) -> Deed:
    """Return what a creature on guard does: strike back at an adjacent attacker, otherwise stay."""
    attacker = melee.adjacent_attacker(level, creature)
    return Pass() if attacker is None else Strike(attacker.number)


def perform(stage: Stage, creature: Creature, deed: Deed) -> None:
    """Do a deed that `resolve` allowed a moment ago, on the same level."""
    stage.work = _work(deed)
    match deed:
        case Pass():
            pass
        case Step(cell):
            walking.walk(stage, creature, cell)
        case Strike(target):
            melee.strike(stage, creature, stage.level.creatures[target])
        case Swap(other):
            walking.swap(stage, creature, stage.level.creatures[other])
        case Tunnel(cell):
            walking.dig(stage, creature, cell)
        case Stairs(place):
            stairs.climb(stage, creature, place)
        case Gather(items):
            pickup.gather(stage, creature, items)
        case LayDown(slot):
            inventory_use.lay_down(stage, creature, slot)
        case Bite(slot):
            inventory_use.bite(stage, creature, slot)
        case Grip(slot):
            inventory_use.grip(stage, creature, slot)
        case Don(slot):
            inventory_use.don(stage, creature, slot)
        case _:
            _perform_art(stage, creature, deed)


def _perform_art(
    stage: Stage,
    creature: Creature,
    deed: Linger
    | Startle
    | Drink
    | ReadOut
    | Invoke
    | Hurl
    | Shot
    | HandOver
    | Swing
    | Unwrap
    | Escape
    | Hesitate,
) -> None:
    match deed:
        case Linger():
            waiting.linger(stage, creature)
        case Startle(target):
            walking.startle(stage, stage.level.creatures[target])
        case Drink(slot):
            potions.quaff(stage, creature, slot)
        case ReadOut(slot, cell):
            scrolls.read(stage, creature, slot, cell)
        case Invoke(spell, cell):
            casting.cast(stage, creature, spell, cell)
        case Hurl(slot, cell):
            missiles.throw(stage, creature, slot, cell)
        case Shot(target):
            missiles.fire(stage, creature, stage.level.creatures[target])
        case HandOver(slot, other):
            giving.give(stage, creature, slot, stage.level.creatures[other])
        case Swing(cell):
            doors.swing(stage, creature, cell)
        case Unwrap() | Escape() | Hesitate():
            _perform_end(stage, creature, deed)
        case _:
            assert_never(deed)


def _perform_end(stage: Stage, creature: Creature, deed: Unwrap | Escape | Hesitate) -> None:
    match deed:
        case Unwrap(slot, again):
            prize_and_exit.unwrap(stage, creature, slot, again=again)
        case Escape():
            prize_and_exit.escape(stage, creature)
        case Hesitate():
            prize_and_exit.hesitate(stage, creature)
        case _:
            assert_never(deed)


def _work(deed: Deed) -> Work:
    """Return what a deed is, as far as it makes hungry (rule TG.18)."""
    match deed:
        case Step() | Swap() | Stairs():
            return "step"
        case Tunnel():
            return "dig"
        case Strike() | Hurl() | Shot():
            return "blow"
        case _:
            return "other"


def attempt(stage: Stage, creature: Creature, command: Action) -> Impossible | None:
    """Do what a command comes to; return the reason if it came to nothing."""
    outcome = resolve(stage.level, creature, command)
    if isinstance(outcome, Impossible):
        return outcome
    perform(stage, creature, outcome)
    return None
