"""From the journal to a living dungeon and back: founding, rebuilding, snapshots, and proof that a replay agrees."""

from collections.abc import Sequence
from importlib.metadata import version
from typing import Final

import msgspec

from gloam_server.content.definitions import Campaign
from gloam_server.storage.journal import Identity, Journal, Record, Snapshot, StorageDamaged, StorageError
from gloam_server.world.dungeon import Applied, Dungeon, Harvest, found, populate
from gloam_server.world.faults import Fault
from gloam_server.world.freeze import state_hash, thaw_level, thaw_realm
from gloam_server.world.inputs import Rules, decode
from gloam_server.world.level import Level
from gloam_server.world.numbers import REALM_PLACE
from gloam_server.world.realm import Realm
from gloam_server.world.version import RULES_VERSION

LIBRARIES: Final = ", ".join(f"{name} {version(name)}" for name in ("numpy", "tcod"))
"""What a replay stands on besides the rules: sight is computed with them, and remembered."""


class RealmMismatch(Exception):
    """The realm in this folder is not the one that was asked for; the text names both and the mend."""


def found_realm(journal: Journal, campaign: Campaign, seed: int, now_s: int) -> Dungeon:
    """Make a new realm: its first snapshots, so that a replay needs no generator, and its creatures."""
    journal.found(Identity(campaign.key, seed, RULES_VERSION, campaign.digest, now_s))
    return _begin(journal, campaign, seed)


def _begin(journal: Journal, campaign: Campaign, seed: int) -> Dungeon:
    dungeon = found(campaign, seed)
    states: list[Realm | Level] = [dungeon.realm, *dungeon.levels.values()]
    for state in states:
        state.rules_version, state.libraries = RULES_VERSION, LIBRARIES
    first = [snapshot(dungeon, place) for place in dungeon.places()]
    populate(dungeon)
    journal.append(records(dungeon.reap().applied), first)
    return dungeon


def require_content(identity: Identity, campaign: Campaign, command: str = "gloam-server upgrade") -> None:
    """Raise RealmMismatch unless a realm goes by these files of its campaign; `command` is what would take them up."""
    if identity.content != campaign.digest:
        raise RealmMismatch(
            f'The campaign "{campaign.key}" has changed since this world was played (content {identity.content[:8]}, now '
            f"{campaign.digest[:8]}); take the change up with `{command}`, which keeps a copy of the world, or run the "
            "version of Gloam that it was played with."
        )


def wake_realm(journal: Journal, campaign: Campaign, identity: Identity) -> Dungeon:
    """Rebuild the dungeon from the newest snapshots and what came after them. Raises RealmMismatch."""
    require_content(identity, campaign)
    if not journal.places():  # founded, and then the plug was pulled
        return _begin(journal, campaign, identity.seed)
    dungeon = _thaw(journal, campaign, identity.seed, oldest=False)
    tail = [place for place in dungeon.places() if journal.last_sequence(place) > dungeon.sequence(place)]
    for place in tail:
        rules, libraries = _made_by(dungeon, place)
        if (rules, libraries) != (RULES_VERSION, LIBRARIES):
            raise RealmMismatch(
                f"The world was not stopped cleanly by rules version {rules} with {libraries}, and this is version "
                f"{RULES_VERSION} with {LIBRARIES}; run Gloam with the former once and stop it with Ctrl-C."
            )
        for record in journal.read(place, dungeon.sequence(place)):
            _replay(dungeon, record)
    return dungeon


def adopt_rules(journal: Journal, dungeon: Dungeon, *, changed: bool = False) -> bool:
    """Journal the present rules where others held, or where the content has `changed`; return whether there was need.

    From there the realm begins anew: no replay comes from before it.
    """
    now = (RULES_VERSION, LIBRARIES)
    if not changed and all(_made_by(dungeon, place) == now for place in dungeon.places()):
        return False
    for place in dungeon.places():
        dungeon.run(place, Rules(*now))
    snapshots = [snapshot(dungeon, place) for place in dungeon.places()]
    journal.adopt(RULES_VERSION, dungeon.campaign.digest, records(dungeon.reap().applied), snapshots)
    return True


def records(applied: Sequence[Applied]) -> list[Record]:
    """Return a beat's inputs as the journal keeps them."""
    return [Record(each.place, each.sequence, each.body, each.state_hash) for each in applied]


def snapshot(dungeon: Dungeon, place: int) -> Snapshot:
    """Return a snapshot of a place as it stands."""
    body = dungeon.freeze(place)
    return Snapshot(place, dungeon.sequence(place), RULES_VERSION, body, state_hash(body))


def firsts(harvest: Harvest) -> list[Snapshot]:
    """Return the first snapshots of levels that came to be in a beat, as they stood before their first input."""
    return [
        Snapshot(place, 0, RULES_VERSION, body, state_hash(body)) for place, body in harvest.opened.items()
    ]


def verify(journal: Journal, campaign: Campaign) -> tuple[int, bytes]:
    """Replay the realm from its oldest snapshots of these rules, comparing every hash on the way.

    Returns how many inputs were replayed and the hash of the whole state. Raises StorageError naming the first place
    and input where the replay and the journal differ.
    """
    identity = journal.identity()
    if identity is None:
        raise StorageError("There is no realm here to verify; start the server once to make one.")
    require_content(identity, campaign)
    dungeon = _thaw(journal, campaign, identity.seed, oldest=True)
    replayed = 0
    for place in dungeon.places():
        kept = {mark.sequence: mark.state_hash for mark in journal.snapshots(place)}
        for record in journal.read(place, dungeon.sequence(place)):
            _replay(dungeon, record)
            replayed += 1
            for expected in (record.state_hash, kept.get(record.sequence)):
                if expected is not None and expected != state_hash(dungeon.freeze(place)):
                    raise StorageError(
                        f"The replay of place {place} differs from the journal at input {record.sequence}: "
                        "the rules have changed without their version, or the file is damaged."
                    )
    return replayed, dungeon.state_hash()


def _made_by(dungeon: Dungeon, place: int) -> tuple[int, str]:
    """Return by which rules, and with which libraries, a place came to its state."""
    state = dungeon.realm if place == REALM_PLACE else dungeon.levels[place]
    return state.rules_version, state.libraries


def _replay(dungeon: Dungeon, record: Record) -> None:
    try:
        input_ = decode(record.body)
    except msgspec.MsgspecError as error:
        raise StorageDamaged(
            f"The record of input {record.sequence} of place {record.place} is damaged; restore the file from a backup."
        ) from error
    try:
        dungeon.replay(record.place, input_)
    except Fault as fault:
        raise StorageError(
            f"Input {record.sequence} of place {record.place} cannot be replayed ({fault}): the rules have changed without "
            "their version; run the version of Gloam that wrote it."
        ) from fault


def _thaw(journal: Journal, campaign: Campaign, seed: int, *, oldest: bool) -> Dungeon:
    levels = {}
    realm = None
    for place in journal.places():
        kept = journal.oldest_snapshot(place) if oldest else None
        if kept is None or kept.rules != RULES_VERSION:  # what other rules led to can only be taken as it is
            kept = journal.latest_snapshot(place)
        if kept is None:
            raise StorageDamaged(
                f"Place {place} of the world has no snapshot; restore the file from a backup."
            )
        if state_hash(kept.body) != kept.state_hash:
            raise StorageDamaged(
                f"The snapshot of place {place} at input {kept.sequence} is damaged; restore the file from a backup."
            )
        try:
            if place == REALM_PLACE:
                realm = thaw_realm(kept.body)
            else:
                levels[place] = thaw_level(kept.body, campaign, seed)
        except msgspec.MsgspecError as error:  # it is what was written: its hash says so
            raise RealmMismatch(
                f"The state of place {place} was written by rules version {kept.rules}, and version {RULES_VERSION} cannot "
                "read it; play on with the version of Gloam that it was played with."
            ) from error
    if realm is None:
        raise StorageDamaged("The world has no realm; restore the file from a backup.")
    return Dungeon(campaign, seed, realm, levels)
