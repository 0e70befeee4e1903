"""Sight as played: how far, in which shape, and that who sees is seen (rules JG.3, TG.5, RG.3, F09-F12)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gloam_shared.appearance import TRANSPARENT, WALKABLE, Terrain
from gloam_shared.geometry import DIRECTIONS
from gloam_shared.protocol.commands import Wait
from gloam_shared.view.patch import apply, diff
from support.content.campaigns import shipped
from support.scenarios.scenario import E, Scenario, W, kinds


def field(radius: int) -> tuple[Scenario, set[tuple[int, int]]]:
    """Return what a player with a radius sees from the middle of a wide hall, as offsets."""
    size = 2 * radius + 5
    middle = size // 2
    rows = [["."] * size for _ in range(size)]
    rows[middle][middle] = "1"
    scenario = Scenario("\n".join("".join(row) for row in rows))
    scenario.set_stats("1", sight=radius)
    seen = scenario.level.field_of_view(scenario["1"])
    cells = {divmod(cell, size) for cell, sees in enumerate(seen) if sees}
    return scenario, {(x - middle, y - middle) for y, x in cells}


def circle(radius: int) -> set[tuple[int, int]]:
    """Return the offsets in range: dx^2 + dy^2 <= r (r + 1)."""
    reach = range(-radius, radius + 1)
    return {(dx, dy) for dx in reach for dy in reach if dx * dx + dy * dy <= radius * (radius + 1)}


@pytest.mark.rule("JG.3")
@pytest.mark.parametrize("radius", [3, 5, 6])
def test_jsrogues_creatures_see_a_circle(radius: int) -> None:
    """A stated departure: one shape for all campaigns, so that no one's sight depends on which way they face."""
    assert field(radius)[1] == circle(radius)


@pytest.mark.rule("JG.3")
def test_the_radii_are_those_of_the_original() -> None:
    kinds_ = shipped("jsrogue").creatures
    radii = {name: kinds_[name].sight for name in ("human", "kobold", "giant_zombie", "slime")}
    assert radii == {"human": 6, "kobold": 5, "giant_zombie": 6, "slime": 3}


@pytest.mark.rule("TG.5")
def test_a_player_of_rltut_sees_nine_cells() -> None:
    """The original's loop ended one row and one column short; that is not repeated."""
    seen = field(9)[1]
    assert seen == circle(9)
    assert {(9 * dx, 9 * dy) for dx, dy in DIRECTIONS if 0 in (dx, dy)} <= seen


@pytest.mark.rule("RG.3")
def test_sight_is_a_circle_of_eight_cells() -> None:
    assert field(8)[1] == circle(8)


@pytest.mark.rule("RG.3", "F09")
@given(st.lists(st.integers(0, 168), max_size=60), st.integers(0, 168), st.integers(0, 168))
def test_who_sees_is_seen(walls: list[int], one: int, other: int) -> None:
    scenario = Scenario("1" + "." * 11 + "2\n" + "\n".join(["." * 13] * 12))
    level = scenario.level
    bodies = scenario["1"], scenario["2"]
    for body, cell in zip(bodies, (one, other), strict=True):
        if level.is_free(cell):
            level.move(body, cell)
    for cell in walls:
        if cell not in level.occupied:
            level.dig(cell, Terrain.WALL)
    assert level.field_of_view(bodies[0])[bodies[1].cell] == level.field_of_view(bodies[1])[bodies[0].cell]


@pytest.mark.rule("RG.3")
def test_walls_range_seen_and_nothing_behind() -> None:
    """Walls in range are seen and nothing behind them."""
    scenario = Scenario("######\n#1.#.#\n######")
    seen = scenario.level.field_of_view(scenario["1"])
    assert [bool(seen[cell]) for cell in range(6, 12)] == [True, True, True, True, False, False]


@pytest.mark.rule("JG.1")
def test_walls_hide_and_water_and_fire_do_not() -> None:
    """Terrain that blocks the way hides what is behind it, but water and fire do not."""
    assert {Terrain.WATER, Terrain.BRAZIER} == TRANSPARENT - WALKABLE
    for terrain in Terrain:
        scenario = Scenario("#1..2#")
        scenario.level.dig(2, terrain)
        seen = scenario.level.field_of_view(scenario["1"])[4]
        assert bool(seen) is (terrain in TRANSPARENT)


@pytest.mark.rule("RG.4")
def test_steps_go_in_eight_ways_and_corners_are_cut() -> None:
    for dx, dy in DIRECTIONS:
        rows = [["#"] * 3 for _ in range(3)]
        rows[1][1], rows[1 + dy][1 + dx] = "1", "."
        scenario = Scenario("\n".join("".join(row) for row in rows))
        assert kinds(scenario.go("1", (dx, dy))) == []
        assert scenario.where("1") == (1 + dx, 1 + dy)


@pytest.mark.rule("RG.4")
def test_to_bump_into_a_foe_is_to_attack_it() -> None:
    scenario = Scenario("#1S#", S="statue")
    assert "strikes" in kinds(scenario.go("1", E))
    assert scenario.where("1") == (1, 0)


@pytest.mark.rule("RG.4")
def test_the_prey_itself_does_not_block_the_way_to_it() -> None:
    scenario = Scenario("#1...k#", k="kobold")
    for _ in range(3):
        scenario.turn(("1", Wait()))
    assert scenario.where("k") == (2, 0)


@pytest.mark.rule("F10")
def test_each_life_has_its_own_memory() -> None:
    """Each life remembers for itself, and what changed unseen stays as it was."""
    scenario = Scenario("#1.+.2#")
    scenario.go("2", W)
    scenario.turn(("2", Wait()))
    first, second = (scenario.level.memory[scenario[name].number] for name in "12")
    assert (first[4], second[4]) == (Terrain.UNKNOWN, Terrain.FLOOR)
    assert first[3] == second[3] == Terrain.DOOR_CLOSED


@pytest.mark.rule("F11")
def test_what_changes_is_sent_and_no_more() -> None:
    """A door that opens far away, in sight, is a change of that cell and of what is seen behind it alone."""
    scenario = Scenario("#1...2+...#\n###########")
    before = scenario.view("1")
    scenario.go("2", E)
    after = scenario.view("1")
    assert apply(before, diff(before, after)) == after
    changed = [cell for cell in range(22) if before.terrain[cell] != after.terrain[cell]]
    assert changed == [6, 7, 18]  # the door, the cell behind it, and the wall beside that


@pytest.mark.rule("F12")
def test_bodies_never_share_a_cell() -> None:
    """No two bodies stand on one cell, and friends change places in a doorway."""
    scenario = Scenario("#1'2#")
    scenario.go("1", E)
    assert kinds(scenario.go("2", W)) == ["swaps"]
    assert (scenario.where("1"), scenario.where("2")) == ((3, 0), (2, 0))
