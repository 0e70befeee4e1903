"""The difficulty tracker: rules R9 to R14, RG.11 and RG.34."""

import sys
from collections import Counter

import pytest
from msgspec.structs import replace

from gloam_server.rules import difficulty_budget
from gloam_server.rules.dice import Dice
from gloam_server.world.generation import generate_round
from gloam_shared.appearance import Terrain
from support.content.level_kinds_campaign import rugged
from support.content.shipped_files import campaign
from support.run.effort import effort

RULES = rugged().difficulty
GROWTH = rugged().experience


@pytest.mark.rule("R9", "R11")
@pytest.mark.parametrize(
    ("paid", "difficulty"), [(0, 100), (5, 110), (49, 198), (50, 200), (105, 300), (165, 400), (172, 410)]
)
def test_the_tracker_levels_by_the_threshold(paid: int, difficulty: int) -> None:
    """The tracker levels by the threshold and shows how far it is."""
    assert difficulty_budget.difficulty_of(GROWTH, paid) == difficulty


@pytest.mark.rule("R11")
def test_difficulty_4_1_is_5_in_one_case_of_ten() -> None:
    dice = Dice(1, 1, 1)
    counted = Counter(difficulty_budget.round_level(dice, "round", 410) for _ in range(5_000))
    assert set(counted) == {4, 5}
    assert 400 < counted[5] < 600


@pytest.mark.rule("R12", "RG.11")
def test_spawn_levels_keep_their_shares() -> None:
    """A fifth is equal, two fifths up to three lower, two fifths lower still."""
    dice = Dice(2, 1, 1)
    counted = Counter(difficulty_budget.level_to_spawn(RULES, dice, 2_000) for _ in range(10_000))
    equal, near = counted[20], sum(counted[level] for level in (17, 18, 19))
    low = sum(times for level, times in counted.items() if level < 17)
    assert 1_800 < equal < 2_200
    # Of those that fall lower still some fall among the nearest again.
    assert 4_000 < near < 4_800
    assert 3_200 < low < 4_000
    assert equal + near + low == 10_000
    assert min(counted) == 1


@pytest.mark.rule("RG.11")
def test_at_difficulty_1_everything_is_of_level_1() -> None:
    dice = Dice(3, 1, 1)
    assert {difficulty_budget.level_to_spawn(RULES, dice, 100) for _ in range(300)} == {1}


@pytest.mark.rule("R14")
def test_last_depth_reported_difficulty_above() -> None:
    """A depth is the last one if the difficulty above it is high enough."""
    assert [difficulty_budget.is_last(RULES, above) for above in (2_499, 2_500, 2_600)] == [False, True, True]
    assert not difficulty_budget.is_last(rugged(0).difficulty, 9_900)


@pytest.mark.rule("R9", "F41")
def test_depths_above_alone_make_a_depth_harder() -> None:
    """A depth is harder by what the depths above hold, and by nothing else."""
    maps = generate_round(rugged(), 5)
    paid = 0
    for level in maps:
        assert level.difficulty == difficulty_budget.difficulty_of(GROWTH, paid)
        # A kind of the tests is of the level in its name's number, and none is made below it.
        paid += sum(drawn.count * (drawn.levels + 1 + 9) for drawn in level.creatures)


@pytest.mark.thorough
@pytest.mark.rule("RG.34")
def test_the_last_depth_lies_within_20_to_30() -> None:
    """The last depth is within 20 to 30, and the difficulty grows as estimated."""
    finals, at = [], {5: 0, 10: 0, 15: 0, 20: 0}
    seeds, rooms, creatures, levels = effort(10, 20), 0, 0, 0
    for seed in range(seeds):
        maps = generate_round(campaign("ruggrogue"), seed)
        finals.append(len(maps))
        for depth in at:
            at[depth] += maps[min(depth, len(maps)) - 1].difficulty
        rooms += sum(len(level.rooms) for level in maps)
        creatures += sum(len(level.creatures) for level in maps)
        levels += len(maps)
    at_depth = ", ".join(f"{depth}: {total // seeds} hundredths" for depth, total in at.items())
    sys.stdout.write(
        f"final depth {min(finals)} to {max(finals)}, mean {sum(finals) / seeds:.1f}\n{at_depth}\n"
        f"{rooms / levels:.1f} rooms and {creatures / levels:.1f} creatures a level\n"
    )
    assert sum(20 <= final <= 30 for final in finals) >= seeds * 95 // 100
    assert 22 <= sum(finals) / seeds <= 25
    for depth, expected in ((5, 530), (10, 1_280), (15, 1_860), (20, 2_290)):
        assert abs(at[depth] // seeds - expected) <= 100
    assert 11 <= rooms / levels <= 13
    assert 9 <= creatures / levels <= 12


@pytest.mark.rule("R14", "F41")
def test_the_last_depth_has_no_stairs_down() -> None:
    """No stairs lead below the last depth, and its difficulty is fixed."""
    one, other = generate_round(rugged(), 9), generate_round(rugged(), 9)
    assert one == other
    above, last = one[-2], one[-1]
    assert above.difficulty >= 2_500
    assert all(level.difficulty < 2_500 for level in one[:-2])
    assert Terrain.STAIRS_DOWN in above.terrain
    assert Terrain.STAIRS_DOWN not in last.terrain


@pytest.mark.rule("F41")
def test_a_tracker_may_be_paid_in_part() -> None:
    """A campaign may pay its tracker a part of what creatures are worth."""
    half = replace(rugged(0), difficulty=replace(rugged(0).difficulty, pays_percent=50))
    whole, slow = generate_round(rugged(0), 5), generate_round(half, 5)
    assert slow[0].creatures == whole[0].creatures
    worth = sum(drawn.count * (drawn.levels + 10) for drawn in whole[0].creatures)
    assert slow[1].difficulty == difficulty_budget.difficulty_of(GROWTH, worth // 2)
    assert slow[20].difficulty < whole[20].difficulty
