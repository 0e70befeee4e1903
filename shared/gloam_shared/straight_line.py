"""Straight lines over cells: the flight of a missile, and the client's line for an aim. Integer arithmetic only."""


def straight_line(start: int, goal: int, width: int) -> list[int]:
    """Return the cells of the straight line from `start` (not included) to `goal`, nearest first.

    The way back uses the same cells, so that a target can always shoot back. From a cell to itself the line is empty.
    """
    y, x = divmod(start, width)
    goal_y, goal_x = divmod(goal, width)
    across, down = goal_x - x, goal_y - y
    steps = max(abs(across), abs(down))
    return [
        (y + _interpolate(down, at, steps)) * width + x + _interpolate(across, at, steps)
        for at in range(1, steps + 1)
    ]


def _interpolate(whole: int, at: int, steps: int) -> int:
    """Return `at` of `steps` parts of a distance, rounded to the nearest cell, halves towards the south-east."""
    return (2 * whole * at + steps) // (2 * steps)
