"""How the names of things become known: by seeing what they do (rule TG.23). Players and monsters learn alike."""

from gloam_server.content.items import ItemKind
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.identification import knows_kind, unidentified_name
from gloam_shared.narration.rendering import with_article


def identify(stage: TurnContext, creature: Creature, kind: ItemKind) -> bool:
    """Let a creature know a kind of thing by its name; it notices only what it did not know."""
    if knows_kind(creature, kind):
        return False
    creature.known.append(kind.key)
    stage.emit_private(
        "turns_out", creature, name=unidentified_name(stage.level, kind), source=with_article(kind.name)
    )
    return True


def identify_by_seeing(stage: TurnContext, kind: ItemKind, cell: int) -> None:
    """Teach the name of a kind of thing to all who see the cell where it took effect."""
    if not kind.looks:
        return
    level = stage.level
    for creature in list(level.creatures.values()):
        if not knows_kind(creature, kind) and level.field_of_view(creature)[cell]:
            identify(stage, creature, kind)
