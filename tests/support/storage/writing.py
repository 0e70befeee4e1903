"""Records with what belongs to them, written to a store in one transaction."""

from collections.abc import Sequence
from functools import partial

from gloam_server.storage.archive import NO_CHANGE, ArchiveChange
from gloam_server.storage.directory import Death
from gloam_server.storage.journal import Record
from gloam_server.storage.snapshots import Snapshot
from gloam_server.storage.store import Store


def write(
    store: Store,
    records: Sequence[Record],
    snapshots: Sequence[Snapshot] = (),
    deaths: Sequence[Death] = (),
    archive: ArchiveChange = NO_CHANGE,
) -> None:
    """Write a batch as the server does, and its snapshots with it."""
    rows = [
        partial(store.directory.write_deaths, deaths),
        partial(store.directory.write_archive, archive),
        partial(store.snapshots.put, snapshots),
    ]
    store.commit(
        records,
        [row for row, has in zip(rows, (deaths, archive != NO_CHANGE, snapshots), strict=True) if has],
    )
