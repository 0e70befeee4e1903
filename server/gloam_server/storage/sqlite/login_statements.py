"""The statements of a login as text, with `?` for each value.

SQLAlchemy builds a statement and looks for its compiled form at each call, and compiles an upsert every time. For the ten
statements of a login, that was most of the processor time in the database's thread. So they go to SQLite's own connection.

Text does not follow a change of `tables` by itself: tests run each statement.
"""

import sqlite3
from typing import Any, Final

from sqlalchemy import Connection

from gloam_server.storage.sqlite.database import driver_of


def run(connection: Connection, statement: str, values: tuple[Any, ...] = ()) -> sqlite3.Cursor:
    """Execute a statement in the present transaction. Raises sqlite3.Error."""
    return driver_of(connection).execute(statement, values)


def value_of(connection: Connection, statement: str, values: tuple[Any, ...] = ()) -> Any:
    """Return the first value of the first row; None if there is no row."""
    row = run(connection, statement, values).fetchone()
    return None if row is None else row[0]


ACCOUNT: Final = (
    "SELECT id, name, folded, created_s, last_seen_s, password_hash FROM accounts WHERE folded = ?"
)
"""The fields of `Account`."""

ADD_ACCOUNT: Final = (
    "INSERT INTO accounts (name, folded, skeleton, created_s, last_seen_s) VALUES (?, ?, ?, ?, ?)"
)
ALIKE: Final = "SELECT id FROM accounts WHERE skeleton = ?"
NEWEST_ACCOUNT: Final = "SELECT max(id) FROM accounts"
ACCOUNTS_AFTER: Final = "SELECT id, last_seen_s, password_hash FROM accounts WHERE id > ? ORDER BY id LIMIT ?"
UNSEEN: Final = "SELECT id FROM accounts WHERE id > ? AND last_seen_s <= ? ORDER BY id LIMIT ?"
RECORD_SEEN: Final = "UPDATE accounts SET last_seen_s = ? WHERE id = ?"

DEVICE: Final = "SELECT account FROM tokens WHERE account = ? AND token_hash = ?"
ADD_DEVICE: Final = (
    "INSERT INTO tokens (account, token_hash, added_s) VALUES (?, ?, ?)"
    " ON CONFLICT (account, token_hash) DO UPDATE SET added_s = excluded.added_s"
)
DROP_OLD_DEVICES: Final = (
    "DELETE FROM tokens WHERE account = ? AND token_hash NOT IN"
    " (SELECT token_hash FROM tokens WHERE account = ? ORDER BY added_s DESC LIMIT ?)"
)

BAN: Final = "SELECT until_s FROM bans WHERE account = ?"
BAN_OF_DEVICE: Final = "SELECT max(bans.until_s) FROM bans JOIN tokens ON tokens.account = bans.account WHERE tokens.token_hash = ?"

RESUMPTION: Final = (
    "SELECT account, token_hash, device_hash, former_hash, left_s FROM resumptions WHERE account = ?"
)
"""The fields of `Resumption`."""

KEEP_RESUMPTION: Final = (
    "INSERT INTO resumptions (account, token_hash, device_hash, former_hash, left_s) VALUES (?, ?, ?, ?, ?)"
    " ON CONFLICT (account) DO UPDATE SET token_hash = excluded.token_hash, device_hash = excluded.device_hash,"
    " former_hash = excluded.former_hash, left_s = excluded.left_s"
)
