"""Turn groups (bubbles): which players and creatures share a turn. Computed before each turn, without identity or state.

Players held by the same enemy, directly or in a chain, share a bubble with the enemies that hold them. A player that
nothing holds is a separate bubble. Every other creature acts with the nearest player, or with the wild.

Why chains: if A fights a wolf that also holds B, then B's turn changes A's fight. The wolf must act once for both, so
A, B and the wolf take turns together, and so does every player who shares another enemy with one of them. Players
without a common enemy cannot change each other's fight within a turn, so they never wait for each other.
"""

from functools import lru_cache
from typing import Final

import numpy as np

from gloam_server.world.combat.hostility import enemies_holding
from gloam_server.world.engine.block_index import BlockIndex
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.turn_group_data import Bubble, Division

NEAR_CELLS: Final = 24
"""The distance within which a creature acts with the nearest player; beyond it, a creature is unattended."""


_FEW: Final = 24
"""The number of pairs of a creature and a player up to which plain numbers are faster than arrays."""


def turn_groups(level: Level, sequence: int) -> Division:
    """Return the bubbles of a level after `sequence` inputs, computed once: only inputs change a level."""
    known = level.turn_groups
    if known is None or known[0] != sequence:
        known = level.turn_groups = (sequence, compute_turn_groups(level))
    return known[1]


def compute_turn_groups(level: Level) -> Division:
    """Return the present bubbles of a level and its unattended creatures."""
    players = level.players()
    monsters = (
        [creature for creature in level.creatures.values() if not creature.account]
        if len(players) < len(level.creatures)
        else []
    )
    if not monsters and not any(player.consents for player in players):
        return _quiet_division(tuple([player.number for player in players]))
    index = BlockIndex(level.grid, monsters)
    holding = {
        player.number: enemies_holding(level, player, index.near_or_met(player, level.sight_reach(player)))
        if monsters or player.consents
        else []
        for player in players
    }
    leader = _shared_enemies(holding)
    groups: dict[int, list[Creature]] = {}
    for player in players:
        groups.setdefault(leader[player.number], []).append(player)
    owner: dict[int, int] = {}
    for player in players:
        for enemy in holding[player.number]:
            if enemy not in leader:  # a partner in a duel is in the bubble already
                owner.setdefault(enemy, leader[player.number])
    wild = []
    free = [creature for creature in monsters if creature.number not in owner]
    for creature, near in zip(free, nearest_players(level, players, free), strict=True):
        if near is None:
            wild.append(creature.number)
        else:
            owner[creature.number] = leader[near]
    members: dict[int, list[int]] = {first: [] for first in groups}
    for number, first in owner.items():
        members[first].append(number)
    bubbles = tuple(
        _single_player_bubble(first)
        if len(group) == 1 and not holding[first] and not members[first]
        else Bubble(
            players=tuple(player.number for player in group),
            held=any(holding[player.number] for player in group),
            creatures=tuple(sorted(members[first])),
        )
        for first, group in groups.items()
    )
    return Division(bubbles, tuple(sorted(wild)))


@lru_cache(maxsize=64)
def _quiet_division(players: tuple[int, ...]) -> Division:
    """Return the division of a level without monsters and duels: only a player who comes or leaves changes it."""
    return Division(tuple([_single_player_bubble(number) for number in players]), ())


@lru_cache(maxsize=1_024)
def _single_player_bubble(player: int) -> Bubble:
    """Return the bubble of a single player that nothing holds, like every player on a quiet level."""
    return Bubble((player,), held=False, creatures=())


def nearest_players(level: Level, players: list[Creature], creatures: list[Creature]) -> list[int | None]:
    """Return the number of the player nearest to each creature, the lowest among equals; None if all are far away."""
    width = level.grid.width
    if len(players) * len(creatures) <= _FEW:
        places = [(player.number, *divmod(player.cell, width)) for player in players]
        return [_nearest(places, *divmod(creature.cell, width)) for creature in creatures]
    player_y, player_x = np.divmod(np.array([player.cell for player in players]), width)
    own_y, own_x = np.divmod(np.array([creature.cell for creature in creatures]), width)
    away = np.maximum(np.abs(own_y[:, None] - player_y), np.abs(own_x[:, None] - player_x))
    first = away.argmin(axis=1)  # the first of equals, and players are ordered by number
    near = away[np.arange(len(creatures)), first] <= NEAR_CELLS
    return [
        players[at].number if within else None
        for at, within in zip(first.tolist(), near.tolist(), strict=True)
    ]


def _nearest(places: list[tuple[int, int, int]], y: int, x: int) -> int | None:
    found, least = None, NEAR_CELLS + 1
    for number, at_y, at_x in places:
        if -least < at_x - x < least and -least < at_y - y < least:
            found, least = number, max(abs(at_x - x), abs(at_y - y))
    return found


def _shared_enemies(holding: dict[int, list[int]]) -> dict[int, int]:
    """Return for each player the lowest-numbered player in their chain of shared enemies.

    This is a union-find: `parent` leads from each player to a lower one of their group, and in the end to the lowest.
    `first_held` is the first player that each enemy holds. When an enemy holds a second player, their two groups
    become one. The partner in a duel is an enemy too, and is itself a key of `first_held`, so duels join groups in
    the same way. The lowest number as leader makes the result independent of the order of enemies.
    """
    parent = {player: player for player in holding}
    if not any(holding.values()):
        return parent
    first_held = dict(parent)

    def leader(player: int) -> int:
        while parent[player] != player:
            parent[player] = player = parent[parent[player]]
        return player

    for player, enemies in holding.items():
        for enemy in enemies:
            one, other = leader(first_held.setdefault(enemy, player)), leader(player)
            parent[max(one, other)] = min(one, other)
    return {player: leader(player) for player in holding}
