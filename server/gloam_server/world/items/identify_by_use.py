"""Identification by seeing an item's effect (rule TG.23), the same for players and monsters."""

from gloam_server.content.items import ItemKind
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.identification import knows_kind, unidentified_name
from gloam_shared.narration.rendering import with_article


def identify(context: TurnContext, creature: Creature, kind: ItemKind) -> bool:
    """Identify an item kind for a creature; only a new one gives an event."""
    if knows_kind(creature, kind):
        return False
    creature.known.append(kind.key)
    context.emit_private(
        "turns_out", creature, name=unidentified_name(context.level, kind), source=with_article(kind.name)
    )
    return True


def identify_by_seeing(context: TurnContext, kind: ItemKind, cell: int) -> None:
    """Identify an item kind for all who see the cell of its effect."""
    if not kind.looks:
        return
    level = context.level
    for creature in list(level.creatures.values()):
        if not knows_kind(creature, kind) and level.field_of_view(creature)[cell]:
            identify(context, creature, kind)
