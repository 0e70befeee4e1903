"""The ladder over the realms of a host: PostgreSQL ranks the ended lives of all, so that no server holds the lives of other realms."""

from dataclasses import fields, replace
from typing import Final

from psycopg import sql

from gloam_server.storage.directory import Death
from gloam_server.storage.host import BoardQuestion, HostBoard, HostLife, LifeCount
from gloam_server.storage.postgres.placements import Connection, shown_realms
from gloam_shared.limits import LADDER_SHOWN_MAX

_COUNTS: Final[dict[LifeCount, str]] = {
    "deepest": "greatest(deepest, depth)",
    "level": "level",
    "kills": "kills",
    "wins": "wins",
    "beacons": "beacons",
    "turns": "turns",
    "few turns": "-turns",
}
_FIELDS: Final = tuple(field.name for field in fields(Death))
_COLUMNS: Final = sql.SQL(", ").join(sql.Identifier("d", name) for name in _FIELDS)
_READABLE: Final = (
    "SELECT n.nspname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace "
    "WHERE c.relname = 'deaths' AND c.relkind = 'r' AND a.attname = %s AND has_schema_privilege(n.oid, 'USAGE') "
    "AND has_table_privilege(c.oid, 'SELECT')"
)
"""The realms whose table of ended lives has the newest column; an older server may have made it without."""
_OF_REALM: Final = sql.SQL(
    "SELECT {realm} AS dungeon, a.folded, {columns} FROM {schema}.deaths d LEFT JOIN {schema}.accounts a ON a.id = d.account "
    "WHERE d.at_s >= {since}"
)
_BOARD: Final = sql.SQL(
    "WITH ranked AS (SELECT *, row_number() OVER (ORDER BY {order}) AS rank, count(*) OVER () AS lives FROM ({realms}) each "
    "WHERE {needs}) SELECT rank, lives, folded = {folded}, dungeon, {fields} FROM ranked "
    "WHERE rank <= {most} OR rank = (SELECT min(rank) FROM ranked WHERE folded = {folded}) ORDER BY rank"
)


def read_board(connection: Connection, own: str, question: BoardQuestion) -> HostBoard:
    """Return the lives of the realms that play the campaign of a connection's realm, which is `own`: one statement ranks them all."""
    names = _names(connection, own)
    if len(names) < 2:  # the own one alone
        return HostBoard(names, 0, [], None)
    realms = [
        _OF_REALM.format(
            realm=sql.Literal(name),
            columns=_COLUMNS,
            schema=sql.Identifier(name),
            since=sql.Literal(question.since_s),
        )
        for name in names
    ]
    counts = [sql.SQL(f"{_COUNTS[each]} DESC") for each in question.counts]
    statement = _BOARD.format(
        order=sql.SQL(", ").join([*counts, sql.SQL("at_s, life, dungeon")]),
        realms=sql.SQL(" UNION ALL ").join(realms),
        needs=sql.SQL(f"{_COUNTS[question.needs]} > 0" if question.needs else "true"),
        fields=sql.SQL(", ").join(map(sql.Identifier, _FIELDS)),
        folded=sql.Literal(question.folded),
        most=sql.Literal(LADDER_SHOWN_MAX),
    )
    rows = connection.execute(statement).fetchall()
    lives = [
        (HostLife(row[0], row[3], replace(Death(*row[4:]), won=bool(row[-1]))), bool(row[2])) for row in rows
    ]
    mine = next((life for life, is_own in lives if is_own), None)
    return HostBoard(
        names, rows[0][1] if rows else 0, [life for life, _ in lives if life.rank <= LADDER_SHOWN_MAX], mine
    )


def _names(connection: Connection, own: str) -> list[str]:
    readable = {name for (name,) in connection.execute(_READABLE, (_FIELDS[-2],)).fetchall()}
    shown = [each for each in shown_realms(connection, own) if each.name in readable or each.name == own]
    campaign = next((each.campaign for each in shown if each.name == own), "")
    return [each.name for each in shown if each.campaign == campaign]
