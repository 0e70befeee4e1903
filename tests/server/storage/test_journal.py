"""The journal's contract, held against both back ends."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from gloam_server.storage.accounts import DEVICES_MAX, FOR_GOOD, Resumption
from gloam_server.storage.journal import (
    Claim,
    Death,
    Identity,
    Journal,
    NameTaken,
    Record,
    Snapshot,
    StorageFault,
    WrongSequence,
)
from gloam_server.storage.memory import MemoryJournal
from gloam_server.storage.sqlite import open_realm

IDENTITY = Identity("gloam", 2**64 - 1, 3, "ab12", 1_800_000_000)


@pytest.fixture(params=["memory", "sqlite"])
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Journal]:
    made: Journal = MemoryJournal() if request.param == "memory" else open_realm(tmp_path / "world.db")
    yield made
    made.close()


@pytest.fixture
def rival(journal: Journal, tmp_path: Path) -> Iterator[Journal]:
    """Another server's hold on the same world."""
    made = (
        journal.rival()
        if isinstance(journal, MemoryJournal)
        else open_realm(tmp_path / "world.db", take_over=True)
    )
    yield made
    made.close()


def records(place: int, *sequences: int) -> list[Record]:
    return [Record(place, sequence, b"%d" % sequence) for sequence in sequences]


def snapshot(place: int, sequence: int, body: bytes = b"state") -> Snapshot:
    return Snapshot(place, sequence, 1, body, b"hash")


CLAIM = Claim(3, "ab12", 1_800_000_000)


def test_a_claim_fences_every_writer_before_it_whatever_place_it_writes_to(
    journal: Journal, rival: Journal
) -> None:
    journal.claim(CLAIM)
    journal.append(records(1, 1))
    rival.claim(CLAIM)

    with pytest.raises(WrongSequence, match="taken this world over; this one must stop"):
        journal.append(records(2, 1), [snapshot(2, 1)])
    with pytest.raises(WrongSequence):
        journal.append([], [snapshot(1, 1)])
    assert rival.places() == [1]
    assert rival.snapshots(1) == []


def test_what_is_appended_again_as_it_was_is_refused_when_it_did_not_fail(journal: Journal) -> None:
    journal.claim(CLAIM)
    journal.append(records(1, 1))
    journal.append(records(1, 2))

    for sequence in (1, 2):
        with pytest.raises(WrongSequence):
            journal.append(records(1, sequence))


def test_a_world_that_is_whole_lacks_nothing(journal: Journal, rival: Journal) -> None:
    journal.found(IDENTITY)
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


def test_a_death_of_nobody_is_refused_with_all_that_came_with_it(journal: Journal) -> None:
    with pytest.raises(StorageFault):
        journal.append(records(1, 1), deaths=[Death(99, "Bert", "a rat", 1, 1, 0, 9, 0)])

    assert journal.last_sequence(1) == 0
    assert journal.deaths() == []
    journal.append(records(1, 1))


def test_the_first_and_the_two_newest_snapshots_are_kept(journal: Journal) -> None:
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


def test_a_snapshot_made_anew_replaces_the_old(journal: Journal) -> None:
    journal.append([], [snapshot(1, 5, b"old")])
    journal.append([], [snapshot(1, 5, b"new")])

    assert journal.latest_snapshot(1) == snapshot(1, 5, b"new")
    assert len(journal.snapshots(1)) == 1


def test_a_realm_is_founded_once(journal: Journal) -> None:
    journal.found(IDENTITY)

    assert journal.identity() == IDENTITY
    with pytest.raises(StorageFault):
        journal.found(IDENTITY)


def test_other_rules_and_content_are_taken_up_with_all_that_follows_from_them_or_not_at_all(
    journal: Journal,
) -> None:
    journal.found(IDENTITY)
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


def test_an_account_is_found_by_its_folded_name(journal: Journal) -> None:
    bert = journal.create_account("Bert", b"h" * 32, 5)
    ann = journal.create_account("Ann", b"i" * 32, 6)

    assert journal.account_by_name("bert") == bert
    assert (bert.name, bert.folded, bert.created_s, bert.last_seen_s) == ("Bert", "bert", 5, 5)
    assert bert.password_hash is None
    assert journal.knows_device(bert.number, b"h" * 32)
    assert not journal.knows_device(bert.number, b"i" * 32)
    assert bert.number != ann.number
    assert journal.account_by_name("Bert") is None


def test_a_name_is_taken_whatever_its_case(journal: Journal) -> None:
    journal.create_account("Bert", b"h" * 32, 5)

    with pytest.raises(NameTaken):
        journal.create_account("BERT", b"i" * 32, 6)


@pytest.mark.parametrize(
    "text", ["'; DROP TABLE journal; --", "{0.__class__}", "%s", "!!python/object:os.system"]
)
def test_a55_text_is_stored_as_it_is(journal: Journal, text: str) -> None:
    account = journal.create_account(text, b"h" * 32, 5)
    journal.append([], deaths=[Death(account.number, text, text, 1, 1, 0, 9, 0)])

    assert journal.account_by_name(text.casefold()) == account
    assert journal.deaths()[0].killer == text


def test_an_account_has_several_devices_and_forgets_the_longest_unused(journal: Journal) -> None:
    bert = journal.create_account("Bert", b"h" * 32, 5).number
    for device in range(1, DEVICES_MAX):
        journal.add_device(bert, bytes([device]) * 32, 5 + device)
    assert journal.knows_device(bert, b"h" * 32)

    journal.add_device(bert, b"z" * 32, 100)

    assert not journal.knows_device(bert, b"h" * 32)
    assert journal.knows_device(bert, b"z" * 32)
    assert journal.knows_device(bert, bytes([1]) * 32)


def test_a_changed_password_forgets_the_other_devices_and_the_first_one_does_not(journal: Journal) -> None:
    bert = journal.create_account("Bert", b"h" * 32, 5).number
    journal.add_device(bert, b"i" * 32, 6)

    journal.set_password(bert, "one", b"h" * 32)
    assert journal.knows_device(bert, b"i" * 32)
    journal.set_password(bert, "two", b"h" * 32)

    assert not journal.knows_device(bert, b"i" * 32)
    assert journal.knows_device(bert, b"h" * 32)
    found = journal.account_by_name("bert")
    assert found is not None
    assert found.password_hash == "two"


def test_a_released_name_is_free_and_its_deaths_stay(journal: Journal) -> None:
    bert = journal.create_account("Bert", b"h" * 32, 5)
    journal.append([], deaths=[Death(bert.number, "Bert", "a rat", 1, 1, 0, 9, 0)])

    journal.release_name(bert.number)
    again = journal.create_account("bert", b"h" * 32, 9)

    assert again.number != bert.number
    assert not journal.knows_device(bert.number, b"h" * 32)
    assert journal.account_by_name("bert") == again
    assert [death.account for death in journal.deaths()] == [bert.number]


def test_a_given_account_is_one_devices_alone(journal: Journal) -> None:
    bert = journal.create_account("Bert", b"h" * 32, 5).number
    journal.set_password(bert, "one", b"h" * 32)

    journal.give_to(bert, b"z" * 32, 9)

    assert journal.knows_device(bert, b"z" * 32)
    assert not journal.knows_device(bert, b"h" * 32)
    found = journal.account_by_name("bert")
    assert found is not None
    assert (found.number, found.password_hash, found.last_seen_s) == (bert, None, 9)


def test_who_was_seen_is_noted(journal: Journal) -> None:
    bert = journal.create_account("Bert", b"h" * 32, 5)
    journal.seen(bert.number, 77)
    found = journal.account_by_name("bert")
    assert found is not None
    assert (found.created_s, found.last_seen_s) == (5, 77)


def test_an_invite_lets_so_many_in_and_is_no_key_to_an_account(journal: Journal) -> None:
    bert = journal.create_account("Bert", b"h" * 32, 5).number
    journal.add_invite(b"c" * 32, 2, 5)

    assert not journal.spend_invite(b"d" * 32)
    assert not journal.spend_invite(b"c" * 32, bert)
    assert [journal.spend_invite(b"c" * 32) for _ in range(3)] == [True, True, False]


def test_an_invite_for_an_account_is_for_no_other(journal: Journal) -> None:
    bert = journal.create_account("Bert", b"h" * 32, 5).number
    ann = journal.create_account("Ann", b"i" * 32, 5).number
    journal.add_invite(b"c" * 32, 1, 5, bert)

    assert not journal.spend_invite(b"c" * 32)
    assert not journal.spend_invite(b"c" * 32, ann)
    assert [journal.spend_invite(b"c" * 32, bert) for _ in range(2)] == [True, False]


def test_deaths_are_told_newest_first(journal: Journal) -> None:
    bert = journal.create_account("Bert", b"h" * 32, 5)
    deaths = [Death(bert.number, "Bert", killer, 2, 3, 400, 90, 7) for killer in ("a rat", "a bat")]
    journal.append([], deaths=deaths)

    assert journal.deaths() == deaths[::-1]


DAY_S = 24 * 3_600


def lived_in(journal: Journal) -> None:
    """Let a place have 3,000 records, a snapshot at every thousandth, and a tenth of that in another place."""
    for first in range(1, 3_001, 100):
        journal.append(
            [*records(1, *range(first, first + 100)), *records(2, *range(first // 10 + 1, first // 10 + 11))],
            [snapshot(1, first + 99)] if (first + 99) % 1_000 == 0 else [],
        )


def test_old_records_go_but_never_those_that_the_two_newest_snapshots_need(journal: Journal) -> None:
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


def test_a_place_with_one_snapshot_keeps_all_its_records(journal: Journal) -> None:
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


def test_a_ban_holds_for_an_account_and_its_devices_until_it_is_lifted(journal: Journal) -> None:
    bert = journal.create_account("Bert", b"one", 1)
    anna = journal.create_account("Anna", b"two", 1)
    journal.add_device(bert.number, b"three", 2)
    assert journal.banned_until_s(bert.number) == 0
    journal.ban(bert.number, 500)
    journal.ban(bert.number, FOR_GOOD)

    assert journal.banned_until_s(bert.number) == FOR_GOOD
    assert [journal.device_banned_until_s(token) for token in (b"one", b"three")] == [FOR_GOOD] * 2
    assert journal.banned_until_s(anna.number) == journal.device_banned_until_s(b"two") == 0

    journal.ban(bert.number, 0)
    assert journal.banned_until_s(bert.number) == journal.device_banned_until_s(b"one") == 0


def test_by_what_a_conversation_is_gone_on_with_is_kept_once_for_each_account(journal: Journal) -> None:
    bert = journal.create_account("Bert", b"one", 1).number
    anna = journal.create_account("Anna", b"two", 1).number
    assert journal.resumption_of(bert) is None
    journal.keep_resumption(Resumption(bert, b"token", b"one"))
    journal.keep_resumption(Resumption(anna, b"hers", b"two", b"former", 7))
    journal.keep_resumption(Resumption(bert, b"newer", b"one", b"token", 0))

    assert journal.resumption_of(bert) == Resumption(bert, b"newer", b"one", b"token", 0)
    assert journal.resumption_of(anna) == Resumption(anna, b"hers", b"two", b"former", 7)
