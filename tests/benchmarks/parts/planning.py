"""Measure how long it takes to plan a waiting command, here and in another tree: `planning.py [OTHER_TREE]`.

Both trees are measured in turns, and the quickest of many rounds counts, so that a busy machine disturbs both alike.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[3]
ROUNDS = 15
CALLS = 20_000


def measure() -> None:
    """Print the nanoseconds that one command takes, the quickest of some rounds."""
    from gloam_server.world import actions
    from gloam_shared.protocol.commands import Climb, Close, Dig, Drop, Move, Quaff, Use, Wait
    from support.scenarios.scenario import Scenario

    scenario = Scenario("#####\n#1.m#\n#...#\n#####")
    level, body = scenario.level, scenario["1"]
    commands = (
        Move(0, 1),
        Move(-1, 0),
        Dig(-1, 0),
        Wait(),
        Climb(down=True),
        Drop(0),
        Quaff(0),
        Use(0),
        Close(1, 0),
    )
    best = 10**12
    for _ in range(5):
        start = time.perf_counter_ns()
        for _ in range(CALLS // len(commands)):
            for command in commands:
                actions.plan(level, body, command)
        best = min(best, time.perf_counter_ns() - start)
    print(best // CALLS)


def quickest(tree: Path) -> int:
    """Return the figure of one tree, measured in a process of its own."""
    paths = os.pathsep.join(str(tree / each) for each in ("server", "shared", "client", "tests"))
    program = [sys.executable, __file__, "--measure"]
    return int(subprocess.check_output(program, env={**os.environ, "PYTHONPATH": paths}))


def main() -> None:
    """Measure this tree, and in turns with it the other one that is named."""
    trees = [ROOT, *map(Path, sys.argv[1:2])]
    best = [
        min(figures)
        for figures in zip(*[[quickest(tree) for tree in trees] for _ in range(ROUNDS)], strict=True)
    ]
    for tree, figure in zip(trees, best, strict=True):
        print(f"{figure:6} ns a command in {tree}")


if __name__ == "__main__":
    measure() if "--measure" in sys.argv else main()
