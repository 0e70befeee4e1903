"""Accounts, devices and invites in SQL: a part of the directory."""

from collections.abc import Callable
from typing import Any, Final

from gloam_server.storage import accounts
from gloam_server.storage.errors import NameTaken
from gloam_server.storage.sql.queries import first_value
from gloam_server.storage.sql.transactions import Connection, Rows, Transactions
from gloam_shared.protocol.messages.watching import WhoWatches
from gloam_shared.text import fold, skeleton

_ACCOUNT: Final = (
    "SELECT id, name, folded, created_s, last_seen_s, password_hash, watchers FROM accounts WHERE folded = ?"
)
_ADD_ACCOUNT: Final = (
    "INSERT INTO accounts (id, name, folded, skeleton, created_s, last_seen_s)"
    " SELECT coalesce(max(id), 0) + 1, ?, ?, ?, ?, ? FROM accounts WHERE true ON CONFLICT (folded) DO NOTHING"
)
_ACCOUNTS_AFTER: Final = (
    "SELECT id, last_seen_s, password_hash FROM accounts WHERE id > ? ORDER BY id LIMIT ?"
)
_UNSEEN: Final = "SELECT id FROM accounts WHERE id > ? AND last_seen_s <= ? ORDER BY id LIMIT ?"
_RELEASE: Final = (
    "UPDATE accounts SET folded = folded || ' ' || id, skeleton = skeleton || ' ' || id, password_hash = NULL"
    " WHERE id = ?"
)
_RELEASED: Final = (
    "SELECT id, name, folded, created_s, last_seen_s, password_hash, watchers FROM accounts"
    " JOIN tokens ON tokens.account = accounts.id"
    " WHERE folded >= ? AND folded < ? AND token_hash = ? ORDER BY id DESC LIMIT 1"
)
"""Released names lie between the name with a blank behind it and the one with the character that follows a blank."""
_GIVE_NAME: Final = (
    "UPDATE accounts SET name = ?, folded = ?, skeleton = ? WHERE id = ?"
    " AND NOT EXISTS (SELECT 1 FROM accounts AS others WHERE others.folded = ?)"
)
_SET_PASSWORD: Final = (
    "UPDATE accounts SET password_hash = ? WHERE id = ? AND coalesce(password_hash, '') = ?"  # noqa: S105  # a statement
)
"""No hash is empty."""

_SET_WATCHERS: Final = "UPDATE accounts SET watchers = ? WHERE id = ?"
_RECORD_SEEN: Final = "UPDATE accounts SET last_seen_s = ? WHERE id = ?"

_DEVICE: Final = "SELECT account FROM tokens WHERE account = ? AND token_hash = ?"
_ADD_DEVICE: Final = (
    "INSERT INTO tokens (account, token_hash, added_s) VALUES (?, ?, ?)"
    " ON CONFLICT (account, token_hash) DO UPDATE SET added_s = excluded.added_s"
)
_DROP_OLD_DEVICES: Final = (
    "DELETE FROM tokens WHERE account = ? AND token_hash NOT IN"
    " (SELECT token_hash FROM tokens WHERE account = ? ORDER BY added_s DESC LIMIT ?)"
)
_ADD_INVITE: Final = "INSERT INTO invites (code_hash, uses_left, account, created_s) VALUES (?, ?, ?, ?)"
_SPEND_INVITE: Final = "UPDATE invites SET uses_left = uses_left - 1 WHERE code_hash = ? AND uses_left > 0 AND coalesce(account, 0) = ?"
_BAN: Final = "SELECT until_s FROM bans WHERE account = ?"
_BAN_OF_DEVICE: Final = "SELECT max(bans.until_s) FROM bans JOIN tokens ON tokens.account = bans.account WHERE tokens.token_hash = ?"

_RESUMPTION: Final = (
    "SELECT account, token_hash, device_hash, former_hash, left_s FROM resumptions WHERE account = ?"
)
_KEEP_RESUMPTION: Final = (
    "INSERT INTO resumptions (account, token_hash, device_hash, former_hash, left_s) VALUES (?, ?, ?, ?, ?)"
    " ON CONFLICT (account) DO UPDATE SET token_hash = excluded.token_hash, device_hash = excluded.device_hash,"
    " former_hash = excluded.former_hash, left_s = excluded.left_s"
)

_OF_UNUSED: Final = (
    *("tokens.account", "resumptions.account", "invites.account", "shunned.account", "shunned.other"),
    *("listeners.account", "archived_lives.account", "accounts.id"),
)
"""The columns with the number of an account, whose rows go with it when it was never played."""


class SqlAccounts:
    """The implementation of `Accounts` on tables that are up to date."""

    _transactions: Transactions

    def account_by_name(self, folded: str) -> accounts.Account | None:
        """Return the account of a folded name."""
        with self._transactions.begin() as connection:
            row = connection.execute(_ACCOUNT, (folded,)).fetchone()
        return accounts.Account(*row) if row else None

    def account_numbers(self) -> set[int]:
        """Return the numbers of all accounts."""
        with self._transactions.begin() as connection:
            return {number for (number,) in connection.execute("SELECT id FROM accounts")}

    def accounts_alike(self, name: str) -> list[int]:
        """Return the accounts whose names look like `name`, or are the same."""
        with self._transactions.begin() as connection:
            rows = connection.execute("SELECT id FROM accounts WHERE skeleton = ?", (skeleton(name),))
            return [number for (number,) in rows]

    def create_account(self, name: str, token_hash: bytes, now_s: int) -> accounts.Account:
        """Make an account that belongs to one device. Raises NameTaken when the folded name exists."""
        folded = fold(name)
        with self._transactions.begin() as connection:
            _require_free(
                name, connection.execute(_ADD_ACCOUNT, (name, folded, skeleton(name), now_s, now_s))
            )
            made = accounts.Account(*connection.execute(_ACCOUNT, (folded,)).fetchone())
            _add_device(connection, made.number, token_hash, now_s)
        return made

    def admit(self, account: int) -> None:
        """Do nothing: a world alone has no names of others."""

    def drop_unused(
        self, has_played: Callable[[int], bool], until_s: int, after: int
    ) -> tuple[int, list[int]]:
        """Remove accounts that were never played and were last seen before a moment, some after number `after`."""
        with self._transactions.begin() as connection:
            newest = first_value(connection, "SELECT max(id) FROM accounts") or 0
            rows = connection.execute(_ACCOUNTS_AFTER, (after, accounts.UNUSED_ROWS_MAX)).fetchall()
            gone = [
                number
                for number, seen_s, password_hash in rows
                if seen_s <= until_s
                and password_hash is None
                and number < newest
                and not has_played(number)
                and not _banned_until_s(connection, number)
            ]
            for column in _OF_UNUSED if gone else ():
                table, _, _ = column.partition(".")
                connection.executemany(
                    f"DELETE FROM {table} WHERE {column} = ?",  # noqa: S608  # names of ours
                    [(number,) for number in gone],
                )
        return (rows[-1][0] if len(rows) == accounts.UNUSED_ROWS_MAX else 0), gone

    def release_name(self, account: int) -> None:
        """Free an account's name for another: the account keeps its number, history and devices, but permits no login."""
        with self._transactions.begin() as connection:
            connection.execute(_RELEASE, (account,))

    def released_account(self, folded: str, token_hash: bytes) -> accounts.Account | None:
        """Return the account that had a folded name and knows a device, if its name was released; the newest of several."""
        with self._transactions.begin() as connection:
            row = connection.execute(_RELEASED, (f"{folded} ", f"{folded}!", token_hash)).fetchone()
        return accounts.Account(*row) if row else None

    def give_name(self, account: int, name: str) -> accounts.Account:
        """Give a released account another name, and return it. Raises NameTaken when the folded name exists."""
        folded = fold(name)
        with self._transactions.begin() as connection:
            _require_free(
                name, connection.execute(_GIVE_NAME, (name, folded, skeleton(name), account, folded))
            )
            return accounts.Account(*connection.execute(_ACCOUNT, (folded,)).fetchone())

    def knows_device(self, account: int, token_hash: bytes) -> bool:
        """Return whether a device is one of the account's own."""
        return self._value(_DEVICE, account, token_hash) is not None

    def add_device(self, account: int, token_hash: bytes, now_s: int) -> None:
        """Add a device to an account."""
        with self._transactions.begin() as connection:
            _add_device(connection, account, token_hash, now_s)

    def give_to(self, account: int, token_hash: bytes, now_s: int) -> None:
        """Give an account to one device: its password and all other devices are removed."""
        with self._transactions.begin() as connection:
            connection.execute("DELETE FROM tokens WHERE account = ?", (account,))
            connection.execute(
                "UPDATE accounts SET password_hash = NULL, last_seen_s = ? WHERE id = ?", (now_s, account)
            )
            _add_device(connection, account, token_hash, now_s)

    def set_password(self, account: int, password_hash: str, keep: bytes, former: str | None) -> bool:
        """Set a password, or change it from the hash `former`; return False if another is set by now.

        If there was one, every device except `keep` is removed.
        """
        with self._transactions.begin() as connection:
            if connection.execute(_SET_PASSWORD, (password_hash, account, former or "")).rowcount != 1:
                return False
            if former is not None:
                connection.execute(
                    "DELETE FROM tokens WHERE account = ? AND token_hash != ?", (account, keep)
                )
        return True

    def set_watchers(self, account: int, who: WhoWatches) -> None:
        """Store the people who may watch a player."""
        with self._transactions.begin() as connection:
            connection.execute(_SET_WATCHERS, (who, account))

    def unseen(self, until_s: int, after: int) -> list[int]:
        """Return some accounts after number `after` that were last seen until a moment, rising; none at the end."""
        with self._transactions.begin() as connection:
            rows = connection.execute(_UNSEEN, (after, until_s, accounts.UNSEEN_ROWS_MAX))
            return [number for (number,) in rows]

    def record_seen(self, account: int, now_s: int) -> None:
        """Store that an account is in play."""
        self._change(_RECORD_SEEN, now_s, account)

    def add_invite(self, code_hash: bytes, uses: int, now_s: int, account: int | None = None) -> None:
        """Make an invite for a number of new players, or one that gives a device an existing account."""
        self._change(_ADD_INVITE, code_hash, uses, account, now_s)

    def spend_invite(self, code_hash: bytes, account: int | None = None) -> bool:
        """Use an invite once; False when there is none, it is used up, or it is for another account (None: newcomers)."""
        return self._change(_SPEND_INVITE, code_hash, account or 0) == 1

    def ban(self, account: int, until_s: int) -> None:
        """Ban an account until a moment in seconds since 1970; 0 ends the ban."""
        with self._transactions.begin() as connection:
            connection.execute("DELETE FROM bans WHERE account = ?", (account,))
            if until_s:
                connection.execute("INSERT INTO bans (account, until_s) VALUES (?, ?)", (account, until_s))

    def banned_until_s(self, account: int) -> int:
        """Return the end of an account's ban; 0 without one."""
        with self._transactions.begin() as connection:
            return _banned_until_s(connection, account)

    def device_banned_until_s(self, token_hash: bytes) -> int:
        """Return the latest end of a ban of any account that knows a device; 0 without one."""
        return self._value(_BAN_OF_DEVICE, token_hash) or 0

    def resumption_of(self, account: int) -> accounts.Resumption | None:
        """Return the resume tokens of an account's last conversation; None if it never had one."""
        with self._transactions.begin() as connection:
            row = connection.execute(_RESUMPTION, (account,)).fetchone()
        return accounts.Resumption(*row) if row else None

    def keep_resumption(self, resumption: accounts.Resumption) -> None:
        """Store the resume tokens of an account's conversation."""
        row = (getattr(resumption, name) for name in accounts.Resumption.__dataclass_fields__)
        self._change(_KEEP_RESUMPTION, *row)

    def _value(self, query: str, *values: Any) -> Any:
        with self._transactions.begin() as connection:
            return first_value(connection, query, values)

    def _change(self, statement: str, *values: Any) -> int:
        """Execute one statement, and return the number of rows that it changed."""
        with self._transactions.begin() as connection:
            return connection.execute(statement, values).rowcount


def _require_free(name: str, written: Rows) -> None:
    """Raise NameTaken if a name was not written, because an account has it."""
    if written.rowcount != 1:
        raise NameTaken(f"The name {name} is taken; choose another.")


def _banned_until_s(connection: Connection, account: int) -> int:
    return first_value(connection, _BAN, (account,)) or 0


def _add_device(connection: Connection, account: int, token_hash: bytes, now_s: int) -> None:
    connection.execute(_ADD_DEVICE, (account, token_hash, now_s))
    connection.execute(_DROP_OLD_DEVICES, (account, account, accounts.DEVICES_MAX))
