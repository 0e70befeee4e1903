"""Upgrading a realm to another version of its campaign: checked, backed up, and reported in lines."""

import time
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

from gloam_server.app.campaign_files import pack, read_files, unpack
from gloam_server.app.open_world import claim_world
from gloam_server.content.campaign import Campaign
from gloam_server.content.content_changes import describe_changes
from gloam_server.content.loader import CampaignError, load
from gloam_server.engine.archive.archived_lives import archived_bodies
from gloam_server.engine.recovery.replay import RealmMismatch, adopt_rules_version, load_realm
from gloam_server.storage.directory import WorldIdentity
from gloam_server.storage.errors import StorageError
from gloam_server.storage.open_store import file_store, open_store
from gloam_server.storage.store import Store
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.transition.content_migration import incompatibilities, migrate_content, name_kinds
from gloam_server.world.transition.dungeon import Dungeon
from gloam_server.world.transition.serialization import deserialize_level
from gloam_server.world.transition.unseen_levels import remake_unseen

_NAMED_MAX: Final = 5
_UNKNOWN: Final = "the former files are not stored, so the changes are unknown"


class Upgraded(NamedTuple):
    """The result of an upgrade: the lines of changes, and the path of the former world's copy.

    None without changes.
    """

    changes: list[str]
    copy: Path | None


def upgrade(world: Path, name: str | None, now_s: int) -> Upgraded:
    """Make the realm in a file use its campaign's present files; `name` is their folder, if they have one.

    Raises CampaignError, RealmMismatch or StorageError with one sentence, and then changes nothing.
    """
    store = open_store(world, make=False)
    try:
        identity = store.directory.identity()
        if identity is None:
            raise StorageError("There is no realm here to upgrade; start the server once to make one.")
        files = read_files(name or identity.campaign)
        campaign = _of_the_same_key(load(files), identity)
        if identity.content == campaign.digest:
            return Upgraded([], None)
        old = _stored_campaign(store, identity)
        dungeon = _under(campaign, _woken(store, identity, old, campaign))
        name_kinds(dungeon)
        _require_fit(dungeon, archived_bodies(store.directory, dungeon.realm))
        remade = range(0) if old is None else remake_unseen(dungeon, old)
        migrate_content(dungeon)
        stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime(now_s))
        copy = file_store(world).keep_former("before", stamp)
        claim_world(store, dungeon, now_s)
        store.directory.keep_content(campaign.digest, pack(files))
        adopt_rules_version(store, dungeon, changed=True)
        changes = describe_changes(old, campaign) if old else [_UNKNOWN]
        lines = [*changes, *_of_depths(dungeon), *_of_remade(remade)]
    except (CampaignError, RealmMismatch):
        store.put_back()
        raise
    finally:
        store.close()
    return Upgraded(lines, copy)


def _of_the_same_key(campaign: Campaign, identity: WorldIdentity) -> Campaign:
    if identity.campaign != campaign.key:
        raise RealmMismatch(
            f'The world is campaign "{identity.campaign}", and an upgrade needs another version of it, not '
            f'"{campaign.key}"; name its folder with --campaign.'
        )
    return campaign


def _stored_campaign(store: Store, identity: WorldIdentity) -> Campaign | None:
    packed = store.directory.content(identity.content)
    return unpack(packed) if packed is not None else None


def _woken(store: Store, identity: WorldIdentity, old: Campaign | None, new: Campaign) -> Dungeon:
    """Return the dungeon under its stored content, replayed if it was not stopped cleanly."""
    if old is not None:
        return load_realm(store, old, identity)
    for partition in store.partitions():
        newest = store.snapshots.marks(partition)[:1]
        if not newest or newest[0].sequence < store.journal.last_sequence(partition):
            raise RealmMismatch(
                f"The world was not stopped cleanly, and its content {identity.content[:8]} is not kept in it; run the "
                "version of Gloam that it was played with once, stop it with Ctrl-C, and give this command again."
            )
    return load_realm(store, new, replace(identity, content=new.digest))


def _under(campaign: Campaign, dungeon: Dungeon) -> Dungeon:
    """Return a dungeon with the same state under another version of its campaign."""
    levels = {
        partition: deserialize_level(dungeon.serialize(partition), campaign, dungeon.seed)
        for partition in dungeon.partitions()
        if partition != REALM_PARTITION
    }
    return Dungeon(campaign, dungeon.seed, dungeon.realm, levels, closed=dungeon.closed)


def _of_depths(dungeon: Dungeon) -> list[str]:
    depths = max(level.depth for level in dungeon.levels.values())
    if depths == dungeon.campaign.depths:
        return []
    return [f"the dungeon keeps its {depths} depths; further rounds have {dungeon.campaign.depths}"]


def _of_remade(levels: range) -> list[str]:
    if not levels:
        return []
    return [f"depths {levels[0]} to {levels[-1]}, which no player has seen, are made again with drawn rooms"]


def _require_fit(dungeon: Dungeon, archived: list[Creature]) -> None:
    lacking = incompatibilities(dungeon, archived)
    if lacking:
        more = f", and {len(lacking) - _NAMED_MAX} more" if len(lacking) > _NAMED_MAX else ""
        raise RealmMismatch(
            f"The world holds what the campaign no longer has: {', '.join(lacking[:_NAMED_MAX])}{more}. "
            "Put it back into the campaign's files, or play on with the version of Gloam that has it."
        )
