"""The cost of the isolation of faults: nothing to speak of until a rule fails, and a rebuild when one does."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from benchmarks.figures import Figure
from gloam_server.engine.faults.fault_isolation import FaultIsolation
from gloam_server.engine.recovery.journal_tail import JournalTail
from gloam_server.engine.recovery.level_rebuild import LevelRebuilder
from gloam_server.engine.recovery.replay import create_world, records
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import EnterPlay, Input, Output, PlayerAction, Turn, UnattendedTurn
from gloam_server.world.realm.realm import Realm
from gloam_server.world.transition.dungeon import Dungeon
from support.content.campaigns import shipped
from support.storage.memory_store import MemoryStore

INPUTS: Final = 1_000
ROUNDS: Final = 100_000


def isolation(_: Path) -> list[Figure]:
    """Play a thousand inputs on a level of the flagship; tell what each pays for the isolation, and what a rebuild takes."""
    dungeon = create_world(MemoryStore(), shipped("gloam"), 7, 0)
    tail = JournalTail(dungeon)
    for account in (1, 2):
        dungeon.apply_input(REALM_PARTITION, EnterPlay(account, f"Player{account}"))
    while dungeon.sequence(1) < INPUTS:
        bodies = dungeon.levels[1].players()
        dungeon.apply_input(
            1,
            Turn(tuple(PlayerAction(body.number, 0, None) for body in bodies))
            if bodies
            else UnattendedTurn(),
        )
    tail.add(records(dungeon.take_batch().applied))
    before, rebuilder = dungeon.state_hash(), LevelRebuilder(dungeon, tail)
    first_s, again_s = (_spent(lambda: rebuilder.rebuild(1)) for _ in range(2))
    assert dungeon.state_hash() == before
    return [
        Figure("isolation of faults, for each input", round(_added_us(), 2), "us", "<= 20"),
        Figure(f"a level of {INPUTS:,} inputs rebuilt", round(first_s * 1e3), "ms", note="once a fault"),
        Figure(f"a level of {INPUTS:,} inputs rebuilt once more", round(again_s * 1e3, 1), "ms"),
    ]


def _added_us() -> float:
    """Return what carrying out an input that does nothing takes longer with isolation than without."""
    dungeon = _Idle(shipped("gloam"), 7, Realm(arrival=0), {})
    isolated = FaultIsolation(dungeon, JournalTail(dungeon), lambda *_: None)
    return (
        1e6
        * (
            _many(lambda: isolated.run(1, UnattendedTurn()))
            - _many(lambda: dungeon.apply_input(1, UnattendedTurn()))
        )
        / ROUNDS
    )


class _Idle(Dungeon):
    """A dungeon in which nothing happens, so that only what is added is measured."""

    def _apply(self, _place: int, _input: Input) -> tuple[Output, ...]:
        return ()

    def _sequence(self, _place: int) -> int:
        return 1


def _many(call: Callable[[], object]) -> float:
    began = time.process_time()
    for _ in range(ROUNDS):
        call()
    return time.process_time() - began


def _spent(call: Callable[[], object]) -> float:
    began = time.process_time()
    call()
    return time.process_time() - began
