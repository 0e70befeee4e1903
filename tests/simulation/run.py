"""`make simulate HOURS=n`: simulate this many hours on all cores, and tell what happened in them.

`python tests/simulation/run.py --seed 17 --hours 0.02` lives through one run once more: what a failing seed prints.
"""

import argparse
import os
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.link import sim_cluster
from support.simulation.simulate import QUIET_S, Simulation

RUN_HOURS = 0.05
"""The length of one of the many runs, in hours."""
STEP_S = 0.2
"""The mean time of a step of a simulated cluster, with what its faults take."""


class LifeReport(NamedTuple):
    """The result of one run; `broken` is "" for nothing."""

    seed: int
    hours: float
    simulated_s: float
    faults: Counter[str]
    inputs: int
    updates: int
    lost_inputs: int
    broken: str


def again(seed: int, hours: float, *, forges: bool = True, cluster: bool = False) -> str:
    """Return the command that lives through one run again."""
    options = ("" if forges else " --honest") + (" --cluster" if cluster else "")
    return f"python tests/simulation/run.py --seed {seed} --hours {hours:g}{options}"


def live(seed: int, hours: float, *, forges: bool = True) -> LifeReport:
    """Live through one run of this many simulated hours, the quiet time at its end included."""
    simulation = Simulation(seed, max(1.0, hours * 3_600 - QUIET_S), forges=forges)
    broken = ""
    try:
        simulation.run()
    except Exception:  # noqa: BLE001  # reported with its seed
        broken = traceback.format_exc()
    kinds = simulation.luck.kinds
    faults = Counter({kind: simulation.faults[kind] for kind in kinds})
    inputs = simulation.shadow.inputs if hasattr(simulation, "shadow") else 0
    return LifeReport(
        seed,
        hours,
        simulation.simulated_s,
        faults,
        inputs,
        simulation.watch.updates,
        simulation.lost_inputs,
        broken,
    )


def live_in_cluster(seed: int, hours: float) -> LifeReport:
    """Live through one run of view processes and standbys."""
    steps = max(1, round((hours * 3_600 - 2 * sim_cluster.QUIET_MS / 1_000) / STEP_S))
    simulation = sim_cluster.ClusterSimulation(seed, steps)
    broken = ""
    try:
        simulation.run()
    except Exception:  # noqa: BLE001  # reported with its seed
        broken = traceback.format_exc()
    faults = Counter({kind: simulation.faults[kind] for kind in sim_cluster.KINDS})
    inputs, updates = simulation.shadow.inputs, simulation.updates
    return LifeReport(seed, hours, simulation.hours * 3_600, faults, inputs, updates, 0, broken)


def live_many(hours: float, jobs: int, run: Callable[[int, float], LifeReport] = live) -> list[LifeReport]:
    """Live through as many runs as fill this many hours, telling how it goes."""
    seeds = range(max(1, round(hours / RUN_HOURS)))
    collected = []
    with ProcessPoolExecutor(jobs) as pool:
        for each in pool.map(run, seeds, [RUN_HOURS] * len(seeds)):
            collected.append(each)
            if each.broken:
                once_more = again(each.seed, each.hours, cluster=run is live_in_cluster)
                print(f"{each.broken}\nOnce more: {once_more}\n", flush=True)
    return collected


def summary(reports: Sequence[LifeReport], took_s: float) -> str:
    """Return what happened, as a table."""
    faults: Counter[str] = Counter()
    for each in reports:
        for kind, count in each.faults.items():
            faults[kind] += count
    hours = sum(each.simulated_s for each in reports) / 3_600
    lines = [f"{count:9,} {kind}" for kind, count in faults.items()]
    broken = [each.seed for each in reports if each.broken]
    lines += [
        f"{sum(faults.values()):9,} faults in all, and every checker after every step",
        f"{sum(each.inputs for each in reports):9,} durable inputs, {sum(each.updates for each in reports):,} updates sent",
        f"{sum(each.lost_inputs for each in reports):9,} inputs lost by disks that had called them durable",
        f"{len(reports):9,} seeds, {len(broken)} of them broken{': ' + str(broken) if broken else ''}",
        f"{hours:9.2f} hours simulated in {took_s / 3_600:.3f} hours: {hours * 3_600 / took_s:.0f} times real time",
    ]
    return "\n".join(lines)


def main() -> int:
    """Read the command line, and run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--hours", type=float, default=1.0, help="simulated hours (default 1)")
    parser.add_argument("--seed", type=int, help="live through this one run alone")
    parser.add_argument("--honest", action="store_true", help="with no modified client; for --seed")
    parser.add_argument("--cluster", action="store_true", help="view processes and standbys; with --hours")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: all cores)"
    )
    asked = parser.parse_args()
    began_s = time.perf_counter()
    run = live_in_cluster if asked.cluster else live
    if asked.seed is not None:
        one = live(asked.seed, asked.hours, forges=False) if asked.honest else run(asked.seed, asked.hours)
        reports = [one]
        if one.broken:
            once_more = again(asked.seed, asked.hours, forges=not asked.honest, cluster=asked.cluster)
            print(f"{one.broken}\nOnce more: {once_more}\n")
    else:
        reports = live_many(asked.hours, asked.jobs, run)
    print(summary(reports, time.perf_counter() - began_s))
    silent = [kind for kind in reports[0].faults if not sum(each.faults[kind] for each in reports)]
    if silent and asked.seed is None:
        print(f"these faults never happened: {', '.join(silent)}")
    return int(any(each.broken for each in reports) or (bool(silent) and asked.seed is None))


if __name__ == "__main__":
    sys.exit(main())
