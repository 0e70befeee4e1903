"""The speed of the world itself: replay, creatures' turns and isolated faults in one process, new realms, and cold starts."""

import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final
from unittest import mock

from benchmarks.figures import Figure
from gloam_lab.balance.simulation import Simulation
from gloam_server.content.campaign import Campaign
from gloam_server.engine.faults.fault_isolation import FaultIsolation
from gloam_server.engine.recovery.journal_tail import JournalTail
from gloam_server.engine.recovery.level_rebuild import LevelRebuilder
from gloam_server.engine.recovery.replay import create_world, records
from gloam_server.world.effects import upkeep
from gloam_server.world.generation import generate_round
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import (
    EnterPlay,
    Input,
    Output,
    PlayerAction,
    Turn,
    UnattendedTurn,
    decode,
)
from gloam_server.world.realm.realm import Realm
from gloam_server.world.transition import turn as turns
from gloam_server.world.transition.apply import apply
from gloam_server.world.transition.dungeon import Applied, Batch, Dungeon, new_dungeon, populate
from gloam_shared.protocol.commands import Wait
from support.client.fake_client import FakeClient
from support.content.campaigns import shipped
from support.processes.server_process import ServerProcess
from support.scenarios.scenario import Scenario
from support.storage.memory_store import MemoryStore

_SEED: Final = 5
_PLAYERS: Final = 4
_ROUNDS: Final = 2_000
_INPUTS: Final = 1_000
_TRIALS: Final = 100_000
_FIRES: Final = 200
_HALL: Final = "\n".join(["#" * 62, "#1" + "." * 59 + "#", *["#" + "." * 60 + "#"] * 28, "#" * 62])
_BURNING: Final = "\n".join(
    ["." * 62] * 5 + [".....oooo" + "f" * 20 + "oooo" + "." * 29] * 10 + ["." * 62] * 16
)
"""The surfaces of the hall: fire between strips of oil that catch it."""


def speeds(_: Path) -> list[Figure]:
    """Replay what four bots did in `gloam`, and make new realms of it."""
    campaign = shipped("gloam")
    inputs, wanted = _played(campaign)
    seconds, hashed = _replay_s(campaign, inputs)
    assert hashed == wanted, "the replay has another state than the play"
    with mock.patch.object(turns, "end_action", wraps=upkeep.end_action) as ended:
        _replay_s(campaign, inputs)
        acted = ended.call_count
    generated_s, founded_s = _realm_s(campaign)
    levels = len(generate_round(campaign, _SEED))
    note = f"{len(inputs)} inputs of {_PLAYERS} bots in gloam"
    return [
        Figure("replay", round(len(inputs) / seconds), "inputs/s", ">= 5000", note),
        Figure("creatures' turns in a replay", round(acted / seconds), "1/s", ">= 20000", note),
        Figure("generation of a level of gloam, mean", round(1_000 * generated_s / levels, 1), "ms", "<= 30"),
        Figure(
            f"a new realm of gloam, {levels} levels with their creatures", round(founded_s, 2), "s", "<= 1"
        ),
    ]


def cold_start(scratch: Path) -> list[Figure]:
    """Start a server on an empty folder, and join it."""
    began = time.monotonic()
    with (
        ServerProcess(scratch / "cold", campaign="gloam", seed=3) as server,
        FakeClient(server.port, "Bench"),
    ):
        took_s = time.monotonic() - began
    return [Figure("cold start of a new world to the first patch", round(took_s, 2), "s", "<= 2")]


def _played(campaign: Campaign) -> tuple[list[Applied], bytes]:
    """Return what bots did in a realm, from its first input, and the hash of its state then."""
    inputs: list[Applied] = []
    take = Dungeon.take_batch

    def noted(dungeon: Dungeon) -> Batch:
        batch = take(dungeon)
        inputs.extend(batch.applied)
        return batch

    with mock.patch.object(Dungeon, "take_batch", noted):
        simulation = Simulation(campaign, _SEED, _PLAYERS)
        for _ in range(_ROUNDS):
            if not simulation.step():
                break
    return inputs, simulation.dungeon.state_hash()


def _replay_s(campaign: Campaign, inputs: list[Applied]) -> tuple[float, bytes]:
    """Return how long these inputs take to replay, and the hash of the state."""
    dungeon = new_dungeon(campaign, _SEED)
    began = time.process_time()
    for each in inputs:
        dungeon.replay_input(each.partition, decode(each.body))
    return time.process_time() - began, dungeon.state_hash()


def _realm_s(campaign: Campaign) -> tuple[float, float]:
    """Return how long the levels of a new realm take to make, and the realm with all creatures."""
    began = time.process_time()
    generate_round(campaign, _SEED + 1)
    generated = time.process_time()
    populate(new_dungeon(campaign, _SEED + 1))
    return generated - began, time.process_time() - generated


def isolation(_: Path) -> list[Figure]:
    """Play a thousand inputs on a level of the flagship; tell what each pays for the isolation, and what a rebuild takes."""
    dungeon = create_world(MemoryStore(), shipped("gloam"), 7, 0)
    tail = JournalTail(dungeon)
    for account in (1, 2):
        dungeon.apply_input(REALM_PARTITION, EnterPlay(account, f"Player{account}"))
    while dungeon.sequence(1) < _INPUTS:
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
        Figure(f"a level of {_INPUTS:,} inputs rebuilt", round(first_s * 1e3), "ms", note="once a fault"),
        Figure(f"a level of {_INPUTS:,} inputs rebuilt once more", round(again_s * 1e3, 1), "ms"),
    ]


def _added_us() -> float:
    """Return what carrying out an input that does nothing takes longer with isolation than without."""
    dungeon = _Idle(shipped("gloam"), 7, Realm(arrival=0), {})
    isolated = FaultIsolation(dungeon, JournalTail(dungeon), lambda *_: None)
    with_s = _spent(lambda: isolated.run(1, UnattendedTurn()), _TRIALS)
    return 1e6 * (with_s - _spent(lambda: dungeon.apply_input(1, UnattendedTurn()), _TRIALS)) / _TRIALS


class _Idle(Dungeon):
    """A dungeon in which nothing happens, so that only what is added is measured."""

    def _apply(self, _partition: int, _input: Input) -> tuple[Output, ...]:
        return ()

    def _sequence(self, _partition: int) -> int:
        return 1


def _spent(call: Callable[[], object], times: int = 1) -> float:
    began = time.process_time()
    for _ in range(times):
        call()
    return time.process_time() - began


def burning(_: Path) -> list[Figure]:
    """Run a turn beside 200 burning cells in oil, besides the same turn on quiet ground."""
    calm, fire = (statistics.median(_turn_s(surfaces) for _ in range(_FIRES)) for surfaces in ("", _BURNING))
    cells = _BURNING.count("f")
    return [
        Figure(
            f"{cells} burning cells, a turn",
            round(1_000 * (fire - calm), 3),
            "ms",
            "<= 0.3",
            f"besides {1_000 * calm:.3f} ms of the turn on quiet ground",
        )
    ]


def _turn_s(surfaces: str) -> float:
    """Return the processor's time of one turn in a hall with these surfaces, in which only a player is."""
    scenario = Scenario(_HALL, campaign=shipped("gloam"), surfaces=surfaces)
    turn = Turn((PlayerAction(scenario["1"].number, 0, Wait()),))
    began = time.process_time()
    apply(scenario.level, turn)
    return time.process_time() - began
