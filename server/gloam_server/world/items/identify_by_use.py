"""How the names of things become known: by seeing what they do (rule TG.23). Players and monsters learn alike."""

from gloam_server.content.items import ItemKind
from gloam_server.world.model.context import Stage
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.identification import disguise, knows
from gloam_shared.narration.rendering import with_article


def learn_name(stage: Stage, creature: Creature, kind: ItemKind) -> bool:
    """Let a creature know a kind of thing by its name; it notices only what it did not know."""
    if knows(creature, kind):
        return False
    creature.known.append(kind.key)
    stage.note("turns_out", creature, name=disguise(stage.level, kind), source=with_article(kind.name))
    return True


def witness(stage: Stage, kind: ItemKind, cell: int) -> None:
    """Teach the name of a kind of thing to all who see the cell where it took effect."""
    if not kind.looks:
        return
    level = stage.level
    for creature in list(level.creatures.values()):
        if not knows(creature, kind) and level.sight(creature)[cell]:
            learn_name(stage, creature, kind)
