"""Reachable cells on views that a broken server may send."""

from gloam_client.state.reachability import may_explore, nearest_by_ground, steps_to, within_reach
from gloam_shared.appearance import Terrain
from gloam_shared.view.view import NOWHERE


def test_nothing_is_reached_where_there_is_no_level() -> None:
    assert steps_to(NOWHERE) == {}
    assert not within_reach(NOWHERE, 0)
    assert nearest_by_ground(NOWHERE, frozenset({Terrain.STAIRS_DOWN})) is None
    assert may_explore(NOWHERE)
