"""Turn groups: which players and creatures share a turn. Computed before each turn, without identity or state.

Players held by the same enemy, directly or in a chain, share a turn group with the enemies that hold them. A player that
nothing holds is a separate turn group. Every other creature acts with its owner if that is a player on the level, else with
the nearest player, or with the wild.

Why chains: if A fights a wolf that also holds B, then B's turn changes A's fight. The wolf must act once for both, so
A, B and the wolf take turns together, and so does every player who shares another enemy with one of them. Players
without a common enemy cannot change each other's fight within a turn, so they never wait for each other.

One turn changes little of a crowded level. So the groups are derived from those before: only players who see something
else, whose contacts changed, or who see a monster that changed are compared with the monsters again. The result is the
same as without the groups before; `compute_turn_groups` computes it so, and the check mode holds the two equal.
"""

from functools import partial
from itertools import compress
from operator import attrgetter, itemgetter, ne
from typing import Final

from gloam_server.world.combat.hostility import enemies_holding
from gloam_server.world.items.equipment import total_attack
from gloam_server.world.model import turn_group_data
from gloam_server.world.model.creature import HOSTILITY, Creature
from gloam_server.world.model.level import Level
from gloam_server.world.transition.block_index import BlockIndex
from gloam_server.world.transition.nearest_players import nearest_players

_MANY: Final = 64
"""The least number of monsters for which an index of their cells is faster than a scan."""
# Passes over all players of a level run before each turn, so they are few, and mostly made of built-in functions.
_CONTACTS: Final = attrgetter("contacts")
_CONSENTS: Final = attrgetter("consents")
_FIELDS: Final = attrgetter(*HOSTILITY)
"""The state of a monster is as before if these and its status effects are."""


def turn_groups(level: Level, sequence: int) -> turn_group_data.Division:
    """Return the turn groups of a level after `sequence` inputs, computed once: only inputs change a level."""
    return level.caches.turn_groups.get((), sequence, partial(_compute, level)).division


def compute_turn_groups(level: Level) -> turn_group_data.Division:
    """Return the present turn groups of a level and its unattended creatures, from nothing but the level."""
    return _compute(level, None).division


def _compute(level: Level, before: turn_group_data.KnownGroups | None) -> turn_group_data.KnownGroups:
    players, monsters, sights = level.players(), level.monsters(), level.players_sight()
    if before is not None and before.players is players:
        numbers, ties = before.division.players, before.ties
    else:
        numbers = frozenset([player.number for player in players])
        ties = turn_group_data.Ties(list(map(_CONTACTS, players)), list(map(_CONSENTS, players)))
    if not monsters and not any(ties.consents):  # nothing can hold anyone
        alone = _alone(numbers, before)
        return turn_group_data.KnownGroups(
            alone, sights, players, ties, turn_group_data.NO_MONSTERS, {}, {}, turn_group_data.NO_NEAREST
        )
    states, changed = _monster_states(level, monsters, before.monsters if before is not None else None)
    contacts = {
        player.number: (player.actions, dict(player.contacts)) for player in compress(players, ties.contacts)
    }
    consenting = frozenset([player.number for player in compress(players, ties.consents)])
    moved = None
    if before is None:
        held = _holders(level, set(numbers), {})
        nearest = nearest_players(level, players, monsters)
    else:
        if before.players is players:
            held, moved = before.held, level.sight.renewed_since(before.sights)
        else:
            held = _of_these(before.held, numbers)
        stale = _stale_players(before, players, sights, states, changed, contacts, moved)
        stale.update(consenting, before.consenting)
        stale &= numbers
        held = _holders(level, stale, held) if stale else held
        nearest = nearest_players(level, players, monsters, before.nearest, moved)
    if before is not None and _same_groups(before, numbers, states, held, nearest):
        division = before.division
    else:
        acts_with = dict(zip(states.by_number, nearest.players, strict=True))
        # A companion beside an idle friend would stand still while its owner walks away.
        acts_with |= {number: owner for number, owner in states.owners.items() if owner in numbers}
        division = _divide(numbers, held, acts_with)
    return turn_group_data.KnownGroups(
        division, sights, players, ties, states, contacts, held, nearest, consenting
    )


def _alone(numbers: frozenset[int], before: turn_group_data.KnownGroups | None) -> turn_group_data.Division:
    """Return the division of a level on which each player is alone: the same as before if they are the same."""
    if before is not None:
        division = before.division
        if division.players is numbers and not (division.groups or division.wild):
            return division
    return turn_group_data.Division(numbers, (), ())


def _same_groups(
    before: turn_group_data.KnownGroups,
    numbers: frozenset[int],
    states: turn_group_data.MonsterStates,
    held: dict[int, list[int]],
    nearest: turn_group_data.Nearest,
) -> bool:
    """Return whether the division follows from the same as the one before."""
    return (
        (numbers is before.division.players or numbers == before.division.players)
        and states.bodies is before.monsters.bodies
        and states.owners == before.monsters.owners
        and held == before.held
        and nearest.players == before.nearest.players
    )


def _of_these(held: dict[int, list[int]], numbers: frozenset[int]) -> dict[int, list[int]]:
    return {number: found for number, found in held.items() if number in numbers}


def _monster_states(
    level: Level, monsters: tuple[Creature, ...], before: turn_group_data.MonsterStates | None
) -> tuple[turn_group_data.MonsterStates, set[int]]:
    """Return the states of all monsters, and the numbers of monsters that arrived, left or changed since `before`.

    A state takes several calls. So only monsters with another number in one of their plain fields are looked at again,
    and those with a status effect, which may change without any.
    """
    fields = [() if monster.lasting else _FIELDS(monster) for monster in monsters]
    if before is not None and before.bodies is monsters and fields == before.fields and all(fields):
        return before, set()
    if before is None or before.bodies is not monsters:
        by_number = {monster.number: _state(level, monster) for monster in monsters}
        known = before.by_number if before is not None else {}
        changed = {number for number, state in by_number.items() if known.get(number) != state}
        states = turn_group_data.MonsterStates(monsters, fields, by_number, _owners(by_number))
        return states, changed | (known.keys() - by_number.keys())
    affected = [monster for monster, plain in zip(monsters, fields, strict=True) if not plain]
    suspects = [*compress(monsters, map(ne, fields, before.fields)), *affected]
    found = {monster.number: _state(level, monster) for monster in suspects}
    changed = {number for number, state in found.items() if before.by_number[number] != state}
    by_number, owners = before.by_number, before.owners
    if changed:
        by_number = {**by_number, **found}
        owners = _owners(by_number)
    return turn_group_data.MonsterStates(monsters, fields, by_number, owners), changed


def _owners(states: dict[int, turn_group_data.MonsterState]) -> dict[int, int]:
    return {number: owner for number, (_, _, _, _, owner, _) in states.items() if owner}


def _state(level: Level, monster: Creature) -> turn_group_data.MonsterState:
    return (
        monster.cell,
        monster.asleep > 0,
        monster.ai.hidden,
        monster.ally,
        monster.owner,
        total_attack(level, monster) > 0,
    )


def _stale_players(
    before: turn_group_data.KnownGroups,
    players: tuple[Creature, ...],
    sights: tuple[bytes, ...],
    states: turn_group_data.MonsterStates,
    changed: set[int],
    contacts: dict[int, turn_group_data.Contacts],
    moved: list[int] | None,
) -> set[int]:
    """Return the players who may be held by other enemies than before; also some who have left.

    `moved` are the indices of the players with another field of view; None where others joined or left.
    """
    if moved is None:
        known = dict(zip([player.number for player in before.players], before.sights, strict=True))
        numbers = [player.number for player in players]
        stale = {
            number for number, seen in zip(numbers, sights, strict=True) if known.get(number) is not seen
        }
    else:
        stale = {players[at].number for at in moved}
    if changed:
        both = (before.monsters.by_number, states.by_number)
        for cell in {each[number][0] for each in both for number in changed & each.keys()}:
            stale.update([player.number for player in compress(players, map(itemgetter(cell), sights))])
    for number in before.contacts.keys() | contacts.keys():
        held_by = contacts.get(number)
        if held_by != before.contacts.get(number) or (held_by and not changed.isdisjoint(held_by[1])):
            stale.add(number)
    return stale


def _holders(level: Level, stale: set[int], before: dict[int, list[int]]) -> dict[int, list[int]]:
    """Return by which enemies each held player is held: as before, except for the stale players."""
    monsters = level.monsters()
    index = BlockIndex(level.grid, monsters) if len(monsters) > _MANY and stale else None
    held = dict(before)
    for number in sorted(stale):
        player = level.creatures[number]
        near = monsters if index is None else index.near_or_met(player, level.sight.reach(player))
        enemies = enemies_holding(level, player, near) if near or player.consents else []
        if enemies:
            held[number] = enemies
        else:
            held.pop(number, None)
    return held


def _divide(
    players: frozenset[int], held: dict[int, list[int]], acts_with: dict[int, int | None]
) -> turn_group_data.Division:
    """Return the turn groups from the enemies that hold each player, and the player of each monster's turns."""
    leader = _shared_enemies(held, players)
    owner = {
        enemy: leader[number] for number, enemies in held.items() for enemy in enemies if enemy not in players
    }
    wild: list[int] = []
    members: dict[int, list[int]] = {first: [] for first in leader.values()}
    for number, near in acts_with.items():
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
        turn_group_data.TurnGroup(
            players=tuple(group := together.get(first, [first])),
            held=any(number in held for number in group),
            creatures=tuple(sorted(creatures)),
        )
        for first, creatures in sorted(members.items())
    ]
    return turn_group_data.Division(players, tuple(groups), tuple(sorted(wild)))


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
