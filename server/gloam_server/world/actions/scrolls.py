"""Reading: a scroll casts its spell and is used up (rules RG.16, RG.26, F77)."""

from gloam_server.world.actions.inventory_use import refuse_empty_slot, refuse_wrong_kind
from gloam_server.world.effects.spells.aim import aim_item
from gloam_server.world.effects.spells.unknown_items import cast_tried_spell
from gloam_server.world.items.equipment import item_in_slot, take_from_slot
from gloam_server.world.items.floor_items import destroy_item
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.identification import knows_kind
from gloam_server.world.model.level import Level
from gloam_server.world.model.outcome import Impossible, Outcome, Verb
from gloam_shared.protocol import commands


class Read(Verb[commands.Read], frozen=True):
    """Read the item in a slot, aimed at a cell."""

    command = commands.Read
    slot: int
    cell: int | None

    @classmethod
    def plan(cls, level: Level, creature: Creature, command: commands.Read) -> Outcome:
        """Return the reading of the item in a slot, if it can be read with this aim.

        A book's spells are cast, not read.
        """
        item = item_in_slot(creature, command.slot)
        if item is None:
            return refuse_empty_slot(creature)
        kind = level.campaign.items[item.kind]
        if not kind.reads:
            return (
                Impossible("Cast its spells instead.", "wrong_kind")
                if kind.teaches
                else refuse_wrong_kind(level, creature, item, "read")
            )
        spell = level.campaign.spells[kind.reads]
        at = aim_item(level, creature, spell, command.cell, known=knows_kind(creature, kind))
        return at if isinstance(at, Impossible) else cls(command.slot, at)

    def execute(self, context: TurnContext, creature: Creature) -> None:
        """Read the item in a slot: it is used up, and its spell cast at the aim."""
        item = take_from_slot(context.level, creature, self.slot)
        context.emit_item_event("reads", item, creature, creature.cell)
        destroy_item(context, item, creature.cell)
        kind = context.level.campaign.items[item.kind]
        cast_tried_spell(context, kind, kind.reads, creature, self.cell)
