"""Founding of realms for tests: many tests begin with the same realm, and to make one takes half a second."""

from typing import Final

from gloam_server.app.open_world import claim_world
from gloam_server.content.campaign import Campaign
from gloam_server.engine.recovery.replay import create_world, load_realm
from gloam_server.storage.store import Store
from gloam_server.world.transition.dungeon import Dungeon
from support.storage.memory_store import Disk, MemoryStore

_FOUNDED: Final[dict[tuple[int, int], tuple[Campaign, Disk]]] = {}
"""The disks of the realms that were made in this process, by the campaign as an object, and the seed."""


def open_realm(store: Store, campaign: Campaign, seed: int) -> Dungeon:
    """Load the journal's realm, or make a new one in an empty journal, and claim it."""
    identity = store.directory.identity()
    dungeon = _found(store, campaign, seed) if identity is None else load_realm(store, campaign, identity)
    claim_world(store, dungeon, 0)
    return dungeon


def _found(store: Store, campaign: Campaign, seed: int) -> Dungeon:
    """Return a new realm in an empty store.

    Where this process has made the same one in memory before, the store takes that disk and opens it: a quarter of the time.
    """
    if type(store) is not MemoryStore:
        return create_world(store, campaign, seed, 0)
    key = id(campaign), seed
    if key not in _FOUNDED:
        dungeon = create_world(store, campaign, seed, 0)
        _FOUNDED[key] = campaign, store.disk()
        return dungeon
    store.take_back(_FOUNDED[key][1])
    identity = store.directory.identity()
    assert identity is not None
    return load_realm(store, campaign, identity)
