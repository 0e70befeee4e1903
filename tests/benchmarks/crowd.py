"""The cost of a crowd to other players: plans sent again and again, and a line that opens and closes without end.

Where the machine has two cores, the server has one and the crowd the other. The compared figures are measured in turns,
so that other work of the machine shows in both.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import crowd_players
from benchmarks.figures import Figure
from support.content.campaigns import arena_files
from support.processes.process_usage import Usage
from support.processes.server_process import ServerProcess

CROWD = 56
ROUNDS, ROUND_S, WARM_S = 2, 8.0, 7.0
LOOP_S = 12.0
HERE = Path(__file__).parent


def plans(scratch: Path) -> list[Figure]:
    """Measure honest steps beside a crowd that stands, and beside one that explores ten times a second."""
    times: dict[str, list[float]] = {"stand": [], "explore": []}
    for at in range(ROUNDS):
        for kind, steps in times.items():
            data = scratch / f"{kind}{at}"
            with ServerProcess(data, campaign=_realm(scratch, data), seed=3) as server:
                _pin(server.process.pid, 0)
                began_s = time.monotonic()
                output, _ = _start(server.port, WARM_S + ROUND_S, CROWD, kind).communicate()
                steps += [took for sent, took in json.loads(output) if sent >= began_s + WARM_S]
    stand, explore = (_p99_ms(times[kind]) for kind in ("stand", "explore"))
    return [
        Figure(
            f"step beside {CROWD} who stand, p99", round(stand, 1), "ms", note=f"of {len(times['stand'])}"
        ),
        Figure(
            f"step beside {CROWD} who explore 10/s, p99",
            round(explore, 1),
            "ms",
            note=f"of {len(times['explore'])}",
        ),
        Figure("step beside plans, p99 more", round(explore - stand, 1), "ms", "<= 40"),
    ]


def comings(scratch: Path) -> list[Figure]:
    """Measure what one line costs that opens and closes as fast as it may."""
    data = scratch / "comings"
    with ServerProcess(data, campaign=_realm(scratch, data), seed=3) as server:
        _pin(server.process.pid, 0)
        honest = _start(server.port, 2 * LOOP_S + 8, 0, "stand")
        usage = Usage(server.process.pid)
        time.sleep(4)  # the players have joined
        quiet = _share(usage, LOOP_S)
        loop = _start(server.port, LOOP_S, 0, "come")
        busy = _share(usage, LOOP_S)
        came = int(loop.communicate()[0])
        honest.communicate()
    return [
        Figure(f"server beside {crowd_players.HONEST} who walk", round(100 * quiet, 1), "% core"),
        Figure(
            "one who comes and goes, processor share more",
            round(100 * (busy - quiet), 1),
            "% core",
            "<= 5",
            f"they came in {came} times",
        ),
    ]


def _share(usage: Usage, seconds: float) -> float:
    before = usage.cpu_s()
    time.sleep(seconds)
    return (usage.cpu_s() - before) / seconds


def _start(port: int, seconds: float, count: int, kind: str) -> "subprocess.Popen[str]":
    command = [sys.executable, str(HERE / "crowd_players.py"), str(port), str(seconds), str(count), kind]
    started = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    _pin(started.pid, 1)
    return started


def _pin(pid: int, core: int) -> None:
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) > core:
        for task in Path(f"/proc/{pid}/task").iterdir():
            os.sched_setaffinity(int(task.name), {cores[core]})


def _realm(scratch: Path, data: Path) -> str:
    """Write a wide cave without monsters, where no one waits for anybody."""
    folder = scratch / "wide"
    folder.mkdir(exist_ok=True)
    for name, body in arena_files(monsters=0).items():
        wide = body.replace(b"width = 30", b"width = 150").replace(b"height = 12", b"height = 60")
        (folder / name).write_bytes(wide)
    data.mkdir()
    return f"{folder}/"


def _p99_ms(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.99)] * 1_000


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        for measure in (comings, plans):
            for row in measure(Path(folder)):
                print(row.line(), flush=True)
