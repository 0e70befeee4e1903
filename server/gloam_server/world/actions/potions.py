"""Quaffing: a potion casts its spell on the drinker (rules TG.22, RG.16)."""

from gloam_server.world.actions.inventory_use import refuse_empty_slot, refuse_wrong_kind
from gloam_server.world.effects.spells import cast_item_spell
from gloam_server.world.items.equipment import item_in_slot, take_from_slot
from gloam_server.world.items.floor_items import destroy_item
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.outcome import Outcome, Verb
from gloam_shared.protocol import commands


class Quaff(Verb[commands.Quaff], frozen=True):
    """Quaff the item in a slot."""

    command = commands.Quaff
    slot: int

    @classmethod
    def plan(cls, level: Level, creature: Creature, command: commands.Quaff) -> Outcome:
        """Return the quaffing of the item in a slot, if it can be drunk."""
        item = item_in_slot(creature, command.slot)
        if item is None:
            return refuse_empty_slot(creature)
        drinkable = level.campaign.items[item.kind].quaffs
        return cls(command.slot) if drinkable else refuse_wrong_kind(level, creature, item, "quaff")

    def execute(self, context: TurnContext, creature: Creature) -> None:
        """Drink the item in a slot: it is used up and its spell cast.

        Players who see the effect identify it (rule TG.23).
        """
        item, cell = take_from_slot(context.level, creature, self.slot), creature.cell
        context.emit_item_event("quaffs", item, creature, cell)
        destroy_item(context, item, cell)
        kind = context.level.campaign.items[item.kind]
        cast_item_spell(context, kind, kind.quaffs, creature, cell)
