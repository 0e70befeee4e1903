"""The cost of keeping a realm: the time of a start with a million inputs behind it, and the pause of a snapshot."""

import gc
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.figures import Figure
from benchmarks.old_realm import make_old_realm
from gloam_server.engine.recovery.replay import snapshot
from gloam_server.rules.dice import Dice
from gloam_server.world.items.floor_items import FLOOR_ITEMS_MAX
from gloam_server.world.model.creature import Item, new_creature
from gloam_server.world.model.ids import new_id
from gloam_server.world.model.inputs import Arrive, PlayerAction, Turn
from gloam_server.world.transition.digest import digest_of
from gloam_server.world.transition.dungeon import Dungeon, new_dungeon, populate
from support.content.campaigns import shipped
from support.processes.process_usage import Usage
from support.processes.server_process import ServerProcess

INPUTS = 1_000_000
STARTS = 3
SNAPSHOTS = 200
DIGESTS = 1_000
LIVES = 64
"""The number of players that a server takes by default."""

CREATURES = 200
_ELSEWHERE = 1_000


def start(scratch: Path) -> list[Figure]:
    """Process start to the line that tells the port: after a crash, and after a clean stop."""
    folder = scratch / "old"
    had = make_old_realm(folder, shipped("gloam"), 1, INPUTS)
    crash = _start(folder)
    clean = [_start(folder) for _ in range(STARTS)]
    median = sorted(clean)[STARTS // 2]
    return [
        _start_figure("start after a crash, a million inputs", crash, f"{had} inputs"),
        _start_figure("start after a clean stop, a million inputs", median, f"median of {STARTS}"),
    ]


def _start(folder: Path) -> tuple[float, float]:
    began = time.perf_counter()
    server = ServerProcess(folder, seed=None)
    took_s = time.perf_counter() - began
    spent_s = Usage(server.process.pid).cpu_s()
    server.stop()
    return took_s, spent_s


def _start_figure(name: str, start: tuple[float, float], note: str) -> Figure:
    return Figure(name, round(start[0], 2), "s", "<= 3", f"{note}, {start[1]:.2f} s of work")


def pause(_: Path) -> list[Figure]:
    """Measure the longest wait of a beat: the snapshot of the largest level, full and explored."""
    dungeon = new_dungeon(shipped("gloam"), 1)
    populate(dungeon)
    partition = _crowd(dungeon)
    times, works = [], []
    for _again in range(SNAPSHOTS):
        began, worked = time.perf_counter(), time.thread_time()
        snapshot(dungeon, partition)
        times.append(time.perf_counter() - began)
        works.append(time.thread_time() - worked)
    work = f"of work: {statistics.median(works) * 1_000:.1f} / {max(works) * 1_000:.1f} ms"
    name = "snapshot of a crowded level"
    return [
        Figure(f"{name}, median", round(statistics.median(times) * 1_000, 1), "ms", "<= 20", work),
        Figure(f"{name}, longest of {SNAPSHOTS}", round(max(times) * 1_000, 1), "ms", "<= 20"),
    ]


def digest(_: Path) -> list[Figure]:
    """Measure the cost of a batch's end for each place: the digest, beside the turn and the freeze that it saves."""
    dungeon = new_dungeon(shipped("gloam"), 1)
    populate(dungeon)
    body = new_creature(
        dungeon.campaign.player_kind, new_id(_ELSEWHERE, 1), name="Bench", account=1, food=1_000_000
    )
    body.hp = body.hp_max = 1_000_000
    dungeon.apply_input(1, Arrive(body, dungeon.levels[1].state.arrival, (_ELSEWHERE, 1, 0)))
    turns, digests, freezes = [], [], []
    for _again in range(DIGESTS):
        turns.append(_worked(lambda: dungeon.apply_input(1, Turn((PlayerAction(body.number, 0, None),)))))
        digests.append(_worked(lambda: digest_of(dungeon.state(1))))
        freezes.append(_worked(lambda: snapshot(dungeon, 1)))
        dungeon.take_batch()
    of_turn, of_digest, of_freeze = (statistics.median(each) * 1e6 for each in (turns, digests, freezes))
    share = f"{of_digest / of_turn:.0%} of a turn; a snapshot: {of_freeze:.0f} us"
    return [
        Figure(f"digest at a batch's end, median of {DIGESTS}", round(of_digest, 1), "us", "<= 50", share),
        Figure(f"turn of one player on a full level, median of {DIGESTS}", round(of_turn, 1), "us"),
    ]


def _worked(work: Callable[[], object]) -> float:
    began = time.thread_time()
    work()
    return time.thread_time() - began


def _crowd(dungeon: Dungeon) -> int:
    """Fill the largest level beyond what play does to it, and let LIVES remember all of it; return its place."""
    level = max(dungeon.levels.values(), key=lambda each: (len(each.terrain), each.partition))
    for life in range(LIVES):
        level.memory[new_id(_ELSEWHERE, 10_000 + life)] = bytearray(level.terrain)
    kinds = [kind for key, kind in sorted(dungeon.campaign.creatures.items()) if kind.spawns]
    for number in range(CREATURES):
        body = new_creature(kinds[number % len(kinds)], new_id(_ELSEWHERE, number + 1))
        dungeon.apply_input(level.partition, Arrive(body, level.state.arrival, (_ELSEWHERE, number + 1, 0)))
    things = sorted(dungeon.campaign.items.values(), key=lambda kind: kind.key)
    dice = Dice(1, level.partition, 0)
    for number in range(FLOOR_ITEMS_MAX):
        kind = things[number % len(things)]
        item = Item(new_id(_ELSEWHERE, 20_000 + number), kind.key, kind.name, kind.colour)
        level.put_item(item, level.state.arrival, dice)
    dungeon.take_batch()
    gc.collect()
    return level.partition
