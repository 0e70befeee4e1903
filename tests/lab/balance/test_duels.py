"""The words of danger keep their promises: duels that they name cost what they say."""

import pytest

from support.balance.duels import WORDS, duel, duels, table
from support.run.effort import effort

pytestmark = pytest.mark.unchecked


@pytest.mark.thorough
@pytest.mark.parametrize("first", [1, 5_000_001])
def test_words_of_danger_keep_their_promises(first: int) -> None:
    """An easy fight costs at most a quarter of the health in nine of ten, a deadly one kills in more than half.

    `make duels` plays 1,000 of each word. These are fewer, so the bounds are one of twenty wider. The words between
    cost more and more. The bounds of the words were set by duels from seed 1 on, so others are played, too.
    """
    found = duels(effort(60, 100), first)
    easy, even, dangerous, deadly = (found[word] for word in WORDS)
    assert 100 * sum(one.lost <= 25 for one in easy) >= 85 * len(easy), list(table(found))
    assert 100 * sum(one.died for one in deadly) > 55 * len(deadly), list(table(found))
    assert not any(one.died for one in easy)
    assert 100 * sum(one.died for one in even) <= 5 * len(even)
    middles = [sorted(one.lost for one in each)[len(each) // 2] for each in (easy, even, dangerous, deadly)]
    assert middles == sorted(middles)


def test_a_seed_is_one_duel() -> None:
    fought = [duel(seed) for seed in range(1, 9)]
    assert fought == [duel(seed) for seed in range(1, 9)]
    assert {one.word for one in fought if one} <= set(WORDS)
    assert any(one and one.lost for one in fought)
