"""Depths and rounds: on the wire and in the world, the numbers of levels continue from round to round. Pure."""

from typing import Final, TypeAlias

from gloam_shared.limits import DEPTHS_MAX, PARTITIONS_MAX

PartitionId: TypeAlias = int
"""The number of one state machine of a dungeon, from 0 to below `PARTITIONS_MAX`: 0 is the realm, others are levels. World files and
journals call it "place", which was its name."""

ROUNDS_MAX: Final = (PARTITIONS_MAX - 1) // DEPTHS_MAX
"""The last round whose levels still have numbers; number 0 is the realm's."""


def level_number(round_: int, depth: int) -> PartitionId:
    """Return the number of the level at a depth (from 1) of a round (from 1)."""
    return (round_ - 1) * DEPTHS_MAX + depth


def depth_of_level(number: PartitionId) -> int:
    """Return the depth, from 1, of a level within its round; `number` is from 1."""
    return (number - 1) % DEPTHS_MAX + 1


def round_of_level(number: PartitionId) -> int:
    """Return the round, from 1, that a level belongs to; `number` is from 1."""
    return (number - 1) // DEPTHS_MAX + 1
