"""Lives out of memory: rows of players who have been away for long. The interface, the same for every backend."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from gloam_shared.level_numbers import PartitionId


@dataclass(frozen=True, slots=True)
class ArchivedRow:
    """A part of an archived life: the life itself as partition 0, or a level's map memory.

    `life` is the number of its body, `sequence` the realm's record that archived it. `body` is empty if the row is damaged.
    """

    account: int
    life: int
    partition: PartitionId
    sequence: int
    body: bytes


@dataclass(frozen=True, slots=True)
class ArchiveChange:
    """A batch's effect on the archive: rows of lives that went out of memory, and the lives that returned.

    A returned life is its account, the record that archived it, and the record that returned it. Its rows stay until
    retention deletes the latter: a salvage may cut the world before it.
    """

    rows: Sequence[ArchivedRow] = ()
    returned: Sequence[tuple[int, int, int]] = ()


NO_CHANGE: Final = ArchiveChange()


class Archive(Protocol):
    """The part of the directory's interface about archived lives."""

    def archived_life(self, account: int, sequence: int) -> list[ArchivedRow]:
        """Return the rows of a life that the realm's record `sequence` archived, by partition."""

    def write_archive(self, change: ArchiveChange) -> None:
        """Write the rows of archived lives, each once however often it is tried, and note the lives that have returned."""
