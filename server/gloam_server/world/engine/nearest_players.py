"""The player nearest to each monster of a level. Distances are kept, and only those of bodies that moved are new."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.turn_group_data import Distances

NEAR_CELLS: Final = 24
"""The distance within which a creature acts with the nearest player; beyond it, a creature is unattended."""

_FEW: Final = 100
"""The number of pairs of a creature and a player up to which plain numbers are faster than arrays."""


def nearest_players(
    level: Level,
    players: tuple[Creature, ...],
    monsters: tuple[Creature, ...],
    known: Distances | None = None,
) -> tuple[list[int | None], Distances | None]:
    """Return the number of the player nearest to each monster, and the distances to pass as `known` the next time.

    Of equals it is the player with the lowest number; None stands for a monster with all players far away.
    """
    width = level.grid.width
    if len(players) * len(monsters) <= _FEW:
        places = [(player.number, *divmod(player.cell, width)) for player in players]
        return [_nearest(places, *divmod(monster.cell, width)) for monster in monsters], None
    distances = _distances(width, players, monsters, known)
    first = distances.away.argmin(axis=1)  # the first of equals, and players are ordered by number
    near = distances.away[np.arange(len(monsters)), first] <= NEAR_CELLS
    found = [
        players[at].number if within else None
        for at, within in zip(first.tolist(), near.tolist(), strict=True)
    ]
    return found, distances


def _nearest(places: list[tuple[int, int, int]], y: int, x: int) -> int | None:
    found, least = None, NEAR_CELLS + 1
    for number, at_y, at_x in places:
        if -least < at_x - x < least and -least < at_y - y < least:
            found, least = number, max(abs(at_x - x), abs(at_y - y))
    return found


def _distances(
    width: int, players: tuple[Creature, ...], monsters: tuple[Creature, ...], known: Distances | None
) -> Distances:
    player_cells, monster_cells = [body.cell for body in players], [body.cell for body in monsters]
    if known is None or known.players is not players or known.monsters is not monsters:
        away = _between(width, monster_cells, player_cells)
    else:
        away = known.away.copy()  # `known` stays true if anything fails from here
        if rows := _moved(known.monster_cells, monster_cells):
            away[rows] = _between(width, [monster_cells[at] for at in rows], player_cells)
        if columns := _moved(known.player_cells, player_cells):
            away[:, columns] = _between(width, monster_cells, [player_cells[at] for at in columns])
    return Distances(players, monsters, player_cells, monster_cells, away)


def _moved(before: list[int], now: list[int]) -> list[int]:
    """Return which of some bodies stand on another cell than before."""
    if before == now:
        return []
    return [at for at, (was, cell) in enumerate(zip(before, now, strict=True)) if was != cell]


def _between(width: int, one: list[int], other: list[int]) -> NDArray[np.int16]:
    """Return the distance in steps of each cell of `one` from each cell of `other`."""
    one_y, one_x = np.divmod(np.array(one, dtype=np.int32), width)
    other_y, other_x = np.divmod(np.array(other, dtype=np.int32), width)
    far: NDArray[np.int32] = np.maximum(np.abs(one_y[:, None] - other_y), np.abs(one_x[:, None] - other_x))
    return far.astype(np.int16)
