"""The simulation as a market: trades at cuts, crashes, lost disks and full packs, and each item is there once (A45)."""

from collections.abc import Callable, Collection, Sequence
from typing import TypeAlias

import pytest

from gloam_server.content.campaign import Campaign
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.outcome import Impossible
from gloam_server.world.trading import trades
from gloam_server.world.trading.pack_exchange import Pack, packs_after
from support.run.effort import effort
from support.run.fault_seam import FaultSeam
from support.simulation.players.companies import MARKET
from support.simulation.simulate import Broken, Simulation

COUNT = effort(1, 6)
SECONDS = 60.0
MARKETS = (11, 13, 10)
"""Seeds to look in: most need only the first."""

Numbers: TypeAlias = Collection[int]
Packs: TypeAlias = tuple[Pack, Pack] | Impossible


@pytest.mark.thorough
@pytest.mark.rule("A45", "F95")
def test_trades_neither_double_nor_lose_an_item() -> None:
    """Every checker looks on: things in exactly one place, the durable state in each frame, each command done once.

    A seed has from 5 to 30 faults, and all together have 20 each.
    """
    simulations = [Simulation(seed, SECONDS, company=MARKET).run() for seed in range(2, 2 + COUNT)]
    assert sum(simulation.shadow.exchanges for simulation in simulations) >= COUNT
    assert sum(sum(simulation.faults.values()) for simulation in simulations) > 15 * COUNT


def doubles_what_is_given(seam: FaultSeam) -> None:
    def keeping(campaign: Campaign, one: Creature, gives: Numbers, other: Creature, gets: Numbers) -> Packs:
        found = packs_after(campaign, one, gives, other, gets)
        return found if isinstance(found, Impossible) else (Pack(list(one.slots), dict(one.stacks)), found[1])

    seam.plant(packs_after, keeping, within=trades)


def loses_what_is_given(seam: FaultSeam) -> None:
    def losing(campaign: Campaign, one: Creature, gives: Numbers, other: Creature, gets: Numbers) -> Packs:
        found, without = (packs_after(campaign, one, given, other, gets) for given in (gives, ()))
        if isinstance(found, Impossible) or isinstance(without, Impossible):
            return found
        return found[0], without[1]

    seam.plant(packs_after, losing, within=trades)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("fault", "words"),
    [(doubles_what_is_given, "in two places|have vanished"), (loses_what_is_given, "have vanished")],
)
def test_a_broken_exchange_is_found(fault: Callable[[FaultSeam], None], words: str, seam: FaultSeam) -> None:
    """The checkers see what they are for."""
    fault(seam)
    with pytest.raises((Broken, AssertionError), match=words):
        live_through(MARKETS)


def live_through(seeds: Sequence[int]) -> None:
    for seed in seeds:
        Simulation(seed, SECONDS, company=MARKET).run()
