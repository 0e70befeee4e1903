"""Opening a world: a new or a known one, salvaged if its file is damaged, and claimed, which fences every other server."""

import logging
import secrets
import shlex
import time
from typing import Final

from gloam_server.app.campaign_files import pack, read_campaign, read_files
from gloam_server.app.config import DEFAULT_CAMPAIGN, WORLD_FILE, Config, ConfigError
from gloam_server.content.campaign import Campaign
from gloam_server.content.loader import digest
from gloam_server.engine.recovery import replay
from gloam_server.engine.recovery.snapshot_repair import repair_snapshots
from gloam_server.storage.directory import WorldIdentity
from gloam_server.storage.errors import NoLeader, StorageDamaged, StorageError
from gloam_server.storage.journal import WriterClaim
from gloam_server.storage.open_store import file_store, open_store
from gloam_server.storage.store import Store
from gloam_server.world.transition.dungeon import Dungeon
from gloam_server.world.transition.serialization import state_hash
from gloam_server.world.transition.version import RULES_VERSION

ADDRESS_FILE: Final = "private.json"
SECRET_BITS: Final = 128
NUMBER_BITS: Final = 64
"""A world's seed: the host's number in its lowest bits, and above it a secret, which no player can find by trying all."""

_ELECTION_S: Final = 30.0
"""Three times as long as an election usually takes: after a power cut all processes of a machine start together."""
_AGAIN_S: Final = 0.2
_log: Final = logging.getLogger(__name__)


def open_world(config: Config, now_s: int, known: Dungeon | None = None) -> tuple[Store, Dungeon]:
    """Return the store and the dungeon of a data folder, created if needed; `known` is a standby's, which is a little behind at most.

    Raises ConfigError, CampaignError, RealmMismatch or StorageError, each one sentence for a person.
    """
    if config.store is None and not file_store(config.data / WORLD_FILE).exists():
        read_campaign(config.campaign or DEFAULT_CAMPAIGN)  # a mistake in it leaves nothing behind
    elif config.store is not None and config.campaign is not None:
        read_campaign(config.campaign)  # as above; without a name, only the realm knows its campaign
    try:
        config.data.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(
            f"The data folder {config.data} cannot be made: {error.strerror}; name another with --data."
        ) from error
    try:
        return _open(config, now_s, known)
    except StorageDamaged as damage:
        if config.store is not None:
            raise
        stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime(now_s))
        saved = file_store(config.data / WORLD_FILE).salvage(stamp, state_hash)
        _log.error(
            "%s The damaged file is kept as %s; %d inputs of it were kept, and at least %d after them are lost.",
            damage,
            saved.kept_aside,
            saved.records,
            saved.lost,
        )
        return _open(config, now_s)


def open_after_election(config: Config, now_s: int) -> tuple[Store, Dungeon]:
    """Open a world, as `open_world` does; as long as the servers of its store elect a leader, ask again. Blocks for up to 30 s."""
    until_s, has_told = time.monotonic() + _ELECTION_S, False
    while True:
        try:
            return open_world(config, now_s)
        except NoLeader as error:
            if time.monotonic() >= until_s:
                raise
            if not has_told:
                _log.warning("%s It is asked again for %.0f s.", error, _ELECTION_S)
            has_told = True
        time.sleep(_AGAIN_S)


def _open(config: Config, now_s: int, known: Dungeon | None = None) -> tuple[Store, Dungeon]:
    world = file_store(config.data / WORLD_FILE) if config.store is None else None
    damage = world.damage() if world is not None else None
    store = open_store(config.world, take_over=config.take_over, terms=config.terms)
    if world is not None and damage is not None:
        _log.error("The world %s is damaged: %s.", world.path, damage)
    try:
        (config.data / ADDRESS_FILE).unlink(missing_ok=True)  # of a server that was killed
        dungeon = _enter_world(config, store, now_s, known)
        claim_world(store, dungeon, now_s)
        if dungeon is not known:  # one that was followed needed no snapshot; the next start looks at them
            repair_snapshots(store, dungeon, world, now_s)
        if replay.adopt_rules_version(store, dungeon):
            _log.info("the rules of this world are now version %d", dungeon.realm.rules_version)
        if store.file is not None and store.file.former is not None:
            _log.info("the world's tables are updated; a copy of the old ones is %s", store.file.former)
        return store, dungeon
    except replay.RealmMismatch:
        store.put_back()
        raise
    except BaseException:
        store.close()
        raise


def read_dungeon(store: Store, campaign_folder: str | None) -> Dungeon | None:
    """Return the dungeon of a world that another server plays, None if it has none yet. Raises as `open_world` does."""
    identity = store.directory.identity()
    if identity is None or not store.partitions():
        return None
    return replay.load_realm(store, read_campaign(campaign_folder or identity.campaign), identity)


def _enter_world(config: Config, store: Store, now_s: int, known: Dungeon | None) -> Dungeon:
    identity = store.directory.identity()
    name = config.campaign or (identity.campaign if identity else DEFAULT_CAMPAIGN)
    files = read_files(name)
    is_known = known is not None and known.campaign.digest == digest(files)
    campaign = known.campaign if known is not None and is_known else read_campaign(name)
    if identity is None:
        dungeon = replay.create_world(
            store, campaign, seed_of_a_new_world(config.seed, exact=config.exact_seed), now_s
        )
        store.directory.keep_content(campaign.digest, pack(files))
        return dungeon
    _require_identity(config, campaign, identity)
    folder = (
        f" --campaign {shlex.quote(config.campaign)}" if config.campaign and "/" in config.campaign else ""
    )
    upgrade = f"gloam-server upgrade --data {shlex.quote(str(config.data))}{folder}"
    replay.require_content(
        identity,
        campaign,
        upgrade
        if config.store is None
        else "gloam-server export`, `gloam-server upgrade` and `gloam-server import",
    )
    current = known is not None and is_known and replay.catch_up(store, known)
    dungeon = known if known is not None and current else replay.load_realm(store, campaign, identity)
    if store.directory.content(campaign.digest) is None:
        store.directory.keep_content(campaign.digest, pack(files))
    return dungeon


def seed_of_a_new_world(seed: int | None, *, exact: bool) -> int:
    """Return the host's seed combined with a secret: otherwise an attacker could try all small seeds offline."""
    number = seed if seed is not None else secrets.randbits(62)
    return number if exact else secrets.randbits(SECRET_BITS) << NUMBER_BITS | number


def _require_identity(config: Config, campaign: Campaign, identity: WorldIdentity) -> None:
    """Raise RealmMismatch if the requested campaign or seed differs from the world's."""
    number = identity.seed & ((1 << NUMBER_BITS) - 1)
    differ = [
        (f"--{option}", f"{option} {has}", f"{option} {asked}")
        for option, has, asked in (
            ("campaign", f'"{identity.campaign}"', f'"{campaign.key}"'),
            ("seed", number, number if config.seed is None else config.seed),
        )
        if asked != has
    ]
    if differ:
        options, has, asked = (" and ".join(words) for words in zip(*differ, strict=True))
        were = "was" if len(differ) == 1 else "were"
        raise replay.RealmMismatch(
            f"{config.world_name} has {has}, but {asked} {were} asked for; "
            f"leave out {options}, or name another {'folder with --data' if config.store is None else 'realm in --store'}."
        )


def claim_world(store: Store, dungeon: Dungeon, now_s: int) -> None:
    """Claim a world for the dungeon that was loaded from it.

    Raises StorageError when another server wrote meanwhile.
    """
    shortfall = store.journal.claim(
        WriterClaim(RULES_VERSION, dungeon.campaign.digest, now_s, replay.LIBRARIES)
    )
    if shortfall is not None:
        _log.error(
            "%d inputs are missing that were on disk at %s: the disk lost confirmed writes. "
            "The world continues from before them; nothing is duplicated. "
            "Accounts, passwords, invites, bans and reports of that time may be missing, too.",
            shortfall.inputs,
            time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(shortfall.at_s)),
        )
    if any(
        store.journal.last_sequence(partition) != dungeon.sequence(partition)
        for partition in dungeon.partitions()
    ):
        raise StorageError(
            "Another server was still writing to this world; it can write no more now, so start this server again."
        )
