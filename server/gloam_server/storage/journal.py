"""The journal's interface, the same for every back end, and its records.

A *place* is one state machine: 0 the realm, 1, 2, ... the levels. Its records are numbered 1, 2, ... without a gap.
A snapshot at sequence n holds the state after record n; at 0, the state before any.
"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from gloam_server.storage.accounts import Accounts
from gloam_server.storage.archive import NO_CHANGE, Archive, ArchiveChange
from gloam_server.storage.chat_store import ChatStore
from gloam_server.storage.sqlite.integrity.checksums import CheckCursor, CheckResult, HashOf


class StorageError(Exception):
    """A storage operation failed; the text is one sentence for people with the cause and the solution."""


class StorageFull(StorageError):
    """The disk is full. Nothing was written; the same call may succeed later."""


class StorageFault(StorageError):
    """The disk or the database failed. The same call may succeed later, whether or not anything was written."""


class StorageDamaged(StorageError):
    """The data on disk is damaged; the last good state may still be readable."""


class WrongSequence(StorageError):
    """Another writer has claimed the world or appended here, or a record is missing: the caller must stop."""


class WorldOpen(StorageError):
    """Another server has the world open."""


class NameTaken(StorageError):
    """An account of this name exists."""


@dataclass(frozen=True, slots=True)
class Record:
    """One input of one place. `state_hash` is the state's hash after it, for some records.

    `digest` is a cheap digest of the state after it, for the last record of the place in a batch.
    """

    place: int
    sequence: int
    body: bytes
    state_hash: bytes | None = None
    digest: int | None = None


@dataclass(frozen=True, slots=True)
class SnapshotMark:
    """A snapshot without its body. `rules` is the version of the rules that made it."""

    place: int
    sequence: int
    rules: int
    state_hash: bytes


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The whole state of a place after record `sequence`."""

    place: int
    sequence: int
    rules: int
    body: bytes
    state_hash: bytes

    @property
    def mark(self) -> SnapshotMark:
        """This snapshot without its body."""
        return SnapshotMark(self.place, self.sequence, self.rules, self.state_hash)


@dataclass(frozen=True, slots=True)
class Death:
    """The end of a life. `account` is the account's number; `at_s` is seconds since 1970.

    `life` is the number of its body, which no other life of the realm has, None if unknown; `sequence` is the realm's
    record of it. `title` is its full name in its lineage, "" for `name`. `wins` counts its victories; `won` says that
    the last of them ended it, and then `killer` is the cause of that victory.
    """

    account: int
    name: str
    killer: str
    depth: int
    level: int
    experience: int
    turns: int
    at_s: int
    life: int | None = None
    sequence: int = 0
    title: str = ""
    deepest: int = 0
    kills: int = 0
    wins: int = 0
    won: bool = False


@dataclass(frozen=True, slots=True)
class WorldIdentity:
    """The identity of a realm: its campaign and seed, and its present rules and content."""

    campaign: str
    seed: int
    rules: int
    content: str
    created_s: int


@dataclass(frozen=True, slots=True)
class WriterClaim:
    """The rules and content of a server that writes to a world. `at_s` is seconds since 1970.

    `libraries` names the libraries that its rules depend on, with their versions.
    """

    rules: int
    content: str
    at_s: int
    libraries: str = ""


@dataclass(frozen=True, slots=True)
class LostInputs:
    """The loss of a world: `inputs` that were durable at `at_s` (seconds since 1970) are missing."""

    inputs: int
    at_s: int


class Journal(Accounts, Archive, ChatStore, Protocol):
    """All durable data. Methods block; each is one transaction and raises StorageError if it fails."""

    def together(self) -> AbstractContextManager[None]:
        """Make one transaction of all calls that this thread makes inside."""

    def claim(self, claim: WriterClaim) -> LostInputs | None:
        """Become the one writer: any earlier writer is fenced, and its next append raises WrongSequence.

        Returns the missing inputs, if the disk lost confirmed writes. This is reported once.
        """

    def newest_claim(self) -> WriterClaim | None:
        """Return the claim of the server that writes here, or wrote here last."""

    def append(
        self,
        records: Sequence[Record],
        snapshots: Sequence[Snapshot] = (),
        deaths: Sequence[Death] = (),
        archive: ArchiveChange = NO_CHANGE,
    ) -> None:
        """Write all or nothing, durably. Raises WrongSequence, StorageFull or StorageFault.

        A failed append is unknown, not undone: the owner of the claim appends the same again, and records that were
        written after all are not written twice.

        Of a place's snapshots the first, the first of each day and the two newest are kept; others are deleted with the next snapshot.
        """

    def read(self, place: int, after: int) -> Iterator[Record]:
        """Yield the records of a place that follow record `after`, in order."""

    def last_sequence(self, place: int) -> int:
        """Return the number of a place's newest record, or 0."""

    def places(self) -> list[int]:
        """Return the places that have a record or a snapshot, in order."""

    def snapshots(self, place: int) -> list[SnapshotMark]:
        """Return the kept snapshots of a partition, newest first."""

    def snapshot(self, place: int, sequence: int) -> Snapshot | None:
        """Return the snapshot of a place that was taken after a record."""

    def drop_snapshot(self, place: int, sequence: int) -> None:
        """Delete a damaged snapshot."""

    def latest_snapshot(self, place: int) -> Snapshot | None:
        """Return a place's newest snapshot."""

    def oldest_snapshot(self, place: int) -> Snapshot | None:
        """Return a place's first snapshot."""

    def identity(self) -> WorldIdentity | None:
        """Return the realm's identity, or None before `create_identity`."""

    def create_identity(self, identity: WorldIdentity) -> None:
        """Write the realm's identity, once; only `adopt` changes it."""

    def adopt(
        self, rules: int, content: str, records: Sequence[Record], snapshots: Sequence[Snapshot]
    ) -> None:
        """Append the inputs that change the rules or the content, and make the realm start from new snapshots.

        All or nothing. Older snapshots of these places are deleted, because the new rules cannot replay the records
        after them.
        """

    def content(self, digest: str) -> bytes | None:
        """Return the content with this digest."""

    def keep_content(self, digest: str, files: bytes) -> None:
        """Store the realm's content, so that an upgrade can compare it and a replay can use it."""

    def deaths(self) -> list[Death]:
        """Return all kept deaths, newest first."""

    def drop_deaths(self, lives: Sequence[int]) -> None:
        """Delete the rows of lives that no board of the ladder needs."""

    def retain(self, now_s: int) -> int:
        """Delete some records that are old enough, and return their number: call it from time to time.

        Of each place it keeps the two newest snapshots and the records since the older one, of any age, and older
        records for `retention.KEEP_S` seconds, but no more than `retention.KEEP_BYTES` in total. The kept records
        begin at a snapshot, so that all of them can be replayed. Rows of archived lives go with the record that
        returned the life.
        """

    def look(self, cursor: CheckCursor, hash_of: HashOf) -> CheckResult:
        """Check the next rows for damage; `hash_of` computes the hashes of snapshots."""

    def close(self) -> None:
        """Close the storage; no other call may follow."""
