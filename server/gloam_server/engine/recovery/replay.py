"""From the journal to a running dungeon and back: founding, loading, snapshots, verification."""

import logging
from collections.abc import Mapping, Sequence
from functools import partial
from importlib.metadata import version
from types import MappingProxyType
from typing import Final

import msgspec

from gloam_server.content.campaign import Campaign
from gloam_server.engine.archive.archived_lives import lost_lives
from gloam_server.engine.recovery.base_states import Unreadable, base_states, deserialize, serialize
from gloam_server.storage.directory import WorldIdentity
from gloam_server.storage.errors import StorageDamaged, StorageError
from gloam_server.storage.journal import Record
from gloam_server.storage.snapshots import Snapshot
from gloam_server.storage.store import Store
from gloam_server.world.model.context import RuleFault
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import AdoptRules, decode
from gloam_server.world.model.level import Level
from gloam_server.world.realm.realm import Realm
from gloam_server.world.transition.digest import digest_of
from gloam_server.world.transition.dungeon import Applied, Batch, Dungeon, new_dungeon, populate
from gloam_server.world.transition.serialization import is_record_hash_of, saved_state, state_hash
from gloam_server.world.transition.version import RULES_VERSION
from gloam_shared.level_numbers import PartitionId

LIBRARIES: Final = ", ".join(f"{name} {version(name)}" for name in ("numpy", "tcod"))
"""The libraries that a replay depends on besides the rules: they compute the sight that is remembered."""


_NONE: Final[Mapping[tuple[int, int], int]] = MappingProxyType({})
_log: Final = logging.getLogger(__name__)


class RealmMismatch(Exception):
    """The realm in this folder is not the requested one; the text names both and the solution."""


class ReplayDiffers(StorageError):
    """A replay leads to another state than the one in the journal."""

    def __init__(self, partition: PartitionId, sequence: int) -> None:
        super().__init__(
            f"The replay of partition {partition} differs from the journal at input {sequence}: the rules have changed without "
            "their version, or the file is damaged; run the version of Gloam that wrote it, or restore a backup."
        )
        self.partition: Final = partition
        self.sequence: Final = sequence


def create_world(store: Store, campaign: Campaign, seed: int, now_s: int) -> Dungeon:
    """Create a new realm, with first snapshots, so that a replay needs no generator."""
    store.directory.create_identity(WorldIdentity(campaign.key, seed, RULES_VERSION, campaign.digest, now_s))
    return _begin(store, campaign, seed)


def _begin(store: Store, campaign: Campaign, seed: int) -> Dungeon:
    dungeon = new_dungeon(campaign, seed)
    states: list[Realm | Level] = [dungeon.realm, *dungeon.levels.values()]
    for state in states:
        saved_state(state).rules_version = RULES_VERSION
    first = [snapshot(dungeon, partition) for partition in dungeon.partitions()]
    populate(dungeon)
    applied = dungeon.take_batch().applied
    store.commit(batch_records(dungeon, applied), [partial(store.snapshots.put, first)])
    return dungeon


def require_content(
    identity: WorldIdentity, campaign: Campaign, command: str = "gloam-server upgrade"
) -> None:
    """Raise RealmMismatch unless a realm uses these files of its campaign.

    `command` is the one to adopt them.
    """
    if identity.content != campaign.digest:
        raise RealmMismatch(
            f'The campaign "{campaign.key}" has changed since this world was played (content {identity.content[:8]}, now '
            f"{campaign.digest[:8]}); take the change up with `{command}`, which keeps a copy of the world, or run the "
            "version of Gloam that it was played with."
        )


def load_realm(store: Store, campaign: Campaign, identity: WorldIdentity) -> Dungeon:
    """Rebuild the dungeon from the newest snapshots and the inputs after them. Raises RealmMismatch."""
    require_content(identity, campaign)
    if not store.partitions():  # a power failure directly after the founding
        return _begin(store, campaign, identity.seed)
    dungeon = _load_bases(store, campaign, identity.seed)
    for partition in dungeon.partitions():
        if partition in dungeon.closed or store.journal.last_sequence(partition) <= dungeon.sequence(
            partition
        ):
            continue
        rules = saved_state(dungeon.state(partition)).rules_version
        if rules != RULES_VERSION:
            raise RealmMismatch(
                f"The world was not stopped cleanly by rules version {rules}, and this is version {RULES_VERSION}; "
                "run Gloam with the former once and stop it with Ctrl-C."
            )
        try:
            for record in store.journal.read(partition, dungeon.sequence(partition)):
                _replay(dungeon, record)
        except ReplayDiffers as differs:
            raise _mismatch(store, differs) or differs from None
    if _is_written_elsewhere(store):
        _log.info("the world was played with %s and is replayed alike with %s", _writer(store), LIBRARIES)
    return dungeon


def catch_up(store: Store, dungeon: Dungeon) -> bool:
    """Bring a dungeon of this process to the end of the journal; return whether that was possible, so that it need not be loaded."""
    if dungeon.closed or store.partitions() != dungeon.partitions():
        return False
    for partition in dungeon.partitions():
        if store.journal.last_sequence(partition) > dungeon.sequence(partition):
            for record in store.journal.read(partition, dungeon.sequence(partition)):
                _replay(dungeon, record)
    return True


def _mismatch(store: Store, differs: "ReplayDiffers") -> RealmMismatch | None:
    """Return an error that names the libraries if they may have caused the difference."""
    if not _is_written_elsewhere(store):
        return None
    return RealmMismatch(
        f"The world was not stopped cleanly with {_writer(store)}, and with {LIBRARIES} input {differs.sequence} of "
        f"partition {differs.partition} leads elsewhere; run Gloam with the former once and stop it with Ctrl-C."
    )


def _is_written_elsewhere(store: Store) -> bool:
    """Return whether the world was last played with other libraries than these."""
    return _writer(store) not in ("", LIBRARIES)


def _writer(store: Store) -> str:
    """Return the libraries with which the world was last played; "" if unknown."""
    claim = store.journal.newest_claim()
    return claim.libraries if claim is not None else ""


def adopt_rules_version(store: Store, dungeon: Dungeon, *, changed: bool = False) -> bool:
    """Journal the present rules if others were in force, or if the content has `changed`.

    Return whether it was necessary. No replay starts before this record.
    """
    open_partitions = [partition for partition in dungeon.partitions() if partition not in dungeon.closed]
    if not changed and all(
        saved_state(dungeon.state(partition)).rules_version == RULES_VERSION for partition in open_partitions
    ):
        return False
    for partition in open_partitions:
        dungeon.apply_input(partition, AdoptRules(RULES_VERSION))
    snapshots = [snapshot(dungeon, partition) for partition in open_partitions]
    changes = [
        partial(store.snapshots.put, snapshots),
        *(partial(store.snapshots.drop_before, each.partition, each.sequence) for each in snapshots),
        partial(store.directory.adopt, RULES_VERSION, dungeon.campaign.digest),
    ]
    store.commit(batch_records(dungeon, dungeon.take_batch().applied), changes)
    return True


def records(applied: Sequence[Applied], digests: Mapping[tuple[int, int], int] = _NONE) -> list[Record]:
    """Return inputs as journal records.

    `digests` are of the states after some of them, by partition and sequence.
    """
    return [
        Record(
            each.partition,
            each.sequence,
            each.body,
            each.state_hash,
            digests.get((each.partition, each.sequence)),
        )
        for each in applied
    ]


def batch_records(dungeon: Dungeon, applied: Sequence[Applied]) -> list[Record]:
    """Return a batch's inputs as journal records, with digests of the resulting states."""
    partitions = {each.partition for each in applied}
    return records(
        applied,
        {
            (partition, dungeon.sequence(partition)): digest_of(dungeon.state(partition))
            for partition in partitions
        },
    )


def snapshot(dungeon: Dungeon, partition: PartitionId) -> Snapshot:
    """Return a snapshot of a partition's present state."""
    body = dungeon.serialize(partition)
    return Snapshot(partition, dungeon.sequence(partition), RULES_VERSION, body, state_hash(body))


def initial_snapshots(batch: Batch) -> list[Snapshot]:
    """Return the first snapshots of levels created in a batch: their states before the first input."""
    return [
        Snapshot(partition, 0, RULES_VERSION, body, state_hash(body))
        for partition, body in batch.opened.items()
    ]


def verify(store: Store, campaign: Campaign) -> tuple[int, bytes]:
    """Replay the realm from its oldest snapshots of these rules, and compare every hash.

    Returns the number of replayed inputs and the hash of the whole state. Raises StorageError with the first
    partition and input where the replay and the journal differ.
    """
    identity = store.directory.identity()
    if identity is None:
        raise StorageError("There is no realm here to verify; start the server once to make one.")
    require_content(identity, campaign)
    dungeon = oldest_states(store, campaign, identity.seed)
    replayed = 0
    for partition in dungeon.partitions():
        kept = {mark.sequence for mark in store.snapshots.marks(partition)}
        for record in store.journal.read(partition, dungeon.sequence(partition)):
            _replay(dungeon, record)
            replayed += 1
            if record.state_hash is not None and not is_record_hash_of(
                record.state_hash, dungeon.serialize(partition)
            ):
                raise ReplayDiffers(partition, record.sequence)
            if record.sequence in kept and not _is_snapshot_of(store, dungeon, record):
                raise ReplayDiffers(partition, record.sequence)
    lost = lost_lives(store.directory, dungeon.realm)
    if lost:
        raise StorageError(
            f"The rows of {len(lost)} archived lives cannot be read, of the accounts {', '.join(map(str, lost[:5]))}: "
            "these players begin new lives; restore a backup to have theirs."
        )
    return replayed, dungeon.state_hash()


def _is_snapshot_of(store: Store, dungeon: Dungeon, record: Record) -> bool:
    """Return whether the snapshot at a record has the replayed state.

    A snapshot of an earlier layout has other bytes: it is compared by content.
    """
    kept = store.snapshots.get(record.partition, record.sequence)
    replayed = dungeon.serialize(record.partition)
    if kept is None or kept.state_hash == state_hash(replayed):
        return True
    if kept.state_hash != state_hash(kept.body):
        return False
    try:
        return serialize(deserialize(kept, dungeon.campaign, dungeon.seed)) == replayed
    except Unreadable:
        return False


def _replay(dungeon: Dungeon, record: Record) -> None:
    if record.sequence != dungeon.sequence(record.partition) + 1:
        raise StorageDamaged(
            f"Record {record.sequence} of partition {record.partition} follows {dungeon.sequence(record.partition)}; "
            "restore the file from a backup."
        )
    try:
        input_ = decode(record.body)
    except msgspec.MsgspecError as error:
        raise StorageDamaged(
            f"The record of input {record.sequence} of partition {record.partition} is damaged; restore the file from a backup."
        ) from error
    try:
        dungeon.replay_input(record.partition, input_)
    except RuleFault as fault:
        raise StorageError(
            f"Input {record.sequence} of partition {record.partition} cannot be replayed ({fault}): the rules have changed without "
            "their version; run the version of Gloam that wrote it."
        ) from fault
    if record.digest is not None and record.digest != digest_of(dungeon.state(record.partition)):
        raise ReplayDiffers(record.partition, record.sequence)


def _load_bases(store: Store, campaign: Campaign, seed: int) -> Dungeon:
    """Return the dungeon from its newest snapshots; lost levels are closed."""
    try:
        based = base_states(store, campaign, seed)
    except Unreadable as error:
        raise RealmMismatch(str(error)) from error
    return Dungeon(campaign, seed, based.realm, based.levels, closed=based.lost)


def oldest_states(store: Store, campaign: Campaign, seed: int) -> Dungeon:
    """Return the dungeon from its oldest snapshots of these rules."""
    states: dict[int, Realm | Level] = {}
    for partition in store.partitions():
        kept = store.snapshots.oldest(partition)
        if kept is not None and kept.rules != RULES_VERSION:  # results of other rules cannot be replayed
            kept = store.snapshots.newest(partition)
        if kept is None:
            raise StorageDamaged(
                f"Partition {partition} of the world has no snapshot; restore the file from a backup."
            )
        if state_hash(kept.body) != kept.state_hash:
            raise StorageDamaged(
                f"The snapshot of partition {partition} at input {kept.sequence} is damaged; restore the file from a backup."
            )
        try:
            states[partition] = deserialize(kept, campaign, seed)
        except Unreadable as error:
            raise RealmMismatch(str(error)) from error
    realm = states.pop(REALM_PARTITION, None)
    if not isinstance(realm, Realm):
        raise StorageDamaged("The world has no realm; restore the file from a backup.")
    return Dungeon(
        campaign,
        seed,
        realm,
        {partition: level for partition, level in states.items() if isinstance(level, Level)},
    )
