"""Steps, and what a step becomes: a blow, a swap, a hole in the wall (rule J7.15)."""

from typing import Final

from gloam_server.world.actions.doors import plan_open
from gloam_server.world.actions.melee import plan_attack
from gloam_server.world.combat.hostility import is_held, is_hostile, is_on_players_side, join_fight
from gloam_server.world.items.floor_items import announce_pile
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.outcome import DigDeed, Impossible, Outcome, RevealDeed, SwapDeed, WalkDeed
from gloam_server.world.population.starting_gear import reveal_creature
from gloam_shared.appearance import Terrain
from gloam_shared.geometry import step

_BORDER: Final = "The rock beyond cannot be dug."


def plan_move(level: Level, creature: Creature, dx: int, dy: int, *, digs: bool = True) -> Outcome:
    """Return what a step comes to: into a foe a blow, into a friend a swap, into a closed door its opening, into rock a hole.

    Rock gives way to a step only where the campaign's `digging` says so, and only to one that `digs` (rule J7.15).
    """
    if (dx, dy) not in level.campaign.directions:
        return Impossible("You cannot go that way.")
    cell = step(creature.cell, dx, dy, level.width, level.height)
    if cell is None:
        return Impossible(_BORDER)
    other = level.at(cell)
    if other is not None:
        return _plan_bump(level, creature, other)
    if level.can_hold(creature, cell):
        return WalkDeed(cell)
    if level.terrain[cell] == Terrain.DOOR_CLOSED:
        return plan_open(level, creature, cell)
    if level.terrain[cell] == Terrain.WALL and level.campaign.creatures[creature.kind].digs:
        dug = _plan_rock(level, cell)
        if isinstance(dug, Impossible) or (digs and level.campaign.digging == "step"):
            return dug
        return Impossible("Solid rock.", "rock")
    return Impossible("There is no way through.")


def plan_dig(level: Level, creature: Creature, dx: int, dy: int) -> Outcome:
    """Return what digging towards (dx, dy) comes to: rock beside the creature becomes floor, in every campaign."""
    if (dx, dy) not in level.campaign.directions:
        return Impossible("You cannot dig that way.")
    cell = step(creature.cell, dx, dy, level.width, level.height)
    if cell is None:
        return Impossible(_BORDER)
    if level.terrain[cell] != Terrain.WALL:
        return Impossible("There is no rock to dig.")
    if not level.campaign.creatures[creature.kind].digs:
        return Impossible("You cannot dig through rock.", "no_digging")
    return _plan_rock(level, cell)


def _plan_rock(level: Level, cell: int) -> DigDeed | Impossible:
    return DigDeed(cell) if level.is_diggable(cell) else Impossible(_BORDER)


def _plan_bump(level: Level, creature: Creature, other: Creature) -> Outcome:
    if is_hostile(level, creature, other):
        blow = plan_attack(level, creature, other)
        return RevealDeed(other.number) if other.hidden and isinstance(blow, Impossible) else blow
    if not (creature.account and is_on_players_side(other)):
        return Impossible("Somebody stands in the way.")
    if not level.could_swap(creature, other):
        return Impossible("Somebody stands in the way.")
    if other.account and is_held(level, other):
        return Impossible(f"{other.name} is in danger and holds that place.")
    return SwapDeed(other.number)


def walk(stage: TurnContext, creature: Creature, cell: int) -> None:
    """Go to a free cell, and notice what lies there."""
    stage.level.move(creature, cell)
    announce_pile(stage, creature)


def reveal_ambush(stage: TurnContext, other: Creature) -> None:
    """Run into who lies in wait: it shows itself."""
    reveal_creature(other)
    stage.emit("emerges", other)


def swap_places(stage: TurnContext, creature: Creature, other: Creature) -> None:
    """Change places with a friend."""
    stage.level.swap(creature, other)
    join_fight(stage.level, creature, other)
    join_fight(stage.level, other, creature)
    stage.emit("swaps", creature, other)
    announce_pile(stage, creature)
    announce_pile(stage, other)


def dig_rock(stage: TurnContext, creature: Creature, cell: int) -> None:
    """Turn a wall into plain floor (rule J7.9)."""
    stage.level.dig(cell, Terrain.FLOOR)
    stage.emit("digs", creature)
