"""Prints what the protocol costs on the wire, in all four campaigns: bytes from the server to one client.

Whole servers under a manual clock, so that a run needs no time and gives the same figures again. Steps are measured
without monsters, ten random keys a second with them. Heartbeats are counted in. Run it with:

    .venv/bin/python tests/benchmarks/wire.py
"""

import random  # noqa: TID251  # keys at random seed their own
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import msgspec

from gloam_server.autopilot.pathfinding import first_step, frontier
from gloam_server.bots.walker import Walker
from gloam_server.content.campaign import Campaign
from gloam_shared import limits
from gloam_shared.geometry import DIRECTIONS
from gloam_shared.protocol.commands import AnyCommand, Move
from gloam_shared.protocol.messages import Died, Refresh
from gloam_shared.view.view import View
from support.content.campaigns import shipped
from support.server.sim_server import SimClient, SimServer

CAMPAIGNS: Final = ("gloam", "jsrogue", "rltut", "ruggrogue")
SEEDS: Final = (3, 21)
STEPS: Final = 100
KEYS_S: Final = 30
_HUMAN_MS: Final = 125
_FASTEST_MS: Final = 10
_PATIENCE_MS: Final = 2_000

Mover = Callable[[View], AnyCommand | None]


def main() -> None:
    """Measure every campaign."""
    print(f"{'bytes from the server':<44}" + "".join(f"{name:>12}" for name in CAMPAIGNS))
    for name, measure in (
        ("login and first screen", first_screen),
        ("a step on known ground, 8 keys/s", lambda campaign, seed: known_ground(campaign, seed, _HUMAN_MS)),
        (
            "a step on known ground, 20 steps/s",
            lambda campaign, seed: known_ground(campaign, seed, _FASTEST_MS),
        ),
        ("a step on new ground, 8 keys/s", lambda campaign, seed: new_ground(campaign, seed, _HUMAN_MS)),
        ("a step on new ground, 20 steps/s", lambda campaign, seed: new_ground(campaign, seed, _FASTEST_MS)),
        ("a second of ten random keys", random_keys),
    ):
        means = [statistics.mean(measure(shipped(key), seed) for seed in SEEDS) for key in CAMPAIGNS]
        print(f"{name:<44}" + "".join(f"{value:>12.1f}" for value in means), flush=True)


def first_screen(campaign: Campaign, seed: int) -> float:
    """Return the bytes of a newcomer's login and first view."""
    server = SimServer(campaign, seed)
    server.join("Bench")
    return sent(server)


def known_ground(campaign: Campaign, seed: int, every_ms: int) -> float:
    """Return the bytes of a step to and fro over a level of which all is known."""
    server = SimServer(empty(campaign), seed)
    client = server.join("Bench")
    level = server.level_of(client)
    level.memory[server.body(client).number][:] = level.terrain
    level.written_memory.clear()
    level.written_sights = None
    server.advance(limits.REFRESH_S * 1_000)
    client.send(Refresh())
    walker = Walker(seed)
    return walked(server, client, walker.stroll, every_ms)


def new_ground(campaign: Campaign, seed: int, every_ms: int) -> float:
    """Return the bytes of a step towards the nearest corner that is not known yet."""
    server = SimServer(empty(campaign), seed)
    client = server.join("Bench")
    return walked(server, client, lambda view: first_step(view, frontier(view)), every_ms)


def random_keys(campaign: Campaign, seed: int) -> float:
    """Return the bytes a second of ten random steps a second, of a player who begins again after each death."""
    server = SimServer(campaign, seed)
    client = server.join("Bench")
    chance = random.Random(seed)
    before = sent(server)
    for _ in range(KEYS_S * 10):
        client.command(Move(*chance.choice(DIRECTIONS)))
        pass_time(server, 100)
        if any(isinstance(message, Died) for message in client.hear()):
            client.begin_again()
    return (sent(server) - before) / KEYS_S


def walked(server: SimServer, client: SimClient, mover: Mover, every_ms: int) -> float:
    """Return the mean bytes of a step; each key follows the one before after so long, and after its answer."""
    settled(server, client, 500)
    before = sent(server)
    steps = 0
    while steps < STEPS and (move := mover(client.view)) is not None:
        client.command(move)
        settled(server, client, every_ms)
        steps += 1
    settled(server, client, 100)
    return (sent(server) - before) / steps


def settled(server: SimServer, client: SimClient, ms: int) -> None:
    """Let time pass, and more of it until the newest command is answered."""
    pass_time(server, ms)
    for _ in range(_PATIENCE_MS // _FASTEST_MS):
        if client.link.unanswered is None:
            break
        pass_time(server, _FASTEST_MS)


def pass_time(server: SimServer, ms: int) -> None:
    """Let time pass as `SimServer.advance` does, without looking over every level."""
    for _ in range(0, ms, _FASTEST_MS):
        server.clock.advance(min(ms, _FASTEST_MS) / 1_000)
        for client in server.clients:
            client.link.tick(server.now_ms)
        server.settle()


def empty(campaign: Campaign) -> Campaign:
    """Return a campaign whose levels begin without monsters."""
    levels = {
        key: msgspec.structs.replace(kind, monsters=0, monsters_per_guest=0)
        for key, kind in campaign.levels.items()
    }
    return msgspec.structs.replace(campaign, levels=levels)


def sent(server: SimServer) -> int:
    """Return how many bytes have gone to clients."""
    return server.host.traffic.bytes_out


if __name__ == "__main__":
    main()
