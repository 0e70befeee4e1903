"""The player nearest to each monster of a level.

The distance to that player is kept, and compared with the distances to players who moved.
"""

from itertools import compress
from operator import attrgetter, ne
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.turn_group_data import Distances, Nearest
from gloam_shared.geometry import Grid

NEAR_CELLS: Final = 24
"""The distance within which a creature acts with the nearest player; beyond it, a creature is unattended."""

_CELL: Final = attrgetter("cell")
_FEW: Final = 100
"""The number of pairs of a creature and a player up to which plain numbers are faster than arrays."""
_MANY_MOVED: Final = 8
"""The number of bodies that moved above which all distances together are measured faster than one by one."""


def nearest_players(
    level: Level,
    players: tuple[Creature, ...],
    monsters: tuple[Creature, ...],
    known: Nearest | None = None,
    moved: list[int] | None = None,
) -> Nearest:
    """Return the number of the player nearest to each monster. `known` is the result before, of any players and monsters.

    Of equals it is the player with the lowest number; None stands for a monster with all players far away. `moved` are
    the places of all players who have moved since, if they are the same players, and perhaps of some who have not.
    """
    width = level.grid.width
    if len(players) == 1:  # most levels have few players
        return Nearest(_near_one(width, players[0], monsters), None)
    if len(players) * len(monsters) <= _FEW:
        indices = [(player.number, *divmod(player.cell, width)) for player in players]
        return Nearest([_nearest(indices, *divmod(monster.cell, width)) for monster in monsters], None)
    before = known.distances if known is not None else None
    if before is None or before.players is not players or before.monsters is not monsters:
        distances = _measure(width, players, monsters)
    else:
        distances = _measure_moved(width, before, moved)
    if known is not None and distances is before:
        return known
    near = zip(distances.indices, distances.away, strict=True)
    return Nearest([players[at].number if away <= NEAR_CELLS else None for at, away in near], distances)


def _near_one(width: int, player: Creature, monsters: tuple[Creature, ...]) -> list[int | None]:
    """Return the number of the only player for each monster that is near enough, None for each other."""
    number, (y, x), least = player.number, divmod(player.cell, width), NEAR_CELLS + 1
    return [
        number if -least < cell % width - x < least and -least < cell // width - y < least else None
        for cell in map(_CELL, monsters)
    ]


def _nearest(indices: list[tuple[int, int, int]], y: int, x: int) -> int | None:
    found, least = None, NEAR_CELLS + 1
    for number, at_y, at_x in indices:
        dy, dx = at_y - y, at_x - x
        if -least < dx < least and -least < dy < least:
            found, least = number, max(dx, -dx, dy, -dy)
    return found


def _measure(width: int, players: tuple[Creature, ...], monsters: tuple[Creature, ...]) -> Distances:
    """Return the distances between all bodies."""
    player_cells, monster_cells = list(map(_CELL, players)), list(map(_CELL, monsters))
    player_points = _points(width, player_cells)
    away = _distances(player_points, _points(width, monster_cells))
    indices = away.argmin(axis=1)  # the first of equals, and players are ordered by number
    least = away[np.arange(len(monsters)), indices]
    return Distances(
        players, monsters, player_cells, monster_cells, player_points, indices.tolist(), least.tolist()
    )


def least_distances(grid: Grid, cells: list[int], others: list[int]) -> list[int]:
    """Return for each of some cells its distance to the nearest of the others; 0 if there are none."""
    if len(cells) * len(others) > _FEW:
        away = _distances(_points(grid.width, others), _points(grid.width, cells))
        least: list[int] = away.min(axis=1).tolist()
        return least
    distance = grid.distance
    return [min([distance(cell, other) for other in others], default=0) for cell in cells]


def _measure_moved(width: int, known: Distances, moved: list[int] | None) -> Distances:
    """Return the distances now, of the same bodies: `known` itself if none has moved.

    A player who moved is compared with the former nearest player. All players are looked at again only for a monster
    that moved, and for one whose nearest player went further away.
    """
    players = known.players
    monster_cells = list(map(_CELL, known.monsters))
    stale = set(_moved(known.monster_cells, monster_cells))
    suspects = range(len(players)) if moved is None else moved
    columns = [at for at in suspects if players[at].cell != known.player_cells[at]]
    if not stale and not columns:
        return known
    if len(stale) + len(columns) > _MANY_MOVED:
        return _measure(width, players, known.monsters)
    # Copies: `known` stays true if anything fails from here.
    player_cells, player_points = known.player_cells.copy(), known.player_points.copy()
    indices, away = known.indices.copy(), known.away.copy()
    for at in columns:
        player_cells[at] = players[at].cell
        y, x = player_points[:, at] = divmod(player_cells[at], width)
        for row, cell in enumerate(monster_cells):
            dy, dx = cell // width - y, cell % width - x
            distance = max(dy, -dy, dx, -dx)
            if indices[row] == at and distance > away[row]:
                stale.add(row)
            elif distance < away[row] or (distance == away[row] and at <= indices[row]):
                indices[row], away[row] = at, distance
    for row in stale:
        point = np.array(divmod(monster_cells[row], width), dtype=np.int32)
        far = np.abs(player_points - point[:, None]).max(axis=0)
        indices[row] = int(far.argmin())
        away[row] = int(far[indices[row]])
    return Distances(players, known.monsters, player_cells, monster_cells, player_points, indices, away)


def _moved(before: list[int], now: list[int]) -> list[int]:
    """Return which of some bodies stand on another cell than before."""
    if before == now:
        return []
    return list(compress(range(len(now)), map(ne, before, now)))


def _distances(columns: NDArray[np.int32], rows: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the distance of each point of the rows, in a row, to each point of the columns."""
    distances: NDArray[np.int32] = np.abs(rows[:, :, None] - columns[:, None]).max(axis=0)
    return distances


def _points(width: int, cells: list[int]) -> NDArray[np.int32]:
    """Return the row and the column of each cell."""
    return np.array(np.divmod(np.array(cells, dtype=np.int32), width))
