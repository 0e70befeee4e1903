"""Turn groups (bubbles): which players and creatures share a turn. Computed before each turn, without identity or state.

Players held by the same enemy, directly or in a chain, share a bubble with the enemies that hold them. A player that
nothing holds is a separate bubble. Every other creature acts with the nearest player, or with the wild.

Why chains: if A fights a wolf that also holds B, then B's turn changes A's fight. The wolf must act once for both, so
A, B and the wolf take turns together, and so does every player who shares another enemy with one of them. Players
without a common enemy cannot change each other's fight within a turn, so they never wait for each other.

One turn changes little of a crowded level. So the groups are derived from those before: only players who see something
else, whose contacts changed, or who see a monster that changed are compared with the monsters again. The result is the
same as without the groups before; `compute_turn_groups` computes it so, and tests hold the two equal.
"""

from collections.abc import Iterable
from itertools import compress
from operator import attrgetter, is_not, itemgetter
from typing import Final

from gloam_server.world.combat.hostility import enemies_holding
from gloam_server.world.engine.block_index import BlockIndex
from gloam_server.world.engine.nearest_players import nearest_players
from gloam_server.world.items.equipment import total_attack
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.turn_group_data import (
    Bubble,
    Contacts,
    Division,
    KnownGroups,
    MonsterState,
)

_MANY: Final = 64
"""The number of monsters from which an index of their cells is worth its making."""
# These passes over all players of a level run before each turn, so they are made of built-in functions.
_CONTACTS: Final = attrgetter("contacts")
_CONSENTS: Final = attrgetter("consents")


def turn_groups(level: Level, sequence: int) -> Division:
    """Return the bubbles of a level after `sequence` inputs, computed once: only inputs change a level."""
    known = level.turn_groups
    if known is None or known.sequence != sequence:
        known = level.turn_groups = _compute(level, sequence, known)
    return known.division


def compute_turn_groups(level: Level) -> Division:
    """Return the present bubbles of a level and its unattended creatures, from nothing but the level."""
    return _compute(level, level.sequence, None).division


def _compute(level: Level, sequence: int, before: KnownGroups | None) -> KnownGroups:
    players, monsters, sights = level.players(), level.monsters(), level.players_sight()
    if before is not None and before.players is players:
        numbers = before.division.players
    else:
        numbers = frozenset([player.number for player in players])
    if not monsters and not any(map(_CONSENTS, players)):  # nothing can hold anyone
        return KnownGroups(sequence, Division(numbers, (), ()), sights, players, {}, {}, {}, {}, None)
    states = {monster.number: _state(level, monster) for monster in monsters}
    contacts = {
        player.number: (player.actions, dict(player.contacts))
        for player in compress(players, map(_CONTACTS, players))
    }
    if before is None:
        held, stale = {}, set(numbers)
    else:
        stale = _stale_players(before, players, sights, states, contacts) & numbers
        held = {number: found for number, found in before.held.items() if number in numbers}
    _find_holders(level, stale, held)
    nearest, distances = nearest_players(
        level, players, monsters, before.distances if before is not None else None
    )
    near = dict(zip(states, nearest, strict=True))
    if before is not None and (numbers, held, near) == (before.division.players, before.held, before.near):
        division = before.division
    else:
        division = _divide(numbers, held, near)
    return KnownGroups(sequence, division, sights, players, states, contacts, held, near, distances)


def _state(level: Level, monster: Creature) -> MonsterState:
    return (
        monster.cell,
        monster.asleep > 0,
        monster.ai.hidden,
        monster.ally,
        monster.owner,
        total_attack(level, monster) > 0,
    )


def _stale_players(
    before: KnownGroups,
    players: tuple[Creature, ...],
    sights: tuple[bytes, ...],
    states: dict[int, MonsterState],
    contacts: dict[int, Contacts],
) -> set[int]:
    """Return the players who may be held by other enemies than before; also some who have left."""
    stale = {player.number for player in _with_new_sight(before, players, sights)}
    changed = {number for number, state in states.items() if before.monsters.get(number) != state}
    changed.update(before.monsters.keys() - states.keys())
    for cell in {each[number][0] for each in (before.monsters, states) for number in changed & each.keys()}:
        stale.update([player.number for player in compress(players, map(itemgetter(cell), sights))])
    for number in before.contacts.keys() | contacts.keys():
        held_by = contacts.get(number)
        if held_by != before.contacts.get(number) or (held_by and not changed.isdisjoint(held_by[1])):
            stale.add(number)
    stale.update([player.number for player in compress(players, map(_CONSENTS, players))])
    return stale


def _with_new_sight(
    before: KnownGroups, players: tuple[Creature, ...], sights: tuple[bytes, ...]
) -> Iterable[Creature]:
    """Return the players whose field of view is another one than before."""
    if sights is before.sights:
        return ()
    if players is before.players:
        return compress(players, map(is_not, sights, before.sights))
    known = dict(zip([player.number for player in before.players], before.sights, strict=True))
    return [
        player for player, seen in zip(players, sights, strict=True) if known.get(player.number) is not seen
    ]


def _find_holders(level: Level, stale: set[int], held: dict[int, list[int]]) -> None:
    """Write into `held` by which enemies these players are held now."""
    monsters = level.monsters()
    index = BlockIndex(level.grid, monsters) if len(monsters) > _MANY and stale else None
    for number in sorted(stale):
        player = level.creatures[number]
        near = monsters if index is None else index.near_or_met(player, level.sight.reach(player))
        enemies = enemies_holding(level, player, near) if near or player.consents else []
        if enemies:
            held[number] = enemies
        else:
            held.pop(number, None)


def _divide(players: frozenset[int], held: dict[int, list[int]], nearest: dict[int, int | None]) -> Division:
    """Return the bubbles from the enemies that hold each player, and the player nearest to each monster."""
    leader = _shared_enemies(held, players)
    owner = {
        enemy: leader[number] for number, enemies in held.items() for enemy in enemies if enemy not in players
    }
    wild: list[int] = []
    members: dict[int, list[int]] = {first: [] for first in leader.values()}
    for number, near in nearest.items():
        if number in owner:
            members[owner[number]].append(number)
        elif near is None:
            wild.append(number)
        else:
            members.setdefault(leader.get(near, near), []).append(number)
    together: dict[int, list[int]] = {}
    for number in sorted(leader):
        together.setdefault(leader[number], []).append(number)
    groups = [
        Bubble(
            players=tuple(group := together.get(first, [first])),
            held=any(number in held for number in group),
            creatures=tuple(sorted(creatures)),
        )
        for first, creatures in sorted(members.items())
    ]
    return Division(players, tuple(groups), tuple(sorted(wild)))


def _shared_enemies(held: dict[int, list[int]], players: frozenset[int]) -> dict[int, int]:
    """Return for each held player, and each partner in a duel, the lowest-numbered player in their chain of shared enemies.

    This is a union-find: `parent` leads from each player to a lower one of their group, and in the end to the lowest.
    `first_held` is the first player that each enemy holds. When an enemy holds a second player, their two groups
    become one. The partner in a duel is an enemy too, and is itself a key of `first_held`, so duels join groups in
    the same way. The lowest number as leader makes the result independent of the order of enemies.
    """
    parent = {player: player for player in held}
    parent |= {enemy: enemy for enemies in held.values() for enemy in enemies if enemy in players}
    first_held = dict(parent)

    def leader(player: int) -> int:
        while parent[player] != player:
            parent[player] = player = parent[parent[player]]
        return player

    for player, enemies in held.items():
        for enemy in enemies:
            one, other = leader(first_held.setdefault(enemy, player)), leader(player)
            parent[max(one, other)] = min(one, other)
    return {player: leader(player) for player in parent}
