"""Claiming a world: its one server fences every other, and reports what the disk has lost."""

import logging
import time
from typing import Final

from gloam_server.engine.recovery.replay import LIBRARIES
from gloam_server.storage.errors import StorageError
from gloam_server.storage.journal import WriterClaim
from gloam_server.storage.store import Store
from gloam_server.world.transition.dungeon import Dungeon
from gloam_server.world.transition.version import RULES_VERSION

_log: Final = logging.getLogger(__name__)


def claim_world(store: Store, dungeon: Dungeon, now_s: int) -> None:
    """Claim a world for the dungeon that was loaded from it.

    Raises StorageError when another server wrote meanwhile.
    """
    shortfall = store.journal.claim(WriterClaim(RULES_VERSION, dungeon.campaign.digest, now_s, LIBRARIES))
    if shortfall is not None:
        _log.error(
            "%d inputs are missing that were on disk at %s: the disk lost confirmed writes. "
            "The world continues from before them; nothing is duplicated. "
            "Accounts, passwords, invites, bans and reports of that time may be missing, too.",
            shortfall.inputs,
            time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(shortfall.at_s)),
        )
    if any(store.journal.last_sequence(place) != dungeon.sequence(place) for place in dungeon.partitions()):
        raise StorageError(
            "Another server was still writing to this world; it can write no more now, so start this server again."
        )
