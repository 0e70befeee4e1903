"""The seed of a new world: the host's number and a secret, so that no one finds its dungeon by trying numbers."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from gloam_server.app import config as settings
from gloam_server.app.config import Config
from gloam_server.app.open_world import NUMBER_BITS, SECRET_BITS, open_world
from gloam_server.engine.recovery.replay import RealmMismatch
from support.content.campaigns import arena_files
from support.server.sim_server import SimServer


def world(folder: Path, seed: int | None, *, exact: bool = False) -> tuple[int, bytes]:
    """Open a world; return its whole seed and the hash of its state."""
    campaign = folder.parent / "arena"
    if not campaign.exists():
        campaign.mkdir()
        for name, body in arena_files().items():
            (campaign / name).write_bytes(body)
    said = {"campaign": f"{campaign}/", "seed": seed, "port": 0}
    config: Config = settings.resolve(folder, said, private=False)
    store, dungeon = open_world(replace(config, exact_seed=exact), 5)
    found = dungeon.seed, dungeon.state_hash()
    store.close()
    return found


def test_two_worlds_number_secrets(tmp_path: Path) -> None:
    """Two worlds of one number have secrets of their own."""
    (one, one_hash), (other, other_hash) = (world(tmp_path / name, 7) for name in ("one", "other"))
    assert one != other
    assert one_hash != other_hash
    for seed in (one, other):
        assert seed & ((1 << NUMBER_BITS) - 1) == 7
        assert SECRET_BITS - 40 < (seed >> NUMBER_BITS).bit_length() <= SECRET_BITS


def test_without_a_number_a_world_has_a_secret_too(tmp_path: Path) -> None:
    seed, _ = world(tmp_path / "one", None)
    assert (seed >> NUMBER_BITS).bit_length() > SECRET_BITS - 40


def test_world_keeps_secret_and_asked_number(tmp_path: Path) -> None:
    """The world keeps its secret and is asked for by its number."""
    first = world(tmp_path / "one", 7)
    assert world(tmp_path / "one", 7) == first
    assert world(tmp_path / "one", None) == first
    with pytest.raises(RealmMismatch, match="has seed 7, but seed 8 was asked for"):
        world(tmp_path / "one", 8)


def test_exact_seed_gives_same_dungeon_everywhere(tmp_path: Path) -> None:
    """An exact seed gives the same dungeon everywhere."""
    one, other = (world(tmp_path / name, 7, exact=True) for name in ("one", "other"))
    assert one == other
    assert one[0] == 7


def test_world_secret_played_replayed() -> None:
    """A world with a secret is played replayed and frozen like any other."""
    server = SimServer(seed=(0xFEDC << 160 | 1 << NUMBER_BITS) + 7)
    server.join("Anna")
    server.stop()
    assert server.again().dungeon.state_hash() == server.dungeon.state_hash()
