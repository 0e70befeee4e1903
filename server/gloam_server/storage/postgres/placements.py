"""The realms in a database, which are schemas, and the placement of each: its port and its state."""

from typing import Any, Final, NamedTuple

import psycopg
from psycopg import sql

from gloam_server.storage.directory import WorldIdentity
from gloam_server.storage.errors import StorageError
from gloam_server.storage.postgres.tables import PLACEMENT
from gloam_server.storage.realms import FIRST_PORT, RealmState

Connection = psycopg.Connection[tuple[Any, ...]]

PORT_MAX: Final = 65_535
_LOCK: Final = 0x676C706F7274
"""The key of the lock under which ports are given: two realms may be made at the same time."""

_SCHEMAS: Final = (
    "SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
    "WHERE c.relname = 'written' AND c.relkind = 'r' AND has_schema_privilege(n.oid, 'USAGE') ORDER BY 1"
)
_IDENTITY: Final = sql.SQL("SELECT campaign, seed, rules, content, created_s FROM {}.realm")
_PLACEMENT: Final = sql.SQL("SELECT port, state FROM {}.placement")
_ASSIGN: Final = sql.SQL(
    "INSERT INTO {}.placement (id, port, state) VALUES (1, %s, %s) ON CONFLICT (id) DO UPDATE SET port = excluded.port"
)
_SET_STATE: Final = sql.SQL(
    "INSERT INTO {}.placement (id, port, state) VALUES (1, NULL, %s) "
    "ON CONFLICT (id) DO UPDATE SET port = NULL, state = excluded.state"
)
_INTRODUCE: Final = "INSERT INTO placement (id, state, title) VALUES (1, %s, %s) ON CONFLICT (id) DO UPDATE SET title = excluded.title"
_SHOWN: Final = sql.SQL(
    "SELECT {name}, r.campaign, p.port, p.title FROM {schema}.realm r LEFT JOIN "
    "(SELECT port, state, to_jsonb(each)->>'title' AS title FROM {schema}.placement each) p ON true "
    "WHERE p.state IS DISTINCT FROM {retired} AND (p.port IS NOT NULL OR {name} = {own})"
)
"""The row of a realm for players; a server of before has kept no title."""
_PLACED: Final = (
    "SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
    "WHERE c.relname IN ('placement', 'realm') AND c.relkind = 'r' AND has_schema_privilege(n.oid, 'USAGE') "
    "AND has_table_privilege(c.oid, 'SELECT') GROUP BY 1 HAVING count(*) = 2 ORDER BY 1"
)


class ShownRealm(NamedTuple):
    """A realm for players: its name, the title of its campaign, its port, and its campaign."""

    name: str
    title: str
    port: int | None
    campaign: str


class Placement(NamedTuple):
    """The port of a realm, None if workers do not serve it, and its state."""

    port: int | None
    state: RealmState


def realm_schemas(connection: Connection) -> list[str]:
    """Return the names of all realms that the user may read."""
    return [name for (name,) in connection.execute(_SCHEMAS).fetchall()]


def read_identity(connection: Connection, realm: str) -> WorldIdentity | None:
    """Return the identity of the world of a realm, None before it has one."""
    row = connection.execute(_IDENTITY.format(sql.Identifier(realm))).fetchone()
    if row is None:
        return None
    campaign, seed, rules, content, created_s = row
    return WorldIdentity(campaign, int(seed), rules, content, created_s)


def read_placement(connection: Connection, realm: str) -> Placement:
    """Return the placement of a realm; an older server has made no table of it."""
    table = sql.Identifier(realm, "placement").as_string(connection)
    [(there,)] = connection.execute("SELECT to_regclass(%s) IS NOT NULL", (table,)).fetchall()
    row = connection.execute(_PLACEMENT.format(sql.Identifier(realm))).fetchone() if there else None
    return Placement(row[0], RealmState(row[1])) if row is not None else Placement(None, RealmState.KEPT)


def introduce(connection: Connection, title: str) -> None:
    """Note the title of the campaign of a connection's realm."""
    connection.execute(_INTRODUCE, (RealmState.KEPT, title))


def shown_realms(connection: Connection, own: str) -> list[ShownRealm]:
    """Return the realms with a dungeon and a port, and the own one without, by name: one statement reads them all."""
    names = [name for (name,) in connection.execute(_PLACED).fetchall()]
    each = [
        _SHOWN.format(
            name=sql.Literal(name),
            schema=sql.Identifier(name),
            retired=sql.Literal(str(RealmState.RETIRED)),
            own=sql.Literal(own),
        )
        for name in names
    ]
    rows = connection.execute(sql.SQL(" UNION ALL ").join(each)).fetchall() if each else []
    return sorted(ShownRealm(name, title or campaign, port, campaign) for name, campaign, port, title in rows)


def assign_port(connection: Connection, realm: str, wanted: int | None) -> int:
    """Give the realm of a connection a port that no other one has, and return it. Raises StorageError if another one has it."""
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        taken = {
            placement.port: name
            for name in realm_schemas(connection)
            if (placement := read_placement(connection, name)).port is not None and name != realm
        }
        if wanted in taken:
            raise StorageError(
                f"Port {wanted} is the port of the realm {taken[wanted]}; name another with --port."
            )
        port = wanted or next((each for each in range(FIRST_PORT, PORT_MAX + 1) if each not in taken), None)
        if port is None:
            raise StorageError(f"All ports from {FIRST_PORT} on are taken; name one with --port.")
        connection.execute(PLACEMENT)
        connection.execute(_ASSIGN.format(sql.Identifier(realm)), (port, RealmState.KEPT))
    return port


def mark_retired(connection: Connection, realm: str) -> None:
    """Note that a realm is exported: from now on it can only be erased."""
    connection.execute(_SET_STATE.format(sql.Identifier(realm)), (RealmState.RETIRED,))


def drop_schema(connection: Connection, realm: str) -> None:
    """Delete everything that PostgreSQL has of a realm."""
    connection.execute(sql.SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(sql.Identifier(realm)))
