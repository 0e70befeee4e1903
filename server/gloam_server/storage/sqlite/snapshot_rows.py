"""Snapshots as rows of their table."""

from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.dialects.sqlite import insert as upsert

from gloam_server.storage.journal import Snapshot
from gloam_server.storage.sqlite import tables
from gloam_server.storage.sqlite.retention import drop_old_snapshots
from gloam_server.storage.sqlite.snapshot_bodies import pack, unpack


def read_snapshot(row: Any) -> Snapshot:
    """Return the snapshot of a row."""
    return Snapshot(row.place, row.sequence, row.rules, unpack(row.body), row.state_hash)


def put_snapshot(connection: Connection, snapshot: Snapshot) -> None:
    """Write a snapshot, and delete the snapshots of its place that it makes needless."""
    row = {**asdict(snapshot), "body": pack(snapshot.body)}
    connection.execute(
        upsert(tables.snapshots)
        .values(row)
        .on_conflict_do_update(index_elements=["place", "sequence"], set_=row)
    )
    drop_old_snapshots(connection, snapshot.place)
