"""Steps, and what a step may become: an attack, a swap, digging (rule J7.15)."""

from typing import Final

from msgspec import UNSET

from gloam_server.world.actions.doors import Reveal, plan_cage, plan_device, plan_open
from gloam_server.world.actions.giving import plan_lift
from gloam_server.world.actions.melee import Attack, plan_attack
from gloam_server.world.combat.companions import befriend, companion_of
from gloam_server.world.combat.footing import is_held_back
from gloam_server.world.combat.hostility import is_held, is_hostile, is_on_players_side, join_fight
from gloam_server.world.combat.party.side_by_side import may_relieve
from gloam_server.world.items.floor_items import announce_pile
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.modifiers import is_able
from gloam_server.world.model.outcome import Action, Impossible, Outcome, Verb
from gloam_server.world.model.powers import has_power, power_amount
from gloam_shared.appearance import Terrain
from gloam_shared.protocol import commands

_BORDER: Final = "The rock beyond cannot be dug."


class Move(Verb[commands.Move], frozen=True):
    """Step to a free cell."""

    command = commands.Move
    work = "step"
    noise = "step"
    cell: int

    @classmethod
    def plan(cls, level: Level, creature: Creature, command: commands.Move) -> Outcome:
        """Return the action of a step: an attack on a foe, a swap with a friend, opening a door, pulling a lever, digging.

        A step digs only if the campaign's `digging` permits it, and only if it `digs` (rule J7.15).
        """
        if (command.dx, command.dy) not in level.campaign.directions:
            return Impossible("You cannot go that way.", "no_direction")
        cell = level.grid.step(creature.cell, command.dx, command.dy)
        if cell is None:
            return Impossible(_BORDER, "undiggable")
        other = level.at(cell)
        if other is not None:
            return _plan_bump(level, creature, other)
        if level.can_hold(creature, cell):
            leap = _plan_leap(level, creature, cell, command) if creature.learned else None
            return leap or cls(cell)
        if level.terrain[cell] == Terrain.DOOR_CLOSED:
            return plan_open(level, creature, cell)
        worked = plan_device(level, creature, cell)
        if worked is not None:
            return worked
        if level.terrain[cell] == Terrain.WALL and is_able(level.campaign, creature, "digs"):
            dug = _plan_rock(level, cell)
            if isinstance(dug, Impossible) or (command.digs and level.campaign.digging == "step"):
                return dug
            return Impossible("Solid rock.", "rock")
        return Impossible("There is no way through.", "impassable")

    def execute(self, context: TurnContext, creature: Creature) -> None:
        """Step to a free cell, and notice the items there; what holds the body is torn first."""
        if context.level.state.surfaces and is_held_back(context, creature, self.cell):
            return
        context.level.move(creature, self.cell)
        announce_pile(context, creature)


class Leap(Action, frozen=True):
    """Step to a free cell and strike the foe behind it in the same action (rule F108)."""

    work = "blow"
    cell: int
    blow: Attack

    def execute(self, context: TurnContext, creature: Creature) -> None:
        """Step, and strike."""
        context.level.move(creature, self.cell)
        announce_pile(context, creature)
        self.blow.execute(context, creature)


class Dig(Verb[commands.Dig], frozen=True):
    """Turn a wall into floor, without stepping there."""

    command = commands.Dig
    work = "dig"
    noise = "dig"
    cell: int

    @classmethod
    def plan(cls, level: Level, creature: Creature, command: commands.Dig) -> Outcome:
        """Return the digging towards (dx, dy): adjacent rock becomes floor, in every campaign."""
        if (command.dx, command.dy) not in level.campaign.directions:
            return Impossible("You cannot dig that way.", "no_direction")
        cell = level.grid.step(creature.cell, command.dx, command.dy)
        if cell is None:
            return Impossible(_BORDER, "undiggable")
        if level.terrain[cell] != Terrain.WALL:
            return Impossible("There is no rock to dig.", "no_rock")
        if not is_able(level.campaign, creature, "digs"):
            return Impossible("You cannot dig through rock.", "no_digging")
        return _plan_rock(level, cell)

    def execute(self, context: TurnContext, creature: Creature) -> None:
        """Turn a wall into plain floor (rule J7.9), a player after the campaign's `dig_turns` turns at it (rule F109)."""
        if (left := _turns_left(context.level, creature, self.cell)) > 0:
            context.emit_private("hews", creature, amount=left)
            return
        context.level.dig(self.cell, Terrain.FLOOR)
        context.emit("digs", creature)


class Swap(Action, frozen=True):
    """Change places with a friend."""

    work = "step"
    other: int

    def execute(self, context: TurnContext, creature: Creature) -> None:
        """Change places with a friend."""
        other = context.level.creatures[self.other]
        context.level.swap(creature, other)
        join_fight(context.level, creature, other)
        join_fight(context.level, other, creature)
        context.emit("swaps", creature, other)
        announce_pile(context, creature)
        announce_pile(context, other)


class Shove(Action, frozen=True):
    """Change places with a creature that is in the way: one of its people, or a weaker one (rule F68)."""

    work = "step"
    other: int

    def execute(self, context: TurnContext, creature: Creature) -> None:
        """Change places; players who see it get a message."""
        other = context.level.creatures[self.other]
        context.level.swap(creature, other)
        context.emit("shoves", creature, other)


class Free(Action, frozen=True):
    """Free a captive, which is then the companion of the player (rule F116)."""

    other: int

    def execute(self, context: TurnContext, creature: Creature) -> None:
        """Open the cage; the captive is a friend from here on."""
        other = context.level.creatures[self.other]
        befriend(context, other, creature)
        context.emit("frees", creature, other)


def _plan_freeing(level: Level, creature: Creature, captive: Creature) -> Outcome:
    if creature.companion is not UNSET or companion_of(level, creature) is not None:
        return Impossible("You have a companion already.", "occupied")
    return Free(captive.number)


def _turns_left(level: Level, digger: Creature, cell: int) -> int:
    """Count a turn of digging at a wall, and return how many are left until it gives way."""
    needed = power_amount(level.campaign, digger, "tunnel") or level.campaign.dig_turns
    if not digger.account or needed == 1:
        return 0
    done = 1 + (digger.dug[1] if digger.dug is not UNSET and digger.dug[0] == cell else 0)
    digger.dug = (cell, done) if done < needed else UNSET
    return needed - done


def _plan_leap(level: Level, creature: Creature, cell: int, command: commands.Move) -> Leap | None:
    """Return the leap at a foe that stands in sight two cells ahead; None for a plain step."""
    if not has_power(level.campaign, creature, "leap"):
        return None
    beyond = level.grid.step(cell, command.dx, command.dy)
    foe = None if beyond is None else level.at(beyond)
    if (
        foe is None
        or foe.hidden
        or not is_hostile(level, creature, foe)
        or not level.field_of_view(creature)[foe.cell]
    ):
        return None
    blow = plan_attack(level, creature, foe)
    return Leap(cell, blow) if isinstance(blow, Attack) else None


def _plan_rock(level: Level, cell: int) -> Dig | Impossible:
    return Dig(cell) if level.is_diggable(cell) else Impossible(_BORDER, "undiggable")


def _plan_bump(level: Level, creature: Creature, other: Creature) -> Outcome:
    if other.bond == "captive" and creature.account:
        return plan_cage(level, other.cell) or _plan_freeing(level, creature, other)
    if is_hostile(level, creature, other):
        blow = plan_attack(level, creature, other)
        return Reveal(other.number) if other.hidden and isinstance(blow, Impossible) else blow
    if creature.account and other.down is not UNSET:
        return plan_lift(level, creature, other)
    if not (creature.account and is_on_players_side(other)):
        return Impossible("Another creature stands in the way.", "occupied")
    if not level.could_swap(creature, other):
        return Impossible("Another creature stands in the way.", "occupied")
    if other.account and is_held(level, other) and not may_relieve(level, creature, other):
        return Impossible(f"{other.name} is in danger and holds that place.", "held")
    return Swap(other.number)
