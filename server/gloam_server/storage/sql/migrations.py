"""The steps that make a world's tables, and bring the tables of every older version up to date.

A step never changes once it is released. Its texts stay as they are to the space, because a damaged file gets the texts
of a new one (`schema_repair`). The table of the version has the name that Alembic gave it. The texts are SQLite's; another
database gets them through a function that puts its own words in place of SQLite's.
"""

from collections.abc import Callable, Sequence
from typing import Final

from gloam_server.storage.sql.transactions import Connection
from gloam_shared.text import skeleton

Change = str | Callable[[Connection], None]


def run_steps(connection: Connection, form: Callable[[str], str] = str, until: str | None = None) -> None:
    """Run every missing step, up to version `until`, inside the caller's transaction; `form` gives the database's words."""
    connection.execute(form(_VERSION))
    found = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    for step in STEPS[int(found[0]) if found else 0 : int(until or HEAD)]:
        for change in step:
            if callable(change):
                change(connection)
            else:
                connection.execute(form(change))
    connection.execute("DELETE FROM alembic_version")
    connection.execute("INSERT INTO alembic_version (version_num) VALUES (?)", (until or HEAD,))


def known_versions() -> set[str]:
    """Return the versions that this server can bring up to date."""
    return {f"{number:04}" for number in range(1, len(STEPS) + 1)}


def _table(name: str, *parts: str, options: str = "") -> str:
    return f"CREATE TABLE {name} (\n\t" + ", \n\t".join(parts) + f"\n){options}"


def _of_account(table: str, column: str = "account") -> str:
    return f"CONSTRAINT fk_{table}_{column}_accounts FOREIGN KEY({column}) REFERENCES accounts (id)"


def _add(table: str, *columns: str) -> list[str]:
    return [f"ALTER TABLE {table} ADD COLUMN {column}" for column in columns]


def _add_skeletons(connection: Connection) -> None:
    for number, folded in connection.execute("SELECT id, folded FROM accounts").fetchall():
        connection.execute("UPDATE accounts SET skeleton = ? WHERE id = ?", (skeleton(folded), number))


_VERSION: Final = _table(
    "IF NOT EXISTS alembic_version",
    "version_num VARCHAR(32) NOT NULL",
    "CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)",
)
_CRC: Final = "crc BIGINT DEFAULT '0' NOT NULL"

_FIRST_TABLES: Final = (
    _table(
        "realm",
        "id INTEGER NOT NULL",
        "campaign VARCHAR NOT NULL",
        "seed VARCHAR NOT NULL",
        "rules INTEGER NOT NULL",
        "content VARCHAR NOT NULL",
        "created_s BIGINT NOT NULL",
        "CONSTRAINT pk_realm PRIMARY KEY (id)",
        "CONSTRAINT ck_realm_one_row CHECK (id = 1)",
    ),
    _table(
        "accounts",
        "id INTEGER NOT NULL",
        "name VARCHAR NOT NULL",
        "folded VARCHAR NOT NULL",
        "token_hash BLOB NOT NULL",
        "created_s BIGINT NOT NULL",
        "CONSTRAINT pk_accounts PRIMARY KEY (id)",
        "CONSTRAINT uq_accounts_folded UNIQUE (folded)",
    ),
    _table(
        "journal",
        "place INTEGER NOT NULL",
        "sequence BIGINT NOT NULL",
        "body BLOB NOT NULL",
        "state_hash BLOB",
        "CONSTRAINT pk_journal PRIMARY KEY (place, sequence)",
        options="\n WITHOUT ROWID\n\n",
    ),
    _table(
        "snapshots",
        "place INTEGER NOT NULL",
        "sequence BIGINT NOT NULL",
        "rules INTEGER NOT NULL",
        "body BLOB NOT NULL",
        "state_hash BLOB NOT NULL",
        "CONSTRAINT pk_snapshots PRIMARY KEY (place, sequence)",
    ),
    _table(
        "deaths",
        "id INTEGER NOT NULL",
        "account INTEGER NOT NULL",
        "name VARCHAR NOT NULL",
        "killer VARCHAR NOT NULL",
        "depth INTEGER NOT NULL",
        "level INTEGER NOT NULL",
        "experience BIGINT NOT NULL",
        "turns BIGINT NOT NULL",
        "at_s BIGINT NOT NULL",
        "CONSTRAINT pk_deaths PRIMARY KEY (id)",
        _of_account("deaths"),
    ),
)

_BEATS_AND_MARKS: Final = (
    *_add("journal", "beat BIGINT DEFAULT '0' NOT NULL", "beat_size INTEGER DEFAULT '0' NOT NULL"),
    *_add("journal", "crc BIGINT"),
    _table(
        "marks",
        "at_s BIGINT NOT NULL",
        "place INTEGER NOT NULL",
        "sequence BIGINT NOT NULL",
        "CONSTRAINT pk_marks PRIMARY KEY (at_s, place)",
    ),
)

_DEVICES_AND_INVITES: Final = (
    *_add("accounts", "last_seen_s BIGINT DEFAULT '0' NOT NULL", "password_hash VARCHAR"),
    _table(
        "tokens",
        "account INTEGER NOT NULL",
        "token_hash BLOB NOT NULL",
        "added_s BIGINT NOT NULL",
        "CONSTRAINT pk_tokens PRIMARY KEY (account, token_hash)",
        _of_account("tokens"),
    ),
    _table(
        "invites",
        "code_hash BLOB NOT NULL",
        "uses_left INTEGER NOT NULL",
        "account INTEGER",
        "created_s BIGINT NOT NULL",
        "CONSTRAINT pk_invites PRIMARY KEY (code_hash)",
        _of_account("invites"),
    ),
    "INSERT INTO tokens SELECT id, token_hash, created_s FROM accounts",
    # The day in which a name without a password stays its device's begins with the upgrade.
    "UPDATE accounts SET last_seen_s = CAST(strftime('%s', 'now') AS INTEGER)",
    "ALTER TABLE accounts DROP COLUMN token_hash",
)

_BANS: Final = (
    _table(
        "bans",
        "account INTEGER NOT NULL",
        "until_s BIGINT NOT NULL",
        "CONSTRAINT pk_bans PRIMARY KEY (account)",
        _of_account("bans"),
    ),
)

_CLAIMS: Final = (
    _table(
        "claims",
        "number BIGINT NOT NULL",
        "rules INTEGER NOT NULL",
        "content VARCHAR NOT NULL",
        "at_s BIGINT NOT NULL",
        "CONSTRAINT pk_claims PRIMARY KEY (number)",
    ),
)

_RESUMPTIONS: Final = (
    _table(
        "resumptions",
        "account INTEGER NOT NULL",
        "token_hash BLOB NOT NULL",
        "device_hash BLOB NOT NULL",
        "former_hash BLOB",
        "left_s BIGINT",
        "CONSTRAINT pk_resumptions PRIMARY KEY (account)",
        _of_account("resumptions"),
    ),
)

_CONTENTS: Final = (
    _table(
        "contents",
        "digest VARCHAR NOT NULL",
        "files BLOB NOT NULL",
        "CONSTRAINT pk_contents PRIMARY KEY (digest)",
    ),
)

_SEALED: Final = (
    *("realm", "contents", "accounts", "tokens", "invites", "bans", "resumptions", "claims", "snapshots"),
    "deaths",
)

_DIGESTS_AND_CHECKSUMS: Final = (
    *_add("journal", "digest BIGINT"),
    *_add("claims", "libraries VARCHAR DEFAULT '' NOT NULL"),
    *(f"ALTER TABLE {table} ADD COLUMN {_CRC}" for table in _SEALED),
)

_LADDER: Final = (
    *_add(
        "deaths",
        "life BIGINT",
        "sequence BIGINT DEFAULT '0' NOT NULL",
        "deepest INTEGER DEFAULT '0' NOT NULL",
    ),
    *_add("deaths", "kills BIGINT DEFAULT '0' NOT NULL", "wins INTEGER DEFAULT '0' NOT NULL"),
    *_add("deaths", "won INTEGER DEFAULT '0' NOT NULL", "title VARCHAR DEFAULT '' NOT NULL"),
    "UPDATE deaths SET life = -id, deepest = depth",
    "CREATE UNIQUE INDEX ix_deaths_life ON deaths (life)",
)

_CHAT: Final = (
    _table(
        "shunned",
        "account INTEGER NOT NULL",
        "other INTEGER NOT NULL",
        "blocked INTEGER NOT NULL",
        _CRC,
        "CONSTRAINT pk_shunned PRIMARY KEY (account, other)",
        _of_account("shunned"),
        _of_account("shunned", "other"),
    ),
    _table(
        "words",
        "number BIGINT NOT NULL",
        "at_s BIGINT NOT NULL",
        "channel VARCHAR NOT NULL",
        "account INTEGER NOT NULL",
        "name VARCHAR NOT NULL",
        "text VARCHAR NOT NULL",
        "hearers VARCHAR NOT NULL",
        _CRC,
        "CONSTRAINT pk_words PRIMARY KEY (number)",
    ),
    _table(
        "listeners",
        "account INTEGER NOT NULL",
        "heard BIGINT NOT NULL",
        _CRC,
        "CONSTRAINT pk_listeners PRIMARY KEY (account)",
        _of_account("listeners"),
    ),
    _table(
        "reports",
        "id INTEGER NOT NULL",
        "at_s BIGINT NOT NULL",
        "account INTEGER NOT NULL",
        "name VARCHAR NOT NULL",
        "about VARCHAR NOT NULL",
        "why VARCHAR NOT NULL",
        "lines BLOB NOT NULL",
        _CRC,
        "CONSTRAINT pk_reports PRIMARY KEY (id)",
    ),
)

_SKELETONS: Final[Sequence[Change]] = (
    *_add("accounts", "skeleton VARCHAR DEFAULT '' NOT NULL"),
    _add_skeletons,
    "CREATE INDEX ix_accounts_skeleton ON accounts (skeleton)",
)

_ARCHIVED_LIVES: Final = (
    _table(
        "archived_lives",
        "account INTEGER NOT NULL",
        "life BIGINT NOT NULL",
        "place INTEGER NOT NULL",
        "sequence BIGINT NOT NULL",
        "body BLOB NOT NULL",
        "returned BIGINT",
        _CRC,
        "CONSTRAINT pk_archived_lives PRIMARY KEY (account, sequence, place)",
        _of_account("archived_lives"),
    ),
    "CREATE INDEX ix_archived_lives_returned ON archived_lives (returned)",
)

_WATCHERS: Final = _add("accounts", "watchers VARCHAR")

_LIT_BEACONS: Final = _add("deaths", "beacons INTEGER DEFAULT '0' NOT NULL")

STEPS: Final[Sequence[Sequence[Change]]] = (
    _FIRST_TABLES,
    _BEATS_AND_MARKS,
    _DEVICES_AND_INVITES,
    _BANS,
    _CLAIMS,
    _RESUMPTIONS,
    _CONTENTS,
    _DIGESTS_AND_CHECKSUMS,
    _LADDER,
    _CHAT,
    (),  # snapshots are compressed from here on: the number keeps older versions from reading what they cannot
    _SKELETONS,
    _ARCHIVED_LIVES,
    _WATCHERS,
    _LIT_BEACONS,
)
"""Step n, from 1, leads to version n."""

HEAD: Final = f"{len(STEPS):04}"
"""The newest version of the tables."""
