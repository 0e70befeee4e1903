"""The stored chat in SQL: a part of the directory."""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from gloam_server.storage.chat_store import IgnoredPlayer, StoredChat, StoredReport
from gloam_server.storage.sql.transactions import Transactions
from gloam_shared import limits

_IGNORED_BY: Final = (
    "SELECT other, accounts.name, blocked FROM shunned JOIN accounts ON accounts.id = other"
    " WHERE account = ? ORDER BY shunned.rowid"
)
_CHAT: Final = "SELECT number, at_s, channel, account, name, text, hearers FROM words ORDER BY number"
_STORE: Final = (
    "INSERT INTO words (number, at_s, channel, account, name, text, hearers) VALUES (?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT DO NOTHING"
)
_HEARD: Final = (
    "INSERT INTO listeners (account, heard) SELECT id, ? FROM accounts WHERE id = ?"
    " ON CONFLICT (account) DO UPDATE SET heard = excluded.heard"
)
"""An account that was never played may be gone."""

_REPORT: Final = "INSERT INTO reports (at_s, account, name, about, why, lines) VALUES (?, ?, ?, ?, ?, ?)"
_DROP_OWN_REPORTS: Final = (
    "DELETE FROM reports WHERE account = ? AND id NOT IN"
    " (SELECT id FROM reports WHERE account = ? ORDER BY id DESC LIMIT ?)"
)
_DROP_REPORTS: Final = "DELETE FROM reports WHERE id NOT IN (SELECT id FROM reports ORDER BY id DESC LIMIT ?)"
_REPORTS: Final = "SELECT at_s, account, name, about, why, lines FROM reports ORDER BY id DESC"


class SqlChat:
    """The implementation of `ChatStore` on tables that are up to date."""

    _transactions: Transactions

    def ignoring(self) -> set[int]:
        """Return the accounts that ignore or block any other."""
        with self._transactions.begin() as connection:
            return {account for (account,) in connection.execute("SELECT DISTINCT account FROM shunned")}

    def ignored_by(self, account: int) -> list[IgnoredPlayer]:
        """Return the players that an account ignores or blocks, the newest last."""
        with self._transactions.begin() as connection:
            rows = connection.execute(_IGNORED_BY, (account,))
            return [IgnoredPlayer(other, name, bool(blocked)) for other, name, blocked in rows]

    def ignore(self, account: int, other: int, blocked: bool | None) -> None:  # noqa: FBT001  # a column's value
        """Store that an account blocks or ignores (False) another, or neither (None)."""
        with self._transactions.begin() as connection:
            connection.execute("DELETE FROM shunned WHERE account = ? AND other = ?", (account, other))
            if blocked is not None:
                row = (account, other, int(blocked))
                connection.execute("INSERT INTO shunned (account, other, blocked) VALUES (?, ?, ?)", row)

    def stored_chat(self) -> list[StoredChat]:
        """Return the kept words, the newest last."""
        with self._transactions.begin() as connection:
            rows = connection.execute(_CHAT).fetchall()
        return [
            StoredChat(number, at_s, channel, account, name, text, _numbers(hearers))
            for number, at_s, channel, account, name, text, hearers in rows
        ]

    def listeners(self) -> dict[int, int]:
        """Return for each account that was ever there the number of the newest words that it was there for."""
        with self._transactions.begin() as connection:
            return dict(connection.execute("SELECT account, heard FROM listeners").fetchall())

    def store_chat(self, said: Sequence[StoredChat], heard: Mapping[int, int], oldest: int) -> None:
        """Store words and up to which number accounts were there; delete all words before number `oldest`."""
        rows = [(*each[:-1], " ".join(map(str, each.hearers))) for each in said]
        with self._transactions.begin() as connection:
            connection.execute("DELETE FROM words WHERE number < ?", (oldest,))
            connection.executemany(_STORE, rows)
            connection.executemany(_HEARD, [(heard[account], account) for account in sorted(heard)])

    def add_report(self, report: StoredReport) -> None:
        """Store a report; the oldest of its reporter, and of all, beyond their bounds go."""
        *row, lines = (getattr(report, name) for name in StoredReport.__dataclass_fields__)
        with self._transactions.begin() as connection:
            connection.execute(_REPORT, (*row, msgspec.json.encode(lines)))
            own = (report.account, report.account, limits.REPORTS_PER_PLAYER_MAX)
            connection.execute(_DROP_OWN_REPORTS, own)
            connection.execute(_DROP_REPORTS, (limits.REPORTS_KEPT_MAX,))

    def reports(self) -> list[StoredReport]:
        """Return the kept reports, the newest first."""
        with self._transactions.begin() as connection:
            rows = connection.execute(_REPORTS).fetchall()
        return [
            StoredReport(at_s, account, name, about, why, msgspec.json.decode(lines, type=tuple[str, ...]))
            for at_s, account, name, about, why, lines in rows
        ]


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(each) for each in text.split())
