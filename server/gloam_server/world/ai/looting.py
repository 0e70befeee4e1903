"""Behaviors that pick up items and use them. They ignore items that a player dropped (rule F30)."""

from typing import Final

from gloam_server.content.field_types import Group
from gloam_server.world import actions
from gloam_server.world.ai.perception import current_enemy
from gloam_server.world.ai.steering import step_towards
from gloam_server.world.combat.trajectory import trace_missile
from gloam_server.world.items.equipment import free_slot, is_in_use
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature, Item
from gloam_server.world.model.level import Level
from gloam_shared import limits
from gloam_shared.protocol.commands import PickUp, Quaff, Throw

LOOT_CELLS: Final = 6
"""The largest distance to an item that a creature walks to."""

HURL_CELLS: Final = 2
"""The largest distance to an item that a creature takes up to throw it."""

_WANTED: Final[tuple[Group, ...]] = ("weapon", "armour", "potion")


def pick_up_wanted(context: TurnContext, creature: Creature) -> bool:
    """Pick up the item underfoot (rule TG.11)."""
    return _take(context, creature, _find_wanted_items(context.level, creature.cell))


def go_to_items(context: TurnContext, creature: Creature) -> bool:
    """Go for weapons, armor and potions in sight, and pick them up, while no foe is in sight."""
    level = context.level
    if free_slot(creature) is None or current_enemy(level, creature) is not None:
        return False
    if _take(context, creature, _useful(level, creature.cell)):
        return True
    seen = level.field_of_view(creature)
    near = [
        (level.grid.distance(creature.cell, cell), cell)
        for cell in sorted(level.piles)
        if seen[cell] and cell != creature.cell and _useful(level, cell)
    ]
    if not near or min(near)[0] > LOOT_CELLS:
        return False
    return step_towards(context, creature, min(near)[1])


def quaff_useful(context: TurnContext, creature: Creature) -> bool:
    """Drink a healing potion, when badly hurt."""
    if creature.hp * 2 > creature.hp_max:
        return False
    campaign = context.level.campaign
    for slot, item in enumerate(creature.slots):
        spell = campaign.spells.get(campaign.items[item.kind].quaffs) if item is not None else None
        if spell is not None and not spell.harms and any(effect.does == "heal" for effect in spell.effects):
            return actions.try_execute(context, creature, Quaff(slot)) is None
    return False


def hurl_at_enemy(context: TurnContext, creature: Creature) -> bool:
    """Throw what it carries loose at a foe in sight that is not beside it, or take up what lies within two cells of it."""
    level = context.level
    prey = current_enemy(level, creature)
    if prey is None or not 2 <= level.distance(creature, prey) <= limits.THROW_CELLS:
        return False
    if trace_missile(level, creature, prey.cell).victim is not prey:
        return False
    for slot, item in enumerate(creature.slots):
        if item is not None and not item.bound and not is_in_use(creature, item):
            return actions.try_execute(context, creature, Throw(slot, prey.cell)) is None
    if _take(context, creature, _find_wanted_items(level, creature.cell)[-1:]):
        return True
    near = [
        cell
        for cell in level.grid.square(creature.cell, HURL_CELLS)
        if cell != prey.cell and _find_wanted_items(level, cell) and level.is_passable(creature, cell)
    ]
    goal = min(near, key=lambda cell: (level.grid.distance(creature.cell, cell), cell), default=None)
    return goal is not None and step_towards(context, creature, goal)


def _find_wanted_items(level: Level, cell: int) -> list[Item]:
    kinds = level.campaign.items
    pile = level.piles.get(cell, ())
    return [item for item in pile if not (item.owner or item.bound or kinds[item.kind].fixed)]


def _useful(level: Level, cell: int) -> list[Item]:
    return [
        item for item in _find_wanted_items(level, cell) if level.campaign.items[item.kind].group in _WANTED
    ]


def _take(context: TurnContext, creature: Creature, items: list[Item]) -> bool:
    if not items or free_slot(creature) is None:
        return False
    handles = tuple(context.level.handles[item.number] for item in items)[:26]
    return actions.try_execute(context, creature, PickUp(handles)) is None
