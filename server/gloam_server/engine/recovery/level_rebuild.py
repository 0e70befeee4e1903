"""Rebuilding one place after a fault: its newest whole snapshot, the journal's records, and those of the present beat."""

from collections.abc import Iterator

from gloam_server.engine.recovery.base_states import serialize, whole_snapshots
from gloam_server.engine.recovery.replay import records
from gloam_server.storage.journal import Journal, Record, StorageDamaged
from gloam_server.world.engine.apply import apply
from gloam_server.world.engine.dungeon import Dungeon
from gloam_server.world.engine.realm import Realm, apply_realm
from gloam_server.world.engine.serialization import deserialize_level, deserialize_realm
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import LevelInput, RealmInput, decode
from gloam_server.world.model.level import Level


class RebuildFailed(Exception):
    """A place cannot be built again, so what stands in memory is worth nothing; what is on disk is whole."""


class LevelRebuilder:
    """Rebuilds places. It keeps the last result frozen, so that the next fault there replays little.

    Nothing may be under way to the journal meanwhile; it blocks, for about a second where a thousand inputs were heavy.
    """

    def __init__(self, dungeon: Dungeon, journal: Journal) -> None:
        self._dungeon = dungeon
        self._journal = journal
        self._built: dict[int, tuple[int, bytes]] = {}

    def rebuild(self, place: int) -> None:
        """Put a place as its records say in the place of what stands there. Raises NotRebuilt."""
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
