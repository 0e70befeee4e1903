"""Quaffing: what is drunk brings its spell upon the drinker (rules TG.22, RG.16)."""

from gloam_server.world.actions.inventory_use import nothing_in, unfit
from gloam_server.world.effects.spells import work_thing
from gloam_server.world.items.equipment import in_slot, take_out
from gloam_server.world.items.floor_items import unmake
from gloam_server.world.model.context import Stage
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.outcome import Drink, Outcome


def resolve_quaff(level: Level, creature: Creature, slot: int) -> Outcome:
    """Return the quaffing of what is in a slot, if it can be drunk."""
    item = in_slot(creature, slot)
    if item is None:
        return nothing_in(creature)
    drinkable = level.campaign.items[item.kind].quaffs
    return Drink(slot) if drinkable else unfit(level, creature, item, "quaff")


def quaff(stage: Stage, creature: Creature, slot: int) -> None:
    """Drink what is in a slot: it is gone, and its spell works; who sees the effect learns the name (rule TG.23)."""
    item, cell = take_out(creature, slot), creature.cell
    stage.tell_of("quaffs", item, creature, cell)
    unmake(stage, item, cell)
    kind = stage.level.campaign.items[item.kind]
    work_thing(stage, kind, kind.quaffs, creature, cell)
