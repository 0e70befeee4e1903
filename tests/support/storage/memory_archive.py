"""Archived lives in memory."""

from collections.abc import Sequence

from gloam_server.storage.archive import ArchiveChange, ArchivedRow


class MemoryArchive:
    """The implementation of `Archive` in lists."""

    def __init__(self) -> None:
        self._archived: list[ArchivedRow] = []
        self._returned: dict[tuple[int, int], int] = {}

    def archived_life(self, account: int, sequence: int) -> list[ArchivedRow]:
        """Return the rows of a life that the realm's record `sequence` archived, by place."""
        rows = [row for row in self._archived if (row.account, row.sequence) == (account, sequence)]
        return sorted(rows, key=lambda row: row.partition)

    def write_archive(self, change: ArchiveChange) -> None:
        """Write the rows of archived lives, each once, and note the lives that have returned."""
        keys = {(row.account, row.sequence, row.partition) for row in change.rows}
        self._archived = [
            row for row in self._archived if (row.account, row.sequence, row.partition) not in keys
        ] + list(change.rows)
        self._returned |= {(account, archived): by for account, archived, by in change.returned}

    def drop_returned(self, first: int) -> None:
        """Let go of the lives whose return is before the first record of the realm."""
        gone = {life for life, by in self._returned.items() if by < first}
        self._archived = [row for row in self._archived if (row.account, row.sequence) not in gone]
        self._returned = {life: by for life, by in self._returned.items() if life not in gone}

    def _drop_archived(self, accounts: Sequence[int]) -> None:
        self._archived = [row for row in self._archived if row.account not in accounts]
