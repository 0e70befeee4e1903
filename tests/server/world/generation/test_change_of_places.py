"""The change of places from depth to depth: rule F161."""

from itertools import pairwise

import pytest
from msgspec.structs import replace

from gloam_server.content.campaign import Campaign
from gloam_server.world.generation.level_kinds import choose_level_kinds
from support.content.campaigns import shipped

GLOAM = shipped("gloam")
SEEDS = range(40)


def repeats(campaign: Campaign) -> int:
    """Return how many depths of many realms have the same kind of level as the depth above."""
    return sum(
        above.key == below.key
        for seed in SEEDS
        for above, below in pairwise(choose_level_kinds(campaign, seed, campaign.depths))
    )


@pytest.mark.rule("F161")
def test_neighboring_depths_are_seldom_alike() -> None:
    """At most one of four depths of gloam has the place of the depth above; with a whole weight there are more."""
    steps = len(SEEDS) * (GLOAM.depths - 1)
    assert 4 * repeats(GLOAM) <= steps
    assert repeats(replace(GLOAM, repeats_percent=100)) > repeats(GLOAM)
