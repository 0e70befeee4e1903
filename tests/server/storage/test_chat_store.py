"""The stored chat on both back ends: lists, the newest words, reports."""

import pytest

from gloam_server.storage.chat_store import ShunnedPlayer, StoredChat, StoredReport
from gloam_server.storage.journal import Journal
from gloam_shared import limits


def accounts(journal: Journal, *names: str) -> list[int]:
    return [journal.create_account(name, name.encode().ljust(32), 5).number for name in names]


def said(number: int, text: str = "hello", hearers: tuple[int, ...] = ()) -> StoredChat:
    return StoredChat(number, 1_000 + number, "say", 1, "Anna", text, hearers)


def report(account: int, why: str) -> StoredReport:
    return StoredReport(9, account, "Anna", "Bert", why, ("Bert: boo",))


def test_shunned_players_are_listed_newest_last(journal: Journal) -> None:
    anna, bert, carl = accounts(journal, "Anna", "Bert", "Carl")
    journal.shun(anna, bert, False)
    journal.shun(anna, carl, True)
    journal.shun(carl, anna, True)
    assert journal.shunning() == {anna, carl}
    assert journal.shunned_by(anna) == [ShunnedPlayer(bert, "Bert", False), ShunnedPlayer(carl, "Carl", True)]
    journal.shun(anna, bert, True)
    assert journal.shunned_by(anna) == [ShunnedPlayer(carl, "Carl", True), ShunnedPlayer(bert, "Bert", True)]
    journal.shun(anna, carl, None)
    journal.shun(anna, carl, None)
    journal.shun(carl, anna, None)
    assert journal.shunning() == {anna}
    assert journal.shunned_by(anna) == [ShunnedPlayer(bert, "Bert", True)]


def test_an_unused_account_leaves_all_lists(journal: Journal) -> None:
    anna, bert, _ = accounts(journal, "Anna", "Bert", "Carl")
    journal.shun(anna, bert, True)
    journal.shun(bert, anna, True)
    journal.store_chat([], {bert: 3}, 0)
    journal.drop_unused(lambda account: account == anna, 100, 0)

    assert journal.account_by_name("bert") is None
    assert journal.shunned_by(anna) == journal.shunned_by(bert) == []
    assert journal.listeners() == {}


@pytest.mark.rule("A55")
def test_words_are_kept_as_they_are(journal: Journal) -> None:
    lines = [said(1, "'; DROP TABLE words; --"), said(2, "{0.__class__} %s", (7, 12)), said(3)]
    journal.store_chat(lines, {}, 0)
    journal.store_chat([said(2, "written twice")], {}, 2)

    assert journal.stored_chat() == lines[1:]


def test_what_an_account_heard_is_kept(journal: Journal) -> None:
    anna, _ = accounts(journal, "Anna", "Bert")
    journal.store_chat([said(1)], {anna: 1, 99: 1}, 0)
    journal.store_chat([], {anna: 5}, 0)

    assert journal.listeners() == {anna: 5}


def test_reports_are_kept_within_their_bounds(journal: Journal) -> None:
    """bounds: REPORTS_PER_PLAYER_MAX, REPORTS_KEPT_MAX."""
    anna, bert = 1, 2
    journal.add_report(report(bert, "first"))
    for count in range(limits.REPORTS_PER_PLAYER_MAX + 1):
        journal.add_report(report(anna, f"why {count}"))
    assert [each.why for each in journal.reports()] == [f"why {count}" for count in range(10, 0, -1)] + [
        "first"
    ]
    for account in range(3, limits.REPORTS_KEPT_MAX + 3):
        journal.add_report(report(account, "again"))
    assert [each.why for each in journal.reports()] == ["again"] * limits.REPORTS_KEPT_MAX
    assert journal.reports()[0] == report(limits.REPORTS_KEPT_MAX + 2, "again")
