"""Outputs of one partition as inputs of another, where the plain way is no way: closed levels, levels without a free cell.

Nothing is lost on the way: a creature or an item goes to another level, or stays where it was.
"""

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet

from gloam_server.world.model import inputs
from gloam_server.world.model.events import ChangedLevel, RoundAdvanced, SentIntoPlay
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.level import Level
from gloam_shared.appearance import Terrain
from gloam_shared.level_numbers import PartitionId, level_number, round_of_level


def full_destination(output: inputs.Output, levels: Mapping[int, Level]) -> frozenset[int]:
    """Return the level that a body is sent to, if it has no free cell left."""
    match output:
        case ChangedLevel(_, partition) | SentIntoPlay(_, partition):
            pass
        case RoundAdvanced(_, round_):
            partition = level_number(round_, 1)
        case _:
            return frozenset()
    level = levels.get(partition)
    return frozenset() if level is None or level.has_room() else frozenset({partition})


def route_around(
    output: inputs.Output, source: inputs.Source, shut: AbstractSet[int], levels: Mapping[int, Level]
) -> list[tuple[int, inputs.Input]] | None:
    """Return the inputs that an output becomes while it cannot go to some levels; None if it does not go there.

    A creature on its way there stays, and so does an item. A player who left play there, or begins a life, goes to
    another level. Raises RuntimeError if no level has a free cell.
    """
    match output:
        case ChangedLevel(creature, partition) if partition in shut:
            return [(source[0], inputs.Arrive(creature, creature.cell, source))]
        case RoundAdvanced(creature, round_) if level_number(round_, 1) in shut:
            return [(source[0], inputs.Arrive(creature, creature.cell, source))]
        case SentIntoPlay(body, partition) if partition in shut:
            other = next((each for each in _others(partition, shut, levels) if levels[each].has_room()), None)
            if other is None:
                raise RuntimeError(f"no level has a free cell for creature {body.number}")
            return [
                (other, inputs.Arrive(body, _entrance(levels[other]), source)),
                (REALM_PARTITION, inputs.RecordMove(body.account, other, source)),
            ]
        case inputs.Envelope(partition, inputs.RequestKeepsake(_, _, heir, heir_partition)) if (
            partition in shut
        ):
            return [(heir_partition, inputs.GrantKeepsake(heir, None, source))]
        case inputs.Envelope(partition, inputs.GrantKeepsake(_, item)) if partition in shut:
            return [(source[0], inputs.GrantKeepsake(0, item, source))]
        case inputs.Envelope(partition, _) if partition in shut:
            return []
        case _:
            return None


def _others(partition: PartitionId, shut: AbstractSet[int], levels: Mapping[int, Level]) -> Iterator[int]:
    """Yield the open levels for a body that cannot go to a partition: the first of its round, the first of all, then by depth."""
    for other in (level_number(round_of_level(partition), 1), 1, *sorted(levels)):
        if other in levels and other not in shut:
            yield other


def _entrance(level: Level) -> int:
    """Return where a body arrives that did not use stairs: -1 for the arrival cell, which only first levels have."""
    if level.state.arrival >= 0:
        return -1
    stairs = (level.terrain.find(terrain) for terrain in (Terrain.STAIRS_UP, Terrain.STAIRS_DOWN))
    return next((cell for cell in stairs if cell >= 0), 0)
