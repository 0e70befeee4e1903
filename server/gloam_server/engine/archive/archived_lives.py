"""From a batch to the rows of archived lives, and from these rows to the input that restores a life."""

from typing import NamedTuple

from gloam_server.content.campaign import Campaign
from gloam_server.storage.archive import NO_CHANGE, ArchiveChange, ArchivedRow
from gloam_server.storage.directory import Directory
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.events import Archived, LifeRestored
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import ArchivedLife, RestoreLife
from gloam_server.world.realm.archived_life import decode_life
from gloam_server.world.realm.realm import Realm, archived_of
from gloam_server.world.transition.content_migration import fit_body
from gloam_server.world.transition.dungeon import Batch


def archive_change(batch: Batch) -> ArchiveChange:
    """Return the effect of a batch on the archive. Journal and rows are written in one transaction."""
    if not batch.archive:
        return NO_CHANGE
    parts = [each for each in batch.archive if isinstance(each, Archived)]
    restored = [each for each in batch.archive if isinstance(each, LifeRestored)]
    return ArchiveChange(
        [ArchivedRow(each.account, each.number, each.partition, each.sequence, each.body) for each in parts],
        [(each.account, each.archived, each.sequence) for each in restored],
    )


class FoundLife(NamedTuple):
    """The input that restores a life, and what was wrong with its rows, each a sentence for the host."""

    input_: RestoreLife
    faults: list[str]


def read_life(directory: Directory, campaign: Campaign, account: int, archived: int) -> FoundLife:
    """Return the life that the realm's record `archived` archived, as the present campaign has it.

    A life that cannot be read is lost, and map memory that cannot be read is left out. Raises StorageError if the database
    cannot be read now.
    """
    rows = directory.archived_life(account, archived)
    life = _life_in(rows, account)
    if isinstance(life, ArchivedLife):
        life = _fitted(campaign, life)
    if not isinstance(life, ArchivedLife):
        lost = (
            f"The archived life of account {account} cannot be read ({life}); its player begins a new life."
        )
        return FoundLife(RestoreLife(account, archived, None), [lost])
    levels = [row for row in rows if row.partition != REALM_PARTITION]
    memory = tuple((row.partition, row.body) for row in levels if row.body)
    faults = [
        f"The archived map memory of account {account} on level {row.partition} is damaged; its player has to explore it again."
        for row in levels
        if not row.body
    ]
    return FoundLife(RestoreLife(account, archived, life, memory), faults)


def archived_bodies(directory: Directory, realm: Realm) -> list[Creature]:
    """Return the bodies of all archived lives that can be read."""
    lives = _lives(directory, realm).values()
    return [life.body for life in lives if isinstance(life, ArchivedLife)]


def lost_lives(directory: Directory, realm: Realm) -> list[int]:
    """Return the accounts with an archived life that cannot be read."""
    return [account for account, life in _lives(directory, realm).items() if isinstance(life, str)]


def _lives(directory: Directory, realm: Realm) -> dict[int, ArchivedLife | str]:
    """Return all archived lives, or why they cannot be read, by account."""
    archived = sorted(archived_of(realm).items())
    return {
        account: _life_in(directory.archived_life(account, record), account) for account, record in archived
    }


def _life_in(rows: list[ArchivedRow], account: int) -> ArchivedLife | str:
    """Return the life in its rows, or why it cannot be read."""
    row = next((row for row in rows if row.partition == REALM_PARTITION), None)
    if row is None:
        return "its row is missing"
    if not row.body:
        return "its row is damaged"
    try:
        life = decode_life(row.body)
    except Exception as error:  # noqa: BLE001  # bytes of any kind: they cost this life at most
        return f"{type(error).__name__}: {error}"
    is_theirs = (life.body.account, life.body.number) == (account, row.life)
    return life if is_theirs else "its row has another life"


def _fitted(campaign: Campaign, life: ArchivedLife) -> ArchivedLife | str:
    """Return a life as the campaign has it, or why it cannot be."""
    unknown = fit_body(campaign, life.body)
    return f"the campaign no longer has {', '.join(unknown)}" if unknown else life
