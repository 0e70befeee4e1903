"""The journal's contract, held against both back ends: claims, records, snapshots, and when old records go."""

from dataclasses import replace

import pytest

from gloam_server.storage.journal import (
    Death,
    Journal,
    Record,
    Snapshot,
    StorageFault,
    WorldIdentity,
    WriterClaim,
    WrongSequence,
)

IDENTITY = WorldIdentity("gloam", 2**64 - 1, 3, "ab12", 1_800_000_000)
CLAIM = WriterClaim(3, "ab12", 1_800_000_000)


def records(place: int, *sequences: int) -> list[Record]:
    return [Record(place, sequence, b"%d" % sequence) for sequence in sequences]


def snapshot(place: int, sequence: int, body: bytes = b"state") -> Snapshot:
    return Snapshot(place, sequence, 1, body, b"hash")


def test_claim_fences_writer(journal: Journal, rival: Journal) -> None:
    """A claim fences every writer before it at any place."""
    journal.claim(CLAIM)
    journal.append(records(1, 1))
    rival.claim(CLAIM)

    with pytest.raises(WrongSequence, match="taken this world over; this one must stop"):
        journal.append(records(2, 1), [snapshot(2, 1)])
    with pytest.raises(WrongSequence):
        journal.append([], [snapshot(1, 1)])
    assert rival.places() == [1]
    assert rival.snapshots(1) == []


def test_appended_refused_when_not_fail(journal: Journal) -> None:
    """A record that is appended again as it was is refused when it did not fail."""
    journal.claim(CLAIM)
    journal.append(records(1, 1))
    journal.append(records(1, 2))

    for sequence in (1, 2):
        with pytest.raises(WrongSequence):
            journal.append(records(1, sequence))


def test_a_world_that_is_whole_lacks_nothing(journal: Journal, rival: Journal) -> None:
    journal.create_identity(IDENTITY)
    assert journal.claim(CLAIM) is None
    journal.append([*records(1, 1, 2), *records(2, 1)])

    assert rival.claim(CLAIM) is None


def test_an_empty_journal_is_empty(journal: Journal) -> None:
    assert journal.places() == []
    assert journal.last_sequence(1) == 0
    assert list(journal.read(1, 0)) == []
    assert journal.latest_snapshot(1) is None
    assert journal.oldest_snapshot(1) is None
    assert journal.identity() is None


def test_what_was_appended_is_read_in_order(journal: Journal) -> None:
    first, second = Record(1, 1, b"a"), Record(1, 2, b"b", b"hash")
    journal.append([first, Record(0, 1, b"other"), second])

    assert list(journal.read(1, 0)) == [first, second]
    assert list(journal.read(1, 1)) == [second]
    assert list(journal.read(1, 2)) == []
    assert journal.last_sequence(1) == 2
    assert journal.places() == [0, 1]


def test_a_long_journal_is_read_whole(journal: Journal) -> None:
    written = records(1, *range(1, 2_502))
    journal.append(written)

    assert list(journal.read(1, 0)) == written


@pytest.mark.parametrize("sequence", [0, 1, 2, 4])
def test_only_the_next_record_may_come(journal: Journal, sequence: int) -> None:
    journal.append(records(1, 1, 2))

    with pytest.raises(WrongSequence):
        journal.append(records(1, sequence))

    journal.append(records(1, 3))
    assert journal.last_sequence(1) == 3


def test_an_append_is_all_or_nothing(journal: Journal) -> None:
    journal.append(records(1, 1))

    with pytest.raises(WrongSequence):
        journal.append([*records(2, 1), *records(1, 1)], [snapshot(2, 1)])

    assert journal.places() == [1]
    journal.append(records(2, 1))


def test_a_death_without_killer_has_a_cause(journal: Journal) -> None:
    """A death of no one is refused with everything beside it."""
    with pytest.raises(StorageFault):
        journal.append(records(1, 1), deaths=[Death(99, "Bert", "a rat", 1, 1, 0, 9, 0)])

    assert journal.last_sequence(1) == 0
    assert journal.deaths() == []
    journal.append(records(1, 1))


def test_first_and_two_newest_snapshots_kept(journal: Journal) -> None:
    """The first and the two newest snapshots are kept."""
    for sequence in (0, 10, 20, 30):
        journal.append([], [snapshot(1, sequence), snapshot(2, 7)])

    assert [mark.sequence for mark in journal.snapshots(1)] == [30, 20, 0]
    assert [mark.sequence for mark in journal.snapshots(2)] == [7]
    assert journal.latest_snapshot(1) == snapshot(1, 30)
    assert journal.oldest_snapshot(1) == snapshot(1, 0)
    assert journal.snapshots(1)[0] == snapshot(1, 30).mark


def test_pruning_snapshots_leaves_every_record(journal: Journal) -> None:
    for sequence in range(1, 6):
        journal.append(records(1, sequence), [snapshot(1, sequence)])

    assert list(journal.read(1, 0)) == records(1, 1, 2, 3, 4, 5)


def test_a_new_snapshot_replaces_the_old(journal: Journal) -> None:
    journal.append([], [snapshot(1, 5, b"old")])
    journal.append([], [snapshot(1, 5, b"new")])

    assert journal.latest_snapshot(1) == snapshot(1, 5, b"new")
    assert len(journal.snapshots(1)) == 1


def test_a_realm_is_founded_once(journal: Journal) -> None:
    journal.create_identity(IDENTITY)

    assert journal.identity() == IDENTITY
    with pytest.raises(StorageFault):
        journal.create_identity(IDENTITY)


def test_other_rules_and_content_taken_follows(journal: Journal) -> None:
    """Other rules and content are taken up with everything that follows from them or not at all."""
    journal.create_identity(IDENTITY)
    journal.append([*records(1, 1, 2), *records(2, 1)], [snapshot(1, 1), snapshot(1, 2), snapshot(2, 0)])
    with pytest.raises(WrongSequence):
        journal.adopt(4, "cd34", [*records(1, 3), *records(2, 9)], [snapshot(1, 3), snapshot(2, 9)])
    assert journal.identity() == IDENTITY
    journal.adopt(4, "cd34", [*records(1, 3), *records(2, 2)], [snapshot(1, 3), snapshot(2, 2)])

    assert journal.identity() == replace(IDENTITY, rules=4, content="cd34")
    assert [mark.sequence for place in (1, 2) for mark in journal.snapshots(place)] == [3, 2]
    assert journal.last_sequence(1) == 3
    journal.append(records(1, 4))


def test_content_is_kept_under_its_digest(journal: Journal) -> None:
    assert journal.content("ab") is None
    journal.keep_content("ab", b"files")
    journal.keep_content("ab", b"files")

    assert journal.content("ab") == b"files"
    assert journal.content("cd") is None


def test_deaths_are_reported_newest_first(journal: Journal) -> None:
    bert = journal.create_account("Bert", b"h" * 32, 5)
    deaths = [Death(bert.number, "Bert", killer, 2, 3, 400, 90, 7) for killer in ("a rat", "a bat")]
    journal.append([], deaths=deaths)

    assert journal.deaths() == deaths[::-1]


def test_a_life_has_one_row_however_often_written(journal: Journal) -> None:
    """The number of a life keeps its row from being doubled; the newest account of it counts."""
    bert = journal.create_account("Bert", b"h" * 32, 5)
    first = Death(bert.number, "Bert", "a rat", 2, 3, 400, 90, 7, 41, 5, "Bert II", 4, 12, 1, won=True)
    other = replace(first, life=42)
    again = replace(first, killer="a bat", won=False, sequence=9)
    journal.append([], deaths=[first, other])
    journal.append([], deaths=[again])

    assert sorted(journal.deaths(), key=lambda death: death.life or 0) == [again, other]
    journal.drop_deaths([*range(1_000), 42])
    assert journal.deaths() == []


DAY_S = 24 * 3_600


def lived_in(journal: Journal) -> None:
    """Let a place have 3,000 records, a snapshot at every thousandth, and a tenth of that in another place."""
    for first in range(1, 3_001, 100):
        journal.append(
            [*records(1, *range(first, first + 100)), *records(2, *range(first // 10 + 1, first // 10 + 11))],
            [snapshot(1, first + 99)] if (first + 99) % 1_000 == 0 else [],
        )


def test_old_records_go(journal: Journal) -> None:
    """Old records go but never those that the two newest snapshots need."""
    journal.append([], [snapshot(1, 0), snapshot(2, 0)])
    lived_in(journal)
    assert journal.retain(0) == 0
    assert journal.retain(6 * DAY_S) == 0

    gone = journal.retain(8 * DAY_S)

    assert gone == 2_000
    assert [record.sequence for record in journal.read(1, 0)] == list(range(2_001, 3_001))
    assert [mark.sequence for mark in journal.snapshots(1)] == [3_000, 2_000]
    assert len(list(journal.read(2, 0))) == 300


def test_what_is_kept_can_be_gone_on_from(journal: Journal) -> None:
    journal.append([], [snapshot(1, 0)])
    lived_in(journal)
    journal.retain(0)
    journal.retain(8 * DAY_S)

    journal.append(records(1, 3_001))
    with pytest.raises(WrongSequence):
        journal.append(records(1, 3_001))
    assert journal.last_sequence(1) == 3_001
    oldest = journal.oldest_snapshot(1)
    assert oldest is not None
    assert len(list(journal.read(1, oldest.sequence))) == 1_001


def test_place_snapshot_keeps_records(journal: Journal) -> None:
    """A place with one snapshot keeps all its records."""
    journal.append(records(1, 1, 2, 3), [snapshot(1, 0)])
    journal.retain(0)

    assert journal.retain(30 * DAY_S) == 0
    assert len(list(journal.read(1, 0))) == 3


def test_no_more_than_so_many_records_go_at_a_time(journal: Journal) -> None:
    journal.append([], [snapshot(1, 0)])
    for first in range(1, 5_001, 500):
        journal.append(records(1, *range(first, first + 500)))
    journal.append([], [snapshot(1, 4_500), snapshot(1, 4_999)])
    journal.retain(0)

    assert [journal.retain(8 * DAY_S) for _ in range(4)] == [2_000, 2_000, 500, 0]


def test_snapshot_day_kept_follows(journal: Journal) -> None:
    """A snapshot of each day is kept with what follows it."""
    journal.append([], [snapshot(1, 0)])
    played_for(journal, days=5)

    assert [mark.sequence for mark in journal.snapshots(1)] == [100, 95, 85, 65, 45, 25, 0]
    assert [record.sequence for record in journal.read(1, 0)] == list(range(1, 101))


@pytest.mark.thorough
def test_what_stays_always_begins_at_a_snapshot(journal: Journal) -> None:
    journal.append([], [snapshot(1, 0)])
    played_for(journal, days=20)

    oldest = journal.oldest_snapshot(1)
    assert oldest is not None
    kept = [record.sequence for record in journal.read(1, 0)]
    assert kept == list(range(oldest.sequence + 1, 401)), "each of them can be replayed"
    assert 7 * 20 <= len(kept) <= 9 * 20, "a week of it, to the day"


def played_for(journal: Journal, days: int) -> None:
    """Let a place have twenty inputs a day, a snapshot after every fifth of them."""
    for at in range(4 * days):
        first = 5 * at + 1
        journal.append(records(1, *range(first, first + 5)), [snapshot(1, first + 4)])
        journal.retain(at * DAY_S // 4)
