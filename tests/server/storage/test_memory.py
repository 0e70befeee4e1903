"""Faults on demand."""

import pytest

from gloam_server.storage.journal import Record, StorageError, StorageFault, StorageFull
from gloam_server.storage.memory import MemoryJournal


@pytest.mark.parametrize("error", [StorageFull("full"), StorageFault("broken")])
def test_the_next_appends_fail_and_write_nothing(error: StorageError) -> None:
    journal = MemoryJournal()
    journal.fail_next(error, times=2)

    for _ in range(2):
        with pytest.raises(type(error)):
            journal.append([Record(1, 1, b"a")])
        assert journal.last_sequence(1) == 0

    journal.append([Record(1, 1, b"a")])
    assert journal.last_sequence(1) == 1
