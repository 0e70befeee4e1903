"""The state from which a partition is rebuilt: its newest intact snapshot, or its founding from the seed.

A level without any such state is lost: it is closed, so that the rest of the world continues.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

import msgspec

from gloam_server.content.campaign import Campaign
from gloam_server.storage.errors import StorageDamaged
from gloam_server.storage.snapshots import Snapshot
from gloam_server.storage.store import Store
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import AdoptRules, decode
from gloam_server.world.model.level import Level
from gloam_server.world.realm.realm import Realm
from gloam_server.world.transition import serialization
from gloam_server.world.transition.dungeon import regenerate_partition
from gloam_server.world.transition.version import RULES_VERSION
from gloam_shared.level_numbers import PartitionId

_RESTORE: Final = "restore the world from a backup with `gloam-server restore`"


class Unreadable(Exception):
    """An intact snapshot cannot be read, because other rules wrote it.

    The text is a sentence for the host.
    """


@dataclass(slots=True)
class BaseStates:
    """The state from which each partition is rebuilt, and the lost partitions.

    A lost level has an empty substitute.
    """

    realm: Realm
    levels: dict[int, Level]
    lost: set[int] = field(default_factory=set)


def whole_snapshots(store: Store, partition: PartitionId) -> Iterator[Snapshot]:
    """Yield a partition's intact snapshots, newest first."""
    for mark in store.snapshots.marks(partition):
        kept = store.snapshots.get(partition, mark.sequence)
        if kept is not None and serialization.state_hash(kept.body) == kept.state_hash:
            yield kept


def base_states(store: Store, campaign: Campaign, seed: int) -> BaseStates:
    """Return the base state of every partition.

    Raises StorageDamaged if the realm itself is lost, and Unreadable.
    """
    states: dict[int, Realm | Level] = {}
    missing = []
    for partition in store.partitions():
        kept = next((each for each in whole_snapshots(store, partition) if _leads_on(store, each)), None)
        if kept is None:
            missing.append(partition)
        else:
            states[partition] = deserialize(kept, campaign, seed)
    for partition in list(missing):
        made = founding_states(store, campaign, seed, partition, states)
        if made is not None:
            states[partition] = made
            missing.remove(partition)
    realm = states.pop(REALM_PARTITION, None)
    if not isinstance(realm, Realm):
        raise StorageDamaged(f"The realm's own state is lost, with all lives; {_RESTORE}.")
    levels = {partition: state for partition, state in states.items() if isinstance(state, Level)}
    for partition in missing:
        levels[partition] = _make_closed_level(store, campaign, seed, partition, levels)
    return BaseStates(realm, dict(sorted(levels.items())), set(missing))


def founding_states(
    store: Store, campaign: Campaign, seed: int, partition: PartitionId, others: Mapping[int, Realm | Level]
) -> Realm | Level | None:
    """Return the state before a partition's first input, made from the seed; None if it cannot be proven.

    The proof is the hash of the damaged snapshot, or, if that is lost, the digests of all records. `others`
    are states of other partitions: they show by which rules and libraries the world was founded.
    """
    made = regenerate_partition(campaign, seed, partition, others)
    if made is None:
        return None
    kin = next(map(serialization.saved_state, others.values()), None)
    saved = serialization.saved_state(made)
    saved.rules_version = kin.rules_version if kin is not None else RULES_VERSION
    saved.libraries = kin.libraries if kin is not None else ""
    recorded = next(
        (mark.state_hash for mark in store.snapshots.marks(partition) if mark.sequence == 0), None
    )
    proven = recorded == serialization.state_hash(serialize(made))
    sequence = digests = 0
    for record in store.journal.read(partition, 0):
        if record.sequence != sequence + 1 or isinstance(decode(record.body), AdoptRules):
            return None  # the first records are gone, or rules or content have changed since
        sequence = record.sequence
        digests += record.digest is not None
    return made if sequence and (proven or digests) else None


def deserialize(kept: Snapshot, campaign: Campaign, seed: int) -> Realm | Level:
    """Return the state in a snapshot. Raises Unreadable."""
    try:
        return (
            serialization.deserialize_realm(kept.body)
            if kept.partition == REALM_PARTITION
            else serialization.deserialize_level(kept.body, campaign, seed)
        )
    except msgspec.MsgspecError as error:  # it is intact, by its hash
        raise Unreadable(
            f"The state of partition {kept.partition} was written by rules version {kept.rules}, and version {RULES_VERSION} cannot "
            "read it; play on with the version of Gloam that it was played with."
        ) from error


def serialize(state: Realm | Level) -> bytes:
    """Return a state as bytes."""
    return (
        serialization.serialize_level(state)
        if isinstance(state, Level)
        else serialization.serialize_realm(state)
    )


def _leads_on(store: Store, kept: Snapshot) -> bool:
    """Return whether the record after a snapshot exists, or the snapshot is the last of its partition."""
    following = next(store.journal.read(kept.partition, kept.sequence), None)
    if following is None:
        return store.journal.last_sequence(kept.partition) <= kept.sequence
    return following.sequence == kept.sequence + 1


def _make_closed_level(
    store: Store, campaign: Campaign, seed: int, partition: PartitionId, levels: Mapping[int, Level]
) -> Level:
    """Return an empty, closed level in place of a lost one, because stairs of other levels lead there."""
    made = regenerate_partition(campaign, seed, partition, levels)
    if not isinstance(made, Level):
        raise StorageDamaged(f"Partition {partition} of the world is lost; {_RESTORE}.")
    made.state.sequence = store.journal.last_sequence(partition)
    made.state.rules_version = RULES_VERSION
    return made
