"""Many realms, one after another or in parallel processes: the same realms give the same results either way."""

import gc
import signal
from collections.abc import Iterable, Iterator
from functools import lru_cache
from multiprocessing import get_context
from typing import Final

from msgspec import Struct

from gloam_lab.balance.run_stats import RunStats
from gloam_lab.balance.simulation import Simulation
from gloam_server.app.campaign_files import read_campaign
from gloam_server.content.campaign import Campaign
from gloam_server.rules.dice import stream

_GARBAGE_EVERY: Final = 100_000
"""The number of new objects after which Python looks for garbage: a simulation makes many, and few of them in cycles."""


class Batch(Struct, frozen=True):
    """The runs to play: `realms` realms of `players` each, with `heirs` lives in a row, all from one seed.

    `visitors` are the accounts that looked in before, and left. With `beacons` heirs begin at the deepest lit beacon.
    With `ground` bots fight with the ground, and work devices. All take the kit with the key `kit`; "": each draws one.
    """

    campaign: str
    realms: int
    players: int
    seed: int
    turns_max: int
    heirs: int = 1
    visitors: int = 0
    beacons: bool = False
    ground: bool = False
    kit: str = ""


def play(series: Batch, jobs: int, realms: Iterable[int] | None = None) -> Iterator[tuple[int, RunStats]]:
    """Yield the place and the result of each of these realms (all, by default) as they end, from this number of processes."""
    _campaign.cache_clear()  # a folder may have changed by now
    tasks = [(series, index) for index in (range(series.realms) if realms is None else realms)]
    if min(jobs, len(tasks)) <= 1:
        for task in tasks:
            yield _realm(task)
        return
    with get_context("spawn").Pool(min(jobs, len(tasks)), initializer=_ignore_interrupts) as pool:
        yield from pool.imap_unordered(_realm, tasks)


def realm_seed(seed: int, index: int) -> int:
    """Return the seed of one realm of a series: 63 bits, keyed by the series' seed and the realm's place in it."""
    return int.from_bytes(stream("lives", seed, index, size=8), "big") >> 1


def _realm(task: tuple[Batch, int]) -> tuple[int, RunStats]:
    series, index = task
    before = gc.get_threshold()
    gc.set_threshold(_GARBAGE_EVERY)
    try:
        simulation = Simulation(
            _campaign(series.campaign),
            realm_seed(series.seed, index),
            series.players,
            series.turns_max,
            series.heirs,
            series.visitors,
            beacons=series.beacons,
            ground=series.ground,
            kit=series.kit,
        )
        return index, simulation.play()
    finally:
        gc.set_threshold(*before)


@lru_cache(maxsize=1)
def _campaign(name: str) -> Campaign:
    """Return a campaign, read once in each process."""
    return read_campaign(name)


def _ignore_interrupts() -> None:
    """Ignore an interrupt of the whole group (Ctrl-C): the parent process ends all."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
