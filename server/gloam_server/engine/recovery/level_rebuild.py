"""Rebuilding one partition after a fault, from its newest intact snapshot, the journal and this batch."""

from collections.abc import Iterator

from gloam_server.engine.recovery.base_states import serialize, whole_snapshots
from gloam_server.engine.recovery.replay import records
from gloam_server.storage.journal import Journal, Record, StorageDamaged
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import LevelInput, RealmInput, decode
from gloam_server.world.model.level import Level
from gloam_server.world.realm.realm import Realm, apply_realm
from gloam_server.world.transition.apply import apply
from gloam_server.world.transition.dungeon import Dungeon
from gloam_server.world.transition.serialization import deserialize_level, deserialize_realm


class RebuildFailed(Exception):
    """A partition cannot be rebuilt, so the state in memory is invalid; the data on disk is complete."""


class LevelRebuilder:
    """Rebuilds partitions. It keeps the last result serialized, so that the next fault there replays little.

    No append may be under way; it blocks, for about a second for a thousand heavy inputs.
    """

    def __init__(self, dungeon: Dungeon, journal: Journal) -> None:
        self._dungeon = dungeon
        self._journal = journal
        self._built: dict[int, tuple[int, bytes]] = {}

    def rebuild(self, place: int) -> None:
        """Replace a partition by its state according to its records. Raises RebuildFailed."""
        try:
            state = self._as_recorded(place)
            self._built[place] = (state.sequence, serialize(state))
        except Exception as error:
            raise RebuildFailed(f"place {place} cannot be built again: {error}") from error
        self._dungeon.set_state(place, state)

    def _as_recorded(self, place: int) -> Realm | Level:
        sequence, body = self._base(place)
        state = self._thaw(place, body)
        for record in self._records(place, sequence):
            if record.sequence != state.sequence + 1:
                raise StorageDamaged(
                    f"Record {record.sequence} of place {place} follows {state.sequence}; restore the file from a backup."
                )
            self._replay(state, record)
        return state

    def _base(self, place: int) -> tuple[int, bytes]:
        opened = self._dungeon.batch.opened.get(place)
        if opened is not None:
            return 0, opened
        built = self._built.get(place)
        kept = next(whole_snapshots(self._journal, place), None)
        if built is not None and (kept is None or built[0] >= kept.sequence):
            return built
        if kept is None:
            raise StorageDamaged(
                f"Place {place} of the world has no snapshot; restore the file from a backup."
            )
        return kept.sequence, kept.body

    def _records(self, place: int, after: int) -> Iterator[Record]:
        yield from self._journal.read(place, after)
        present = records([each for each in self._dungeon.batch.applied if each.place == place])
        yield from (record for record in present if record.sequence > after)

    def _thaw(self, place: int, body: bytes) -> Realm | Level:
        if place == REALM_PARTITION:
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
