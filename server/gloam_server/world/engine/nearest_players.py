"""The player nearest to each monster of a level. Distances are kept, and only those of bodies that moved are new."""

from itertools import compress
from operator import attrgetter, ne
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.turn_group_data import Distances, Nearest

NEAR_CELLS: Final = 24
"""The distance within which a creature acts with the nearest player; beyond it, a creature is unattended."""

_CELL: Final = attrgetter("cell")
_FEW: Final = 100
"""The number of pairs of a creature and a player up to which plain numbers are faster than arrays."""


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
        places = [(player.number, *divmod(player.cell, width)) for player in players]
        return Nearest([_nearest(places, *divmod(monster.cell, width)) for monster in monsters], None)
    before = known.distances if known is not None else None
    distances = _distances(width, players, monsters, before, moved)
    if known is not None and distances is before:
        return known
    if known is not None and before is not None and _same_nearest(before, distances):
        return Nearest(known.players, distances)
    columns, within = distances.first.tolist(), distances.within.tolist()
    found = [players[at].number if near else None for at, near in zip(columns, within, strict=True)]
    return Nearest(found, distances)


def _same_nearest(before: Distances, now: Distances) -> bool:
    """Return whether each monster has the same nearest player as before."""
    same_bodies = before.players is now.players and before.monsters is now.monsters
    return (
        same_bodies and np.array_equal(before.first, now.first) and np.array_equal(before.within, now.within)
    )


def _near_one(width: int, player: Creature, monsters: tuple[Creature, ...]) -> list[int | None]:
    """Return the number of the only player for each monster that is near enough, None for each other."""
    number, (y, x), least = player.number, divmod(player.cell, width), NEAR_CELLS + 1
    return [
        number if -least < cell % width - x < least and -least < cell // width - y < least else None
        for cell in map(_CELL, monsters)
    ]


def _nearest(places: list[tuple[int, int, int]], y: int, x: int) -> int | None:
    found, least = None, NEAR_CELLS + 1
    for number, at_y, at_x in places:
        dy, dx = at_y - y, at_x - x
        if -least < dx < least and -least < dy < least:
            found, least = number, max(dx, -dx, dy, -dy)
    return found


def _distances(
    width: int,
    players: tuple[Creature, ...],
    monsters: tuple[Creature, ...],
    known: Distances | None,
    moved: list[int] | None,
) -> Distances:
    """Return the distances now: `known` itself if no body has moved."""
    monster_cells = list(map(_CELL, monsters))
    if known is None or known.players is not players or known.monsters is not monsters:
        player_cells = list(map(_CELL, players))
        player_points, monster_points = _points(width, player_cells), _points(width, monster_cells)
        away = _between(monster_points[:, :, None], player_points[:, None])
    else:
        places = range(len(players)) if moved is None else moved
        columns = [at for at in places if players[at].cell != known.player_cells[at]]
        rows = _moved(known.monster_cells, monster_cells)
        if not rows and not columns:
            return known
        # Copies: `known` stays true if anything fails from here.
        player_cells, away = known.player_cells.copy(), known.away.copy()
        for at in columns:
            player_cells[at] = players[at].cell
        player_points = _with_points(width, known.player_points, player_cells, columns)
        monster_points = _with_points(width, known.monster_points, monster_cells, rows)
        for at in rows:
            away[at] = _between(monster_points[:, at, None], player_points)
        for at in columns:
            away[:, at] = _between(monster_points, player_points[:, at, None])
    first = away.argmin(axis=1)  # the first of equals, and players are ordered by number
    within = away[np.arange(len(monsters)), first] <= NEAR_CELLS
    cells = player_cells, monster_cells
    return Distances(players, monsters, *cells, player_points, monster_points, away, first, within)


def _moved(before: list[int], now: list[int]) -> list[int]:
    """Return which of some bodies stand on another cell than before."""
    if before == now:
        return []
    return list(compress(range(len(now)), map(ne, before, now)))


def _points(width: int, cells: list[int]) -> NDArray[np.int16]:
    """Return the row and the column of each cell."""
    return np.array(np.divmod(np.array(cells, dtype=np.int32), width), dtype=np.int16)


def _with_points(
    width: int, known: NDArray[np.int16], cells: list[int], moved: list[int]
) -> NDArray[np.int16]:
    """Return the points of some cells, of which those that moved are new."""
    if not moved:
        return known
    points = known.copy()
    for at in moved:
        points[:, at] = divmod(cells[at], width)
    return points


def _between(one: NDArray[np.int16], other: NDArray[np.int16]) -> NDArray[np.int16]:
    """Return the distances in steps between points, by the rules of broadcasting."""
    away: NDArray[np.int16] = np.abs(one - other).max(axis=0)
    return away
