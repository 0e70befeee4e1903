"""The journal's contract, held against each backend: claims, records, snapshots, and when old records go."""

from dataclasses import replace

import pytest

from gloam_server.storage.directory import Death, WorldIdentity
from gloam_server.storage.errors import StorageFault, WrongSequence
from gloam_server.storage.journal import Record, WriterClaim
from gloam_server.storage.snapshots import Snapshot
from gloam_server.storage.store import Store
from support.storage.writing import write

IDENTITY = WorldIdentity("gloam", 2**64 - 1, 3, "ab12", 1_800_000_000)
CLAIM = WriterClaim(3, "ab12", 1_800_000_000)


def records(partition: int, *sequences: int) -> list[Record]:
    return [Record(partition, sequence, b"%d" % sequence) for sequence in sequences]


def snapshot(partition: int, sequence: int, body: bytes = b"state") -> Snapshot:
    return Snapshot(partition, sequence, 1, body, b"hash")


def test_claim_fences_writer(store: Store, rival: Store) -> None:
    """A claim fences every writer before it at any place."""
    store.journal.claim(CLAIM)
    store.journal.append(records(1, 1))
    rival.journal.claim(CLAIM)
    with pytest.raises(WrongSequence, match="taken this world over; this one must stop"):
        write(store, records(2, 1), [snapshot(2, 1)])
    with pytest.raises(WrongSequence):
        write(store, [], [snapshot(1, 1)])
    assert rival.partitions() == [1]
    assert rival.snapshots.marks(1) == []
    assert rival.snapshots.newest_sequences() == {}


def test_appended_refused_when_not_fail(store: Store) -> None:
    """A record that is appended again as it was is refused when it did not fail."""
    store.journal.claim(CLAIM)
    store.journal.append(records(1, 1))
    store.journal.append(records(1, 2))
    for sequence in (1, 2):
        with pytest.raises(WrongSequence):
            store.journal.append(records(1, sequence))


def test_a_world_that_is_whole_lacks_nothing(store: Store, rival: Store) -> None:
    store.directory.create_identity(IDENTITY)
    assert store.journal.claim(CLAIM) is None
    store.journal.append([*records(1, 1, 2), *records(2, 1)])
    assert rival.journal.claim(CLAIM) is None


def test_an_empty_journal_is_empty(store: Store) -> None:
    assert store.partitions() == []
    assert store.journal.last_sequence(1) == 0
    assert list(store.journal.read(1, 0)) == []
    assert store.snapshots.newest(1) is None
    assert store.snapshots.oldest(1) is None
    assert store.directory.identity() is None


def test_what_was_appended_is_read_in_order(store: Store) -> None:
    first, second = Record(1, 1, b"a"), Record(1, 2, b"b", b"hash")
    store.journal.append([first, Record(0, 1, b"other"), second])
    assert list(store.journal.read(1, 0)) == [first, second]
    assert list(store.journal.read(1, 1)) == [second]
    assert list(store.journal.read(1, 2)) == []
    assert store.journal.last_sequence(1) == 2
    assert store.partitions() == [0, 1]


def test_a_long_journal_is_read_whole(store: Store) -> None:
    written = records(1, *range(1, 2_502))
    store.journal.append(written)
    assert list(store.journal.read(1, 0)) == written


@pytest.mark.parametrize("sequence", [0, 1, 2, 4])
def test_only_the_next_record_may_come(store: Store, sequence: int) -> None:
    store.journal.append(records(1, 1, 2))
    with pytest.raises(WrongSequence):
        store.journal.append(records(1, sequence))
    store.journal.append(records(1, 3))
    assert store.journal.last_sequence(1) == 3


def test_an_append_is_all_or_nothing(store: Store) -> None:
    store.journal.append(records(1, 1))
    with pytest.raises(WrongSequence):
        write(store, [*records(2, 1), *records(1, 1)], [snapshot(2, 1)])
    assert store.partitions() == [1]
    store.journal.append(records(2, 1))


def test_a_death_without_killer_has_a_cause(store: Store) -> None:
    """A death of no one is refused with everything beside it."""
    with pytest.raises(StorageFault):
        write(store, records(1, 1), deaths=[Death(99, "Bert", "a rat", 1, 1, 0, 9, 0)])
    assert store.journal.last_sequence(1) == 0
    assert store.directory.deaths() == []
    store.journal.append(records(1, 1))


def test_first_and_two_newest_snapshots_kept(store: Store) -> None:
    """The first and the two newest snapshots are kept."""
    for sequence in (0, 10, 20, 30):
        write(store, [], [snapshot(1, sequence), snapshot(2, 7)])
    assert [mark.sequence for mark in store.snapshots.marks(1)] == [30, 20, 0]
    assert [mark.sequence for mark in store.snapshots.marks(2)] == [7]
    assert store.snapshots.newest_sequences() == {1: 30, 2: 7}
    assert store.snapshots.newest(1) == snapshot(1, 30)
    assert store.snapshots.oldest(1) == snapshot(1, 0)
    assert store.snapshots.marks(1)[0] == snapshot(1, 30).mark


def test_pruning_snapshots_leaves_every_record(store: Store) -> None:
    for sequence in range(1, 6):
        write(store, records(1, sequence), [snapshot(1, sequence)])
    assert list(store.journal.read(1, 0)) == records(1, 1, 2, 3, 4, 5)


def test_a_new_snapshot_replaces_the_old(store: Store) -> None:
    write(store, [], [snapshot(1, 5, b"old")])
    write(store, [], [snapshot(1, 5, b"new")])
    assert store.snapshots.newest(1) == snapshot(1, 5, b"new")
    assert len(store.snapshots.marks(1)) == 1


def test_a_realm_is_founded_once(store: Store) -> None:
    store.directory.create_identity(IDENTITY)
    assert store.directory.identity() == IDENTITY
    with pytest.raises(StorageFault):
        store.directory.create_identity(IDENTITY)


def test_other_rules_and_content_taken_follows(store: Store) -> None:
    """Other rules and content are taken up with everything that follows from them or not at all."""
    store.directory.create_identity(IDENTITY)
    write(store, [*records(1, 1, 2), *records(2, 1)], [snapshot(1, 1), snapshot(1, 2), snapshot(2, 0)])
    changes = [
        lambda: store.snapshots.put([snapshot(1, 3), snapshot(2, 2)]),
        lambda: store.snapshots.drop_before(1, 3),
        lambda: store.snapshots.drop_before(2, 2),
        lambda: store.directory.adopt(4, "cd34"),
    ]
    with pytest.raises(WrongSequence):
        store.commit([*records(1, 3), *records(2, 9)], changes)
    assert store.directory.identity() == IDENTITY
    store.commit([*records(1, 3), *records(2, 2)], changes)

    assert store.directory.identity() == replace(IDENTITY, rules=4, content="cd34")
    assert [mark.sequence for partition in (1, 2) for mark in store.snapshots.marks(partition)] == [3, 2]
    assert store.journal.last_sequence(1) == 3
    store.journal.append(records(1, 4))


def test_content_is_kept_under_its_digest(store: Store) -> None:
    assert store.directory.content("ab") is None
    store.directory.keep_content("ab", b"files")
    store.directory.keep_content("ab", b"files")
    assert store.directory.content("ab") == b"files"
    assert store.directory.content("cd") is None


def test_deaths_are_reported_newest_first(store: Store) -> None:
    bert = store.directory.create_account("Bert", b"h" * 32, 5)
    deaths = [Death(bert.number, "Bert", killer, 2, 3, 400, 90, 7) for killer in ("a rat", "a bat")]
    write(store, [], deaths=deaths)
    assert store.directory.deaths() == deaths[::-1]


def test_a_life_has_one_row_however_often_written(store: Store) -> None:
    """The number of a life keeps its row from being doubled; the newest account of it counts."""
    bert = store.directory.create_account("Bert", b"h" * 32, 5)
    first = Death(bert.number, "Bert", "a rat", 2, 3, 400, 90, 7, 41, 5, "Bert II", 4, 12, 1, won=True)
    other = replace(first, life=42)
    again = replace(first, killer="a bat", won=False, sequence=9)
    write(store, [], deaths=[first, other])
    write(store, [], deaths=[again])
    assert sorted(store.directory.deaths(), key=lambda death: death.life or 0) == [again, other]
    store.directory.drop_deaths([*range(1_000), 42])
    assert store.directory.deaths() == []


DAY_S = 24 * 3_600


def lived_in(store: Store) -> None:
    """Let a place have 3,000 records, a snapshot at every thousandth, and a tenth of that in another place."""
    for first in range(1, 3_001, 100):
        write(
            store,
            [*records(1, *range(first, first + 100)), *records(2, *range(first // 10 + 1, first // 10 + 11))],
            [snapshot(1, first + 99)] if (first + 99) % 1_000 == 0 else [],
        )


def test_old_records_go(store: Store) -> None:
    """Old records go but never those that the two newest snapshots need."""
    write(store, [], [snapshot(1, 0), snapshot(2, 0)])
    lived_in(store)
    assert store.journal.retain(0) == 0
    assert store.journal.retain(6 * DAY_S) == 0
    gone = store.journal.retain(8 * DAY_S)
    assert gone == 2_000
    assert [record.sequence for record in store.journal.read(1, 0)] == list(range(2_001, 3_001))
    assert [mark.sequence for mark in store.snapshots.marks(1)] == [3_000, 2_000]
    assert len(list(store.journal.read(2, 0))) == 300


def test_what_is_kept_can_be_gone_on_from(store: Store) -> None:
    write(store, [], [snapshot(1, 0)])
    lived_in(store)
    store.journal.retain(0)
    store.journal.retain(8 * DAY_S)
    store.journal.append(records(1, 3_001))
    with pytest.raises(WrongSequence):
        store.journal.append(records(1, 3_001))
    assert store.journal.last_sequence(1) == 3_001
    oldest = store.snapshots.oldest(1)
    assert oldest is not None
    assert len(list(store.journal.read(1, oldest.sequence))) == 1_001


def test_place_snapshot_keeps_records(store: Store) -> None:
    """A place with one snapshot keeps all its records."""
    write(store, records(1, 1, 2, 3), [snapshot(1, 0)])
    store.journal.retain(0)
    assert store.journal.retain(30 * DAY_S) == 0
    assert len(list(store.journal.read(1, 0))) == 3


def test_no_more_than_so_many_records_go_at_a_time(store: Store) -> None:
    write(store, [], [snapshot(1, 0)])
    for first in range(1, 5_001, 500):
        store.journal.append(records(1, *range(first, first + 500)))
    write(store, [], [snapshot(1, 4_500), snapshot(1, 4_999)])
    store.journal.retain(0)
    assert [store.journal.retain(8 * DAY_S) for _ in range(4)] == [2_000, 2_000, 500, 0]


def test_snapshot_day_kept_follows(store: Store) -> None:
    """A snapshot of each day is kept with what follows it."""
    write(store, [], [snapshot(1, 0)])
    played_for(store, days=5)
    assert [mark.sequence for mark in store.snapshots.marks(1)] == [100, 95, 85, 65, 45, 25, 0]
    assert [record.sequence for record in store.journal.read(1, 0)] == list(range(1, 101))


@pytest.mark.thorough
def test_what_stays_always_begins_at_a_snapshot(store: Store) -> None:
    write(store, [], [snapshot(1, 0)])
    played_for(store, days=20)
    oldest = store.snapshots.oldest(1)
    assert oldest is not None
    kept = [record.sequence for record in store.journal.read(1, 0)]
    assert kept == list(range(oldest.sequence + 1, 401)), "each of them can be replayed"
    assert 7 * 20 <= len(kept) <= 9 * 20, "a week of it, to the day"


def played_for(store: Store, days: int) -> None:
    """Let a place have twenty inputs a day, a snapshot after every fifth of them."""
    for at in range(4 * days):
        first = 5 * at + 1
        write(store, records(1, *range(first, first + 5)), [snapshot(1, first + 4)])
        store.journal.retain(at * DAY_S // 4)
