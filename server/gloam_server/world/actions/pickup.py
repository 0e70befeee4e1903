"""Picking up items underfoot (rules J10.5, J10.6, J10.14, J10.15)."""

from typing import Final

from gloam_server.world.items.equipment import gain_item, slot_for
from gloam_server.world.items.floor_items import destroy_item, pick_item
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature, Item
from gloam_server.world.model.level import Level
from gloam_server.world.model.outcome import Impossible, Outcome, Verb
from gloam_shared.protocol import commands

_NOTHING: Final = Impossible("There is nothing here to pick up.", "not_here")
_FULL: Final = "Your inventory is full! Nothing was picked up."
_FULL_LIST: Final = "Your inventory is full! Not all items were picked up."
"""The message to a player who chose from a list, and so from a pile of several items (rule J10.14)."""


class PickUp(Verb[commands.PickUp], frozen=True):
    """Pick up items from the pile underfoot, by their numbers, as far as there is room."""

    command = commands.PickUp
    items: tuple[int, ...]

    @classmethod
    def plan(cls, level: Level, creature: Creature, command: commands.PickUp) -> Outcome:
        """Return the picking up of the named items, or of all of them if none is named.

        Items that are elsewhere, carried, or never existed are refused in the same words.
        """
        pile = level.piles.get(creature.cell, [])
        if not pile:
            return _NOTHING
        named = [
            item for item in pile if not command.handles or level.handles[item.number] in command.handles
        ]
        if not named:
            return Impossible("That does not lie here.", "not_here")
        wanted = [item for item in named if can_be_had(level, creature, item)]
        if not wanted:
            return _refuse(level, named[0]) if command.handles else _NOTHING
        if all(slot_for(level.campaign, creature, item) is None for item in wanted):
            return Impossible(_FULL if len(pile) == 1 else _FULL_LIST, "full")
        return cls(tuple(item.number for item in wanted))

    def execute(self, context: TurnContext, creature: Creature) -> None:
        """Pick up the items in the order of the pile, each into its slot; those without room stay."""
        level = context.level
        stays = False
        for item in [item for item in level.piles[creature.cell] if item.number in self.items]:
            slot = slot_for(level.campaign, creature, item)
            if slot is None:
                stays = True
                continue
            gain_item(level, creature, slot, pick_item(level, item, creature.cell))
            context.emit_item_event("picks_up", item, creature, creature.cell)
            if item.choice:
                _end_choice(context, item)
        if stays:
            context.emit_private("overburdened", creature)


def can_be_had(level: Level, creature: Creature, item: Item) -> bool:
    """Return whether an item can be picked up at all, and is not bound to another life (rule A64).

    Only players choose among the items of a treasury (rule F70).
    """
    if level.campaign.items[item.kind].fixed or (item.choice and not creature.account):
        return False
    return item.bound in (0, creature.number)


def _end_choice(context: TurnContext, chosen: Item) -> None:
    """Destroy the other items of a choice (rule F70)."""
    choice, chosen.choice = chosen.choice, 0
    for cell, item in list(context.level.items_at()):
        if item.choice == choice:
            context.emit_item_event("turns_to_dust", item, None, cell)
            destroy_item(context, pick_item(context.level, item, cell), cell)


def _refuse(level: Level, item: Item) -> Impossible:
    if level.campaign.items[item.kind].fixed:
        return Impossible("That stays where it is: it cannot be picked up.", "fixed")
    return Impossible("That is bound to another's life: only they can pick it up.", "bound")
