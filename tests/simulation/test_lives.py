"""Lives of bots in every campaign that ships: nothing breaks after any input, and the same seed is the same life.

Continuous integration plays them to their end.
"""

from operator import itemgetter

import pytest

from gloam_lab.balance.report import table
from gloam_lab.balance.run_stats import RunStats
from gloam_lab.balance.runs import Batch, play, realm_seed
from gloam_lab.balance.simulation import Simulation
from gloam_lab.balance.summary import summarise
from gloam_lab.balance.turn_limit import TURNS_MAX
from gloam_lab.invariants import check_invariants
from gloam_server.content.shipped import SHIPPED
from gloam_server.world.transition.dungeon import Dungeon
from support.content.campaigns import shipped

each_campaign = pytest.mark.parametrize("campaign", SHIPPED)


@pytest.mark.thorough
@each_campaign
def test_all_is_whole_after_every_input(campaign: str) -> None:
    def look(dungeon: Dungeon, partition: int) -> None:
        if partition in dungeon.levels:
            check_invariants(dungeon.levels[partition])

    played = Simulation(shipped(campaign), realm_seed(7, 0), 2, turns_max=400)
    played.after_input = look

    assert len(played.play().lives) == 2


@pytest.mark.thorough
@pytest.mark.long
@pytest.mark.unchecked
@each_campaign
def test_lives_are_the_same_again(campaign: str) -> None:
    series = Batch(campaign, 2, 2, 1, 300)
    alone = [result for _, result in play(series, 1)]
    beside = [result for _, result in sorted(play(series, 2), key=itemgetter(0))]
    assert make_table(series, beside) == make_table(series, alone)


@pytest.mark.thorough
@pytest.mark.long
@pytest.mark.unchecked
@each_campaign
def test_lives_are_played_to_their_end(campaign: str) -> None:
    """One life of each: lives of several players are among the golden lives."""
    [stats] = [result for _, result in play(Batch(campaign, 1, 1, 1, TURNS_MAX), 1)]
    [life] = stats.lives
    assert life.turns > 20
    assert life.end != "alive", "the bot got stuck"
    assert summarise([stats]).depth.most >= 2


def make_table(series: Batch, runs: list[RunStats]) -> str:
    return table(series, series.campaign, summarise(runs), ())
