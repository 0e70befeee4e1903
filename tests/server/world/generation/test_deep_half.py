"""The deep half of the flagship is inhabited, and its difficulty rises to the end (rules F42, F90)."""

from collections import defaultdict
from typing import Final

import pytest

from gloam_server.world.transition.dungeon import new_dungeon, populate
from support.content.shipped_files import campaign
from support.run.effort import CI

GLOAM: Final = campaign("gloam")
SEEDS: Final = range(1, 10 if CI else 4)


@pytest.mark.thorough
@pytest.mark.rule("F42", "F90")
def test_deep_levels_hold_six_creatures_and_more() -> None:
    """Depths 13 to 26 hold 6 creatures at least (a calm depth), and 15 to 21 on the mean; a lair or a graveyard adds to the rest."""
    counts: defaultdict[int, list[int]] = defaultdict(list)
    difficulty: defaultdict[int, list[int]] = defaultdict(list)
    for seed in SEEDS:
        dungeon = new_dungeon(GLOAM, seed)
        populate(dungeon)
        for level in dungeon.levels.values():
            counts[level.depth].append(len(level.creatures))
            difficulty[level.depth].append(level.state.difficulty)

    deep = [counts[depth] for depth in range(13, 27)]
    assert min(min(each) for each in deep) >= 6
    assert 15 <= sum(sum(each) for each in deep) / sum(len(each) for each in deep) <= 21
    means = [sum(difficulty[depth]) / len(SEEDS) for depth in range(1, 28)]
    assert means == sorted(means)
    assert means[25] >= 2_450
