"""`gloam-server verify`: checks every file and row of a world, and every hash and digest by a replay."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

from gloam_server.app.campaign_files import read_campaign
from gloam_server.app.config import WORLD_FILE
from gloam_server.engine.recovery.replay import verify
from gloam_server.storage.errors import StorageError
from gloam_server.storage.open_store import file_store, open_store
from gloam_server.world.transition.serialization import state_hash


def verify_world(world: Path, campaign: str | None) -> tuple[int, bytes]:
    """Return the number of replayed inputs of a world, and the hash of the whole state.

    Raises StorageError, RealmMismatch or CampaignError with the name of what is damaged.
    """
    file = file_store(world)
    found = [damage] if (damage := file.damage()) else []
    store = open_store(world, make=False, older=False)
    try:
        identity = store.directory.identity()
        if identity is None:
            raise StorageError(f"The world {world} was never finished; start the server once.")
        lacking = store.file.lacking() if store.file is not None else None
        if lacking is not None:
            found.append(
                f"{lacking.inputs} inputs are missing that were on disk, and perhaps accounts, passwords and bans of that time"
            )
        found += file.check(state_hash)
        if found:
            raise StorageError(
                f"The world {world} is damaged: {'; '.join(found)}. Start the server, which repairs what it can, or restore a "
                "backup with `gloam-server restore`."
            )
        return verify(store, read_campaign(campaign or identity.campaign))
    finally:
        store.close()


def verify_backup(backup: Path, campaign: str | None) -> tuple[int, bytes]:
    """Return the same for a backup. A copy is opened, so that the file stays as it is."""
    with TemporaryDirectory() as folder:
        world = Path(folder) / WORLD_FILE
        try:
            file_store(world).restore(backup)
            return verify_world(world, campaign)
        except StorageError as error:
            raise StorageError(str(error).replace(os.fspath(world), os.fspath(backup))) from error
