"""Repair of damaged snapshots at a start; players on a lost level return to the realm."""

import logging
import time
from collections.abc import Iterable
from typing import Final

from gloam_server.engine.archive.archived_lives import archived_bodies
from gloam_server.engine.recovery.base_states import founding_states, serialize, whole_snapshots
from gloam_server.engine.recovery.replay import batch_records, snapshot
from gloam_server.storage.snapshots import Snapshot
from gloam_server.storage.store import FileStore, Store
from gloam_server.world.items.equipment import put_in
from gloam_server.world.model.creature import Creature, Item, new_creature
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import Arrive, StoreBody, decode
from gloam_server.world.realm.realm import Life
from gloam_server.world.transition.dungeon import Dungeon
from gloam_server.world.transition.serialization import state_hash
from gloam_server.world.transition.version import RULES_VERSION
from gloam_shared.level_numbers import PartitionId

_log: Final = logging.getLogger(__name__)


def repair_snapshots(store: Store, dungeon: Dungeon, world: FileStore | None, now_s: int) -> None:
    """Replace the damaged snapshots of a world by rebuilt ones. The caller must have claimed the world.

    The old file, if the world is in one, is first copied beside the world. A lost level stays unchanged: a later version may read it.
    """
    damaged = {partition: _find_damaged(store, partition) for partition in dungeon.partitions()}
    partitions = [
        partition for partition in damaged if damaged[partition] or not store.snapshots.marks(partition)
    ]
    if not partitions:
        return
    if world is not None:
        _keep_damaged(world, set(partitions) <= dungeon.closed, now_s)
    for partition in partitions:
        if partition in dungeon.closed:
            _close(store, dungeon, partition, damaged[partition])
        else:
            _take_again(store, dungeon, partition, damaged[partition])


def _keep_damaged(world: FileStore, only_lost: bool, now_s: int) -> None:  # noqa: FBT001  # of one call
    """Copy a damaged file; if the damage is in lost levels alone, only once."""
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime(now_s))
    path = world.path
    aside = path.with_name(f"{path.stem}.damaged-{stamp}{path.suffix}")
    if not aside.exists() and not (only_lost and list(path.parent.glob(f"{path.stem}.damaged-*"))):
        world.backup(aside)
        _log.error("The world is damaged; the damaged file is kept as %s.", aside)


def _find_damaged(store: Store, partition: PartitionId) -> list[int]:
    """Return the sequence numbers of a partition's damaged snapshots."""
    whole = {kept.sequence for kept in whole_snapshots(store, partition)}
    return [mark.sequence for mark in store.snapshots.marks(partition) if mark.sequence not in whole]


def _take_again(store: Store, dungeon: Dungeon, partition: PartitionId, damaged: list[int]) -> None:
    """Replace damaged snapshots by the present state, and a damaged first one by the founding's state."""
    taken = [snapshot(dungeon, partition)]
    if 0 in damaged or not store.snapshots.marks(partition):
        others = {other: dungeon.state(other) for other in dungeon.partitions() if other != partition}
        made = founding_states(store, dungeon.campaign, dungeon.seed, partition, others)
        if made is not None:
            body = serialize(made)
            taken.append(Snapshot(partition, 0, RULES_VERSION, body, state_hash(body)))
    for sequence in damaged:
        store.snapshots.drop(partition, sequence)
    store.snapshots.put(sorted(taken, key=lambda each: each.sequence))
    inputs = ", ".join(str(sequence) for sequence in damaged)
    _log.error(
        "The snapshot of partition %d%s is damaged; it was made again from what stands before it, and nothing is lost.",
        partition,
        f" at input {inputs}" if inputs else "",
    )


def _close(store: Store, dungeon: Dungeon, partition: PartitionId, damaged: list[int]) -> None:
    """Return the players on a lost level to the realm, with their bodies from the level's last records."""
    stranded = [
        (account, life)
        for account, life in sorted(dungeon.realm.lives.items())
        if life.kept is None and life.partition == partition
    ]
    seen = _bodies_of_lost_level(store, partition)
    taken = _item_ids(dungeon, archived_bodies(store.directory, dungeon.realm) if stranded else [])
    for index, (account, life) in enumerate(stranded):
        body = _without(seen.get(life.number) or _resurrect(dungeon, account, life), taken)
        source = (partition, dungeon.sequence(partition) + 1, index)
        dungeon.apply_input(REALM_PARTITION, StoreBody(body, partition, source))
        taken |= {item.number for item in body.carried}
    if stranded:
        store.journal.append(batch_records(dungeon, dungeon.take_batch().applied))
    _log.error(
        "Partition %d is lost: its snapshots (at input %s) are damaged, and what led to them is gone. It is closed; restore the "
        "world from a backup to have it again. Taken to the realm from there: %s.",
        partition,
        ", ".join(str(sequence) for sequence in damaged) or "none",
        ", ".join(life.name for _, life in stranded) or "no players",
    )


def _bodies_of_lost_level(store: Store, partition: PartitionId) -> dict[int, Creature]:
    """Return the bodies that reached a level, by number, in their state at the last arrival."""
    arrived = (decode(record.body) for record in store.journal.read(partition, 0))
    return {each.creature.number: each.creature for each in arrived if isinstance(each, Arrive)}


def _resurrect(dungeon: Dungeon, account: int, life: Life) -> Creature:
    """Return a body like a new life's, for a life whose body is lost."""
    kind = dungeon.campaign.player_kind
    return new_creature(
        kind, life.number, name=life.name, account=account, food=dungeon.campaign.hunger.start
    )


def _item_ids(dungeon: Dungeon, archived: list[Creature]) -> set[int]:
    """Return the numbers of all items that are elsewhere."""
    bodies = [*archived]
    bodies += [life.kept for life in dungeon.realm.lives.values() if life.kept is not None]
    piles: list[Iterable[Item]] = []
    for level in dungeon.levels.values():
        bodies += level.creatures.values()
        piles += level.piles.values()
    return {item.number for held in (*piles, *(body.carried for body in bodies)) for item in held}


def _without(body: Creature, taken: set[int]) -> Creature:
    """Remove the items from a body that are elsewhere by now: no item may be in two places."""
    left = [(slot, item) for slot, item in _by_slot(body) if item.number not in taken]
    body.slots, body.stacks = [None] * len(body.slots), {}
    for slot, item in left:
        put_in(body, slot, item)
    kept = {item.number for item in body.carried}
    in_use = (body.wielded, body.worn, body.ring)
    body.wielded, body.worn, body.ring = (number if number in kept else 0 for number in in_use)
    return body


def _by_slot(body: Creature) -> list[tuple[int, Item]]:
    """Return the items of a body, each with its slot."""
    return [
        (slot, item)
        for slot, first in enumerate(body.slots)
        if first is not None
        for item in (first, *body.stacks.get(slot, ()))
    ]
