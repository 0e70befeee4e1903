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
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.outcome import (
    AttackDeed,
    CastDeed,
    ClimbDeed,
    CloseDoorDeed,
    ConfirmExitDeed,
    Deed,
    DigDeed,
    DropDeed,
    EatDeed,
    ExitDeed,
    FireDeed,
    GiveDeed,
    GuardDeed,
    Impossible,
    Outcome,
    PickUpDeed,
    QuaffDeed,
    ReadDeed,
    RevealDeed,
    SwapDeed,
    ThrowDeed,
    UsePrizeDeed,
    WaitDeed,
    WalkDeed,
    WearDeed,
    WieldDeed,
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


def plan(level: Level, creature: Creature, command: Action) -> Outcome:
    """Return what a command comes to, as things stand: a deed, or why not. Changes nothing and costs nothing."""
    match command:
        case Move(dx, dy, digs):
            return walking.plan_move(level, creature, dx, dy, digs=digs)
        case Dig(dx, dy):
            return walking.plan_dig(level, creature, dx, dy)
        case Climb(down):
            return stairs.plan_climb(level, creature, down=down)
        case Wait():
            return WaitDeed()
        case PickUp(handles):
            return pickup.plan_pick_up(level, creature, handles)
        case Drop(slot):
            return inventory_use.plan_drop(creature, slot)
        case Eat(slot):
            return inventory_use.plan_eat(level, creature, slot)
        case Wield(slot):
            return inventory_use.plan_wield(level, creature, slot)
        case Wear(slot):
            return inventory_use.plan_wear(level, creature, slot)
        case _:
            return _plan_other(level, creature, command)


def _plan_other(
    level: Level, creature: Creature, command: Quaff | Read | Cast | Throw | Fire | Give | Close | Use
) -> Outcome:
    """Return what a command comes to that not every campaign has a use for."""
    match command:
        case Quaff(slot):
            return potions.plan_quaff(level, creature, slot)
        case Read(slot, cell):
            return scrolls.plan_read(level, creature, slot, cell)
        case Cast(spell, cell):
            return casting.plan_cast(level, creature, spell, cell)
        case Throw(slot, cell):
            return missiles.plan_throw(level, creature, slot, cell)
        case Fire(cell):
            return missiles.plan_fire(level, creature, cell)
        case Give(slot, handle):
            return giving.plan_give(level, creature, slot, handle)
        case Close(dx, dy):
            return doors.plan_close(level, creature, dx, dy)
        case Use(slot, again):
            return prize_and_exit.plan_use_prize(level, creature, slot, again=again)
        case _:
            assert_never(command)


def guard_deed(level: Level, creature: Creature) -> Deed:
    """Return what a creature on guard does: strike back at an adjacent attacker, otherwise stay."""
    attacker = melee.adjacent_attacker(level, creature)
    return GuardDeed() if attacker is None else AttackDeed(attacker.number)


def execute(stage: TurnContext, creature: Creature, deed: Deed) -> None:
    """Do a deed that `resolve` allowed a moment ago, on the same level."""
    stage.work = _work_kind(deed)
    match deed:
        case GuardDeed():
            pass
        case WalkDeed(cell):
            walking.walk(stage, creature, cell)
        case AttackDeed(target):
            melee.attack(stage, creature, stage.level.creatures[target])
        case SwapDeed(other):
            walking.swap_places(stage, creature, stage.level.creatures[other])
        case DigDeed(cell):
            walking.dig_rock(stage, creature, cell)
        case ClimbDeed(place):
            stairs.climb(stage, creature, place)
        case PickUpDeed(items):
            pickup.pick_up(stage, creature, items)
        case DropDeed(slot):
            inventory_use.drop(stage, creature, slot)
        case EatDeed(slot):
            inventory_use.eat(stage, creature, slot)
        case WieldDeed(slot):
            inventory_use.wield(stage, creature, slot)
        case WearDeed(slot):
            inventory_use.wear(stage, creature, slot)
        case _:
            _execute_other(stage, creature, deed)


def _execute_other(
    stage: TurnContext,
    creature: Creature,
    deed: WaitDeed
    | RevealDeed
    | QuaffDeed
    | ReadDeed
    | CastDeed
    | ThrowDeed
    | FireDeed
    | GiveDeed
    | CloseDoorDeed
    | UsePrizeDeed
    | ExitDeed
    | ConfirmExitDeed,
) -> None:
    match deed:
        case WaitDeed():
            waiting.wait(stage, creature)
        case RevealDeed(target):
            walking.reveal_ambush(stage, stage.level.creatures[target])
        case QuaffDeed(slot):
            potions.quaff(stage, creature, slot)
        case ReadDeed(slot, cell):
            scrolls.read(stage, creature, slot, cell)
        case CastDeed(spell, cell):
            casting.cast(stage, creature, spell, cell)
        case ThrowDeed(slot, cell):
            missiles.throw(stage, creature, slot, cell)
        case FireDeed(target):
            missiles.fire(stage, creature, stage.level.creatures[target])
        case GiveDeed(slot, other):
            giving.give(stage, creature, slot, stage.level.creatures[other])
        case CloseDoorDeed(cell):
            doors.toggle_door(stage, creature, cell)
        case UsePrizeDeed() | ExitDeed() | ConfirmExitDeed():
            _execute_end(stage, creature, deed)
        case _:
            assert_never(deed)


def _execute_end(
    stage: TurnContext, creature: Creature, deed: UsePrizeDeed | ExitDeed | ConfirmExitDeed
) -> None:
    match deed:
        case UsePrizeDeed(slot, again):
            prize_and_exit.use_prize_item(stage, creature, slot, again=again)
        case ExitDeed():
            prize_and_exit.exit_dungeon(stage, creature)
        case ConfirmExitDeed():
            prize_and_exit.confirm_exit(stage, creature)
        case _:
            assert_never(deed)


def _work_kind(deed: Deed) -> Work:
    """Return what a deed is, as far as it makes hungry (rule TG.18)."""
    match deed:
        case WalkDeed() | SwapDeed() | ClimbDeed():
            return "step"
        case DigDeed():
            return "dig"
        case AttackDeed() | ThrowDeed() | FireDeed():
            return "blow"
        case _:
            return "other"


def try_execute(stage: TurnContext, creature: Creature, command: Action) -> Impossible | None:
    """Do what a command comes to; return the reason if it came to nothing."""
    outcome = plan(stage.level, creature, command)
    if isinstance(outcome, Impossible):
        return outcome
    execute(stage, creature, outcome)
    return None
