"""`gloam-server verify`: checks every file and row of a world, and every hash and digest by a replay."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

from gloam_server.app.campaign_files import read_campaign
from gloam_server.app.config import WORLD_FILE
from gloam_server.engine.recovery.replay import verify
from gloam_server.storage.journal import StorageError
from gloam_server.storage.sqlite.integrity.checksums import check_all
from gloam_server.storage.sqlite.sqlite_journal import open_realm
from gloam_server.storage.sqlite.world_file.backup import restore
from gloam_server.storage.sqlite.world_file.wal_damage import find_wal_damage
from gloam_server.world.transition.serialization import state_hash


def verify_world(world: Path, campaign: str | None) -> tuple[int, bytes]:
    """Return the number of replayed inputs of a world, and the hash of the whole state.

    Raises StorageError, RealmMismatch or CampaignError with the name of what is damaged.
    """
    found = [damage] if (damage := find_wal_damage(world)) else []
    journal = open_realm(world, make=False, older=False)
    try:
        identity = journal.identity()
        if identity is None:
            raise StorageError(f"The world {world} was never finished; start the server once.")
        lacking = journal.lacking()
        if lacking is not None:
            found.append(
                f"{lacking.inputs} inputs are missing that were on disk, and perhaps accounts, passwords and bans of that time"
            )
        found += check_all(world, state_hash)
        if found:
            raise StorageError(
                f"The world {world} is damaged: {'; '.join(found)}. Start the server, which repairs what it can, or restore a "
                "backup with `gloam-server restore`."
            )
        return verify(journal, read_campaign(campaign or identity.campaign))
    finally:
        journal.close()


def verify_backup(backup: Path, campaign: str | None) -> tuple[int, bytes]:
    """Return the same for a backup. A copy is opened, so that the file stays as it is."""
    with TemporaryDirectory() as folder:
        world = Path(folder) / WORLD_FILE
        try:
            restore(backup, world)
            return verify_world(world, campaign)
        except StorageError as error:
            raise StorageError(str(error).replace(os.fspath(world), os.fspath(backup))) from error
