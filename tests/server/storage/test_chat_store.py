"""The stored chat on both backends: lists, the newest words, reports."""

import pytest

from gloam_server.storage.chat_store import IgnoredPlayer, StoredChat, StoredReport
from gloam_server.storage.store import Store
from gloam_shared import limits


def accounts(store: Store, *names: str) -> list[int]:
    return [store.directory.create_account(name, name.encode().ljust(32), 5).number for name in names]


def said(number: int, text: str = "hello", hearers: tuple[int, ...] = ()) -> StoredChat:
    return StoredChat(number, 1_000 + number, "say", 1, "Anna", text, hearers)


def report(account: int, why: str) -> StoredReport:
    return StoredReport(9, account, "Anna", "Bert", why, ("Bert: boo",))


def test_ignored_players_are_listed_newest_last(store: Store) -> None:
    anna, bert, carl = accounts(store, "Anna", "Bert", "Carl")
    store.directory.ignore(anna, bert, False)
    store.directory.ignore(anna, carl, True)
    store.directory.ignore(carl, anna, True)
    assert store.directory.ignoring() == {anna, carl}
    assert store.directory.ignored_by(anna) == [
        IgnoredPlayer(bert, "Bert", False),
        IgnoredPlayer(carl, "Carl", True),
    ]
    store.directory.ignore(anna, bert, True)
    assert store.directory.ignored_by(anna) == [
        IgnoredPlayer(carl, "Carl", True),
        IgnoredPlayer(bert, "Bert", True),
    ]
    store.directory.ignore(anna, carl, None)
    store.directory.ignore(anna, carl, None)
    store.directory.ignore(carl, anna, None)
    assert store.directory.ignoring() == {anna}
    assert store.directory.ignored_by(anna) == [IgnoredPlayer(bert, "Bert", True)]


def test_an_unused_account_leaves_all_lists(store: Store) -> None:
    anna, bert, _ = accounts(store, "Anna", "Bert", "Carl")
    store.directory.ignore(anna, bert, True)
    store.directory.ignore(bert, anna, True)
    store.directory.store_chat([], {bert: 3}, 0)
    store.directory.drop_unused(lambda account: account == anna, 100, 0)
    assert store.directory.account_by_name("bert") is None
    assert store.directory.ignored_by(anna) == store.directory.ignored_by(bert) == []
    assert store.directory.listeners() == {}


@pytest.mark.rule("A55")
def test_words_are_kept_as_they_are(store: Store) -> None:
    lines = [said(1, "'; DROP TABLE words; --"), said(2, "{0.__class__} %s", (7, 12)), said(3)]
    store.directory.store_chat(lines, {}, 0)
    store.directory.store_chat([said(2, "written twice")], {}, 2)
    assert store.directory.stored_chat() == lines[1:]


def test_what_an_account_heard_is_kept(store: Store) -> None:
    anna, _ = accounts(store, "Anna", "Bert")
    store.directory.store_chat([said(1)], {anna: 1, 99: 1}, 0)
    store.directory.store_chat([], {anna: 5}, 0)
    assert store.directory.listeners() == {anna: 5}


def test_reports_are_kept_within_their_bounds(store: Store) -> None:
    """bounds: REPORTS_PER_PLAYER_MAX, REPORTS_KEPT_MAX."""
    anna, bert = 1, 2
    store.directory.add_report(report(bert, "first"))
    for count in range(limits.REPORTS_PER_PLAYER_MAX + 1):
        store.directory.add_report(report(anna, f"why {count}"))
    assert [each.why for each in store.directory.reports()] == [
        f"why {count}" for count in range(10, 0, -1)
    ] + ["first"]
    for account in range(3, limits.REPORTS_KEPT_MAX + 3):
        store.directory.add_report(report(account, "again"))
    assert [each.why for each in store.directory.reports()] == ["again"] * limits.REPORTS_KEPT_MAX
    assert store.directory.reports()[0] == report(limits.REPORTS_KEPT_MAX + 2, "again")
