"""Rebuilding one partition after a fault, from the journal's tail and this batch."""

from gloam_server.engine.recovery.base_states import serialize
from gloam_server.engine.recovery.journal_tail import JournalTail
from gloam_server.engine.recovery.replay import records
from gloam_server.storage.errors import StorageDamaged
from gloam_server.storage.journal import Record
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import LevelInput, RealmInput, decode
from gloam_server.world.model.level import Level
from gloam_server.world.realm.realm import Realm, apply_realm
from gloam_server.world.transition.apply import apply
from gloam_server.world.transition.dungeon import Dungeon
from gloam_server.world.transition.serialization import deserialize_level, deserialize_realm
from gloam_shared.level_numbers import PartitionId


class RebuildFailed(Exception):
    """A partition cannot be rebuilt, so the state in memory is invalid; the data on disk is complete."""


class LevelRebuilder:
    """Rebuilds partitions from the journal's tail. The result is the tail's next base, so that the next fault there replays little.

    No append may be under way; it blocks, for about a second for a thousand heavy inputs.
    """

    def __init__(self, dungeon: Dungeon, tail: JournalTail) -> None:
        self._dungeon = dungeon
        self._tail = tail

    def rebuild(self, partition: PartitionId) -> None:
        """Replace a partition by its state according to its records. Raises RebuildFailed."""
        try:
            state = self._as_recorded(partition)
            self._tail.begin_at(partition, state.sequence, serialize(state))
        except Exception as error:
            raise RebuildFailed(f"partition {partition} cannot be built again: {error}") from error
        self._dungeon.set_state(partition, state)

    def _as_recorded(self, partition: PartitionId) -> Realm | Level:
        sequence, body = self._base(partition)
        state = self._deserialize(partition, body)
        present = records([each for each in self._dungeon.batch.applied if each.partition == partition])
        for record in (*self._tail.records(partition), *present):
            if record.sequence <= sequence:
                continue
            if record.sequence != state.sequence + 1:
                raise StorageDamaged(
                    f"Record {record.sequence} of partition {partition} follows {state.sequence}; start the server again."
                )
            self._replay(state, record)
        return state

    def _base(self, partition: PartitionId) -> tuple[int, bytes]:
        opened = self._dungeon.batch.opened.get(partition)
        base = self._tail.base(partition)
        if base is not None:
            return base
        if opened is None:
            raise StorageDamaged(
                f"Partition {partition} of the world has no kept state; start the server again."
            )
        return 0, opened

    def _deserialize(self, partition: PartitionId, body: bytes) -> Realm | Level:
        if partition == REALM_PARTITION:
            return deserialize_realm(body)
        return deserialize_level(body, self._dungeon.campaign, self._dungeon.seed)

    def _replay(self, state: Realm | Level, record: Record) -> None:
        input_ = decode(record.body)
        if isinstance(state, Level):
            assert isinstance(input_, LevelInput)
            apply(state, input_)
        else:
            assert isinstance(input_, RealmInput)
            apply_realm(state, self._dungeon.campaign, input_)
