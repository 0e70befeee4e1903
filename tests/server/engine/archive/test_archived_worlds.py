"""Archived lives of worlds on disk: kills, cuts, damage, other content, and many of them."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from gloam_server.app.config import WORLD_FILE, Config
from gloam_server.app.open_world import open_world
from gloam_server.app.upgrade import upgrade
from gloam_server.app.verify_world import verify_world
from gloam_server.engine.archive.archived_lives import archive_change, read_life
from gloam_server.engine.archive.archiver import AFTER_DAYS, GAP_S
from gloam_server.engine.players import Players
from gloam_server.engine.recovery.replay import RealmMismatch, batch_records, snapshot, verify
from gloam_server.storage.archive import ArchiveChange
from gloam_server.storage.errors import StorageError
from gloam_server.storage.journal import Record
from gloam_server.storage.sql.directory.sql_archive import SqlArchive
from gloam_server.storage.sqlite.database import connect
from gloam_server.storage.sqlite.integrity.checksum_triggers import checksum_all
from gloam_server.storage.store import Store
from gloam_server.world.model.creature import Item
from gloam_server.world.model.inputs import (
    ArchiveLife,
    EnterPlay,
    Leave,
    PlayerAction,
    RestoreLife,
    Turn,
    decode,
)
from gloam_server.world.realm.archived_life import decode_life, encode_life
from gloam_server.world.realm.realm import archived_of
from gloam_shared.protocol.commands import Wait
from support.content.campaigns import arena_files
from support.run.fault_seam import FaultSeam
from support.server.parties import SPACING_MS
from support.server.sim_server import SimServer
from support.storage.writing import write

DAY_S = 86_400
MANY = 300
NOW_S = 1_800_000_000


def served(folder: Path) -> SimServer:
    """Return a server on the world of a folder, with its campaign beside it."""
    files = folder / "arena"
    if not files.exists():
        files.mkdir(parents=True)
        for name, body in arena_files().items():
            (files / name).write_bytes(body)
    config = Config(data=folder, campaign=f"{folder}/arena", seed=7, exact_seed=True, port=0, private=False)
    store, dungeon = open_world(config, NOW_S)
    return SimServer(dungeon.campaign, store=store)


def closed(server: SimServer) -> None:
    """End a server as a kill does, and let go of its file."""
    server.crash()
    server.store.close()


def absent(server: SimServer, name: str = "Anna") -> int:
    """Let a player act three times and leave for a week; return their account."""
    client = server.join(name)
    for _ in range(3):
        client.command(Wait())
        server.advance(SPACING_MS)
    client.leave()
    server.advance(100)
    server.wall_s += AFTER_DAYS * DAY_S + 60
    return client.connection.player


def archived(server: SimServer) -> None:
    """Let another player act until lives have gone."""
    keeper = server.join("Keeper", host="10.9.9.9")
    for _ in range(4):
        keeper.command(Wait())
        server.advance(GAP_S * 1_000 + 50)
    assert archived_of(server.dungeon.realm)
    keeper.leave()
    server.advance(100)


def rows(folder: Path) -> list[tuple[int, int, int | None]]:
    """Return place, sequence and return of all rows."""
    with closing(sqlite3.connect(folder / WORLD_FILE)) as database:
        found = database.execute(
            "SELECT place, sequence, returned FROM archived_lives ORDER BY sequence, place"
        )
        return found.fetchall()


def changed(folder: Path, statement: str, *values: object) -> None:
    """Change rows as a host with a tool does, with right checksums."""
    with closing(connect(folder / WORLD_FILE)) as connection:
        connection.execute(statement, values)
        checksum_all(connection)


def comes_back(folder: Path) -> None:
    """Check that a world is whole, and that Anna returns with what she did."""
    server = served(folder)
    assert verify(server.store, server.campaign)[1] == server.dungeon.state_hash()
    anna = server.join("Anna")
    assert (server.body(anna).actions, server.body(anna).family) == (3, "")
    assert verify(server.store, server.campaign)[1] == server.dungeon.state_hash()
    closed(server)


@pytest.mark.thorough
def test_a_kill_at_any_step_loses_no_life(tmp_path: Path, seam: FaultSeam) -> None:
    """Before, in and after each of both transactions: the world's files at that moment are what a killed server leaves."""
    folder, moments = tmp_path / "world", list[Path]()
    folder.mkdir()
    server = served(folder)
    absent(server)

    def killed(step: str) -> None:
        at = tmp_path / f"{len(moments)}-{step}"
        shutil.copytree(folder, at)
        moments.append(at)

    write_archive, commit = SqlArchive.write_archive, Store.commit

    def in_transaction(self: SqlArchive, change: ArchiveChange) -> None:
        what = ("archive" if change.rows else "") + ("return" if change.returned else "")
        if what:
            killed(f"before-{what}")
        write_archive(self, change)
        if what:
            killed(f"in-{what}")

    def then(self: Store, batch: list[Record], *rest: Any) -> None:
        commit(self, batch, *rest)
        if any(
            isinstance(decode(each.body), ArchiveLife | RestoreLife) for each in batch if not each.partition
        ):
            killed("after")

    with seam.fault(write_archive, in_transaction), seam.fault(commit, then):
        archived(server)
        server.join("Anna")
        closed(server)
    names = [moment.name.partition("-")[2] for moment in moments]
    assert names == ["before-archive", "in-archive", "after", "before-return", "in-return", "after"]
    found = [rows(moment) for moment in moments]
    assert [len(each) for each in found] == [0, 0, 2, 2, 2, 2]
    assert [any(row[2] for row in each) for each in found] == [False] * 5 + [True]
    for moment in moments:
        comes_back(moment)


@pytest.mark.thorough
@pytest.mark.parametrize("of", [ArchiveLife, RestoreLife])
@pytest.mark.parametrize("after", [0, 1])
def test_a_salvage_loses_no_life(tmp_path: Path, of: type[Any], after: int) -> None:
    """A cut before or after each of the two records: the realm's state wins, and the life is there once."""
    server = served(tmp_path)
    account = absent(server)
    archived(server)
    back = server.join("Anna")
    back.command(Wait())
    server.advance(SPACING_MS)
    inputs = [decode(record.body) for record in server.store.journal.read(0, 0)]
    [at] = [number for number, each in enumerate(inputs, 1) if isinstance(each, of)]
    closed(server)
    with closing(sqlite3.connect(tmp_path / WORLD_FILE)) as database:
        database.execute("DELETE FROM snapshots WHERE sequence > 0")
        database.execute("UPDATE journal SET body = x'c1' WHERE place = 0 AND sequence = ?", (at + after,))
        database.commit()

    server = served(tmp_path)
    realm = server.dungeon.realm
    assert realm.sequence == at + after - 1
    goes_on = (of is ArchiveLife and after == 1) or (of is RestoreLife and after == 0)
    assert (account in archived_of(realm)) is goes_on
    assert (account in realm.lives) is not goes_on
    assert bool(rows(tmp_path)) is (goes_on or of is RestoreLife)
    closed(server)
    comes_back(tmp_path)


def test_a_dead_life_does_not_come_from_its_row(tmp_path: Path) -> None:
    """A life that returned and ended has rows until retention; the account's next login does not read them."""
    server = served(tmp_path)
    account = absent(server)
    archived(server)
    anna = server.join("Anna")
    row = next(row for row in rows(tmp_path) if not row[0])
    body = server.body(anna)
    server.put("ogre", body.cell)
    for _ in range(400):
        anna.command(Wait())
        server.advance(SPACING_MS)
        if account in server.dungeon.realm.fallen:
            break
    assert account in server.dungeon.realm.fallen
    anna.begin_again()
    server.advance(200)
    assert server.body(anna).family == "Anna II"
    found = read_life(server.store.directory, server.campaign, account, row[1])
    server.engine.loop.submit(0, found.input_)
    server.advance(100)
    assert server.body(anna).family == "Anna II"
    closed(server)


def test_other_content_adapts_the_body(tmp_path: Path) -> None:
    """An upgrade of the campaign while a player is away: an item has fewer bites than when the life was archived."""
    server = served(tmp_path)
    account = absent(server)
    archived(server)
    closed(server)
    with_item(tmp_path, account, "apple", bites=9)
    server = served(tmp_path)
    anna = server.join("Anna")
    [item] = [item for item in server.body(anna).carried if item.number == 99]
    assert item.bites == server.campaign.items["apple"].bites < 9
    assert verify(server.store, server.campaign)[1] == server.dungeon.state_hash()
    closed(server)


def with_item(folder: Path, account: int, kind: str, bites: int = 0) -> None:
    """Give an archived body an item, in its row."""
    server = served(folder)
    rows = server.store.directory.archived_life(account, archived_of(server.dungeon.realm)[account])
    closed(server)
    life = decode_life(rows[0].body)
    life.body.slots[life.body.slots.index(None)] = Item(99, kind, kind, "white", bites)
    changed(folder, "UPDATE archived_lives SET body = ? WHERE place = 0", encode_life(life))


def test_an_upgrade_looks_at_archived_lives(tmp_path: Path) -> None:
    """A campaign without an item that an archived body has is refused, as for any other body."""
    server = served(tmp_path)
    account = absent(server)
    archived(server)
    closed(server)
    with_item(tmp_path, account, "crown")
    path = tmp_path / "arena" / "creatures.toml"
    path.write_bytes(path.read_bytes().replace(b"hp = 6", b"hp = 7"))
    with pytest.raises(RealmMismatch, match=r'the item "crown" \(1, with Anna\)'):
        upgrade(tmp_path / WORLD_FILE, f"{tmp_path}/arena", NOW_S)


@pytest.mark.parametrize("body", [b"", b"\xc1", b"\x80", b"\x84\xa4body\x01", b"not compressed"])
def test_rows_of_any_bytes_cost_one_life(tmp_path: Path, body: bytes) -> None:
    """`verify` names the life, and its player begins the next one."""
    server = served(tmp_path)
    account = absent(server)
    archived(server)
    closed(server)
    changed(tmp_path, "UPDATE archived_lives SET body = ? WHERE place = 0", body)
    with pytest.raises(StorageError, match=f"1 archived lives cannot be read, of the accounts {account}"):
        verify_world(tmp_path / WORLD_FILE, f"{tmp_path}/arena")
    server = served(tmp_path)
    anna = server.join("Anna")
    assert server.body(anna).family == "Anna II"
    assert verify(server.store, server.campaign)[1] == server.dungeon.state_hash()
    closed(server)


def test_damaged_map_memory_costs_that_map_alone(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    server = served(tmp_path)
    account = absent(server)
    archived(server)
    closed(server)
    with closing(sqlite3.connect(tmp_path / WORLD_FILE)) as database:
        database.execute("UPDATE archived_lives SET body = x'8201' WHERE place = 1")
        database.commit()
    server = served(tmp_path)
    anna = server.join("Anna")
    assert (server.body(anna).actions, server.body(anna).family) == (3, "")
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == [
        f"The archived map memory of account {account} on level 1 is damaged; its player has to explore it again."
    ]
    closed(server)


@pytest.mark.thorough
@pytest.mark.rule("A85")
def test_many_archived_lives_cost_a_start_nothing(tmp_path: Path) -> None:
    """At most 16 bytes for a life. The snapshots, the players and the replayed inputs are as in a world without them."""
    server = served(tmp_path)
    dungeon, store = server.dungeon, server.store
    empty = [len(dungeon.serialize(partition)) for partition in dungeon.partitions()]
    for at in range(MANY):
        account = store.directory.create_account(f"Player{at}", b"t", NOW_S).number
        dungeon.apply_input(0, EnterPlay(account, f"Player{at}"))
        number = dungeon.realm.lives[account].number
        dungeon.apply_input(1, Turn((PlayerAction(number, 1, Wait()),)))
        dungeon.apply_input(1, Leave(number))
    full = [len(dungeon.serialize(partition)) for partition in dungeon.partitions()]
    for account in list(dungeon.realm.lives):
        dungeon.apply_input(0, ArchiveLife(account))
    batch = dungeon.take_batch()
    taken = [snapshot(dungeon, partition) for partition in dungeon.partitions()]
    write(store, batch_records(dungeon, batch.applied), taken, archive=archive_change(batch))
    sizes = [len(each.body) for each in taken]
    assert sum(full) - sum(empty) > MANY * 1_000
    assert sizes[0] - empty[0] <= MANY * 16
    assert not dungeon.levels[1].memory
    assert len(rows(tmp_path)) == 2 * MANY
    closed(server)

    server = served(tmp_path)
    assert len(archived_of(server.dungeon.realm)) == MANY
    assert not Players(server.dungeon).names()
    closed(server)
