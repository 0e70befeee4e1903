"""A world's file, which may be open in a server: what the commands of the host do with it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gloam_server.storage.directory import Directory
from gloam_server.storage.sqlite.database import Connections
from gloam_server.storage.sqlite.file_access import is_there
from gloam_server.storage.sqlite.integrity.checksums import check_all
from gloam_server.storage.sqlite.recovery.salvage import salvage
from gloam_server.storage.sqlite.sqlite_directory import SqliteDirectory
from gloam_server.storage.sqlite.transactions import Transactions
from gloam_server.storage.sqlite.world_file.backup import backup, keep_former, restore
from gloam_server.storage.sqlite.world_file.inspection import describe_refusal, require_up_to_date
from gloam_server.storage.sqlite.world_file.replacement import require_finished
from gloam_server.storage.sqlite.world_file.version_check import refuse_newer
from gloam_server.storage.sqlite.world_file.wal_damage import find_wal_damage
from gloam_server.storage.store import HashOf, SalvageReport


class SqliteFile:
    """The implementation of `FileStore`."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def exists(self) -> bool:
        """Return whether the file exists, in any state."""
        return is_there(self.path)

    def damage(self) -> str | None:
        """Return the damage of the write-ahead log, which SQLite would hide, as a clause, or None."""
        return find_wal_damage(self.path)

    def check(self, hash_of: HashOf) -> list[str]:
        """Return the damage of the rows, each fault a sentence."""
        return check_all(self.path, hash_of)

    def salvage(self, stamp: str, hash_of: HashOf) -> SalvageReport:
        """Make a new world from the readable parts of this damaged one."""
        return salvage(self.path, stamp, hash_of)

    def backup(self, copy: Path) -> int:
        """Write a complete copy of the world at this moment, and return its size in bytes."""
        return backup(self.path, copy)

    def keep_former(self, word: str, stamp: str) -> Path:
        """Keep a copy in the world's folder, under a name with a word and a time."""
        return keep_former(self.path, word, stamp).path

    def restore(self, copy: Path) -> None:
        """Restore a backup into the folder of this world, which has none."""
        restore(copy, self.path)

    @contextmanager
    def accounts(self) -> Iterator[Directory]:
        """Yield the directory of a world that may be open in a server: no lease is taken, and no table is changed.

        Raises StorageError when the world's tables are of another version.
        """
        require_finished(self.path)
        require_up_to_date(self.path)
        refuse_newer(self.path)
        connections = Connections(self.path)
        connections.seal()
        try:
            yield SqliteDirectory(Transactions(connections, lambda error: describe_refusal(self.path, error)))
        finally:
            connections.close()
