"""Counts how often fixed workloads call Gloam's own functions, and compares with `counts.toml`: the same on every machine.

With Python 3.12 and newer `sys.monitoring` counts, before that `sys.setprofile`. Both give the same numbers: generators and
comprehensions do not count, because Python versions call them differently, and other libraries do not count either.
"""

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping
from functools import partial
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final

from benchmarks.at_door.key_costs import KEYS, play, recorded_keys
from benchmarks.parts.hall import Hall, wide_arena
from gloam_lab.bots.walker import Walker
from gloam_server.engine.recovery.replay import batch_records, create_world, snapshot
from gloam_server.world.generation import generate_round
from gloam_server.world.model.inputs import UnattendedTurn
from gloam_shared.protocol.codec import decode_from_client, decode_from_server, encode
from gloam_shared.protocol.commands import Wait
from gloam_shared.protocol.framing import frame
from gloam_shared.protocol.messages.play import SubmitCommand
from gloam_shared.protocol.updates import UpdateReader, UpdateWriter
from support.content.campaigns import arena
from support.server.sim_server import SimServer
from support.storage.memory_store import MemoryStore

_PACKAGES: Final = ("gloam_server", "gloam_client", "gloam_shared", "gloam_door")
_RESUMED: Final = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR
_TOOL: Final = 4


def count_calls(work: Callable[[], object]) -> int:
    """Return how many calls of Gloam's functions some work makes in this thread."""
    return _monitored(work) if sys.version_info >= (3, 12) else _profiled(work)


def is_counted(code: CodeType) -> bool:
    """Return whether the calls of a function count."""
    if code.co_flags & _RESUMED or code.co_name in ("<listcomp>", "<setcomp>", "<dictcomp>"):
        return False
    return any(f"/{package}/" in code.co_filename for package in _PACKAGES)


def _profiled(work: Callable[[], object]) -> int:
    counted: dict[CodeType, bool] = {}
    calls = 0

    def note(frame: FrameType, event: str, _: object) -> None:
        nonlocal calls
        if event == "call":
            code = frame.f_code
            known = counted.get(code)
            if known is None:
                known = counted[code] = is_counted(code)
            calls += known

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls


def _monitored(work: Callable[[], object]) -> int:
    monitoring: Any = sys.monitoring  # type: ignore[attr-defined,unused-ignore]  # mypy checks for 3.11
    calls = 0

    def note(code: CodeType, _: int) -> Any:
        nonlocal calls
        if not is_counted(code):
            return monitoring.DISABLE
        calls += 1
        return None

    started = monitoring.events.PY_START
    monitoring.use_tool_id(_TOOL, "gloam counts")
    try:
        monitoring.register_callback(_TOOL, started, note)
        monitoring.set_events(_TOOL, started)
        monitoring.restart_events()
        work()
    finally:
        monitoring.set_events(_TOOL, 0)
        monitoring.register_callback(_TOOL, started, None)
        monitoring.free_tool_id(_TOOL)
    return calls


TABLE: Final = Path(__file__).with_name("counts.toml")
_TESTS: Final = Path(__file__).parents[1]
GROWTH_PERCENT: Final = 5
"""A count may grow by so much before the test fails."""

_HEAD: Final = """\
# Calls of Gloam's own functions in fixed workloads (tests/benchmarks/counts.py). They do not depend on the
# machine. tests/performance/test_counts.py fails when a count grows by more than 5 %.
# To write the table again: GLOAM_UPDATE_GOLDEN=1 .venv/bin/python -m pytest -n0 tests/performance/test_counts.py

"""


def present_counts() -> dict[str, int]:
    """Return the present counts, from a process of its own: in this one, caches may be full already."""
    finished = subprocess.run(
        [sys.executable, "-m", "benchmarks", "counts"],
        cwd=_TESTS,
        env={**os.environ, "PYTHONPATH": str(_TESTS)},
        capture_output=True,
        text=True,
        check=True,
    )
    counts: dict[str, int] = json.loads(finished.stdout)
    return counts


def read_table() -> dict[str, int]:
    """Return the counts of the table."""
    return dict(tomllib.loads(TABLE.read_text(encoding="utf-8")))


def write_table(counts: Mapping[str, int]) -> None:
    """Write the table again."""
    rows = "".join(f'"{name}" = {count}\n' for name, count in counts.items())
    TABLE.write_text(_HEAD + rows, encoding="utf-8")


def most(count: int) -> int:
    """Return the highest count that is no growth."""
    return count * (100 + GROWTH_PERCENT) // 100


def grown(before: Mapping[str, int], now: Mapping[str, int]) -> list[str]:
    """Return a sentence for each workload whose count grew too much, or that only one of the tables has."""
    changes = [f"{name}: only in one of the tables" for name in sorted(before.keys() ^ now.keys())]
    changes += [
        f"{name}: {before[name]:,} calls became {now[name]:,}"
        for name in before.keys() & now.keys()
        if now[name] > most(before[name])
    ]
    return sorted(changes)


TURNS: Final = 50


def counts() -> dict[str, int]:
    """Return the calls of each workload, by its name."""
    return {name: work() for name, work in _WORKLOADS.items()}


def _turns(players: int, creatures: int) -> int:
    hall = Hall(players, creatures, width=60, height=30)

    def play() -> None:
        for _ in range(TURNS):
            hall.apply(hall.step_of(hall.next_player()))

    return count_calls(play)


def _wild() -> int:
    hall = Hall(1, 30)

    def play() -> None:
        for _ in range(TURNS):
            hall.dungeon.apply_input(1, UnattendedTurn())

    return count_calls(play)


def _updates(players: int) -> int:
    hall = Hall(players, 10, width=60, height=30)
    writers = {body.number: UpdateWriter(("references",)) for body in hall.players}

    def show() -> None:
        for _ in range(TURNS):
            body = hall.next_player()
            hall.apply(hall.step_of(body))
            frame(encode(writers[body.number].write(hall.view(body), 0)))

    return count_calls(show)


def _read_updates() -> int:
    hall = Hall(10, 10, width=60, height=30)
    writer, reader = UpdateWriter(("references",)), UpdateReader()
    bodies = []
    for _ in range(TURNS):
        hall.apply(hall.step_of(hall.next_player()))
        bodies.append(encode(writer.write(hall.view(hall.players[0]), 0)))

    def read() -> None:
        for body in bodies:
            message = decode_from_server(body)
            reader.read(message)  # type: ignore[arg-type]  # all are updates

    return count_calls(read)


def _commands() -> int:
    body = encode(SubmitCommand(1, 0, Wait()))
    return count_calls(lambda: [decode_from_client(body) for _ in range(TURNS)])


def _batch() -> int:
    hall = Hall(4, 10, width=60, height=30)
    for _ in range(TURNS):
        hall.apply(hall.step_of(hall.next_player()))
    applied = hall.take().applied
    return count_calls(lambda: (batch_records(hall.dungeon, applied), snapshot(hall.dungeon, 1)))


def _served(players: int) -> int:
    """Count a whole server under a manual clock: each player waits for a turn, ten times."""
    server = SimServer(wide_arena(60, 30), 3)
    clients = [server.join(f"Bench{at}") for at in range(players)]

    def play() -> None:
        for _ in range(10):
            for client in clients:
                client.command(Wait())
            server.pass_time(60)

    return count_calls(play)


def _walked(players: int) -> int:
    """Count only the server's work for walkers on one level: each takes ten steps, and all get their updates."""
    server = SimServer(wide_arena(150, 60), 3, compressed=False)
    clients = [server.join(f"Bench{at}") for at in range(players)]
    walkers = [Walker(at) for at in range(players)]

    def serve(steps: list[bytes]) -> None:
        for client, step in zip(clients, steps, strict=True):
            client.connection.dataReceived(step)
        for _ in range(6):
            server.clock.advance(0.01)

    calls = 0
    for _ in range(10):
        for client, walker in zip(clients, walkers, strict=True):
            client.link.command(walker.stroll(client.view), server.now_ms)
        calls += count_calls(partial(serve, [client.link.outgoing() for client in clients]))
        server.pass_time(60)
    return calls


def _keys_at_a_door() -> int:
    happened = recorded_keys()
    return count_calls(lambda: play(happened))


_WORKLOADS: Final[dict[str, Callable[[], int]]] = {
    "50 turns, 1 player": lambda: _turns(1, 0),
    "50 turns, 30 players": lambda: _turns(30, 0),
    "50 turns, 10 players and 20 creatures": lambda: _turns(10, 20),
    "50 unattended turns, 30 creatures": _wild,
    "50 turns with an update, 1 player": lambda: _updates(1),
    "50 turns with an update, 30 players": lambda: _updates(30),
    "50 updates read by a client": _read_updates,
    "50 commands decoded": _commands,
    "a batch of 50 inputs and a snapshot": _batch,
    "a whole server, 10 turns each of 1 player": lambda: _served(1),
    "a whole server, 10 turns each of 6 players": lambda: _served(6),
    "a server alone, 10 steps each of 30 players": lambda: _walked(30),
    f"{KEYS} keys of a visitor at a door": _keys_at_a_door,
    "a round of 2 caves made": lambda: count_calls(lambda: generate_round(arena(), 3)),
    "a world of 2 caves founded": lambda: count_calls(lambda: create_world(MemoryStore(), arena(), 3, 0)),
}
