"""Files of worlds whose tables are of an older version."""

from contextlib import closing
from pathlib import Path

from gloam_server.storage.sqlite import migrations
from gloam_server.storage.sqlite.database import connect


def make_old_world(path: Path, version: str, *statements: str) -> None:
    """Make a file with the tables of a version, and fill it."""
    with closing(connect(path, mode="rwc")) as connection:
        connection.execute("BEGIN")
        migrations.upgrade(connection, version)
        for statement in statements:
            connection.execute(statement)
        connection.execute("COMMIT")
