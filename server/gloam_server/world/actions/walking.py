"""Steps, and what a step becomes: a blow, a swap, a hole in the wall (rule J7.15)."""

from typing import Final

from gloam_server.world.actions.doors import resolve_open
from gloam_server.world.actions.melee import resolve_strike
from gloam_server.world.combat.hostility import hostile, is_held, share_contacts, with_players
from gloam_server.world.items.floor_items import notice_pile
from gloam_server.world.model.context import Stage
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.outcome import Impossible, Outcome, Startle, Step, Swap, Tunnel
from gloam_server.world.population.starting_gear import show
from gloam_shared.appearance import Terrain
from gloam_shared.geometry import step

_BORDER: Final = "The rock beyond cannot be dug."


def resolve_move(level: Level, creature: Creature, dx: int, dy: int, *, digs: bool = True) -> Outcome:
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
        return _resolve_bump(level, creature, other)
    if level.bears(creature, cell):
        return Step(cell)
    if level.terrain[cell] == Terrain.DOOR_CLOSED:
        return resolve_open(level, creature, cell)
    if level.terrain[cell] == Terrain.WALL and level.campaign.creatures[creature.kind].digs:
        dug = _resolve_rock(level, cell)
        if isinstance(dug, Impossible) or (digs and level.campaign.digging == "step"):
            return dug
        return Impossible("Solid rock.", "rock")
    return Impossible("There is no way through.")


def resolve_dig(level: Level, creature: Creature, dx: int, dy: int) -> Outcome:
    """Return what digging towards (dx, dy) comes to: rock beside the creature becomes floor, in every campaign."""
    if (dx, dy) not in level.campaign.directions:
        return Impossible("You cannot dig that way.")
    cell = step(creature.cell, dx, dy, level.width, level.height)
    if cell is None:
        return Impossible(_BORDER)
    if level.terrain[cell] != Terrain.WALL:
        return Impossible("There is no rock to dig.")
    if not level.campaign.creatures[creature.kind].digs:
        return Impossible("You cannot dig through rock.")
    return _resolve_rock(level, cell)


def _resolve_rock(level: Level, cell: int) -> Tunnel | Impossible:
    return Tunnel(cell) if level.diggable(cell) else Impossible(_BORDER)


def _resolve_bump(level: Level, creature: Creature, other: Creature) -> Outcome:
    if hostile(level, creature, other):
        blow = resolve_strike(level, creature, other)
        return Startle(other.number) if other.hidden and isinstance(blow, Impossible) else blow
    if not (creature.account and with_players(other)):
        return Impossible("Somebody stands in the way.")
    if not level.could_swap(creature, other):
        return Impossible("Somebody stands in the way.")
    if other.account and is_held(level, other):
        return Impossible(f"{other.name} is in danger and holds that place.")
    return Swap(other.number)


def walk(stage: Stage, creature: Creature, cell: int) -> None:
    """Go to a free cell, and notice what lies there."""
    stage.level.move(creature, cell)
    notice_pile(stage, creature)


def startle(stage: Stage, other: Creature) -> None:
    """Run into who lies in wait: it shows itself."""
    show(other)
    stage.tell("emerges", other)


def swap(stage: Stage, creature: Creature, other: Creature) -> None:
    """Change places with a friend."""
    stage.level.swap(creature, other)
    share_contacts(stage.level, creature, other)
    share_contacts(stage.level, other, creature)
    stage.tell("swaps", creature, other)
    notice_pile(stage, creature)
    notice_pile(stage, other)


def dig(stage: Stage, creature: Creature, cell: int) -> None:
    """Turn a wall into plain floor (rule J7.9)."""
    stage.level.dig(cell, Terrain.FLOOR)
    stage.tell("digs", creature)
