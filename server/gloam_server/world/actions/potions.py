"""Quaffing: what is drunk brings its spell upon the drinker (rules TG.22, RG.16)."""

from gloam_server.world.actions.belongings import nothing_in, unfit
from gloam_server.world.creature import Creature
from gloam_server.world.gear import in_slot, take_out
from gloam_server.world.level import Level
from gloam_server.world.magic import work_thing
from gloam_server.world.outcome import Drink, Outcome
from gloam_server.world.piles import unmake
from gloam_server.world.stage import Stage


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
