"""A world's file that is damaged: named, kept aside, and gone on from the last moment that is whole on all levels."""

import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest
from msgspec.structs import replace

from gloam_server.app import config as settings
from gloam_server.app.config import WORLD_FILE
from gloam_server.app.open_world import open_world
from gloam_server.engine.recovery.replay import records, snapshot, verify
from gloam_server.storage.errors import StorageError
from gloam_server.storage.open_store import open_store
from gloam_server.storage.sqlite.recovery.salvage import salvage
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import EnterPlay, UnattendedTurn
from gloam_server.world.transition.serialization import state_hash
from support.content.campaigns import arena_files
from support.storage.writing import write

BEATS = 70


@pytest.fixture(scope="module")
def lived_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a world of some seventy beats on both its levels, its campaign beside it."""
    folder = tmp_path_factory.mktemp("lived")
    (folder / "arena").mkdir()
    for name, body in arena_files(monsters=4).items():
        (folder / "arena" / name).write_bytes(body)
    store, dungeon = open_world(config(folder), 1_000)
    for beat in range(BEATS):
        if beat == 3:
            dungeon.apply_input(REALM_PARTITION, EnterPlay(1, "Ann"))
        for partition in dungeon.levels:
            dungeon.apply_input(partition, UnattendedTurn())
        kept = [snapshot(dungeon, partition) for partition in dungeon.partitions()] if beat % 20 == 19 else []
        write(store, records(dungeon.take_batch().applied), kept)
    store.close()
    return folder


def config(folder: Path) -> settings.Config:
    said = {"campaign": f"{folder}/arena", "seed": 1, "port": 0}
    return replace(settings.resolve(folder / "data", said, private=False), exact_seed=True)


def copy_of(lived_in: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "copy"
    shutil.copytree(lived_in, folder)
    return folder


def state(folder: Path) -> tuple[bytes, int]:
    """Return the state of the world that opens in a folder, and how many inputs its levels have had."""
    store, dungeon = open_world(config(folder), 2_000)
    _, replayed = verify(store, dungeon.campaign)
    assert replayed == dungeon.state_hash(), "a replay leads elsewhere"
    store.close()
    return replayed, sum(dungeon.sequence(partition) for partition in dungeon.partitions())


def flip(path: Path, at: int, count: int = 64) -> None:
    body = bytearray(path.read_bytes())
    for offset in range(at, min(at + count, len(body))):
        body[offset] ^= 0x55
    path.write_bytes(body)


@pytest.mark.thorough
def test_flipped_page_anywhere_leaves_world_opens(lived_in: Path, tmp_path: Path) -> None:
    """A flipped page anywhere leaves a world that opens and replays."""
    size = (lived_in / "data" / WORLD_FILE).stat().st_size
    whole, inputs = state(copy_of(lived_in, tmp_path / "whole"))
    pages = range(4_096, size, 3 * 4_096)
    unreadable = 0
    for at in pages:
        folder = copy_of(lived_in, tmp_path / str(at))
        flip(folder / "data" / WORLD_FILE, at, 4_096)
        try:
            found, had = state(folder)
        except StorageError:
            unreadable += 1
            continue
        assert 0 < had <= inputs
        assert (found == whole) == (had == inputs)
    assert unreadable * 2 <= len(pages), "most damage leaves something to go on from"


@pytest.mark.rule("A70")
def test_one_changed_bit_ends_the_record(lived_in: Path, tmp_path: Path) -> None:
    """One bit of a record that was changed is noticed, and nothing after it is trusted."""
    folder = copy_of(lived_in, tmp_path)
    with closing(sqlite3.connect(folder / "data" / WORLD_FILE)) as connection:
        [(body, beat)] = connection.execute(
            "SELECT body, beat FROM journal WHERE place = 0 ORDER BY sequence DESC LIMIT 1"
        )
        connection.execute("DELETE FROM snapshots WHERE place = 0 AND sequence > 0")
        changed = bytes([body[0], body[1], body[2] ^ 1, *body[3:]])
        connection.execute("UPDATE journal SET body = ? WHERE place = 0 AND beat = ?", (changed, beat))
        connection.commit()
    store, dungeon = open_world(config(folder), 2_000)

    assert not dungeon.realm.lives, "a damaged record was believed"
    assert all(dungeon.sequence(partition) < BEATS for partition in dungeon.levels)
    store.close()
    assert list((folder / "data").glob("world.damaged-*"))


def test_damaged_world_kept_aside_under_name(lived_in: Path, tmp_path: Path) -> None:
    """A damaged world is kept aside under a name that tells when."""
    folder = copy_of(lived_in, tmp_path)
    world = folder / "data" / WORLD_FILE
    saved = salvage(world, "20261121-120000", state_hash)
    assert saved.kept_aside.name == "world.damaged-20261121-120000.sqlite3"
    assert saved.kept_aside.is_file()
    assert saved.lost == 0
    assert saved.records == state(folder)[1]


def test_what_is_no_world_at_all_is_put_back_and_named(tmp_path: Path) -> None:
    world = tmp_path / "data" / WORLD_FILE
    world.parent.mkdir()
    world.write_bytes(b"once upon a time " * 1_000)
    with pytest.raises(StorageError, match="damaged beyond reading; restore a copy"):
        salvage(world, "1", state_hash)
    assert world.read_bytes().startswith(b"once upon a time")


def test_cut_file_goes_left_or_says_nothing(lived_in: Path, tmp_path: Path) -> None:
    """A cut file goes on from what is left of it or says that nothing is."""
    for tenth in range(1, 10):
        folder = copy_of(lived_in, tmp_path / str(tenth))
        world = folder / "data" / WORLD_FILE
        body = world.read_bytes()
        world.write_bytes(body[: len(body) * tenth // 10])
        with suppress(StorageError):
            _, had = state(folder)
            assert had > 0
        assert any((folder / "data").glob("world*.sqlite3")), "what was left of it is gone"


def test_banned_or_name_world_salvaged(lived_in: Path, tmp_path: Path) -> None:
    """A player who was banned or had a name has it still in a world that was salvaged."""
    folder = copy_of(lived_in, tmp_path)
    store = open_store(folder / "data" / WORLD_FILE)
    ann = store.directory.create_account("Ann", b"d" * 32, 1_000)
    store.directory.ban(ann.number, 9_000)
    store.close()
    salvage(folder / "data" / WORLD_FILE, "1", state_hash)
    store = open_store(folder / "data" / WORLD_FILE)
    assert store.directory.account_by_name("ann") == ann
    assert store.directory.knows_device(ann.number, b"d" * 32)
    assert store.directory.banned_until_s(ann.number) == 9_000
    store.close()


def test_world_records_gone_not_taken_back(lived_in: Path, tmp_path: Path) -> None:
    """A world whose records are all gone is not taken back to its beginning."""
    folder = copy_of(lived_in, tmp_path)
    world = folder / "data" / WORLD_FILE
    with closing(sqlite3.connect(world)) as connection:
        connection.execute("DELETE FROM journal")
        connection.commit()
    with pytest.raises(StorageError, match="damaged beyond reading"):
        salvage(world, "1", state_hash)
    assert world.is_file()


def test_number_account_cannot_read_any_more(lived_in: Path, tmp_path: Path) -> None:
    """The number of an account that cannot be read any more is given to no one else."""
    folder = copy_of(lived_in, tmp_path)
    world = folder / "data" / WORLD_FILE
    store = open_store(world)
    ann = store.directory.create_account("Ann", b"d" * 32, 1_000)
    store.close()
    with closing(sqlite3.connect(world)) as connection:
        connection.execute("DELETE FROM accounts")
        connection.commit()

    salvage(world, "1", state_hash)

    store = open_store(world)
    assert store.directory.account_by_name("ann") is None
    assert store.directory.knows_device(ann.number, b"d" * 32)
    assert store.directory.create_account("Bert", b"e" * 32, 1_000).number != ann.number
    store.close()
