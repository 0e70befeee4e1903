"""The entries of a world's log: a batch of records with what belongs to it, as messages of bounded size.

An entry has the number of its first message in the stream. It says which entry before it has records of the same
partitions, so the records since a snapshot are found without a search. Some entries are checkpoints: they contain the
position of every partition. Each entry names the checkpoint from which a start reads on.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from gloam_server.storage.journal import Record, WriterClaim

MESSAGE_MAX: Final = 512 * 1024
"""The most bytes of an entry in one message; NATS takes 1 MiB in its default settings."""


class Position(NamedTuple):
    """A partition's newest record, and the entry that contains it."""

    sequence: int
    entry: int


class StoredRecord(msgspec.Struct, frozen=True, array_like=True):
    """A record in an entry."""

    partition: int
    sequence: int
    body: bytes
    state_hash: bytes | None = None
    digest: int | None = None

    def record(self) -> Record:
        """Return the record."""
        return Record(self.partition, self.sequence, self.body, self.state_hash, self.digest)


class StoredClaim(msgspec.Struct, frozen=True, array_like=True):
    """The claim of a server, and the dungeon that it has in its directory."""

    rules: int
    content: str
    at_s: int
    libraries: str
    dungeon: str

    def claim(self) -> WriterClaim:
        """Return the claim."""
        return WriterClaim(self.rules, self.content, self.at_s, self.libraries)


class Checkpoint(msgspec.Struct, frozen=True, array_like=True):
    """The positions of all partitions before an entry, and the claim under which it is written."""

    positions: dict[int, Position]
    claim: StoredClaim | None


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """A batch: its records; for each of its partitions the entry before it; and the statements of its rows.

    The rows are written into the directory's database in a transaction that is committed after the entry: if that
    did not happen, the next server that opens the world carries them out again.
    """

    records: Sequence[StoredRecord] = ()
    before: Mapping[int, int] = {}
    statements: Sequence[tuple[str, tuple[Any, ...]]] = ()
    checkpoint: Checkpoint | None = None


class Message(msgspec.Struct, frozen=True, array_like=True):
    """A part of an entry. `first` is the number of its first part, 0 in that itself; `previous` the entry before it.

    `base` is the newest checkpoint before the entry, 0 if it is one itself; `rows` is the newest entry before it that has
    statements, 0 if there is none.
    """

    id: str
    part: int
    parts: int
    first: int
    previous: int
    base: int
    rows: int
    payload: bytes


_encoder: Final = msgspec.msgpack.Encoder()
_entries: Final = msgspec.msgpack.Decoder(Entry)
_messages: Final = msgspec.msgpack.Decoder(Message)


def stored(records: Sequence[Record]) -> list[StoredRecord]:
    """Return records as an entry contains them."""
    return [
        StoredRecord(each.partition, each.sequence, each.body, each.state_hash, each.digest)
        for each in records
    ]


def split(entry: Entry) -> list[bytes]:
    """Return the bytes of an entry in parts that a message can carry."""
    data = _encoder.encode(entry)
    return [data[at : at + MESSAGE_MAX] for at in range(0, len(data), MESSAGE_MAX)]


def join(parts: Sequence[bytes]) -> Entry:
    """Return the entry in parts. Raises msgspec.MsgspecError."""
    return _entries.decode(b"".join(parts))


def encode_message(message: Message) -> bytes:
    """Return the bytes of a message."""
    return _encoder.encode(message)


def decode_message(data: bytes) -> Message:
    """Return a message. Raises msgspec.MsgspecError."""
    return _messages.decode(data)
