"""A level divided for one turn, as data: `turn_groups` computes it, and the level keeps the newest."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gloam_server.world.model.creature import Creature

MonsterState: TypeAlias = tuple[int, bool, bool, bool, int, bool]
"""All of a monster that decides which players it holds: its cell, and whether it sleeps, hides, is an ally, of which
summoner, and can do harm."""

Contacts: TypeAlias = tuple[int, dict[int, int]]
"""The number of a player's actions, and their contacts."""


@dataclass(frozen=True, slots=True)
class TurnGroup:
    """The members of a turn: players by number, the enemies that hold them, other creatures nearby.

    `held` means that something holds the turn group's players; it is true for all of them or none.
    """

    players: tuple[int, ...]
    held: bool
    creatures: tuple[int, ...]


@lru_cache(maxsize=4_096)
def lone_group(player: int) -> TurnGroup:
    """Return the turn group of a player without any creature nearby, like most players of a crowd."""
    return TurnGroup((player,), held=False, creatures=())


@dataclass(frozen=True, slots=True)
class Division:
    """A level divided for one turn: the turn groups with creatures, by their lowest player, and the unattended creatures.

    Every other one of the `players` has a turn group of their own without creatures.
    """

    players: frozenset[int]
    groups: tuple[TurnGroup, ...]
    wild: tuple[int, ...]
    held: tuple[TurnGroup, ...] = field(init=False, repr=False, compare=False)
    """The turn groups with held players, by their lowest player."""
    held_players: frozenset[int] = field(init=False, repr=False, compare=False)
    _by_player: Mapping[int, TurnGroup] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Index the turn groups: many players ask for theirs in each turn."""
        index = {number: group for group in self.groups for number in group.players}
        object.__setattr__(self, "_by_player", index)
        held = tuple([group for group in self.groups if group.held])
        object.__setattr__(self, "held", held)
        held_players = frozenset([number for group in held for number in group.players])
        object.__setattr__(self, "held_players", held_players)

    @property
    def all_groups(self) -> tuple[TurnGroup, ...]:
        """All turn groups, by their lowest player."""
        lone = [lone_group(number) for number in self.players if number not in self._by_player]
        return tuple(sorted([*self.groups, *lone], key=lambda group: group.players[0]))

    def of(self, player: int) -> TurnGroup:
        """Return the turn group of a player on the level. Raises KeyError for any other creature."""
        found = self.find(player)
        if found is None:
            raise KeyError(player)
        return found

    def find(self, player: int) -> TurnGroup | None:
        """Return the turn group of a player; None if the player was not on the level."""
        if player not in self.players:
            return None
        return self._by_player.get(player) or lone_group(player)


class MonsterStates(NamedTuple):
    """The states of a level's monsters, by number."""

    bodies: tuple[Creature, ...]
    """The monsters, as one object until one arrives or leaves."""
    fields: list[tuple[object, ...]]
    """For each monster the plain fields from which its state was made; () if a status effect was on it."""
    by_number: dict[int, MonsterState]
    owners: dict[int, int]
    """The owner of each monster that has one."""


class Ties(NamedTuple):
    """The ties of each player of a level to others: these objects are the same for as long as the player is there."""

    contacts: list[dict[int, int]]
    consents: list[list[int]]


class Distances(NamedTuple):
    """The nearest player of each monster, and how far away, to find it again after few bodies have moved."""

    players: tuple[Creature, ...]
    monsters: tuple[Creature, ...]
    player_cells: list[int]
    monster_cells: list[int]
    player_points: NDArray[np.int32]
    """The rows of all players, and their columns."""
    indices: list[int]
    """For each monster the place of the nearest player, the first one among equals."""
    away: list[int]
    """For each monster its distance to that player."""


class Nearest(NamedTuple):
    """The number of the player nearest to each monster, None without one near enough, and how they were found."""

    players: list[int | None]
    distances: Distances | None
    """None on a level with few creatures."""


@dataclass(slots=True)
class KnownGroups:
    """The turn groups of a level, and what they were computed from: the next ones differ from them in little.

    Equal ones have the same result.
    """

    division: Division
    sights: tuple[bytes, ...] = field(compare=False)
    """The field of view of each player, as one object."""
    players: tuple[Creature, ...] = field(compare=False)
    """These players, as one object until one joins or leaves."""
    ties: Ties = field(compare=False)
    monsters: MonsterStates = field(compare=False)
    contacts: dict[int, Contacts] = field(compare=False)
    """The contacts of the players who have any."""
    held: dict[int, list[int]]
    """The enemies that hold each held player."""
    nearest: Nearest = field(compare=False)
    consenting: frozenset[int] = field(default=frozenset(), compare=False)
    """The players with a consent to a duel: its end changes who holds them."""


NO_MONSTERS: Final = MonsterStates((), [], {}, {})
NO_NEAREST: Final = Nearest([], None)
