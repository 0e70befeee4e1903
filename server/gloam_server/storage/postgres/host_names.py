"""The names of a host: who owns each on all its realms, in a schema beside the ones of realms.

The statements run in a transaction of one realm, so that a name and its account are written together. A name has an owner's
number, and another one once another player has it. Each realm notes the owner of its account of that name (`hosted`): if
the number differs, the account is of another player, and keeps credentials of its own.
"""

from typing import Any, Final, NamedTuple

from gloam_server.storage import accounts
from gloam_server.storage.errors import StorageError
from gloam_server.storage.sql.queries import first_value
from gloam_server.storage.sql.transactions import Connection

SCHEMA: Final = "_gloam"
"""No realm can have this name: it begins with no letter."""

_NAMES: Final = (
    f'CREATE TABLE {SCHEMA}.names (folded VARCHAR COLLATE "C" PRIMARY KEY, owner BIGINT GENERATED ALWAYS AS IDENTITY UNIQUE, '
    'name VARCHAR COLLATE "C" NOT NULL, skeleton VARCHAR COLLATE "C" NOT NULL, created_s BIGINT NOT NULL, '
    "last_seen_s BIGINT NOT NULL, password_hash VARCHAR, realms INTEGER NOT NULL)"
)
_DEVICES: Final = (
    f"CREATE TABLE {SCHEMA}.devices (owner BIGINT NOT NULL REFERENCES {SCHEMA}.names (owner) ON DELETE CASCADE, "
    "token_hash BYTEA NOT NULL, added_s BIGINT NOT NULL, PRIMARY KEY (owner, token_hash))"
)
_STEPS: Final = ((_NAMES, f"CREATE INDEX names_skeleton ON {SCHEMA}.names (skeleton)", _DEVICES),)
"""Step n, from 1, leads to version n of the host's tables; a step never changes once it is released."""

_HOSTED: Final = "CREATE TABLE hosted (account INTEGER PRIMARY KEY, owner BIGINT, is_new INTEGER NOT NULL)"
"""The owners of a realm's accounts; null for one that shares its name with another player. `is_new` until that one was let in here."""

_NEWEST: Final = f"SELECT max(number) FROM {SCHEMA}.version"  # noqa: S608  # names of ours
_FIND: Final = f"SELECT owner, name, created_s, last_seen_s, password_hash FROM {SCHEMA}.names WHERE folded = ? FOR UPDATE"  # noqa: S608  # names of ours
_ADD: Final = (
    f"INSERT INTO {SCHEMA}.names (folded, name, skeleton, created_s, last_seen_s, password_hash, realms) "  # noqa: S608  # as above
    "VALUES (?, ?, ?, ?, ?, ?, 1) ON CONFLICT (folded) DO NOTHING RETURNING owner"
)
_ADD_DEVICE: Final = (
    f"INSERT INTO {SCHEMA}.devices (owner, token_hash, added_s) VALUES (?, ?, ?) "  # noqa: S608  # as above
    "ON CONFLICT (owner, token_hash) DO UPDATE SET added_s = greatest(devices.added_s, excluded.added_s)"
)
_DROP_OLD_DEVICES: Final = (
    f"DELETE FROM {SCHEMA}.devices WHERE owner = ? AND token_hash NOT IN "  # noqa: S608  # as above
    f"(SELECT token_hash FROM {SCHEMA}.devices WHERE owner = ? ORDER BY added_s DESC LIMIT ?)"
)
_SET_PASSWORD: Final = (
    f"UPDATE {SCHEMA}.names SET password_hash = ? WHERE owner = ? AND coalesce(password_hash, '') = ?"  # noqa: S608  # as above
)


class HostName(NamedTuple):
    """A name of the host, and its owner's number."""

    owner: int
    name: str
    created_s: int
    last_seen_s: int
    password_hash: str | None


def upgrade_host(connection: Connection) -> None:
    """Make the tables of the host, or bring them up to date, inside a transaction that excludes others. Raises StorageError."""
    connection.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
    connection.execute(f"CREATE TABLE IF NOT EXISTS {SCHEMA}.version (number INTEGER NOT NULL)")
    found = first_value(connection, _NEWEST) or 0
    if found > len(_STEPS):
        raise StorageError(
            f"The names of this host have version {found} in PostgreSQL, and this server knows them up to {len(_STEPS)}; "
            "update the server."
        )
    for number, step in enumerate(_STEPS[found:], found + 1):
        for statement in step:
            connection.execute(statement)
        connection.execute(f"INSERT INTO {SCHEMA}.version (number) VALUES (?)", (number,))  # noqa: S608  # as above


def is_host_current(connection: Connection) -> bool:
    """Return whether the tables of the host are as this server makes them."""
    [(there,)] = connection.execute(f"SELECT to_regclass('{SCHEMA}.version') IS NOT NULL").fetchall()
    return bool(there) and first_value(connection, _NEWEST) == len(_STEPS)


def begin_links(connection: Connection) -> bool:
    """Make the table of owners in a realm that has none; return whether it had none: it is new, or of an older server."""
    [(there,)] = connection.execute("SELECT to_regclass('hosted') IS NOT NULL").fetchall()
    if not there:
        connection.execute(_HOSTED)
    return not there


def find_name(connection: Connection, folded: str) -> HostName | None:
    """Return a name, which no other server changes until the transaction ends."""
    row = connection.execute(_FIND, (folded,)).fetchone()
    return HostName(*row) if row else None


def add_name(connection: Connection, account: accounts.Account, skeleton: str) -> int | None:
    """Give a free name to the owner of an account, and return the owner's number; None if it is not free."""
    values = (account.folded, account.name, skeleton, account.created_s, account.last_seen_s)
    row = connection.execute(_ADD, (*values, account.password_hash)).fetchone()
    return int(row[0]) if row else None


def drop_name(connection: Connection, owner: int) -> None:
    """Free a name, with its devices."""
    connection.execute(f"DELETE FROM {SCHEMA}.names WHERE owner = ?", (owner,))  # noqa: S608  # as above


def knows(connection: Connection, owner: int, token_hash: bytes) -> bool:
    """Return whether a device is one of an owner's."""
    query = f"SELECT owner FROM {SCHEMA}.devices WHERE owner = ? AND token_hash = ?"  # noqa: S608  # as above
    return connection.execute(query, (owner, token_hash)).fetchone() is not None


def add_devices(connection: Connection, owner: int, devices: list[tuple[bytes, int]]) -> None:
    """Add devices, each with the time when it was added; the oldest above the limit are forgotten."""
    connection.executemany(_ADD_DEVICE, [(owner, *device) for device in devices])
    connection.execute(_DROP_OLD_DEVICES, (owner, owner, accounts.DEVICES_MAX))


def give_name_to(connection: Connection, owner: int, token_hash: bytes, now_s: int) -> None:
    """Remove the password and all devices but one."""
    statement = f"UPDATE {SCHEMA}.names SET password_hash = NULL, last_seen_s = ? WHERE owner = ?"  # noqa: S608  # as above
    connection.execute(statement, (now_s, owner))
    connection.execute(f"DELETE FROM {SCHEMA}.devices WHERE owner = ?", (owner,))  # noqa: S608  # as above
    add_devices(connection, owner, [(token_hash, now_s)])


def set_password(
    connection: Connection, owner: int, password_hash: str, keep: bytes, former: str | None
) -> bool:
    """Set a password, or change it from the hash `former`, which removes all devices but `keep`; False if another is set by now."""
    if connection.execute(_SET_PASSWORD, (password_hash, owner, former or "")).rowcount != 1:
        return False
    if former is not None:
        statement = f"DELETE FROM {SCHEMA}.devices WHERE owner = ? AND token_hash != ?"  # noqa: S608  # as above
        connection.execute(statement, (owner, keep))
    return True


def note_seen(connection: Connection, owner: int, now_s: int) -> None:
    """Store that an owner plays on a realm of the host."""
    statement = f"UPDATE {SCHEMA}.names SET last_seen_s = greatest(last_seen_s, ?) WHERE owner = ?"  # noqa: S608  # as above
    connection.execute(statement, (now_s, owner))


def note_made(connection: Connection, owner: int, created_s: int) -> None:
    """Store since when an owner has had the name on a realm of the host."""
    statement = f"UPDATE {SCHEMA}.names SET created_s = least(created_s, ?) WHERE owner = ?"  # noqa: S608  # as above
    connection.execute(statement, (created_s, owner))


def count_realm(connection: Connection, owner: int, by: int, unused_until_s: int = 0) -> None:
    """Count the realms that have let an owner in. A name that none has any more, and that has no password, is free."""
    connection.execute(f"UPDATE {SCHEMA}.names SET realms = realms + ? WHERE owner = ?", (by, owner))  # noqa: S608  # as above
    if by < 0:
        statement = f"DELETE FROM {SCHEMA}.names WHERE owner = ? AND realms <= 0 AND password_hash IS NULL AND last_seen_s <= ?"  # noqa: S608  # as above
        connection.execute(statement, (owner, unused_until_s))


def is_alike(connection: Connection, skeleton: str) -> bool:
    """Return whether a name that looks like this belongs to an owner without an account in this realm."""
    query = (
        f"SELECT owner FROM {SCHEMA}.names WHERE skeleton = ? "  # noqa: S608  # as above
        "AND owner NOT IN (SELECT owner FROM hosted WHERE owner IS NOT NULL) LIMIT 1"
    )
    return connection.execute(query, (skeleton,)).fetchone() is not None


def owner_of(connection: Connection, account: int) -> int | None:
    """Return the owner of an account of this realm, if the name is still theirs; None for one that shares it."""
    query = (
        f"SELECT names.owner FROM {SCHEMA}.names JOIN hosted ON hosted.owner = names.owner "  # noqa: S608  # as above
        "JOIN accounts ON accounts.id = hosted.account AND accounts.folded = names.folded WHERE hosted.account = ?"
    )
    found: int | None = first_value(connection, query, (account,))
    return found


def link(connection: Connection, account: int, owner: int | None, *, is_new: bool = False) -> None:
    """Note the owner of an account of this realm; None for one that shares its name with another player."""
    statement = (
        "INSERT INTO hosted (account, owner, is_new) VALUES (?, ?, ?) "
        "ON CONFLICT (account) DO UPDATE SET owner = excluded.owner, is_new = excluded.is_new"
    )
    connection.execute(statement, (account, owner, int(is_new)))


def unlink(connection: Connection, account: int) -> int | None:
    """Forget the owner of an account of this realm; return the owner who was let in here, None if there was none."""
    rows = connection.execute(
        "DELETE FROM hosted WHERE account = ? RETURNING owner, is_new", (account,)
    ).fetchall()
    return next((owner for owner, is_new in rows if not is_new), None)


def is_new_here(connection: Connection, account: int) -> bool:
    """Return whether the owner of an account was never let in here."""
    return bool(first_value(connection, "SELECT is_new FROM hosted WHERE account = ?", (account,)))


def pull(connection: Connection, account: int, owner: int) -> None:
    """Copy the credentials of a name into the account of this realm, whose export has them then."""
    connection.execute(
        f"UPDATE accounts SET password_hash = names.password_hash, last_seen_s = names.last_seen_s FROM {SCHEMA}.names "  # noqa: S608  # as above
        "WHERE accounts.id = ? AND names.owner = ?",
        (account, owner),
    )
    theirs = f"FROM {SCHEMA}.devices WHERE owner = ?"
    connection.execute(
        f"DELETE FROM tokens WHERE account = ? AND token_hash NOT IN (SELECT token_hash {theirs})",  # noqa: S608  # as above
        (account, owner),
    )
    connection.execute(
        f"INSERT INTO tokens (account, token_hash, added_s) SELECT ?, token_hash, added_s {theirs} "  # as above
        "ON CONFLICT (account, token_hash) DO UPDATE SET added_s = excluded.added_s",
        (account, owner),
    )


def unlinked(connection: Connection) -> list[tuple[Any, ...]]:
    """Return the accounts of this realm whose owners are not known to the host, without released names.

    They are sorted: realms that link theirs at the same time wait for each other.
    """
    query = (
        "SELECT id, name, folded, created_s, last_seen_s, password_hash, watchers, skeleton FROM accounts "
        "WHERE id NOT IN (SELECT account FROM hosted) AND position(' ' IN folded) = 0 ORDER BY folded"
    )
    return connection.execute(query).fetchall()


def devices_of(connection: Connection, account: int) -> list[tuple[bytes, int]]:
    """Return the devices of an account of this realm, each with the time when it was added."""
    rows = connection.execute("SELECT token_hash, added_s FROM tokens WHERE account = ?", (account,))
    return [(bytes(token), added_s) for token, added_s in rows]
