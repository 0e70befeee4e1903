"""The cost of a crowd to other players: plans sent again and again, and a line that opens and closes without end.

Where the machine has two cores, the server has one and the crowd the other. The compared figures are measured in turns,
so that other work of the machine shows in both.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.figures import Figure
from benchmarks.latencies import TIMED_SERVER, Latencies, slow_appends
from benchmarks.load.server_side import pin, wide_campaign
from benchmarks.players import PLAN_EVERY_S, start
from support.processes.process_usage import Usage
from support.processes.server_process import ServerProcess

CROWD, BESIDE = 56, 8
"""Together as many players as a server takes by default."""
ROUNDS, ROUND_S, WARM_S = 2, 10.5, 7.0
"""Eight who take ten steps a second take 1,600 in two rounds: sixteen of them are above the 99th percentile."""
WALKERS, WALK_EVERY_S = 4, 0.4
LOOP_S = 10.0


def plans(scratch: Path) -> list[Figure]:
    """Measure honest steps beside a crowd that stands, and beside one that explores ten times a second."""
    steps: dict[str, Latencies] = {"stand": Latencies([], []), "explore": Latencies([], [])}
    campaign = wide_campaign(scratch)
    for at in range(ROUNDS):
        for kind, known in steps.items():
            steps[kind] = known.and_also(_beside(scratch / f"{kind}{at}", campaign, kind))
    return [
        *steps["stand"].figures(f"step beside {CROWD} who stand"),
        *steps["explore"].figures(f"step beside {CROWD} who explore 10/s"),
        *steps["explore"].more_figures("step beside plans", steps["stand"], "<= 40"),
    ]


def _beside(data: Path, campaign: str, kind: str) -> Latencies:
    """Return the steps of one round, after its players have spread."""
    with ServerProcess(data, campaign=campaign, seed=3, program=TIMED_SERVER) as server:
        pin(server.process.pid, 0)
        from_s = time.monotonic() + WARM_S
        output, _ = _walk(server, WARM_S + ROUND_S, BESIDE, PLAN_EVERY_S, CROWD, kind).communicate()
        return Latencies(json.loads(output), slow_appends(server)).within(lambda at_s: at_s >= from_s)


def comings(scratch: Path) -> list[Figure]:
    """Measure what one line costs that opens and closes as fast as it may."""
    with ServerProcess(scratch / "comings", campaign=wide_campaign(scratch), seed=3) as server:
        pin(server.process.pid, 0)
        honest = _walk(server, 2 * LOOP_S + 8, WALKERS, WALK_EVERY_S, 0, "stand")
        usage = Usage(server.process.pid)
        time.sleep(4)  # the players have joined
        quiet = _share(usage, LOOP_S)
        loop = start("foes.py", server.port, LOOP_S, "come")
        pin(loop.pid, 1)
        busy = _share(usage, LOOP_S)
        came = int(loop.communicate()[0])
        honest.communicate()
    return [
        Figure(f"server beside {WALKERS} who walk", round(100 * quiet, 1), "% core"),
        Figure(
            "one who comes and goes, processor share more",
            round(100 * (busy - quiet), 1),
            "% core",
            "<= 5",
            f"they came in {came} times",
        ),
    ]


def _walk(
    server: ServerProcess, seconds: float, walkers: int, every_s: float, others: int, kind: str
) -> "subprocess.Popen[str]":
    started = start("players.py", server.port, seconds, walkers, every_s, others, kind)
    pin(started.pid, 1)
    return started


def _share(usage: Usage, seconds: float) -> float:
    before = usage.cpu_s()
    time.sleep(seconds)
    return (usage.cpu_s() - before) / seconds


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        for measure in (comings, plans):
            for row in measure(Path(folder)):
                print(row.line(), flush=True)
