"""A world whose tail was played with other libraries: it goes on where the recorded digests agree, and is refused else."""

import logging
from pathlib import Path

import pytest
from msgspec.structs import replace

from gloam_server.app.config import WORLD_FILE, Config
from gloam_server.app.open_world import open_world
from gloam_server.engine.recovery import replay
from gloam_server.engine.recovery.replay import LIBRARIES, RealmMismatch, verify
from gloam_server.rules import line_of_sight
from gloam_server.storage.errors import StorageError
from gloam_server.storage.sqlite.world_file.backup import backup, restore
from gloam_server.storage.store import Store
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import EnterPlay
from gloam_server.world.model.sight import field_of_view as fields_of_view
from gloam_server.world.transition.digest import digest_of
from support.content.campaigns import arena
from support.run.fault_seam import FaultSeam
from support.server.parties import company, played, turn
from support.server.sim_server import SimServer

OTHER = "numpy 1.0.0, tcod 1.0.0"


def pretend(patch: pytest.MonkeyPatch, libraries: str = OTHER) -> None:
    """Let this process believe that it runs with other libraries."""
    patch.setattr(replay, "LIBRARIES", libraries)


def short_sighted(seam: FaultSeam) -> None:
    """Let sight be another, as a library might bring it about."""
    whole = line_of_sight.field_of_view

    def shorter(transparent: object, cell: int, radius: int) -> bytes:
        return whole(transparent, cell, max(1, radius - 2))  # type: ignore[arg-type]

    seam.plant(whole, shorter, within=fields_of_view)


def last_digests(store: Store) -> dict[int, int | None]:
    return {
        record.partition: record.digest
        for partition in store.partitions()
        for record in store.journal.read(partition, 0)
    }


def test_batch_tells_digest_place_came() -> None:
    """Each batch tells the digest of every place that it reached."""
    server = played(6)
    assert last_digests(server.store) == {
        partition: digest_of(server.dungeon.state(partition)) for partition in server.dungeon.partitions()
    }


def test_thawed_state_digest_frozen() -> None:
    """A thawed state has the digest of the one that was frozen."""
    server = played(20)
    server.stop()
    again = server.again()
    for partition in server.dungeon.partitions():
        assert digest_of(again.dungeon.state(partition)) == digest_of(server.dungeon.state(partition))


def test_digest_tells_sight_and_rules_bring() -> None:
    """A digest tells of what sight and rules bring about."""
    server, (anna,) = company("Anna")
    body, level = server.body(anna), server.level_of(anna)
    was = digest_of(level)
    for name in ("cell", "hp", "experience", "energy", "actions"):
        before = getattr(body, name)
        setattr(body, name, before + 1)
        assert digest_of(level) != was, name
        setattr(body, name, before)
    level.memory[body.number][0] ^= 1
    assert digest_of(level) != was


def test_a_crash_under_other_libraries_is_gone_on_from(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    server = played(12)
    server.crash()
    pretend(monkeypatch)
    with caplog.at_level(logging.INFO):
        later = server.again()
    assert later.dungeon.state_hash() == server.dungeon.state_hash()
    assert f"the world was played with {LIBRARIES} and is replayed alike with {OTHER}" in caplog.text
    claim = later.store.journal.newest_claim()
    assert claim is not None
    assert claim.libraries == OTHER


def test_replay_differs_refused_naming_versions(monkeypatch: pytest.MonkeyPatch, seam: FaultSeam) -> None:
    """A replay that differs is refused naming versions and position."""
    server = played(12)
    server.crash()
    pretend(monkeypatch)
    short_sighted(seam)
    with pytest.raises(
        RealmMismatch, match=r"input \d+ of partition 1 leads elsewhere; run Gloam with"
    ) as caught:
        server.again()
    assert LIBRARIES in str(caught.value)
    assert OTHER in str(caught.value)
    with pytest.raises(StorageError, match=r"partition 1 differs from the journal at input \d+"):
        verify(server.store, server.campaign)


def test_names_of_libraries_are_no_part_of_the_state(monkeypatch: pytest.MonkeyPatch) -> None:
    here = SimServer(seed=5).dungeon.state_hash()
    pretend(monkeypatch)
    assert SimServer(seed=5).dungeon.state_hash() == here


@pytest.mark.thorough
def test_backup_running_server_opens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A backup of a running server opens with other libraries."""
    config = Config(
        data=tmp_path / "data", campaign="jsrogue", seed=7, exact_seed=True, port=0, private=False
    )
    store, dungeon = open_world(config, 0)
    server = SimServer(dungeon.campaign, store=store)
    anna = server.join("Anna")
    for _ in range(8):
        turn(server, anna)
    backup(config.data / WORLD_FILE, tmp_path / "copy.sqlite3")
    had = server.dungeon.state_hash()
    server.stop()
    store.close()
    restore(tmp_path / "copy.sqlite3", tmp_path / "restored" / WORLD_FILE)
    pretend(monkeypatch)
    store, again = open_world(Config(data=tmp_path / "restored", port=0, private=False), 1)

    assert again.state_hash() == had
    again.apply_input(REALM_PARTITION, EnterPlay(1, "Anna"))
    store.close()


def test_a_world_of_before_digests_is_replayed_as_ever(
    monkeypatch: pytest.MonkeyPatch, seam: FaultSeam
) -> None:
    with seam.fault(digest_of, lambda _: None, within=replay):
        server = played(12, replace(arena()))  # no realm that was made before
    server.crash()
    assert set(last_digests(server.store).values()) == {None}
    pretend(monkeypatch)
    assert server.again().dungeon.state_hash() == server.dungeon.state_hash()
