"""The replica: a view process's copy of the dungeon, which applies the records of each durable batch again.

Each batch proves it: the digests of its states, at times their hashes, and the numbers of its records. A replica that differs
is of no more use: nothing of the batch may be shown.
"""

from collections.abc import Mapping
from typing import Final

import msgspec

from gloam_server.content.campaign import Campaign
from gloam_server.engine.messages import Durable
from gloam_server.link.link_messages import DurableBatch, DurableRecord
from gloam_server.world.model.context import RuleFault
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import decode
from gloam_server.world.transition.digest import digest_of
from gloam_server.world.transition.dungeon import Dungeon
from gloam_server.world.transition.serialization import (
    deserialize_level,
    deserialize_realm,
    is_record_hash_of,
)


class ReplicaDiffers(Exception):
    """The replica is not the dungeon of the turn process any more; the text names the seed and the position."""


def replica_of(
    campaign: Campaign, seed: int, states: Mapping[int, bytes], closed: tuple[int, ...]
) -> Dungeon:
    """Return a dungeon from the states of all its partitions. Raises msgspec.DecodeError."""
    return Dungeon(
        campaign,
        seed,
        deserialize_realm(states[REALM_PARTITION]),
        {
            partition: deserialize_level(body, campaign, seed)
            for partition, body in sorted(states.items())
            if partition != REALM_PARTITION
        },
        closed=set(closed),
    )


class Replica:
    """Follows the dungeon of a turn process from the states that it sent."""

    def __init__(self, dungeon: Dungeon) -> None:
        self.dungeon: Final = dungeon

    def follow(self, durable: DurableBatch) -> Durable:
        """Apply a durable batch, and return it as the view side takes it. Raises ReplicaDiffers before anything is shown."""
        dungeon = self.dungeon
        for partition, body in durable.opened.items():
            dungeon.set_state(partition, deserialize_level(body, dungeon.campaign, dungeon.seed))
        for record in durable.records:
            self._apply(record)
        return Durable(dungeon.take_batch(), durable.acted, durable.lines, durable.hidden)

    def restart(self, states: Mapping[int, bytes], closed: tuple[int, ...]) -> None:
        """Take the states of another turn process of the same dungeon in place of its own. Raises msgspec.DecodeError."""
        dungeon = self.dungeon
        dungeon.take_batch()
        dungeon.set_state(REALM_PARTITION, deserialize_realm(states[REALM_PARTITION]))
        for partition, body in sorted(states.items()):
            if partition != REALM_PARTITION:
                dungeon.set_state(partition, deserialize_level(body, dungeon.campaign, dungeon.seed))
        for partition in set(dungeon.levels) - states.keys():
            del dungeon.levels[partition]
        dungeon.closed = set(closed)

    def close(self, partitions: tuple[int, ...]) -> None:
        """Close these levels."""
        for partition in partitions:
            self.dungeon.close(partition)

    def _apply(self, record: DurableRecord) -> None:
        dungeon, partition = self.dungeon, record.partition
        if partition not in dungeon.partitions() or record.sequence != dungeon.sequence(partition) + 1:
            raise self._differs(record, "the record does not follow")
        try:
            dungeon.follow_input(partition, decode(record.body), record.body)
        except (RuleFault, msgspec.MsgspecError) as error:
            raise self._differs(record, f"it cannot be applied: {error}") from error
        if record.digest is not None and record.digest != digest_of(dungeon.state(partition)):
            raise self._differs(record, "its digest differs")
        if record.state_hash is not None and not is_record_hash_of(
            record.state_hash, dungeon.serialize(partition)
        ):
            raise self._differs(record, "the hash of its state differs")

    def _differs(self, record: DurableRecord, why: str) -> ReplicaDiffers:
        return ReplicaDiffers(
            f"the replica differs from the dungeon at input {record.sequence} of partition {record.partition}, seed "
            f"{self.dungeon.seed}: {why}; it shows nothing of it, and is built again"
        )
