"""The directory in SQLite: the shared statements, and the checksums of rows."""

from collections.abc import Sequence
from typing import Any

from gloam_server.storage.sql.directory.sql_directory import SqlDirectory
from gloam_server.storage.sqlite.integrity.checksums import crc_of


class SqliteDirectory(SqlDirectory):
    """The implementation of `Directory` on tables that are up to date, in which triggers write each row's checksum."""

    def is_intact(self, values: Sequence[Any], crc: int) -> bool:
        """Return whether a row has its checksum."""
        return crc_of(*values) == crc
