"""Level: one floor of the dungeon, with its creatures and items.

Its state is the only mutable state besides the realm's.
"""

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator
from itertools import compress
from operator import attrgetter, itemgetter
from typing import Final

import numpy as np
from msgspec import UNSET
from numpy.typing import NDArray

from gloam_server.content.campaign import Campaign
from gloam_server.content.fights.tempers import Temper
from gloam_server.content.levels import LevelKind
from gloam_server.rules.dice import Dice
from gloam_server.world.model.creature import Creature, Item
from gloam_server.world.model.ids import new_id, partition_of_id
from gloam_server.world.model.level_caches import LevelCaches
from gloam_server.world.model.level_state import LevelState, Trade
from gloam_server.world.model.modifiers import is_able
from gloam_server.world.model.sight.field_of_view import FieldsOfView
from gloam_server.world.model.surfaces.surface_state import avoids
from gloam_shared.appearance import WALKABLE, Terrain
from gloam_shared.geometry import Grid
from gloam_shared.level_numbers import depth_of_level
from gloam_shared.limits import PARTY_MAX

_HANDLES = 65_535
_NUMBER = attrgetter("number")
PLAIN_FLOOR = (Terrain.FLOOR, Terrain.GRASS)
_IS_WALKABLE = tuple(terrain in WALKABLE for terrain in range(256))


class Level:
    """One floor of the dungeon: its state, and what is derived from it."""

    __slots__ = (
        "_monsters",
        "_players",
        "caches",
        "campaign",
        "creatures",
        "grid",
        "handles",
        "memory",
        "occupied",
        "partition",
        "pending_traps",
        "piles",
        "realm_seed",
        "sight",
        "state",
        "taken_handles",
        "terrain",
        "traps",
        "wild_turns",
    )

    def __init__(self, state: LevelState, campaign: Campaign, realm_seed: int) -> None:
        self.state: Final = state
        """Everything that is saved."""
        self.campaign = campaign
        """The content and rules of the realm."""
        self.realm_seed = realm_seed
        """The realm's seed, which keys all random numbers."""
        # Parts of the state that never change, or only in place, under a shorter name.
        self.partition: Final = state.partition
        self.grid: Final = Grid(state.width, state.height)
        self.terrain: Final = state.terrain
        self.piles: Final = state.piles
        self.handles: Final = state.handles
        self.memory: Final = state.memory
        self.wild_turns: Final = state.wild_turns
        self.traps: Final = state.traps
        # Derived from the state: rebuilt when needed, never saved.
        self.creatures: Final = {body.number: body for body in state.bodies}
        """All creatures on the level, by ID."""
        self.occupied: Final = {body.cell: body.number for body in state.bodies}
        """The ID of the creature on each occupied cell."""
        self.taken_handles: Final = {handle: number for number, handle in state.handles.items()}
        """The ID for each handle in use."""
        self.pending_traps: Final[list[int]] = []
        """The bodies that entered traps in the current action."""
        self.caches: Final = LevelCaches(self.grid, self.is_walkable)
        """Values kept for rules."""
        self.sight: Final = FieldsOfView(campaign, self.grid, state.terrain, state.dark, state.surfaces)
        """The fields of view of the level's creatures."""
        self._players: tuple[Creature, ...] | None = None
        self._monsters: tuple[Creature, ...] | None = None

    @property
    def sequence(self) -> int:
        """The number of inputs applied."""
        return self.state.sequence

    @property
    def level_kind(self) -> LevelKind:
        """Its kind of level."""
        return self.campaign.levels[self.state.kind]

    @property
    def temper(self) -> Temper | None:
        """Its temper, None without one."""
        key = self.state.temper
        return next((each for each in self.campaign.tempers if each.key == key), None) if key else None

    @property
    def depth(self) -> int:
        """Its depth within its round, from 1."""
        return depth_of_level(self.partition)

    @property
    def own_level(self) -> int:
        """Its own level: its difficulty in whole levels, or its depth where none is tracked."""
        return max(1, self.state.difficulty // 100) if self.campaign.difficulty.tracked else self.depth

    def players(self) -> tuple[Creature, ...]:
        """Return the players' bodies on the level, by number: the same object until a player joins or leaves."""
        if self._players is None:
            bodies = [creature for creature in self.creatures.values() if creature.account]
            self._players = tuple(sorted(bodies, key=_NUMBER))
        return self._players

    def monsters(self) -> tuple[Creature, ...]:
        """Return all other creatures on the level: the same object until one of them arrives or leaves."""
        if self._monsters is None:
            self._monsters = tuple([body for body in self.creatures.values() if not body.account])
        return self._monsters

    def trades(self) -> list[Trade]:
        """Return the trades of the level's players, the oldest first."""
        return self.state.trades or []

    def set_trades(self, trades: list[Trade]) -> None:
        """Replace the trades of the level's players."""
        self.state.trades = trades or UNSET

    def turned_down(self) -> list[tuple[int, int]]:
        """Return the pairs of players, asker first, whose last trade was ended by a word."""
        return self.state.turned_down or []

    def set_turned_down(self, pairs: list[tuple[int, int]]) -> None:
        """Replace those pairs; each counts once."""
        self.state.turned_down = sorted(set(pairs)) or UNSET

    def count_monsters(self) -> int:
        """Return the number of creatures on the level, without the players."""
        return len(self.monsters())

    def is_full(self) -> bool:
        """Return whether the level holds as many creatures as its kind allows; players do not count."""
        return self.count_monsters() >= self.level_kind.creatures_max

    def at(self, cell: int) -> Creature | None:
        """Return the creature on a cell, if any."""
        number = self.occupied.get(cell)
        return None if number is None else self.creatures[number]

    def is_walkable(self, cell: int) -> bool:
        """Return whether any body could stand on a cell, ignoring creatures."""
        return _IS_WALKABLE[self.terrain[cell]]

    def can_hold(self, creature: Creature, cell: int) -> bool:
        """Return whether this body could stand on a cell, ignoring creatures."""
        terrain = self.terrain[cell]
        if _IS_WALKABLE[terrain]:
            return True
        return terrain == Terrain.WATER and is_able(self.campaign, creature, "swims")

    def can_hold_kind(self, kind: str, cell: int) -> bool:
        """Return whether a kind could stand on a cell, ignoring creatures: swimmers can stand in deep water."""
        terrain = self.terrain[cell]
        if _IS_WALKABLE[terrain]:
            return True
        return terrain == Terrain.WATER and self.campaign.creatures[kind].swims

    def could_swap(self, one: Creature, other: Creature) -> bool:
        """Return whether each of two bodies could stand where the other does."""
        return self.can_hold(one, other.cell) and self.can_hold(other, one.cell)

    def is_free(self, cell: int) -> bool:
        """Return whether any body could step onto a cell now."""
        return _IS_WALKABLE[self.terrain[cell]] and cell not in self.occupied

    def is_passable(self, creature: Creature, cell: int) -> bool:
        """Return whether a body's path may cross a cell: no creature, no surface that it avoids, no door that it cannot open."""
        surfaces = self.state.surfaces
        if cell in self.occupied or (surfaces and avoids(self.campaign, surfaces, creature, cell)):
            return False
        if _IS_WALKABLE[self.terrain[cell]]:  # searches ask for many cells, and most are floor
            return True
        if self.terrain[cell] == Terrain.DOOR_CLOSED:
            return self.can_open(creature)
        return self.can_hold(creature, cell)

    def can_open(self, creature: Creature) -> bool:
        """Return whether a body opens and closes doors."""
        return self.campaign.creatures[creature.kind].picks_points or is_able(
            self.campaign, creature, "opens"
        )

    def is_diggable(self, cell: int) -> bool:
        """Return whether a cell is rock that can be dug; the campaign decides about the edge (rules J7.9, F177)."""
        if self.state.devices and self.state.devices.closes(self.grid, cell):
            return False
        is_edge = self.grid.is_on_border(cell)
        return self.terrain[cell] == Terrain.WALL and (self.campaign.digs_border or not is_edge)

    def has_room(self) -> bool:
        """Return whether a body could arrive: whether any cell is free."""
        return any(map(self.is_free, range(len(self.terrain))))

    def is_empty_floor(self, cell: int) -> bool:
        """Return whether a cell is plain floor without a creature: stairs never count as empty floor."""
        return self.terrain[cell] in PLAIN_FLOOR and cell not in self.occupied

    def nearest_free_cell(self, cell: int) -> int | None:
        """Return the free cell with the fewest steps from `cell` over walkable ground; None without one."""
        return self.nearest_cell(cell, self.is_free)

    def nearest_cell(self, cell: int, will_do: Callable[[int], bool]) -> int | None:
        """Return the suitable cell with the fewest steps from `cell` over walkable ground; None without one.

        Among equals the order of the eight directions decides, so that friends are next to each other.
        """
        near = self.caches.nearest_cells.nearest(cell, will_do)
        return (
            near
            if near is not None
            else next((here for here in range(len(self.terrain)) if will_do(here)), None)
        )

    def distance(self, a: Creature, b: Creature) -> int:
        """Return the Chebyshev distance between two bodies."""
        return self.grid.distance(a.cell, b.cell)

    def new_id(self) -> int:
        """Return a new realm-wide number."""
        self.state.minted += 1
        return new_id(self.partition, self.state.minted)

    def add(self, creature: Creature, cell: int, dice: Dice) -> None:
        """Put a creature on a free cell and give it a handle: its last one here, if that is free."""
        if cell in self.occupied or not self.can_hold(creature, cell):
            raise ValueError(
                f"cell {cell} of level {self.partition} is not free for creature {creature.number}"
            )
        creature.cell = cell
        self.creatures[creature.number] = creature
        insort(self.state.bodies, creature, key=_NUMBER)
        if creature.born_turn < 0 and partition_of_id(creature.number) == self.partition:
            creature.born_turn = self.state.turns
        self.occupied[cell] = creature.number
        self.sight.note_gear(creature.number)
        self._renew_bodies(creature)
        self.caches.foes.clear()
        if creature.handle_partition == self.partition and creature.handle not in self.taken_handles:
            self._assign_handle(creature.number, creature.handle)
        else:
            self.give_handle(creature.number, dice)

    def remove(self, creature: Creature) -> None:
        """Remove a creature from the level; this ends its duels."""
        del self.creatures[creature.number]
        del self.state.bodies[bisect_left(self.state.bodies, creature.number, key=_NUMBER)]
        self._renew_bodies(creature)
        self.caches.foes.clear()
        self.caches.written.by_life.pop(creature.number, None)
        creature.consents.clear()
        for other in self.creatures.values():
            if creature.number in other.consents:
                other.consents.remove(creature.number)
        del self.occupied[creature.cell]
        if creature.account:
            creature.handle, creature.handle_partition = self.handles[creature.number], self.partition
            if creature.account in self.state.company:
                self.state.company[creature.account] = self.state.turns
            if self.campaign.regeneration.creature_turns:
                left = [*(self.state.left or {}).items(), (creature.number, creature.actions)]
                self.state.left = dict(left[-PARTY_MAX:])
        self.drop_handle(creature.number)
        self.sight.forget(creature.number)
        self.wild_turns.pop(creature.number, None)

    def _renew_bodies(self, creature: Creature) -> None:
        """Forget the players after one joined or left, and the other creatures after one of those did.

        Turn groups and records keep what follows from the group that is the same.
        """
        if creature.account:
            self._players = None
        else:
            self._monsters = None

    def remove_for_good(self, creature: Creature) -> None:
        """Remove a creature from the level permanently, and from all records of contact."""
        self.remove(creature)
        self.memory.pop(creature.number, None)
        for other in self.creatures.values():
            other.contacts.pop(creature.number, None)

    def move(self, creature: Creature, cell: int) -> None:
        """Move a creature to a free cell."""
        del self.occupied[creature.cell]
        creature.cell = cell
        self.occupied[cell] = creature.number
        self._note_move(creature)

    def swap(self, one: Creature, other: Creature) -> None:
        """Let two creatures change places."""
        one.cell, other.cell = other.cell, one.cell
        self.occupied[one.cell] = one.number
        self.occupied[other.cell] = other.number
        self._note_move(one)
        self._note_move(other)

    def _note_move(self, creature: Creature) -> None:
        self.sight.note_move(creature)
        if creature.cell in self.traps:
            self.pending_traps.append(creature.number)

    def give_handle(self, number: int, dice: Dice) -> None:
        """Draw an opaque 16-bit handle by a keyed roll, again if taken: it reveals nothing about others."""
        handle = 1 + dice.roll("handle", number, _HANDLES)
        while handle in self.taken_handles:
            handle = 1 + dice.roll("handle", number, _HANDLES)
        self._assign_handle(number, handle)

    def _assign_handle(self, number: int, handle: int) -> None:
        self.handles[number] = handle
        self.taken_handles[handle] = number

    def drop_handle(self, number: int) -> None:
        """Forget a handle."""
        del self.taken_handles[self.handles.pop(number)]

    def put_item(self, item: Item, cell: int, dice: Dice) -> None:
        """Put an item on top of the pile on a cell."""
        self.piles.setdefault(cell, []).append(item)
        self.give_handle(item.number, dice)

    def take_item(self, item: Item, cell: int) -> None:
        """Take an item from the pile on a cell."""
        pile = self.piles[cell]
        pile.remove(item)
        if not pile:
            del self.piles[cell]
        self.drop_handle(item.number)

    def items_at(self) -> Iterator[tuple[int, Item]]:
        """Yield every floor item of the level, with its cell."""
        for cell in sorted(self.piles):
            for item in self.piles[cell]:
                yield cell, item

    def count_floor_items(self) -> int:
        """Return the number of items on the floor: each handle belongs to a creature or to a floor item."""
        return len(self.handles) - len(self.creatures)

    def dig(self, cell: int, terrain: int) -> None:
        """Change the terrain of a cell; fields of view that reach it are computed again."""
        self.terrain[cell] = terrain
        self.sight.terrain_changed(cell)
        self.caches.nearest_cells.clear()

    def make_bright(self, cells: Iterable[int]) -> None:
        """Light up cells permanently; all fields of view are computed again."""
        self.state.dark = self.sight.make_bright(cells)

    @property
    def dark(self) -> bytes:
        """One byte for each cell, 1 for a cell without light."""
        return self.sight.dark

    def field_of_view(self, creature: Creature) -> bytes:
        """Return a creature's field of view: one byte a cell, 1 where it sees."""
        return self.sight.of(creature, self.creatures)

    def players_sight(self) -> tuple[bytes, ...]:
        """Return the field of view of each of `players()`: the same object until one of them changes."""
        return self.sight.of_players(self.players(), self.creatures)

    def transparent(self) -> NDArray[np.bool_]:
        """Return which cells light passes, as rows and columns."""
        return self.sight.transparent()

    def observers(self, cell: int) -> list[Creature]:
        """Return the witnesses of a cell: players within the campaign's message radius, if set, else players who see it."""
        radius = self.campaign.message_radius
        if not radius:
            return self.witnesses(cell)
        return [body for body in self.players() if self.grid.distance(body.cell, cell) <= radius]

    def witnesses(self, cell: int) -> list[Creature]:
        """Return the players who see a cell now."""
        return list(compress(self.players(), map(itemgetter(cell), self.players_sight())))
