"""The stored chat in SQLite: another part of the journal, which provides the transactions."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager

import msgspec
from sqlalchemy import Connection, delete, insert, literal_column, select
from sqlalchemy.dialects.sqlite import insert as upsert

from gloam_server.storage.chat_store import ShunnedPlayer, StoredChat, StoredReport
from gloam_server.storage.sqlite import tables
from gloam_shared import limits

_shunned, _words, _listeners, _reports = (
    tables.shunned.c,
    tables.words.c,
    tables.listeners.c,
    tables.reports.c,
)


class SqliteChat:
    """The implementation of `ChatStore` on tables that are up to date."""

    def _transaction(self) -> AbstractContextManager[Connection]:
        raise NotImplementedError

    def shunning(self) -> set[int]:
        """Return the accounts that ignore or block any other."""
        with self._transaction() as connection:
            return set(connection.scalars(select(_shunned.account).distinct()))

    def shunned_by(self, account: int) -> list[ShunnedPlayer]:
        """Return the players that an account ignores or blocks, the newest last."""
        query = (
            select(_shunned.other, tables.accounts.c.name, _shunned.blocked)
            .join_from(tables.shunned, tables.accounts, tables.accounts.c.id == _shunned.other)
            .where(_shunned.account == account)
            .order_by(literal_column("shunned.rowid"))
        )
        with self._transaction() as connection:
            return [
                ShunnedPlayer(other, name, bool(block)) for other, name, block in connection.execute(query)
            ]

    def shun(self, account: int, other: int, blocked: bool | None) -> None:  # noqa: FBT001  # a column's value
        """Store that an account blocks or ignores (False) another, or neither (None)."""
        with self._transaction() as connection:
            connection.execute(
                delete(tables.shunned).where(_shunned.account == account, _shunned.other == other)
            )
            if blocked is not None:
                row = {"account": account, "other": other, "blocked": int(blocked)}
                connection.execute(insert(tables.shunned), row)

    def stored_chat(self) -> list[StoredChat]:
        """Return the kept words, the newest last."""
        columns = [_words[name] for name in StoredChat._fields]
        with self._transaction() as connection:
            rows = connection.execute(select(*columns).order_by(_words.number)).all()
        return [
            StoredChat(
                row.number, row.at_s, row.channel, row.account, row.name, row.text, _numbers(row.hearers)
            )
            for row in rows
        ]

    def listeners(self) -> dict[int, int]:
        """Return for each account that was ever there the number of the newest words that it was there for."""
        with self._transaction() as connection:
            rows = connection.execute(select(_listeners.account, _listeners.heard)).all()
        return {row.account: row.heard for row in rows}

    def store_chat(self, said: Sequence[StoredChat], heard: Mapping[int, int], oldest: int) -> None:
        """Store words and up to which number accounts were there; delete all words before number `oldest`."""
        rows = [each._asdict() | {"hearers": " ".join(map(str, each.hearers))} for each in said]
        with self._transaction() as connection:
            connection.execute(delete(tables.words).where(_words.number < oldest))
            if rows:
                connection.execute(upsert(tables.words).on_conflict_do_nothing(), rows)
            known = select(tables.accounts.c.id).where(tables.accounts.c.id.in_(heard))
            for account in connection.scalars(known).all():  # one that was never played may be gone
                row = {"account": account, "heard": heard[account]}
                connection.execute(
                    upsert(tables.listeners)
                    .values(row)
                    .on_conflict_do_update(index_elements=[_listeners.account], set_=row)
                )

    def add_report(self, report: StoredReport) -> None:
        """Store a report; the oldest of its reporter, and of all, beyond their bounds go."""
        row = {name: getattr(report, name) for name in ("at_s", "account", "name", "about", "why")}
        with self._transaction() as connection:
            connection.execute(insert(tables.reports), row | {"lines": msgspec.json.encode(report.lines)})
            newest = select(_reports.id).order_by(_reports.id.desc())
            own = newest.where(_reports.account == report.account).limit(limits.REPORTS_PER_PLAYER_MAX)
            for kept, these in ((own, _reports.account == report.account), (newest, _reports.id > 0)):
                bound = kept.limit(limits.REPORTS_KEPT_MAX) if kept is newest else kept
                connection.execute(delete(tables.reports).where(these, _reports.id.not_in(bound)))

    def reports(self) -> list[StoredReport]:
        """Return the kept reports, the newest first."""
        columns = (
            _reports.at_s,
            _reports.account,
            _reports.name,
            _reports.about,
            _reports.why,
            _reports.lines,
        )
        with self._transaction() as connection:
            rows = connection.execute(select(*columns).order_by(_reports.id.desc())).all()
        return [StoredReport(*row[:-1], msgspec.json.decode(row[-1], type=tuple[str, ...])) for row in rows]


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(each) for each in text.split())
