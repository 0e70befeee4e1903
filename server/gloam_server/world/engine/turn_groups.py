"""Bubbles: who shares a turn with whom. Computed before each turn; they have no identity and no state.

Players held by the same enemy, directly or in a chain, share a bubble with the enemies that hold them. Whom nothing
holds is a bubble of his own. Every other creature acts with the nearest player, or with the wild.
"""

from functools import lru_cache
from typing import Final

from gloam_server.world.combat.hostility import enemies_holding
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.turn_group_data import Bubble, Division

NEAR_CELLS: Final = 24
"""A creature acts with the nearest player within so many cells; beyond, it belongs to the wild."""


def turn_groups(level: Level, sequence: int) -> Division:
    """Return the bubbles of a level after so many inputs, computed once: nothing but inputs changes a level."""
    known = level.turn_groups
    if known is None or known[0] != sequence:
        known = level.turn_groups = (sequence, compute_turn_groups(level))
    return known[1]


def compute_turn_groups(level: Level) -> Division:
    """Return the bubbles of a level and its wild, as they are now."""
    players = level.players()
    monsters = [creature for creature in level.creatures.values() if not creature.account]
    holding = {
        player.number: enemies_holding(level, player, monsters) if monsters or player.consents else []
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
    places = [(player.number, *divmod(player.cell, level.width)) for player in players]
    for creature in level.creatures.values():
        if creature.account or creature.number in owner:
            continue
        near = _nearest(places, *divmod(creature.cell, level.width))
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


@lru_cache(maxsize=1_024)
def _single_player_bubble(player: int) -> Bubble:
    """Return the bubble of a player whom nothing holds, with nobody about: in a quiet hall that is everybody's."""
    return Bubble((player,), held=False, creatures=())


def _nearest(places: list[tuple[int, int, int]], y: int, x: int) -> int | None:
    """Return the player nearest to a place, the lowest number among equals; None when all are far away."""
    found, least = None, NEAR_CELLS + 1
    for number, at_y, at_x in places:
        across, down = abs(at_x - x), abs(at_y - y)
        if across < least and down < least:
            found, least = number, max(across, down)
    return found


def _shared_enemies(holding: dict[int, list[int]]) -> dict[int, int]:
    """Return for each player the lowest player of his chain of shared enemies; who holds a player is in his chain."""
    leader = {player: player for player in holding}
    first_held = {player: player for player in holding}
    for player, enemies in holding.items():
        for enemy in enemies:
            other = first_held.setdefault(enemy, player)
            low, high = sorted((leader[other], leader[player]))
            if low != high:
                leader = {who: low if first == high else first for who, first in leader.items()}
    return leader
