"""Honest players while strangers attack, while a crowd sends plans, and while one player joins and leaves without end.

Each step of the players is measured by a fleet. Where the machine has two cores, the server has one and the crowd the other.
What is compared is measured in turns, so that other work of the machine shows in both.
"""

import time
from dataclasses import replace
from pathlib import Path
from typing import Final

from benchmarks import foes
from benchmarks.figures import Figure
from benchmarks.latencies import Latencies
from benchmarks.load.measure import fleet_at_play, measure, run_program
from benchmarks.load.options import LoadOptions
from benchmarks.load.server_side import pin
from support.processes.process_usage import Usage

CALM_S, ATTACK_S, SETTLE_S = 12.0, 30.0, 8.0
PLAYERS: Final = LoadOptions(rate=2.5, warm_s=8, seconds=2 * CALM_S + ATTACK_S + SETTLE_S)
_ATTACKED: Final = (
    "open = true\nloopback_exempt = false\ntrusted_networks = ['127.1.0.0/16']\nmetrics_port = 0\n"
)
"""The defaults, but open, and with this machine's addresses counted as strangers', except the fleet's own.

So fourteen of the clients that never read find a place among the players; the others get the answer that it is full.
"""

CROWD: Final = 56
BESIDE: Final = LoadOptions(clients=8, rate=10, beside=CROWD, warm_s=7, seconds=10.5, pin=True)
"""Together as many players as a server takes by default. In two rounds sixteen steps are above the 99th percentile."""
ROUNDS: Final = 2
LOOP_S: Final = 10.0
WALKERS: Final = LoadOptions(clients=4, rate=2.5, warm_s=4, seconds=2 * LOOP_S + 1, pin=True)


def under_attack(scratch: Path) -> list[Figure]:
    """Measure fifty players before, during and after an attack, and what the server holds."""
    with fleet_at_play(scratch / "attacked", PLAYERS, _ATTACKED) as (server, playing):
        usage, began_s = Usage(server.process.pid), time.monotonic()
        time.sleep(CALM_S)
        before = after = usage.resident_mb()
        hostile = run_program("foes", server.port, ATTACK_S)
        while hostile.poll() is None:
            time.sleep(0.25)
            after = max(after, usage.resident_mb())
        steps = playing.result().latencies
    attack_s, settled_s = began_s + CALM_S, began_s + CALM_S + ATTACK_S + SETTLE_S
    calm = steps.within(lambda at_s: at_s < attack_s or at_s > settled_s)
    hard = steps.within(lambda at_s: attack_s <= at_s <= settled_s - SETTLE_S)
    who = f"{foes.SILENT:,} silent, {foes.DRIPPERS} dripping, {foes.READLESS} that never read"
    print(f"attackers: {who}; {hostile.communicate()[0].strip()}")
    return [
        *calm.figures(f"step of {PLAYERS.clients} players"),
        *hard.figures(f"step of {PLAYERS.clients} players under attack"),
        *hard.more_figures("step under attack", calm, "<= 5"),
        Figure("memory of the server more under attack", after - before, "MB", "<= 64"),
    ]


def plans(_: Path) -> list[Figure]:
    """Measure honest steps beside a crowd that stands, and beside one that explores ten times a second."""
    steps = {"stand": Latencies([], []), "explore": Latencies([], [])}
    for _round in range(ROUNDS):
        for kind, known in steps.items():
            round_of = measure(replace(BESIDE, beside_mode=kind), quiet=True)
            steps[kind] = known.and_also(round_of.latencies)
    return [
        *steps["stand"].figures(f"step beside {CROWD} who stand"),
        *steps["explore"].figures(f"step beside {CROWD} who explore 10/s"),
        *steps["explore"].more_figures("step beside plans", steps["stand"], "<= 40"),
    ]


def comings(scratch: Path) -> list[Figure]:
    """Measure what one line costs that opens and closes as fast as it may."""
    with fleet_at_play(scratch / "comings", WALKERS, "metrics_port = 0\n") as (server, playing):
        usage = Usage(server.process.pid)
        quiet = _share(usage)
        loop = run_program("foes", server.port, LOOP_S, "come")
        pin(loop.pid, 1)
        busy = _share(usage)
        came = int(loop.communicate()[0])
        playing.result()
    more, note = round(100 * (busy - quiet), 1), f"they came in {came} times"
    return [
        Figure(f"server beside {WALKERS.clients} who walk", round(100 * quiet, 1), "% core"),
        Figure("one who comes and goes, processor share more", more, "% core", "<= 5", note),
    ]


def _share(usage: Usage) -> float:
    before = usage.cpu_s()
    time.sleep(LOOP_S)
    return (usage.cpu_s() - before) / LOOP_S
