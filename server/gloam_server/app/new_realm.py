"""A new realm of a cluster, made without serving it."""

from dataclasses import dataclass

from gloam_server.app.campaign_files import pack, read_files
from gloam_server.app.config import DEFAULT_CAMPAIGN
from gloam_server.app.open_world import claim_world, seed_of_a_new_world
from gloam_server.content.loader import load
from gloam_server.engine.recovery import replay
from gloam_server.storage.errors import StorageError
from gloam_server.storage.open_store import open_store
from gloam_server.storage.realms import Realms


@dataclass(frozen=True, slots=True)
class NewRealm:
    """The options of a new realm, as `run` has them; `port` is the one at which workers serve it, None for the next that is free."""

    name: str
    campaign: str | None
    seed: int | None
    exact_seed: bool
    port: int | None


def create_realm(realms: Realms, new: NewRealm, now_s: int) -> int:
    """Make a realm with its dungeon, and return its port.

    Raises CampaignError, NoDungeon or StorageError, each one sentence for a person; nothing of the realm is left then.
    """
    address = realms.address(new.name)
    files = read_files(new.campaign or DEFAULT_CAMPAIGN)
    campaign = load(files)
    if any(each.name == new.name for each in realms.reports()):
        raise _exists(new.name)
    store = open_store(address)
    try:
        if store.directory.identity() is not None:  # another command was quicker
            raise _exists(new.name)
        try:
            port = realms.assign_port(new.name, new.port)
            dungeon = replay.create_world(
                store, campaign, seed_of_a_new_world(new.seed, exact=new.exact_seed), now_s
            )
            store.directory.keep_content(campaign.digest, pack(files))
            claim_world(store, dungeon, now_s)
        except BaseException:
            realms.erase(new.name)
            raise
    finally:
        store.close()
    return port


def _exists(name: str) -> StorageError:
    return StorageError(f"The realm {name} exists already; name another, or retire that one.")
