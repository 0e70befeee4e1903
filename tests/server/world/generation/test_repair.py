"""The repair: what is cut off gets one more staircase, or is filled; what can be reached stays."""

from msgspec.structs import replace

from gloam_server.rules.dice import Dice
from gloam_server.world.generation.connectivity.repair import repair_connectivity
from gloam_server.world.generation.draft import LevelDraft
from gloam_shared.geometry import DIRECTIONS, ORTHOGONAL, Direction
from support.content.shipped_files import campaign
from support.world.generated_levels import parsed


def mend(levels: list[bytearray], width: int, directions: tuple[Direction, ...]) -> None:
    """Repair levels of one size whose stairs lie above each other."""
    caves = replace(campaign().levels["caves"], width=width, height=len(levels[0]) // width)
    drafts = [LevelDraft(caves, at, at, terrain) for at, terrain in enumerate(levels, start=1)]
    repair_connectivity(Dice(1, 0, 0), drafts, directions)


def test_region_lies_beside_reachable_floor_gets() -> None:
    """A region that lies beside reachable floor gets one more staircase."""
    levels = [parsed(".....#"), parsed(".#.###")]
    mend(levels, 6, DIRECTIONS)
    assert levels == [parsed(">.>..#"), parsed("<#<###")]


def test_one_staircase_serves_all_that_hangs_together() -> None:
    levels = [parsed(".....##"), parsed("####.>#"), parsed("##..#<.")]
    mend(levels, 7, DIRECTIONS)
    assert levels == [parsed("....>##"), parsed("####<>#"), parsed("#####<.")]


def test_region_first_level_joined_below() -> None:
    """A region of the first level may be joined from below."""
    levels = [parsed("...>#."), parsed("###<..")]
    mend(levels, 6, DIRECTIONS)
    assert levels == [parsed("...>#>"), parsed("###<.<")]


def test_a_region_with_no_place_for_stairs_is_filled() -> None:
    levels = [parsed("...>#>"), parsed("##.<#<"), parsed(".#####")]
    mend(levels, 6, DIRECTIONS)
    assert levels == [parsed("...>##"), parsed("##.<##"), parsed("######")]


def test_what_joins_late_lets_others_join_through_it() -> None:
    levels = [parsed("....##"), parsed("..#..#"), parsed("##...#"), parsed("#####.")]
    mend(levels, 6, DIRECTIONS)
    text = [bytes(level).count(parsed("#")) for level in levels]
    assert text[:3] == [2, 2, 3]
    assert levels[3] == parsed("######")


def test_corners_join_only_where_bodies_may_cut_them() -> None:
    eight, four = [parsed("..#", "##.")], [parsed("..#", "##.")]
    mend(eight, 3, DIRECTIONS)
    mend(four, 3, ORTHOGONAL)
    assert eight == [parsed("..#", "##.")]
    assert four == [parsed("..#", "###")]
