"""The minds of monsters: the first task of their kind that has something to do is done, by the commands of everyone."""

from collections.abc import Callable
from typing import Final

from gloam_server.rules.paths import first_step
from gloam_server.world import actions
from gloam_server.world.creature import Creature, born
from gloam_server.world.gear import attack_of
from gloam_server.world.hostility import hostile
from gloam_server.world.level import Level
from gloam_server.world.outcome import Impossible, Strike
from gloam_server.world.stage import Stage
from gloam_shared.commands import Move
from gloam_shared.geometry import DIRECTIONS, chebyshev, step

_PATH_CELLS: Final = 300


def decide(stage: Stage, creature: Creature) -> None:
    """Let a creature act as its kind's tasks say; with nothing to do it lets the action pass."""
    for task in stage.level.campaign.creatures[creature.kind].tasks:
        if TASKS[task](stage, creature):
            return


def _hunt(stage: Stage, creature: Creature) -> bool:
    """Strike a foe beside it, else go one step towards the nearest in sight (rule JG.11)."""
    level = stage.level
    prey = _nearest_foe(level, creature)
    if prey is None:
        return False
    way = first_step(
        lambda cell: cell == prey.cell or level.free(cell),
        creature.cell,
        prey.cell,
        level.width,
        level.height,
        level.campaign.directions,
        _PATH_CELLS,
    )
    if way is None:
        return False
    y, x = divmod(way, level.width)
    at_y, at_x = divmod(creature.cell, level.width)
    actions.attempt(stage, creature, Move(x - at_x, y - at_y))
    return True


def _nearest_foe(level: Level, creature: Creature) -> Creature | None:
    """Return the nearest creature in sight that it is hostile to; among equals whom it fought last, then by number."""
    seen = level.sight(creature)
    foes = [
        (
            chebyshev(creature.cell, other.cell, level.width),
            -creature.contacts.get(other.number, -1),
            other.number,
        )
        for other in level.creatures.values()
        if seen[other.cell] and hostile(level, creature, other)
    ]
    return level.creatures[min(foes)[2]] if foes else None


def _wander(stage: Stage, creature: Creature) -> bool:
    """Go one step in a random direction; a foe in the way is struck, anything else lets the action pass."""
    dx, dy = stage.dice.pick("wander", creature.number, stage.level.campaign.directions)
    outcome = actions.resolve(stage.level, creature, Move(dx, dy))
    if isinstance(outcome, Impossible):
        return False
    if isinstance(outcome, Strike) and not attack_of(stage.level, creature):
        return False
    actions.perform(stage, creature, outcome)
    return True


def _spread(stage: Stage, creature: Creature) -> bool:
    """Once in a while put a child on a random cell beside it (rules J7.17, JG.7)."""
    level = stage.level
    kind = level.campaign.creatures[creature.kind]
    if not creature.children or len(level.creatures) >= level.campaign.levels.creatures_max:
        return False
    if not stage.dice.chance("spread", creature.number, kind.spread_percent):
        return False
    dx, dy = stage.dice.pick("offset", creature.number, DIRECTIONS)
    cell = step(creature.cell, dx, dy, level.width, level.height)
    if cell is None or not level.bare(cell):
        return False
    child = born(kind, level.mint())
    creature.children -= 1
    level.add(child, cell, stage.dice)
    stage.tell("spreads", creature)
    return True


TASKS: Final[dict[str, Callable[[Stage, Creature], bool]]] = {
    "hunt": _hunt,
    "wander": _wander,
    "spread": _spread,
}
