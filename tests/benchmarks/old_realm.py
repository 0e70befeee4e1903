"""Makes a realm with a million inputs behind it, quickly: its end is really played, and its past repeats what was played.

No start and no replay reads that past: both begin at a snapshot after it. So a server that opens this realm has before
it what one would that had lived so long, with someone on every level.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Final
from zlib import crc32

from gloam_server.app.config import WORLD_FILE
from gloam_server.app.open_world import claim_world
from gloam_server.content.campaign import Campaign
from gloam_server.engine.recovery.replay import create_world, records, snapshot
from gloam_server.engine.recovery.snapshot_schedule import SnapshotSchedule
from gloam_server.rules.dice import Dice
from gloam_server.storage.open_store import open_store
from gloam_server.world.model.creature import new_creature
from gloam_server.world.model.ids import new_id
from gloam_server.world.model.inputs import Arrive, PlayerAction, Turn, UnattendedTurn
from gloam_server.world.model.level import Level
from gloam_server.world.realm.realm import Life
from gloam_server.world.transition.dungeon import Dungeon
from gloam_shared.geometry import DIRECTIONS
from gloam_shared.protocol.commands import Move
from support.storage.writing import write

_HEALTH: Final = 100_000  # no one dies while the realm is made
_ELSEWHERE: Final = 1_000  # a place that there is not: the bodies come from there
_SAMPLE: Final = 20
_ROUNDS: Final = 80


def make_old_realm(folder: Path, campaign: Campaign, seed: int, inputs: int) -> int:
    """Write a world into a folder as a server leaves it that is killed after this many inputs; return how many it has had."""
    folder.mkdir(parents=True)
    world = folder / WORLD_FILE
    store = open_store(world)
    dungeon = create_world(store, campaign, seed, 0)
    claim_world(store, dungeon, 0)
    for partition in dungeon.levels:
        _settle(
            dungeon,
            partition,
            store.directory.create_account(f"Settler{partition}", b"%032d" % partition, 0).number,
        )
    for _ in range(_SAMPLE):
        _round(dungeon)
    applied = records(dungeon.take_batch().applied)
    store.journal.append(applied)
    store.close()

    each = inputs // len(dungeon.levels)
    with closing(sqlite3.connect(world)) as database:
        for partition, level in dungeon.levels.items():
            _invent(
                database, level, [record.body for record in applied if record.partition == partition], each
            )
        database.execute("DELETE FROM snapshots")
        database.commit()

    store = open_store(world)
    claim_world(store, dungeon, 0)
    write(store, [], [snapshot(dungeon, partition) for partition in dungeon.partitions()])
    snapshots = SnapshotSchedule(dungeon, store.snapshots)
    for _ in range(_ROUNDS):
        _round(dungeon)
        due = snapshots.due()
        write(store, records(dungeon.take_batch().applied), due)
        snapshots.mark_durable(due)
    store.close()
    return sum(dungeon.sequence(partition) for partition in dungeon.partitions())


def _settle(dungeon: Dungeon, partition: int, account: int) -> None:
    """Let a player stand on a level."""
    kind = dungeon.campaign.player_kind
    number = new_id(_ELSEWHERE, partition)
    body = new_creature(
        kind, number, name=f"Settler{partition}", account=account, food=dungeon.campaign.hunger.start
    )
    body.hp = body.hp_max = _HEALTH
    dungeon.realm.lives[account] = Life(number, body.name, partition, visited=[partition])
    dungeon.apply_input(
        partition, Arrive(body, dungeon.levels[partition].state.arrival, (_ELSEWHERE, partition, 0))
    )


def _round(dungeon: Dungeon) -> None:
    for partition in dungeon.levels:
        _turn(dungeon, partition)


def _turn(dungeon: Dungeon, partition: int) -> None:
    """Let a level's player take a step, and the wild its turn."""
    level = dungeon.levels[partition]
    for body in level.players()[:1]:
        ways = [way for way in DIRECTIONS if _is_free(level, body.cell, way)]
        dice = Dice(dungeon.seed, partition, level.sequence)
        command = Move(*dice.pick("stroll", body.number, ways)) if ways else None
        dungeon.apply_input(partition, Turn((PlayerAction(body.number, 0, command),)))
    dungeon.apply_input(partition, UnattendedTurn())


def _is_free(level: Level, cell: int, way: tuple[int, int]) -> bool:
    there = level.grid.step(cell, *way)
    return there is not None and level.is_free(there)


def _invent(database: sqlite3.Connection, level: Level, bodies: list[bytes], count: int) -> None:
    """Give a level a longer past: inputs that it had before, over and over."""

    def past() -> Iterator[tuple[int, int, bytes, int, int, int]]:
        sequence = level.sequence
        while True:
            for body in bodies:
                sequence += 1
                yield level.partition, sequence, body, 0, 0, crc32(body)

    database.executemany(
        "INSERT INTO journal (place, sequence, body, beat, beat_size, crc) VALUES (?, ?, ?, ?, ?, ?)",
        islice(past(), count),
    )
    level.state.sequence += count
