"""A lost snapshot costs at most its level: made again from the seed, made up for by an older one, or the level is closed."""

import logging
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeAlias

import pytest

from gloam_lab.invariants import check_invariants
from gloam_server.app.config import WORLD_FILE, Config
from gloam_server.app.open_world import open_world
from gloam_server.engine.recovery.replay import verify
from gloam_server.rules.dice import Dice
from gloam_server.storage.errors import StorageError
from gloam_server.world.model.creature import Item
from gloam_server.world.transition.dungeon import Dungeon
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Climb
from support.content.campaigns import arena_files
from support.server.parties import turn
from support.server.sim_server import SimServer

Damage: TypeAlias = Callable[[sqlite3.Connection, int], None]


def flipped(database: sqlite3.Connection, partition: int) -> None:
    """Flip a byte in the body of every snapshot of a place."""
    for sequence, body in database.execute(
        "SELECT sequence, body FROM snapshots WHERE place = ?", (partition,)
    ).fetchall():
        changed = body[:60] + bytes([body[60] ^ 1]) + body[61:]
        database.execute(
            "UPDATE snapshots SET body = ? WHERE place = ? AND sequence = ?", (changed, partition, sequence)
        )


def gone(database: sqlite3.Connection, partition: int) -> None:
    """Lose every snapshot of a place."""
    database.execute("DELETE FROM snapshots WHERE place = ?", (partition,))


def with_hash_flipped(database: sqlite3.Connection, partition: int) -> None:
    """Let the hash of every snapshot of a place be another."""
    database.execute("UPDATE snapshots SET state_hash = zeroblob(16) WHERE place = ?", (partition,))


def config(folder: Path) -> Config:
    return Config(
        data=folder / "data", campaign=f"{folder}/arena", seed=3, exact_seed=True, port=0, private=False
    )


@pytest.fixture(scope="module")
def crashed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    """Return a folder with a world that was not stopped cleanly, two of whose players are on level 2, and its state."""
    folder = tmp_path_factory.mktemp("crashed")
    (folder / "arena").mkdir()
    for name, body in arena_files(monsters=2).items():
        (folder / "arena" / name).write_bytes(body)
    store, dungeon = open_world(config(folder), 1_000)
    server = SimServer(dungeon.campaign, store=store)
    for name in ("Anna", "Bert", "Carl"):
        client = server.join(name)
        if name != "Carl":
            server.walk_to(client, Terrain.STAIRS_DOWN)
            turn(server, client, Climb(down=True))
        for _ in range(3):
            turn(server, client)
    store.close()
    return folder, server.dungeon.state_hash()


def damaged(folder: Path, tmp_path: Path, damage: Damage, *partitions: int) -> Config:
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    with closing(sqlite3.connect(copy / "data" / WORLD_FILE)) as database:
        for partition in partitions:
            damage(database, partition)
        database.commit()
    return config(copy)


def opened(at: Config) -> Dungeon:
    """Open a world twice, the second time as the first left it; return what the second found."""
    open_world(at, 2_000)[0].close()
    store, dungeon = open_world(at, 3_000)
    digest = verify(store, dungeon.campaign)[1]
    store.close()
    assert digest == dungeon.state_hash()
    return dungeon


@pytest.mark.thorough
@pytest.mark.parametrize("damage", [flipped, gone, with_hash_flipped])
@pytest.mark.parametrize("partitions", [(1,), (0, 2), (0, 1, 2)])
def test_founding_snapshot_made_seed(
    crashed: tuple[Path, bytes],
    tmp_path: Path,
    damage: Damage,
    partitions: tuple[int, ...],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A founding snapshot is made again from the seed."""
    folder, had = crashed
    at = damaged(folder, tmp_path, damage, *partitions)
    assert opened(at).state_hash() == had
    for partition in partitions:
        assert f"The snapshot of partition {partition}" in caplog.text
    assert len(list(at.data.glob("world.damaged-*"))) == 1, "the damaged file is kept once"


@pytest.mark.thorough
def test_without_any_base_level_closed(
    crashed: tuple[Path, bytes], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Without any base the level is closed and its players join again."""
    at = damaged(crashed[0], tmp_path, flipped, 2)
    with closing(sqlite3.connect(at.data / WORLD_FILE)) as database:
        database.execute("DELETE FROM journal WHERE place = 2 AND sequence = 1")
        database.commit()
    store, dungeon = open_world(at, 2_000)

    assert dungeon.closed == {2}
    assert "Partition 2 is lost" in caplog.text
    assert "Taken to the realm from there: Anna, Bert." in caplog.text
    server = served(dungeon, store)
    for name in ("Anna", "Bert", "Carl"):
        client = server.join(name)
        assert server.level_of(client).partition == 1, f"{name} cannot join again"
        turn(server, client)
    for level in server.dungeon.levels.values():
        check_invariants(level)
    server.stop()
    with pytest.raises(StorageError, match="partition 2"):
        verify(store, dungeon.campaign)
    store.close()
    store, dungeon = open_world(at, 3_000)
    store.close()
    assert dungeon.closed == {2}
    assert not any(life.partition == 2 for life in dungeon.realm.lives.values())


def test_a_lost_body_keeps_nothing_others_have(crashed: tuple[Path, bytes], tmp_path: Path) -> None:
    """Items that a player carried to a level that is lost may have another owner by now."""
    folder = tmp_path / "stopped"
    shutil.copytree(crashed[0], folder)
    store, dungeon = open_world(config(folder), 1_500)
    server = SimServer(dungeon.campaign, store=store)
    carl = server.join("Carl")
    given, kept = (Item(10_000_000 + at, "apple", "apple", "red") for at in (1, 2))
    body = server.body(carl)
    body.slots[:2] = [given, kept]
    server.walk_to(carl, Terrain.STAIRS_DOWN)
    turn(server, carl, Climb(down=True))
    anna = server.dungeon.realm.lives[1]
    below = server.dungeon.levels[2].creatures[body.number]
    below.slots[0] = None  # given to a player who is on level 1 by now
    server.dungeon.levels[1].put_item(given, server.dungeon.levels[1].state.arrival, Dice(1, 1, 1))
    server.stop()
    store.close()
    at = damaged(folder, tmp_path, flipped, 2)
    with closing(sqlite3.connect(at.data / WORLD_FILE)) as database:
        database.execute("DELETE FROM journal WHERE place = 2 AND sequence = 1")
        database.commit()
    store, dungeon = open_world(at, 2_000)
    store.close()

    assert dungeon.closed == {2}
    saved = dungeon.realm.lives[server.dungeon.levels[2].creatures[body.number].account].kept
    assert saved is not None
    assert anna.partition == 2
    assert [item.number for item in saved.carried] == [kept.number]
    assert [item.number for _, item in dungeon.levels[1].items_at()].count(given.number) == 1


def served(dungeon: Dungeon, store: object) -> SimServer:
    return SimServer(dungeon.campaign, store=store)  # type: ignore[arg-type]


def test_realms_state_lost_refused_way_back(
    crashed: tuple[Path, bytes], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The realms own state lost is refused with the way back."""
    at = damaged(crashed[0], tmp_path, flipped, 0)
    with closing(sqlite3.connect(at.data / WORLD_FILE)) as database:
        database.execute("DELETE FROM journal WHERE place = 0 AND sequence = 1")
        database.commit()
    with caplog.at_level(logging.ERROR), pytest.raises(StorageError, match="gloam-server restore"):
        open_world(at, 2_000)
    assert (at.data / WORLD_FILE).is_file()


@pytest.mark.thorough
@pytest.mark.parametrize("which", ["newest", "oldest"])
def test_one_of_several_snapshots_costs_nothing(
    crashed: tuple[Path, bytes], tmp_path: Path, which: str
) -> None:
    folder = tmp_path / "stopped"
    shutil.copytree(crashed[0], folder)
    store, dungeon = open_world(config(folder), 1_500)
    server = SimServer(dungeon.campaign, store=store)
    carl = server.join("Carl")
    for _ in range(3):
        turn(server, carl)
    server.stop()
    had = server.dungeon.state_hash()
    store.close()
    order = "max" if which == "newest" else "min"

    def one(database: sqlite3.Connection, partition: int) -> None:
        query = f"UPDATE snapshots SET body = zeroblob(9) WHERE place = ? AND sequence = (SELECT {order}(sequence) FROM snapshots WHERE place = ?)"  # one of two words
        database.execute(query, (partition, partition))

    assert opened(damaged(folder, tmp_path, one, 0, 1, 2)).state_hash() == had
