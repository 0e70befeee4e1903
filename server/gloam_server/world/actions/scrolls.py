"""Reading: a scroll brings its spell and is used up (rules RG.16, RG.26)."""

from gloam_server.world.actions.inventory_use import nothing_in, unfit
from gloam_server.world.effects.spells import work_thing
from gloam_server.world.effects.spells.aim import aim
from gloam_server.world.items.equipment import in_slot, take_out
from gloam_server.world.items.floor_items import unmake
from gloam_server.world.model.context import Stage
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.outcome import Impossible, Outcome, ReadOut


def resolve_read(level: Level, creature: Creature, slot: int, cell: int | None) -> Outcome:
    """Return the reading of what is in a slot, if it can be read and aimed so; a book's spells are cast, not read."""
    item = in_slot(creature, slot)
    if item is None:
        return nothing_in(creature)
    kind = level.campaign.items[item.kind]
    if not kind.reads:
        return (
            Impossible("Cast its spells instead.") if kind.teaches else unfit(level, creature, item, "read")
        )
    at = aim(level, creature, level.campaign.spells[kind.reads], cell)
    return at if isinstance(at, Impossible) else ReadOut(slot, at)


def read(stage: Stage, creature: Creature, slot: int, cell: int) -> None:
    """Read what is in a slot: it is gone, and its spell works where it was aimed."""
    item = take_out(creature, slot)
    stage.tell_of("reads", item, creature, creature.cell)
    unmake(stage, item, creature.cell)
    kind = stage.level.campaign.items[item.kind]
    work_thing(stage, kind, kind.reads, creature, cell)
