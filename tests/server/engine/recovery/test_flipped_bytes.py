"""A byte flipped anywhere in a world's files is reported, repaired, or harmless; and none is unseen by `verify`.

Each flip is found again by its number. `CI=true` tries 120 of them, else a few.
"""

import logging
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from gloam_server.app.config import WORLD_FILE, Config, ConfigError
from gloam_server.app.open_world import open_world
from gloam_server.app.verify_world import verify_world
from gloam_server.content.loader import CampaignError
from gloam_server.engine.recovery.replay import RealmMismatch
from gloam_server.rules.dice import Dice
from gloam_server.storage.errors import StorageError
from gloam_server.storage.sql.tables import CHECKSUMMED
from gloam_server.storage.sqlite.world_file.wal_damage import find_wal_damage
from gloam_server.storage.store import Store
from support.content.campaigns import arena_files
from support.server.parties import turn
from support.server.sim_server import SimServer

FLIPS = 120 if os.environ.get("CI") == "true" else 28
REFUSED = (StorageError, RealmMismatch, CampaignError, ConfigError)
FRAME = 4_096 + 24
WITNESS = f"{WORLD_FILE}-witness"
LOG = f"{WORLD_FILE}-wal"


class World:
    """A played world in a folder, the state it is in, and what its tables hold of people."""

    def __init__(self, folder: Path, state: bytes) -> None:
        self.folder = folder
        self.state = state
        self.people = people(folder)
        self.inputs = verified(folder)[0]


def config(folder: Path) -> Config:
    return Config(
        data=folder / "data", campaign=f"{folder}/arena", seed=3, exact_seed=True, port=0, private=False
    )


def people(folder: Path) -> dict[str, list[Any]]:
    """Return the rows of all tables that tell of people, without what a start writes."""
    with closing(sqlite3.connect(folder / "data" / WORLD_FILE)) as database:
        tables = [table for table in CHECKSUMMED if table not in ("claims", "snapshots", "contents")]
        return {
            table: database.execute(f"SELECT * FROM {table}").fetchall() for table in tables
        }  # our own names


def verified(folder: Path) -> tuple[int, bytes]:
    return verify_world(folder / "data" / WORLD_FILE, f"{folder}/arena")


def lived(folder: Path) -> tuple[SimServer, Store]:
    """Play on in a folder's world for a while."""
    store, dungeon = open_world(config(folder), 1_000)
    server = SimServer(dungeon.campaign, store=store)
    players = [server.join(name) for name in ("Anna", "Bert")]
    for at in range(16):
        turn(server, players[at % 2])
    return server, store


@pytest.fixture(scope="module", params=["stopped", "killed"])
def world(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> World:
    """Return a world that was stopped twice, or stopped and then killed."""
    folder = tmp_path_factory.mktemp(request.param)
    (folder / "arena").mkdir()
    for name, body in arena_files(monsters=3).items():
        (folder / "arena" / name).write_bytes(body)
    server, store = lived(folder)
    store.directory.add_invite(b"c" * 32, 2, 1_000)
    store.directory.set_password(1, "hash", b"Anna".ljust(32, b"."), None)
    store.directory.ban(2, 5_000)
    server.stop()
    store.close()
    server, store = lived(folder)
    state = server.dungeon.state_hash()
    if request.param == "killed":
        left = tmp_path_factory.mktemp("left")
        shutil.copytree(folder, left, dirs_exist_ok=True)
        folder = left
    else:
        server.stop()
    store.close()
    kept = tmp_path_factory.mktemp("kept")
    shutil.copytree(folder, kept, dirs_exist_ok=True)
    known = World(folder, state)  # opening it folds its log into it
    known.folder = kept
    return known


def flipped(world: World, number: int, tmp_path: Path) -> tuple[Path, str]:
    """Return a copy of a world in which the byte is flipped that a number stands for, and which byte that is."""
    folder = tmp_path / "copy"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(world.folder, folder)
    dice = Dice(13, 0, number)
    names = [
        name
        for name in (WORLD_FILE, WORLD_FILE, WORLD_FILE, LOG, WITNESS)
        if (folder / "data" / name).exists()
    ]
    path = folder / "data" / dice.pick("file", 0, names)
    body = bytearray(path.read_bytes())
    used = 32 + 40 * FRAME if path.name == LOG else len(body)
    at = dice.roll("byte", 0, min(used, len(body)))
    body[at] ^= 1 << dice.roll("bit", 0, 8)
    path.write_bytes(body)
    return folder, f"flip {number}: byte {at} of {path.name}"


@pytest.mark.thorough
@pytest.mark.parametrize("share", range(4))
def test_no_flip_is_unseen(
    world: World, share: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(share, FLIPS // 2, 4):
        seen = _seen_by_verify(world, *flipped(world, number, tmp_path))
        caplog.clear()
        _start(world, *flipped(world, number, tmp_path), seen=seen, caplog=caplog)


def _seen_by_verify(world: World, folder: Path, what: str) -> bool:
    """Let `verify` look; what it does not tell of must be as it was."""
    try:
        inputs, state = verified(folder)
    except REFUSED as error:
        _require(str(error).endswith("."), f"{what}: no sentence: {error}")
        return True
    assert (inputs, state) == (world.inputs, world.state), f"{what} is unseen, and the state is another"
    assert people(folder) == world.people, f"{what} is unseen, and what is kept of people is another"
    return False


def _start(world: World, folder: Path, what: str, *, seen: bool, caplog: pytest.LogCaptureFixture) -> None:
    """Start a server: it refuses in words, or tells of the damage in its log, or has all as it was."""
    try:
        with caplog.at_level(logging.ERROR):
            store, dungeon = open_world(config(folder), 2_000)
    except REFUSED as error:
        _require(seen, f"{what}: refused, and unseen by verify: {error}")
        return
    state = dungeon.state_hash()
    store.close()
    if not caplog.records:
        assert state == world.state, f"{what}: another state, and not a word"
    if not seen:
        assert people(folder) == world.people, f"{what}: other people, and not a word"


def _require(holds: bool, why: str) -> None:
    assert holds, why


def test_the_worlds_themselves_are_whole(world: World) -> None:
    assert world.inputs > 20
    assert find_wal_damage(world.folder / "data" / WORLD_FILE) is None
    assert all(world.people[table] for table in ("accounts", "tokens", "invites", "bans"))
