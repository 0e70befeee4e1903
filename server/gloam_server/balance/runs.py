"""Many realms, one after another or in several processes at once: the same tales in the same order either way."""

from collections.abc import Iterator
from multiprocessing import get_context

from msgspec import Struct

from gloam_server.app.campaign_files import read_campaign
from gloam_server.balance.observer import RunStats
from gloam_server.balance.simulation import Simulation
from gloam_server.rules.dice import stream


class Batch(Struct, frozen=True):
    """What is to be played: `realms` realms of `players` each, all grown from one seed."""

    campaign: str
    realms: int
    players: int
    seed: int
    turns_max: int


def play(series: Batch, processes: int) -> Iterator[RunStats]:
    """Yield the tale of each realm, in their order, from this number of processes."""
    if processes <= 1:
        for index in range(series.realms):
            yield _realm((series, index))
        return
    with get_context("spawn").Pool(min(processes, series.realms)) as pool:
        yield from pool.imap(_realm, [(series, index) for index in range(series.realms)])


def realm_seed(seed: int, index: int) -> int:
    """Return the seed of one realm of a series: 63 bits, keyed by the series' seed and the realm's place in it."""
    return int.from_bytes(stream("lives", seed, index, size=8), "big") >> 1


def _realm(task: tuple[Batch, int]) -> RunStats:
    series, index = task
    campaign = read_campaign(series.campaign)
    return Simulation(campaign, realm_seed(series.seed, index), series.players, series.turns_max).play()
