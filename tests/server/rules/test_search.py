"""Paths: the step that is taken lies on a shortest way, and the search is bounded."""

import pytest

from gloam_server.rules.dice import stream
from gloam_server.rules.search import first_step
from gloam_shared.geometry import DIRECTIONS, ORTHOGONAL, Direction, Grid

WIDTH, HEIGHT = 20, 12
GRID = Grid(WIDTH, HEIGHT)
SIZE = GRID.size


def distances(walls: list[bool], goal: int, directions: tuple[Direction, ...]) -> dict[int, int]:
    """Return the steps to `goal` from everywhere: the plain reference."""
    found = {goal: 0}
    queue = [goal]
    for cell in queue:
        for beside in GRID.neighbors(cell, directions):
            if beside not in found and not walls[beside]:
                found[beside] = found[cell] + 1
                queue.append(beside)
    return found


@pytest.mark.parametrize("directions", [DIRECTIONS, ORTHOGONAL])
@pytest.mark.parametrize("seed", range(40))
def test_the_first_step_lies_on_a_shortest_way(seed: int, directions: tuple[Direction, ...]) -> None:
    noise = stream("paths", seed, size=SIZE + 2)
    walls = [byte < 90 for byte in noise[:SIZE]]
    start, goal = noise[SIZE] % SIZE, noise[SIZE + 1] % SIZE
    walls[start] = walls[goal] = False
    expected = distances(walls, goal, directions)
    way = first_step(lambda cell: not walls[cell], start, goal, GRID, directions, limit=SIZE)
    if start == goal or start not in expected:
        assert way is None
    else:
        assert way in GRID.neighbors(start, directions)
        assert expected[way] == expected[start] - 1


def test_start_and_goal_may_be_taken_by_bodies() -> None:
    taken = (45, 48)
    assert first_step(lambda cell: cell not in taken, 45, 48, GRID) == 46
    assert first_step(lambda cell: cell not in taken, 45, 48, GRID, ORTHOGONAL) == 46


def test_who_stands_beside_the_goal_steps_into_it() -> None:
    assert first_step(lambda _cell: False, 45, 66, GRID) == 66
    assert first_step(lambda _cell: False, 45, 66, GRID, ORTHOGONAL) is None


def test_ties_broken_towards_goal_and_direction() -> None:
    """Ties are broken towards the goal and then by direction."""
    assert first_step(lambda _cell: True, 45, 49, GRID) == 46
    around = first_step(lambda cell: cell != 46, 45, 49, GRID)
    assert around == 26, "north-east comes before south-east"


def test_a_search_is_bounded() -> None:
    asked: list[int] = []

    def walkable(cell: int) -> bool:
        asked.append(cell)
        return cell % WIDTH != 10

    assert first_step(walkable, 5, 15, GRID, DIRECTIONS, limit=10) is None
    assert len(asked) <= 10 * 8 + 10
