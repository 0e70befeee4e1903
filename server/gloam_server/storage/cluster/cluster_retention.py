"""Retention in a cluster: old entries go from NATS as a whole, and the records that are still needed move to PostgreSQL.

An entry has records of several partitions, of which one may be seldom in play and need its old records for years.
"""

from collections.abc import Mapping
from itertools import takewhile
from typing import Final

from gloam_server.storage.jetstream.entries import Entry
from gloam_server.storage.jetstream.entry_log import EntryLog
from gloam_server.storage.postgres.postgres_transactions import PostgresConnection, PostgresTransactions
from gloam_server.storage.sql.queries import first_value
from gloam_server.storage.sql.retention import (
    KEEP_S,
    MARK_EVERY_S,
    ROWS_MAX,
    first_needed_record,
    last_marks,
    put_mark,
    snapshot_sequences,
)

ENTRIES_MAX: Final = 500
"""The most entries that one call reads and deletes: a batch waits for it."""

_MOVE: Final = "INSERT INTO journal (place, sequence, body, state_hash, digest) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"


class ClusterRetention:
    """Deletes old records, some at a time. The caller has no append under way."""

    def __init__(self, log: EntryLog, transactions: PostgresTransactions) -> None:
        self._log = log
        self._transactions = transactions

    def retain(self, now_s: int) -> int:
        """Delete up to ROWS_MAX records that are old enough; return their number."""
        with self._transactions.begin() as connection:
            self._mark(connection, now_s)
            until_s = now_s - KEEP_S
            last_entry: int | None = first_value(
                connection, "SELECT max(entry) FROM mark_entries WHERE at_s <= ?", (until_s,)
            )
            if last_entry is None:
                return 0
            begins = self._begins(connection, until_s)
        if self._log.base <= last_entry:
            self._log.checkpoint()
        old = self._old_entries(last_entry, begins)
        with self._transactions.begin() as connection:
            dropped: int = sum(
                connection.execute("DELETE FROM journal WHERE place = ? AND sequence <= ?", begin).rowcount
                for begin in sorted(begins.items())
            )
            for _, entry in old:
                kept = [each for each in entry.records if each.sequence > begins.get(each.partition, -1)]
                dropped += len(entry.records) - len(kept)
                for each in kept:
                    row = (each.partition, each.sequence, each.body, each.state_hash, each.digest)
                    connection.execute(_MOVE, row)
            if not old:
                connection.execute("DELETE FROM marks WHERE at_s <= ?", (until_s,))
                connection.execute("DELETE FROM mark_entries WHERE at_s <= ?", (until_s,))
        if old:
            self._log.drop_before(old[-1][0] + 1)
        return dropped

    def _mark(self, connection: PostgresConnection, now_s: int) -> None:
        connection.execute("DELETE FROM mark_entries WHERE at_s > ?", (now_s,))
        positions = {partition: each.sequence for partition, each in self._log.positions.items()}
        if put_mark(connection, positions, now_s, MARK_EVERY_S):
            connection.execute(
                "INSERT INTO mark_entries (at_s, entry) VALUES (?, ?)", (now_s, self._log.last)
            )

    def _begins(self, connection: PostgresConnection, until_s: int) -> dict[int, int]:
        """Return the last record of each partition that may go, and delete the snapshots before it."""
        begins: dict[int, int] = {}
        for partition, until in last_marks(connection, until_s):
            last = self._log.positions[partition].sequence if partition in self._log.positions else 0
            begin = first_needed_record(snapshot_sequences(connection, partition), until, last)
            if begin is None:
                continue
            begins[partition] = begin
            connection.execute("DELETE FROM snapshots WHERE place = ? AND sequence < ?", (partition, begin))
        if 0 in begins:  # the returns of archived lives are the realm's records
            connection.execute("DELETE FROM archived_lives WHERE returned <= ?", (begins[0],))
        return begins

    def _old_entries(self, last: int, begins: Mapping[int, int]) -> list[tuple[int, Entry]]:
        """Return the first entries that go, with ROWS_MAX records to delete at most."""
        found: list[tuple[int, Entry]] = []
        room = ROWS_MAX
        oldest = self._log.first()
        if not oldest or oldest > last:
            return found
        for number, entry in takewhile(lambda each: each[0] <= last, self._log.entries(oldest, last)):
            room -= sum(each.sequence <= begins.get(each.partition, -1) for each in entry.records)
            if found and (room < 0 or len(found) == ENTRIES_MAX):
                break
            found.append((number, entry))
        return found
