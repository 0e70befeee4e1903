"""Steps that bring a world's tables up to date.

They are inside the package, so that an installed server has them.
"""

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from gloam_server.storage.sqlite.integrity.checksum_triggers import checksum_all


def upgrade(connection: Connection) -> None:
    """Run every missing step on a database and write its checksums, inside the caller's transaction."""
    command.upgrade(config(connection), "head")
    checksum_all(connection)


def known_versions() -> set[str]:
    """Return the versions that this server can bring up to date."""
    return {step.revision for step in ScriptDirectory.from_config(config()).walk_revisions()}


def config(connection: Connection | None = None) -> Config:
    """Return Alembic's settings; there is no alembic.ini."""
    settings = Config(attributes={"connection": connection})
    settings.set_main_option("script_location", str(_HERE))
    settings.set_main_option("path_separator", "os")
    return settings


_HERE: Final = Path(__file__).parent
