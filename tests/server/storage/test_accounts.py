"""Accounts in a journal, on both backends: names, devices, passwords, invites, bans and resumptions."""

import pytest

from gloam_server.storage.accounts import DEVICES_MAX, FOR_GOOD, UNUSED_ROWS_MAX, Resumption
from gloam_server.storage.directory import Death
from gloam_server.storage.errors import NameTaken
from gloam_server.storage.store import Store
from support.storage.writing import write


def test_an_account_is_found_by_its_folded_name(store: Store) -> None:
    bert = store.directory.create_account("Bert", b"h" * 32, 5)
    ann = store.directory.create_account("Ann", b"i" * 32, 6)
    assert store.directory.account_by_name("bert") == bert
    assert (bert.name, bert.folded, bert.created_s, bert.last_seen_s) == ("Bert", "bert", 5, 5)
    assert bert.password_hash is None
    assert store.directory.knows_device(bert.number, b"h" * 32)
    assert not store.directory.knows_device(bert.number, b"i" * 32)
    assert bert.number != ann.number
    assert store.directory.account_by_name("Bert") is None


def test_a_name_is_taken_whatever_its_case(store: Store) -> None:
    store.directory.create_account("Bert", b"h" * 32, 5)
    with pytest.raises(NameTaken):
        store.directory.create_account("BERT", b"i" * 32, 6)


def test_an_account_of_this_realm_is_never_new(store: Store) -> None:
    bert = store.directory.create_account("Bert", b"h" * 32, 5)
    assert not bert.is_new_here
    store.directory.admit(bert.number)
    assert store.directory.account_by_name("bert") == bert


@pytest.mark.rule("A26")
def test_accounts_are_found_by_look_alike_names(store: Store) -> None:
    bill = store.directory.create_account("Bill", b"h" * 32, 5).number
    two = store.directory.create_account("BiII", b"i" * 32, 6).number
    store.directory.create_account("Ann", b"j" * 32, 7)
    assert sorted(store.directory.accounts_alike("B1ll")) == [bill, two]
    store.directory.release_name(bill)
    assert store.directory.accounts_alike("Bill") == [two]


@pytest.mark.rule("A55")
@pytest.mark.parametrize(
    "text", ["'; DROP TABLE journal; --", "{0.__class__}", "%s", "!!python/object:os.system"]
)
def test_text_is_stored_as_it_is(store: Store, text: str) -> None:
    account = store.directory.create_account(text, b"h" * 32, 5)
    write(store, [], deaths=[Death(account.number, text, text, 1, 1, 0, 9, 0)])
    assert store.directory.account_by_name(text.casefold()) == account
    assert store.directory.deaths()[0].killer == text


def test_account_several_devices(store: Store) -> None:
    """An account has several devices and forgets the longest unused."""
    bert = store.directory.create_account("Bert", b"h" * 32, 5).number
    for device in range(1, DEVICES_MAX):
        store.directory.add_device(bert, bytes([device]) * 32, 5 + device)
    assert store.directory.knows_device(bert, b"h" * 32)
    store.directory.add_device(bert, b"z" * 32, 100)
    assert not store.directory.knows_device(bert, b"h" * 32)
    assert store.directory.knows_device(bert, b"z" * 32)
    assert store.directory.knows_device(bert, bytes([1]) * 32)


def test_changed_password_forgets_other_devices(store: Store) -> None:
    """A changed password forgets the other devices and the first one does not."""
    bert = store.directory.create_account("Bert", b"h" * 32, 5).number
    store.directory.add_device(bert, b"i" * 32, 6)
    assert store.directory.set_password(bert, "one", b"h" * 32, None)
    assert store.directory.knows_device(bert, b"i" * 32)
    assert not store.directory.set_password(bert, "two", b"h" * 32, None), "it was set meanwhile"
    assert not store.directory.set_password(bert, "two", b"h" * 32, "another")
    assert store.directory.set_password(bert, "two", b"h" * 32, "one")
    assert not store.directory.knows_device(bert, b"i" * 32)
    assert store.directory.knows_device(bert, b"h" * 32)
    found = store.directory.account_by_name("bert")
    assert found is not None
    assert found.password_hash == "two"


def test_a_released_name_is_free_and_its_deaths_stay(store: Store) -> None:
    bert = store.directory.create_account("Bert", b"h" * 32, 5)
    write(store, [], deaths=[Death(bert.number, "Bert", "a rat", 1, 1, 0, 9, 0)])
    store.directory.release_name(bert.number)
    again = store.directory.create_account("bert", b"h" * 32, 9)
    assert again.number != bert.number
    assert store.directory.account_by_name("bert") == again
    assert [death.account for death in store.directory.deaths()] == [bert.number]


def test_a_released_account_gets_another_name(store: Store) -> None:
    """Only by the name that it had, and by a device of its own, an account is found that permits no login."""
    bert = store.directory.create_account("Bert", b"h" * 32, 5)
    assert store.directory.released_account("bert", b"h" * 32) is None
    store.directory.release_name(bert.number)
    store.directory.create_account("Bert", b"i" * 32, 9)
    assert store.directory.released_account("bert", b"i" * 32) is None
    assert store.directory.released_account("ber", b"h" * 32) is None
    found = store.directory.released_account("bert", b"h" * 32)
    assert found is not None
    assert found.number == bert.number
    with pytest.raises(NameTaken):
        store.directory.give_name(bert.number, "Bert")
    named = store.directory.give_name(bert.number, "Bert2")
    assert (named.number, named.name, named.folded) == (bert.number, "Bert2", "bert2")
    assert store.directory.accounts_alike("Bert2") == [bert.number]
    assert store.directory.released_account("bert", b"h" * 32) is None


def test_a_given_account_is_one_devices_alone(store: Store) -> None:
    bert = store.directory.create_account("Bert", b"h" * 32, 5).number
    store.directory.set_password(bert, "one", b"h" * 32, None)
    store.directory.give_to(bert, b"z" * 32, 9)
    assert store.directory.knows_device(bert, b"z" * 32)
    assert not store.directory.knows_device(bert, b"h" * 32)
    found = store.directory.account_by_name("bert")
    assert found is not None
    assert (found.number, found.password_hash, found.last_seen_s) == (bert, None, 9)


def test_who_was_seen_is_noted(store: Store) -> None:
    bert = store.directory.create_account("Bert", b"h" * 32, 5)
    store.directory.record_seen(bert.number, 77)
    found = store.directory.account_by_name("bert")
    assert found is not None
    assert (found.created_s, found.last_seen_s) == (5, 77)


def test_who_may_watch_stays_with_the_account(store: Store) -> None:
    account = store.directory.create_account("Anna", b"a", 5)
    assert account.watchers is None
    for who in ("everyone", "no one"):
        store.directory.set_watchers(account.number, who)
        kept = store.directory.account_by_name("anna")
        assert kept is not None
        assert kept.watchers == who


def test_invite_lets_many_and_no_key_account(store: Store) -> None:
    """An invite lets this many in and is no key to an account."""
    bert = store.directory.create_account("Bert", b"h" * 32, 5).number
    store.directory.add_invite(b"c" * 32, 2, 5)
    assert not store.directory.spend_invite(b"d" * 32)
    assert not store.directory.spend_invite(b"c" * 32, bert)
    assert [store.directory.spend_invite(b"c" * 32) for _ in range(3)] == [True, True, False]


def test_an_invite_for_an_account_is_for_no_other(store: Store) -> None:
    bert = store.directory.create_account("Bert", b"h" * 32, 5).number
    ann = store.directory.create_account("Ann", b"i" * 32, 5).number
    store.directory.add_invite(b"c" * 32, 1, 5, bert)
    assert not store.directory.spend_invite(b"c" * 32)
    assert not store.directory.spend_invite(b"c" * 32, ann)
    assert [store.directory.spend_invite(b"c" * 32, bert) for _ in range(2)] == [True, False]


def test_ban_holds_account_and_devices(store: Store) -> None:
    """A ban holds for an account and its devices until it is lifted."""
    bert = store.directory.create_account("Bert", b"one", 1)
    anna = store.directory.create_account("Anna", b"two", 1)
    store.directory.add_device(bert.number, b"three", 2)
    assert store.directory.banned_until_s(bert.number) == 0
    store.directory.ban(bert.number, 500)
    store.directory.ban(bert.number, FOR_GOOD)
    assert store.directory.banned_until_s(bert.number) == FOR_GOOD
    assert [store.directory.device_banned_until_s(token) for token in (b"one", b"three")] == [FOR_GOOD] * 2
    assert store.directory.banned_until_s(anna.number) == store.directory.device_banned_until_s(b"two") == 0
    store.directory.ban(bert.number, 0)
    assert store.directory.banned_until_s(bert.number) == store.directory.device_banned_until_s(b"one") == 0


def test_conversation_gone_kept_once_account(store: Store) -> None:
    """Storage keeps one resume token for each account."""
    bert = store.directory.create_account("Bert", b"one", 1).number
    anna = store.directory.create_account("Anna", b"two", 1).number
    assert store.directory.resumption_of(bert) is None
    store.directory.keep_resumption(Resumption(bert, b"token", b"one"))
    store.directory.keep_resumption(Resumption(anna, b"hers", b"two", b"former", 7))
    store.directory.keep_resumption(Resumption(bert, b"newer", b"one", b"token", 0))
    assert store.directory.resumption_of(bert) == Resumption(bert, b"newer", b"one", b"token", 0)
    assert store.directory.resumption_of(anna) == Resumption(anna, b"hers", b"two", b"former", 7)


@pytest.mark.thorough
def test_unplayed_accounts_are_dropped_gradually(store: Store) -> None:
    """bound: UNUSED_ROWS_MAX."""
    names = [f"Guest{number}" for number in range(UNUSED_ROWS_MAX + 3)]
    numbers = [store.directory.create_account(name, b"h" * 32, 100).number for name in names]
    played, banned, guarded = numbers[1:4]
    store.directory.ban(banned, FOR_GOOD)
    store.directory.set_password(guarded, "hash", b"h" * 32, None)
    store.directory.keep_resumption(Resumption(numbers[0], b"token", b"h" * 32))
    store.directory.add_invite(b"c" * 32, 1, 100, numbers[0])

    def left() -> list[int]:
        return [
            n for n, name in zip(numbers, names, strict=True) if store.directory.account_by_name(name.lower())
        ]

    assert store.directory.drop_unused(lambda number: number == played, 99, 0) == (
        numbers[UNUSED_ROWS_MAX - 1],
        [],
    )
    assert left() == numbers, "seen too lately"
    after, gone = store.directory.drop_unused(lambda number: number == played, 100, 0)
    assert gone == [numbers[0], *numbers[4:UNUSED_ROWS_MAX]]
    assert after == numbers[UNUSED_ROWS_MAX - 1]
    assert left() == [played, banned, guarded, *numbers[UNUSED_ROWS_MAX:]]
    assert store.directory.drop_unused(lambda number: number == played, 100, after) == (
        0,
        numbers[UNUSED_ROWS_MAX:-1],
    )
    assert left() == [played, banned, guarded, numbers[-1]], "the newest number is never given again"
    assert store.directory.create_account("Newer", b"h" * 32, 200).number == numbers[-1] + 1
