"""The log of a world: entries on one subject of a stream, each written only after the entry that its writer knows of.

The expected number of the last message is the fence: once another server has written, an append is refused.
"""

import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import msgspec
from nats.js import api
from nats.js import errors as js_errors

from gloam_server.storage.errors import StorageDamaged, StorageFault, WrongSequence
from gloam_server.storage.jetstream.entries import (
    Checkpoint,
    Entry,
    Message,
    Position,
    StoredClaim,
    StoredRecord,
    decode_message,
    encode_message,
    join,
    split,
)
from gloam_server.storage.jetstream.nats_thread import ANSWER_S, NatsThread

STREAM: Final = "gloam-journal"
SUBJECTS: Final = "gloam.journal"
CHECKPOINT_EVERY: Final = 500
"""The most entries that a start reads to know the positions of all partitions."""

_PAGE: Final = 256
_NEAR: Final = 32
"""Entries that are so near are read with what lies between."""

_CONFIRM_S: Final = 1.0
"""The longest time until an append is confirmed. Its server is left for another then, where the same one is tried again."""

_KEPT: Final = 2_000
_WRONG_LAST: Final = 10071
_Finder: TypeAlias = Callable[[], Awaitable[api.RawStreamMsg]]
_TAKEN: Final = "Another server has taken this world over; this one must stop."


@dataclass(slots=True)
class _Pending:
    """An append whose outcome is not known yet: its messages, and how many of them are in the stream."""

    entry: Entry
    parts: list[bytes]
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    done: int = 0
    first: int = 0


class EntryLog:
    """The entries on a subject. `positions`, `claim` and `last` are as of the last `look` and what was appended since."""

    def __init__(self, nats: NatsThread, realm: str) -> None:
        self.positions: dict[int, Position] = {}
        self.claim: StoredClaim | None = None
        self.last = 0
        self._nats: Final = nats
        self._subject: Final = f"{SUBJECTS}.{realm}"
        self._tail = 0
        self._base = 0
        self._since_base = 0
        self._rows = 0
        self._pending: _Pending | None = None
        self._read: OrderedDict[int, tuple[Message, Entry]] = OrderedDict()

    @property
    def is_unknown(self) -> bool:
        """Whether the outcome of the last append is unknown."""
        return self._pending is not None

    def is_repeat(self, records: Sequence[StoredRecord]) -> bool:
        """Return whether these are the records of the append whose outcome is unknown."""
        pending = self._pending
        return pending is not None and bool(records) and list(pending.entry.records) == list(records)

    def look(self, until: int = 0) -> None:
        """Read the position of the log, or know no entry after `until`. Raises StorageError."""
        self._pending = None
        self._read.clear()
        self.positions, self.claim = {}, None
        self.last = self._base = self._since_base = self._tail = self._rows = 0
        newest = self._newest()
        if newest is None:
            return
        self._tail, message = newest
        complete = message.part == message.parts - 1
        self.last = (message.first or self._tail) if complete else message.previous
        self.last = min(self.last, until or self.last)
        if not self.last:
            return
        found, newest_entry = self._get(self.last)
        self._base = found.base or self.last
        self._rows = self.last if newest_entry.statements else found.rows
        is_known = False
        for number, entry in self.entries(self._base, self.last):
            if number == self._base and entry.checkpoint is not None:
                self.positions = dict(entry.checkpoint.positions)
                self.claim = entry.checkpoint.claim
                is_known = True
            elif number != self._base:
                self._since_base += 1
            self._advance(number, entry)
        if not is_known:
            raise StorageDamaged(
                f"The journal in NATS lacks entry {self._base}; restore the realm with `gloam-server import`."
            )

    def append(self, entry: Entry) -> int:
        """Write an entry after the last one, and return its number.

        Raises WrongSequence if another server has written here. After a StorageFault the outcome is unknown: the next
        append of the same records goes on where this one ended.
        """
        if not self.is_repeat(entry.records):
            self.finish()
            if self._since_base >= CHECKPOINT_EVERY or not self.last:
                entry = msgspec.structs.replace(
                    entry, checkpoint=entry.checkpoint or Checkpoint(self.positions, self.claim)
                )
            self._pending = _Pending(entry, split(entry))
        self.finish()
        return self.last

    def finish(self) -> None:
        """Complete the append whose outcome is unknown, if there is one. Raises as `append` does."""
        pending = self._pending
        if pending is None:
            return
        while pending.done < len(pending.parts):
            self._publish(pending)
        self._pending = None
        self.last = pending.first
        self._since_base += 1
        checkpoint = pending.entry.checkpoint
        if checkpoint is not None:
            self._base, self._since_base, self.claim = pending.first, 0, checkpoint.claim
        if pending.entry.statements:
            self._rows = pending.first
        self._advance(pending.first, pending.entry)
        self._read.clear()  # only a start reads much

    def entries(self, first: int, last: int) -> Iterator[tuple[int, Entry]]:
        """Yield the complete entries from one number to another, with their numbers, in order."""
        for number, _, entry in self._complete(first, last):
            yield number, entry

    def _complete(self, first: int, last: int) -> Iterator[tuple[int, Message, Entry]]:
        """Yield entries as `entries` does, with the last message of each."""
        parts: list[bytes] = []
        begins, of = 0, ""
        for number, message in self._messages(first):
            if not message.part:
                parts, begins, of = [], number, message.id
            if message.id != of or message.part != len(parts):
                continue  # the rest of an entry whose writer was stopped
            parts.append(message.payload)
            if len(parts) == message.parts:
                yield begins, message, self._decode(begins, parts)
            if begins >= last and len(parts) == message.parts:
                return

    def with_rows(self, after: int) -> list[tuple[int, Entry]]:
        """Return the entries after a number that have statements, in order."""
        found: list[tuple[int, Entry]] = []
        number = self._rows
        while number > after:
            message, entry = self._get(number)
            found.append((number, entry))
            number = message.rows
        return found[::-1]

    def before(self, number: int) -> int:
        """Return the number of the entry before one."""
        return self._get(number)[0].previous

    def reach(self, number: int, positions: Mapping[int, int]) -> int:
        """Return the first entry from `number` on with which all partitions have reached these positions, or the last one."""
        self.look(number)
        lacking = {partition for partition, least in positions.items() if least > self._sequence(partition)}
        for at, entry in self.entries(number + 1, self._tail) if lacking else ():
            number = at
            lacking -= {
                each.partition for each in entry.records if each.sequence >= positions.get(each.partition, 0)
            }
            if not lacking:
                break
        return number

    def _sequence(self, partition: int) -> int:
        return self.positions[partition].sequence if partition in self.positions else 0

    def checkpoint(self) -> None:
        """Write a checkpoint, so that a start needs no entry before it."""
        self.append(Entry(checkpoint=Checkpoint(self.positions, self.claim)))

    @property
    def base(self) -> int:
        """The checkpoint from which a start reads on."""
        return self._base

    def chain(self, partition: int, after: int) -> list[StoredRecord]:
        """Return the records of a partition after record `after`, from its newest entry back to that."""
        found: list[StoredRecord] = []
        number = self.positions[partition].entry if partition in self.positions else 0
        oldest, came_from = self.first(), number
        while number >= oldest > 0:
            if number not in self._read and came_from - number <= _NEAR:
                self._read_page(max(oldest, number - _PAGE + 1), number)
            _, entry = self._get(number)
            came_from = number
            here = [each for each in entry.records if each.partition == partition and each.sequence > after]
            if not here:
                break
            found += here[::-1]
            number = entry.before.get(partition, 0)
            if here[0].sequence == after + 1:
                break
        return found[::-1]

    def _read_page(self, first: int, last: int) -> None:
        """Read neighbors together: each question takes as long as a hundred of them."""
        for number, message, entry in self._complete(first, last):
            self._keep(number, message, entry)

    def _keep(self, number: int, message: Message, entry: Entry) -> None:
        self._read[number] = message, entry
        if len(self._read) > _KEPT:
            self._read.popitem(last=False)

    def first(self) -> int:
        """Return the number of the first message that is kept, 0 without any."""
        message = self._find(
            lambda: self._nats.jetstream.get_msg(STREAM, seq=1, subject=self._subject, next=True)
        )
        return message.seq or 0 if message is not None else 0

    def drop_before(self, number: int) -> None:
        """Delete all entries before one."""
        self._nats.call(lambda: self._nats.jetstream.purge_stream(STREAM, subject=self._subject, seq=number))

    def erase(self) -> None:
        """Delete all entries: the realm ends."""
        self._nats.call(lambda: self._nats.jetstream.purge_stream(STREAM, subject=self._subject))

    def _publish(self, pending: _Pending) -> None:
        message = Message(
            pending.id,
            pending.done,
            len(pending.parts),
            pending.first,
            self.last,
            self._base if pending.entry.checkpoint is None else 0,
            self._rows,
            pending.parts[pending.done],
        )
        headers: dict[str, str] = {
            api.Header.EXPECTED_LAST_SUBJECT_SEQUENCE: str(self._tail),
            api.Header.MSG_ID: f"{pending.id}.{pending.done}",
        }
        data = encode_message(message)
        try:
            done = self._nats.call(
                lambda: self._nats.jetstream.publish(self._subject, data, timeout=_CONFIRM_S, headers=headers)
            )
        except js_errors.APIError as error:
            if error.err_code != _WRONG_LAST:
                self._nats.leave()  # one that is cut off from the others still waits for them with an earlier attempt
                raise StorageFault(
                    f"NATS refused an entry ({error.description}); look at its log."
                ) from error
            self._catch_up(pending)
            return
        self._tail = done.seq
        pending.first = pending.first or done.seq
        pending.done += 1

    def _catch_up(self, pending: _Pending) -> None:
        """Note how much of an append is in the stream already. Raises WrongSequence if another server has written."""
        newest = self._newest()
        if newest is None or newest[1].id != pending.id or newest[1].part < pending.done:
            raise WrongSequence(_TAKEN)
        self._tail, message = newest
        pending.first = message.first or self._tail
        pending.done = message.part + 1

    def _advance(self, number: int, entry: Entry) -> None:
        for each in entry.records:
            self.positions[each.partition] = Position(each.sequence, number)

    def _newest(self) -> tuple[int, Message] | None:
        found = self._find(lambda: self._nats.jetstream.get_last_msg(STREAM, self._subject))
        return (
            (found.seq or 0, self._message(found.seq or 0, found.data or b"")) if found is not None else None
        )

    def _get(self, number: int) -> tuple[Message, Entry]:
        """Return an entry and its first message. Raises StorageDamaged if it is not there."""
        if number in self._read:
            self._read.move_to_end(number)
            return self._read[number]
        parts: list[bytes] = []
        at = number
        message = None
        while message is None or len(parts) < message.parts:
            found = self._find(
                lambda at=at: self._nats.jetstream.get_msg(STREAM, seq=at, subject=self._subject, next=True)  # type: ignore[misc]  # a default binds the value
            )
            if found is None or (message is None and found.seq != number):
                raise StorageDamaged(
                    f"The journal in NATS lacks entry {number}; restore the realm with `gloam-server import`."
                )
            at = (found.seq or 0) + 1
            here = self._message(found.seq or 0, found.data or b"")
            message = message or here
            parts.append(here.payload)
        self._keep(number, message, self._decode(number, parts))
        return self._read[number]

    def _messages(self, first: int) -> Iterator[tuple[int, Message]]:
        """Yield the messages from a number to the last one known."""
        if first > self._tail:
            return
        config = api.ConsumerConfig(
            deliver_policy=api.DeliverPolicy.BY_START_SEQUENCE,
            opt_start_seq=max(first, 1),
            ack_policy=api.AckPolicy.NONE,
            mem_storage=True,
            num_replicas=1,
            inactive_threshold=60,
        )
        jetstream = self._nats.jetstream
        reader = self._nats.call(
            lambda: jetstream.pull_subscribe(self._subject, stream=STREAM, config=config)
        )
        try:
            number = 0
            while number < self._tail:
                page = self._nats.call(lambda: reader.fetch(_PAGE, timeout=ANSWER_S))
                for each in page:
                    number = each.metadata.sequence.stream
                    yield number, self._message(number, each.data)
        finally:
            self._nats.later(reader.unsubscribe)

    def _find(self, work: _Finder) -> api.RawStreamMsg | None:
        try:
            return self._nats.call(work)
        except js_errors.NotFoundError:
            return None
        except js_errors.APIError as error:
            raise StorageFault(f"NATS refused to read ({error.description}); look at its log.") from error

    def _message(self, number: int, data: bytes) -> Message:
        try:
            return decode_message(data)
        except msgspec.MsgspecError as error:
            raise StorageDamaged(
                f"Message {number} of {self._subject} in NATS is none of Gloam's; name another realm in --store."
            ) from error

    def _decode(self, number: int, parts: Sequence[bytes]) -> Entry:
        try:
            return join(parts)
        except msgspec.MsgspecError as error:
            raise StorageDamaged(
                f"Entry {number} of {self._subject} in NATS is damaged; restore the realm with `gloam-server import`."
            ) from error
