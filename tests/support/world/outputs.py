"""The results of an input, read: the bodies that left the level or play."""

from collections.abc import Iterable, Iterator

from gloam_server.world.model.creature import Creature
from gloam_server.world.model.events import ChangedLevel, CreatureDied
from gloam_server.world.model.inputs import Envelope, Output, StoreBody
from gloam_server.world.transition.apply import Result
from support.scenarios.scenario import facts


def stored_bodies(outputs: Iterable[Output]) -> Iterator[Creature]:
    """Yield the bodies that the realm keeps from now on."""
    for output in outputs:
        if isinstance(output, Envelope) and isinstance(output.input, StoreBody):
            yield output.input.body


def departed(result: Result) -> set[int]:
    """Return the numbers of the creatures that died, changed level, or are kept by the realm from now on."""
    gone = {death.victim for death in facts(result.events, CreatureDied)}
    gone |= {output.creature.number for output in result.outputs if isinstance(output, ChangedLevel)}
    return gone | {body.number for body in stored_bodies(result.outputs)}
