"""Accounts, devices and invites in SQLite: one half of the journal, which provides the transactions."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, delete, insert, select, update
from sqlalchemy.exc import DBAPIError

from gloam_server.storage.accounts import (
    DEVICES_MAX,
    UNSEEN_ROWS_MAX,
    UNUSED_ROWS_MAX,
    Account,
    Resumption,
)
from gloam_server.storage.journal import NameTaken
from gloam_server.storage.sqlite import login_statements as texts
from gloam_server.storage.sqlite import tables
from gloam_server.storage.sqlite.database import connect
from gloam_server.storage.sqlite.integrity.checksum_triggers import install_checksum_triggers
from gloam_server.storage.sqlite.sqlite_chat import SqliteChat
from gloam_server.storage.sqlite.world_file.inspection import describe_refusal, require_up_to_date
from gloam_server.storage.sqlite.world_file.replacement import require_finished
from gloam_server.storage.sqlite.world_file.version_check import refuse_newer
from gloam_shared.text import fold, skeleton

_accounts, _tokens, _invites, _bans = tables.accounts.c, tables.tokens.c, tables.invites.c, tables.bans.c
_resumptions = tables.resumptions.c
_OF_UNUSED = (
    _tokens.account,
    _resumptions.account,
    _invites.account,
    tables.shunned.c.account,
    tables.shunned.c.other,
    tables.listeners.c.account,
    tables.archived_lives.c.account,
)
"""The columns with the number of an account, whose rows go with it when it was never played."""


class SqliteAccounts:
    """The implementation of `Accounts` on tables that are up to date."""

    def _transaction(self) -> AbstractContextManager[Connection]:
        raise NotImplementedError

    def account_by_name(self, folded: str) -> Account | None:
        """Return the account of a folded name."""
        with self._transaction() as connection:
            row = texts.run(connection, texts.ACCOUNT, (folded,)).fetchone()
        return Account(*row) if row else None

    def account_numbers(self) -> set[int]:
        """Return the numbers of all accounts."""
        with self._transaction() as connection:
            return set(connection.scalars(select(_accounts.id)))

    def accounts_alike(self, name: str) -> list[int]:
        """Return the accounts whose names look like `name`, or are the same."""
        with self._transaction() as connection:
            return [number for (number,) in texts.run(connection, texts.ALIKE, (skeleton(name),))]

    def create_account(self, name: str, token_hash: bytes, now_s: int) -> Account:
        """Make an account that belongs to one device. Raises NameTaken when the folded name exists."""
        folded = fold(name)
        with self._transaction() as connection:
            try:
                texts.run(connection, texts.ADD_ACCOUNT, (name, folded, skeleton(name), now_s, now_s))
            except sqlite3.IntegrityError as error:
                raise NameTaken(f"The name {name} is taken; choose another.") from error
            made = Account(*texts.run(connection, texts.ACCOUNT, (folded,)).fetchone())
            _add_device(connection, made.number, token_hash, now_s)
        return made

    def drop_unused(
        self, has_played: Callable[[int], bool], until_s: int, after: int
    ) -> tuple[int, list[int]]:
        """Remove accounts that were never played and were last seen before a moment, some after number `after`."""
        gone: list[int] = []
        with self._transaction() as connection:
            newest = texts.value_of(connection, texts.NEWEST_ACCOUNT) or 0
            rows = texts.run(connection, texts.ACCOUNTS_AFTER, (after, UNUSED_ROWS_MAX)).fetchall()
            unused = [
                number
                for number, seen_s, password_hash in rows
                if seen_s <= until_s and password_hash is None and number < newest and not has_played(number)
            ]
            if unused:
                banned = set(connection.scalars(select(_bans.account).where(_bans.account.in_(unused))))
                gone = [number for number in unused if number not in banned]
                for column in _OF_UNUSED:
                    connection.execute(delete(column.table).where(column.in_(gone)))
                connection.execute(delete(tables.accounts).where(_accounts.id.in_(gone)))
        return (rows[-1][0] if len(rows) == UNUSED_ROWS_MAX else 0), gone

    def release_name(self, account: int) -> None:
        """Free an account's name for another: the account keeps its number and history, but permits no login."""
        with self._transaction() as connection:
            connection.execute(delete(tables.tokens).where(_tokens.account == account))
            connection.execute(
                update(tables.accounts)
                .where(_accounts.id == account)
                .values(
                    folded=_accounts.folded + f" {account}",
                    skeleton=_accounts.skeleton + f" {account}",
                    password_hash=None,
                )
            )

    def knows_device(self, account: int, token_hash: bytes) -> bool:
        """Return whether a device is one of the account's own."""
        with self._transaction() as connection:
            return texts.value_of(connection, texts.DEVICE, (account, token_hash)) is not None

    def add_device(self, account: int, token_hash: bytes, now_s: int) -> None:
        """Add a device to an account."""
        with self._transaction() as connection:
            _add_device(connection, account, token_hash, now_s)

    def give_to(self, account: int, token_hash: bytes, now_s: int) -> None:
        """Give an account to one device: its password and all other devices are removed."""
        with self._transaction() as connection:
            connection.execute(delete(tables.tokens).where(_tokens.account == account))
            connection.execute(
                update(tables.accounts)
                .where(_accounts.id == account)
                .values(password_hash=None, last_seen_s=now_s)
            )
            _add_device(connection, account, token_hash, now_s)

    def set_password(self, account: int, password_hash: str, keep: bytes, former: str | None) -> bool:
        """Set a password, or change it from the hash `former`; return False if another is set by now.

        If there was one, every device except `keep` is removed.
        """
        setting = (
            update(tables.accounts)
            .where(_accounts.id == account, _accounts.password_hash.is_not_distinct_from(former))
            .values(password_hash=password_hash)
        )
        with self._transaction() as connection:
            if connection.execute(setting).rowcount != 1:
                return False
            if former is not None:
                connection.execute(
                    delete(tables.tokens).where(_tokens.account == account, _tokens.token_hash != keep)
                )
        return True

    def unseen(self, until_s: int, after: int) -> list[int]:
        """Return some accounts after number `after` that were last seen until a moment, rising; none at the end."""
        with self._transaction() as connection:
            rows = texts.run(connection, texts.UNSEEN, (after, until_s, UNSEEN_ROWS_MAX)).fetchall()
        return [number for (number,) in rows]

    def record_seen(self, account: int, now_s: int) -> None:
        """Store that an account is in play."""
        with self._transaction() as connection:
            texts.run(connection, texts.RECORD_SEEN, (now_s, account))

    def add_invite(self, code_hash: bytes, uses: int, now_s: int, account: int | None = None) -> None:
        """Make an invite for a number of new players, or one that gives a device an existing account."""
        row = {"code_hash": code_hash, "uses_left": uses, "account": account, "created_s": now_s}
        with self._transaction() as connection:
            connection.execute(insert(tables.invites), row)

    def spend_invite(self, code_hash: bytes, account: int | None = None) -> bool:
        """Use an invite once; False when there is none, it is used up, or it is for another account (None: newcomers)."""
        spending = (
            update(tables.invites)
            .where(
                _invites.code_hash == code_hash,
                _invites.uses_left > 0,
                _invites.account.is_not_distinct_from(account),
            )
            .values(uses_left=_invites.uses_left - 1)
        )
        with self._transaction() as connection:
            return connection.execute(spending).rowcount == 1

    def ban(self, account: int, until_s: int) -> None:
        """Ban an account until a moment in seconds since 1970; 0 ends the ban."""
        with self._transaction() as connection:
            connection.execute(delete(tables.bans).where(_bans.account == account))
            if until_s:
                connection.execute(insert(tables.bans), {"account": account, "until_s": until_s})

    def banned_until_s(self, account: int) -> int:
        """Return the end of an account's ban; 0 without one."""
        with self._transaction() as connection:
            return texts.value_of(connection, texts.BAN, (account,)) or 0

    def device_banned_until_s(self, token_hash: bytes) -> int:
        """Return the latest end of a ban of any account that knows a device; 0 without one."""
        with self._transaction() as connection:
            return texts.value_of(connection, texts.BAN_OF_DEVICE, (token_hash,)) or 0

    def resumption_of(self, account: int) -> Resumption | None:
        """Return the resume tokens of an account's last conversation; None if it never had one."""
        with self._transaction() as connection:
            row = texts.run(connection, texts.RESUMPTION, (account,)).fetchone()
        return Resumption(*row) if row else None

    def keep_resumption(self, resumption: Resumption) -> None:
        """Store the resume tokens of an account's conversation."""
        row = (
            resumption.account,
            resumption.token_hash,
            resumption.device_hash,
            resumption.former_hash,
            resumption.left_s,
        )
        with self._transaction() as connection:
            texts.run(connection, texts.KEEP_RESUMPTION, row)


class AccountsAndWords(SqliteAccounts, SqliteChat):
    """The tables of accounts and words of a world that may be open in a server."""

    def __init__(self, engine: Engine, path: Path) -> None:
        self._engine = engine
        self._path = path

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        try:
            with self._engine.begin() as connection:
                yield connection
        except (DBAPIError, sqlite3.Error) as error:
            raise describe_refusal(self._path, getattr(error, "orig", error)) from error


@contextmanager
def open_accounts(path: Path) -> Iterator[AccountsAndWords]:
    """Yield the accounts and words of a world that may be open in a server: no lock is taken, and no table is changed.

    Raises StorageError when the world's tables are of another version.
    """
    require_finished(path)
    require_up_to_date(path)
    refuse_newer(path)
    engine = connect(path)
    try:
        install_checksum_triggers(engine)
        yield AccountsAndWords(engine, path)
    finally:
        engine.dispose()


def _add_device(connection: Connection, account: int, token_hash: bytes, now_s: int) -> None:
    texts.run(connection, texts.ADD_DEVICE, (account, token_hash, now_s))
    texts.run(connection, texts.DROP_OLD_DEVICES, (account, account, DEVICES_MAX))
