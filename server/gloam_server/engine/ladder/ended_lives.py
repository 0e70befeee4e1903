"""From the deaths of a batch to the rows of the ladder."""

from gloam_server.storage.directory import Death
from gloam_server.world.model.events import PlayerDied
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import RecordDeath, decode
from gloam_server.world.transition.dungeon import Applied, Batch


def ended_lives(batch: Batch, at_s: int) -> list[Death]:
    """Return the lives that a batch ended, at that time. Journal and row are written in one transaction."""
    if not batch.deaths:
        return []
    sequences = _sequences(batch.applied)
    return [_row(fallen, sequences.get(fallen.number, 0), at_s) for fallen in batch.deaths]


def _sequences(applied: list[Applied]) -> dict[int, int]:
    """Return the realm's record of each death, by the number of the body."""
    of_realm = [(each.sequence, decode(each.body)) for each in applied if each.partition == REALM_PARTITION]
    return {
        input_.fallen.number: sequence for sequence, input_ in of_realm if isinstance(input_, RecordDeath)
    }


def _row(fallen: PlayerDied, sequence: int, at_s: int) -> Death:
    return Death(
        account=fallen.account,
        name=fallen.name,
        killer=fallen.by,
        depth=fallen.partition,
        level=fallen.level,
        experience=fallen.experience,
        turns=fallen.turns,
        at_s=at_s,
        life=fallen.number,
        sequence=sequence,
        title=fallen.family,
        deepest=fallen.deepest,
        kills=fallen.kills,
        wins=fallen.wins + fallen.won,
        beacons=len(fallen.beacons or ()),
        won=fallen.won,
    )
