"""Numbers for creatures, items and levels: unique in the realm, never reused, given without coordination."""

from typing import Final

from gloam_shared.level_numbers import PartitionId
from gloam_shared.limits import PARTITIONS_MAX

REALM_PARTITION: Final = 0
"""The realm's own partition in the journal; levels are partitions 1, 2, ... by their depth, the levels of each further
round after them. """


def new_id(partition: PartitionId, counter: int) -> int:
    """Return the `counter`-th number (from 1) that the state machine of partition `partition` gives."""
    return counter * PARTITIONS_MAX + partition


def partition_of_id(number: int) -> int:
    """Return the partition of the state machine that gave a number."""
    return number % PARTITIONS_MAX
