"""The journal as the truth: snapshots, restarts, and proof that a replay agrees."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from gloam_server.app.config import Config
from gloam_server.app.open_world import ADDRESS_FILE, open_world
from gloam_server.engine.recovery import replay, snapshot_schedule
from gloam_server.engine.recovery.base_states import base_states
from gloam_server.engine.recovery.replay import RealmMismatch, verify
from gloam_server.storage.errors import StorageError
from gloam_server.storage.journal import Record
from gloam_server.storage.sqlite.world_file import version_check
from gloam_server.storage.store import Store
from gloam_server.world.model.inputs import PlayerAction, Turn, encode
from gloam_server.world.transition.version import RULES_VERSION
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Climb, Move
from support.content.campaigns import arena, arena_files
from support.server.parties import SPACING_MS, company, played, turn
from support.server.sim_server import SimServer
from support.storage.memory_store import MemoryStore
from support.storage.writing import write


def tampered(store: Store, partition: int, at: int, body: bytes) -> MemoryStore:
    """Return a store in which one record has another body."""
    assert isinstance(store, MemoryStore)
    old = store.journal._records[partition][at]
    store.journal._records[partition][at] = Record(partition, old.sequence, body, old.state_hash)
    return store


def config(data: Path, campaign: str | None = None, seed: int | None = None) -> Config:
    return Config(data=data, campaign=campaign, seed=seed, exact_seed=True, port=0, private=False)


def test_replay_oldest_snapshots_leads_same_state() -> None:
    """A replay from the oldest snapshots leads to the same state."""
    server = played()
    replayed, digest = verify(server.store, server.campaign)
    assert digest == server.dungeon.state_hash()
    assert replayed == sum(
        server.store.journal.last_sequence(partition) for partition in server.store.partitions()
    )


def test_after_crash_next_server_same_state() -> None:
    """After a crash the next server has the same state."""
    server = played()
    server.crash()
    assert server.again().dungeon.state_hash() == server.dungeon.state_hash()


def test_after_a_clean_stop_too() -> None:
    server = played()
    server.stop()
    assert server.again().dungeon.state_hash() == server.dungeon.state_hash()


@pytest.mark.rule("RG.31")
def test_characters_survive_a_restart() -> None:
    server = played()
    anna = server.clients[0]
    number, cell, done = server.body(anna).number, server.body(anna).cell, server.body(anna).actions
    server.crash()
    later = server.again()
    later.engine.loop.wake()
    later.settle()
    again = later.join("Anna")
    assert (later.body(again).number, later.body(again).cell, later.body(again).actions) == (
        number,
        cell,
        done,
    )
    assert again.link.done == later.body(again).command > 0


def test_a_snapshot_before_a_gap_is_no_base() -> None:
    """A level whose only snapshot is cut off from its records is lost, instead of standing at an old moment."""
    server = played()
    server.stop()
    later = server.again()
    anna = later.join("Anna")
    for _ in range(3):
        turn(later, anna)
    store = later.store
    assert isinstance(store, MemoryStore)
    newest = max(store.snapshots._kept[1])
    store.snapshots._kept[1] = {newest: store.snapshots._kept[1][newest]}
    assert 1 not in base_states(store, later.campaign, later.dungeon.seed).lost
    store.journal._records[1] = [each for each in store.journal._records[1] if each.sequence != newest + 1]
    assert 1 in base_states(store, later.campaign, later.dungeon.seed).lost


def test_not_durable() -> None:
    """An input that was not durable is as if it had never been."""
    server, (anna,) = company("Anna", write_s=0.3)
    before = verify(server.store, server.campaign)[1]
    turn(server, anna)
    assert server.body(anna).actions == 1
    server.crash()
    assert server.again().dungeon.state_hash() == before


def test_place_snapshotted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A place is snapshotted after this many inputs one place a beat."""
    monkeypatch.setattr(snapshot_schedule, "SNAPSHOT_EVERY", 10)
    server, (anna,) = company("Anna")
    server.stop()
    server = server.again()
    anna = server.join("Anna")
    for _ in range(60):
        turn(server, anna)
        kept = [mark.sequence for mark in server.store.snapshots.marks(1)]
        assert server.store.journal.last_sequence(1) - kept[0] <= 10 + 2
    assert len(kept) == 4, "the first, the day's first and the two newest"
    assert verify(server.store, server.campaign)[1] == server.dungeon.state_hash()


def test_places_together_never_far_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """All places together are never far ahead of their snapshots."""
    monkeypatch.setattr(snapshot_schedule, "REPLAYED_MAX", 12)
    server, (anna, bert) = company("Anna", "Bert")
    server.walk_to(bert, Terrain.STAIRS_DOWN)
    turn(server, bert, Climb(down=True))
    for at in range(40):
        turn(server, anna if at % 3 else bert)
        partitions = server.store.partitions()
        newest = {partition: server.store.snapshots.marks(partition)[0].sequence for partition in partitions}
        assert (
            sum(server.store.journal.last_sequence(partition) - newest[partition] for partition in partitions)
            <= 12 + 3
        )
    assert all(newest[partition] > 0 for partition in (1, 2)), "only one place was ever snapshotted"


def test_the_limit_is_a_thousand() -> None:
    assert snapshot_schedule.SNAPSHOT_EVERY == 1_000


def test_tampered_record_found_next_snapshot() -> None:
    """A tampered record is found by the next snapshot."""
    server = played()
    server.stop()
    anna = server.body(server.clients[0]).number
    at = next(i for i, each in enumerate(server.inputs(1)) if isinstance(each, Turn))
    forged = encode(Turn((PlayerAction(anna, 1, Move(1, 1)), PlayerAction(anna, 2, Move(1, 1)))))
    with pytest.raises(StorageError, match=r"partition 1 differs from the journal at input \d+"):
        verify(tampered(server.store, 1, at, forged), server.campaign)


@pytest.mark.parametrize("body", [b"", b"\xc1", b"nonsense", encode(Turn(()))[:-1]])
def test_a_record_that_is_no_input_is_named(body: bytes) -> None:
    server = played(4)
    with pytest.raises(StorageError, match="input 4 of partition 1"):
        verify(tampered(server.store, 1, 3, body), server.campaign)


@pytest.mark.parametrize("mend", [lambda body: body[:-9], lambda body: body[:99] + b"\x00" + body[100:]])
def test_damaged_snapshot_not_played_but_made(mend: Callable[[bytes], bytes]) -> None:
    """A damaged snapshot is not played on but made up for by an older one."""
    server = played(4)
    server.stop()
    kept = server.store.snapshots.newest(1)
    assert kept is not None
    damaged = replace(kept, body=mend(kept.body))
    assert damaged != kept
    write(server.store, (), [damaged])
    assert server.again().dungeon.state_hash() == server.dungeon.state_hash()


@pytest.mark.thorough
def test_new_rules_and_crash_leave_world_starts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """New rules and then a crash leave a world that starts."""
    store, dungeon = open_world(config(tmp_path, "jsrogue", 7), 0)
    SimServer(dungeon.campaign, store=store).stop()
    store.close()
    for module in (replay, version_check):
        monkeypatch.setattr(module, "RULES_VERSION", RULES_VERSION + 1)
    open_world(config(tmp_path), 0)[
        0
    ].close()  # adopts the rules; nothing is snapshotted at the end, as in a crash
    store, dungeon = open_world(config(tmp_path), 0)
    digest = verify(store, dungeon.campaign)[1]
    store.close()
    assert dungeon.realm.rules_version == RULES_VERSION + 1
    assert digest == dungeon.state_hash()


def test_damaged_record_keeps_server_starting() -> None:
    """A damaged record keeps a server from starting with a sentence."""
    server = played(4)
    tampered(server.store, 1, 3, b"nonsense")
    with pytest.raises(StorageError, match="input 4 of partition 1"):
        server.again()


def test_no_realm_nothing_verify() -> None:
    """A journal without a realm has nothing to verify."""
    with pytest.raises(StorageError, match="no realm"):
        verify(MemoryStore(), arena())


def test_other_rules_crash_refused_naming_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other rules after a crash are refused naming the version."""
    server = played(4)
    server.crash()
    monkeypatch.setattr(replay, "RULES_VERSION", RULES_VERSION + 1)
    with pytest.raises(
        RealmMismatch, match=f"rules version {RULES_VERSION}, and this is version {RULES_VERSION + 1}"
    ):
        server.again()


def test_other_rules_after_a_clean_stop_are_taken_up(monkeypatch: pytest.MonkeyPatch) -> None:
    server = played(4)
    server.stop()
    monkeypatch.setattr(replay, "RULES_VERSION", RULES_VERSION + 1)
    later = server.again()
    assert replay.adopt_rules_version(later.store, later.dungeon)
    assert {level.state.rules_version for level in later.dungeon.levels.values()} == {RULES_VERSION + 1}
    assert not replay.adopt_rules_version(later.store, later.dungeon)
    assert verify(later.store, later.campaign)[1] == later.dungeon.state_hash()


def test_other_content_is_refused() -> None:
    server = played(4)
    other = arena(monsters=3)
    identity = server.store.directory.identity()
    assert identity is not None
    with pytest.raises(RealmMismatch, match=other.digest[:8]):
        replay.load_realm(server.store, other, identity)


def test_realm_founding_cut_short_founded() -> None:
    """A realm whose founding was cut short is founded again."""
    store = MemoryStore()
    whole = SimServer(store=store)
    identity = store.directory.identity()
    assert identity is not None
    cut = MemoryStore()
    cut.directory.create_identity(identity)
    assert SimServer(store=cut).dungeon.state_hash() == whole.dungeon.state_hash()


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("campaign", "seed", "expected"),
    [
        (None, 8, "has seed 7, but seed 8 was asked for; leave out --seed, or"),
        ("jsrogue", 8, "has seed 7, but seed 8 was asked for; leave out --seed, or"),
        (
            "arena/",
            None,
            'has campaign "jsrogue", but campaign "arena" was asked for; leave out --campaign, or',
        ),
        ("arena/", 7, 'has campaign "jsrogue", but campaign "arena" was asked for; leave out --campaign, or'),
        (
            "arena/",
            8,
            (
                'has campaign "jsrogue" and seed 7, but campaign "arena" and seed 8 were asked for; '
                "leave out --campaign and --seed, or"
            ),
        ),
    ],
)
def test_another_campaign_seed_refused_naming(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, campaign: str | None, seed: int | None, expected: str
) -> None:
    """Another campaign or seed is refused naming what differs."""
    monkeypatch.chdir(tmp_path)
    Path("arena").mkdir()
    for name, data in arena_files().items():
        Path("arena", name).write_bytes(data)
    store, _ = open_world(config(tmp_path / "world", "jsrogue", 7), 0)
    store.close()
    with pytest.raises(RealmMismatch) as refused:
        open_world(config(tmp_path / "world", campaign, seed), 0)
    assert str(refused.value) == f"The world in {tmp_path}/world {expected} name another folder with --data."


@pytest.mark.thorough
def test_the_same_or_nothing_said_opens_it_again(tmp_path: Path) -> None:
    store, dungeon = open_world(config(tmp_path, "jsrogue", 7), 0)
    store.close()
    for campaign, seed in ((None, None), ("jsrogue", None), (None, 7), ("jsrogue", 7)):
        again_journal, again = open_world(config(tmp_path, campaign, seed), 0)
        again_journal.close()
        assert again.state_hash() == dungeon.state_hash()


def test_a_world_on_disk_verifies(tmp_path: Path) -> None:
    store, dungeon = open_world(config(tmp_path, "jsrogue", 7), 0)
    replayed, digest = verify(store, dungeon.campaign)
    store.close()
    assert (replayed, digest) == (len(dungeon.levels), dungeon.state_hash())


@pytest.mark.thorough
def test_the_whole_server_plays_on_a_real_file(tmp_path: Path) -> None:
    store, dungeon = open_world(config(tmp_path, "jsrogue", 7), 0)
    server = SimServer(dungeon.campaign, store=store)
    anna = server.join("Anna")
    for _ in range(5):
        turn(server, anna)
    server.advance(SPACING_MS)
    server.stop()
    reached = server.dungeon.state_hash()
    store.close()
    later_journal, later = open_world(config(tmp_path), 0)
    digest = verify(later_journal, later.campaign)[1]
    later_journal.close()
    assert later.state_hash() == reached == digest


def test_address_killed_server_left_gone(tmp_path: Path) -> None:
    """The address that a killed server left is gone before the next one listens."""
    at = config(tmp_path, "jsrogue", 7)
    at.data.mkdir(parents=True, exist_ok=True)
    (at.data / ADDRESS_FILE).write_text('{"host": "127.0.0.1", "port": 7373, "pid": 1}', encoding="utf-8")
    store, _ = open_world(at, 0)
    store.close()
    assert not (at.data / ADDRESS_FILE).exists()
