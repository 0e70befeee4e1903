"""Zapping: a wand casts its spell for one of its charges (rule F75)."""

from gloam_server.world.actions.inventory_use import refuse_empty_slot, refuse_wrong_kind
from gloam_server.world.combat.fight_powers import happens
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


class Zap(Verb[commands.Zap], frozen=True):
    """Zap the wand in a slot, aimed at a cell."""

    command = commands.Zap
    slot: int
    cell: int | None

    @classmethod
    def plan(cls, level: Level, creature: Creature, command: commands.Zap) -> Outcome:
        """Return the zapping of the item in a slot, if it is a wand and the aim is valid."""
        item = item_in_slot(creature, command.slot)
        if item is None:
            return refuse_empty_slot(creature)
        kind = level.campaign.items[item.kind]
        if not kind.zaps:
            return refuse_wrong_kind(level, creature, item, "zap")
        spell = level.campaign.spells[kind.zaps]
        at = aim_item(level, creature, spell, command.cell, known=knows_kind(creature, kind))
        return at if isinstance(at, Impossible) else cls(command.slot, at)

    def execute(self, context: TurnContext, creature: Creature) -> None:
        """Spend a charge and cast the spell of the wand; with its last charge it crumbles."""
        item, cell = creature.slots[self.slot], creature.cell
        assert item is not None, "plan found a wand there"
        context.emit_item_event("zaps", item, creature, cell)
        kind = context.level.campaign.items[item.kind]
        item.charges -= not happens(context, creature, "charge")
        if item.charges <= 0:
            take_from_slot(context.level, creature, self.slot)
        cast_tried_spell(context, kind, kind.zaps, creature, self.cell)
        if item.charges <= 0:
            context.emit_item_event("crumbles", item, None, cell)
            destroy_item(context, item, cell)
