"""Level: one floor of the dungeon and all that stands and lies on it. The only mutable state beside the realm."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gloam_server.content.campaign import Campaign
from gloam_server.content.levels import LevelKind
from gloam_server.rules.dice import Dice
from gloam_server.rules.line_of_sight import field_of_view
from gloam_server.world.model.creature import Creature, Item
from gloam_server.world.model.field_of_view import Cells, LightField
from gloam_server.world.model.ids import new_id
from gloam_server.world.model.modifiers import sight_with_status
from gloam_server.world.model.turn_group_data import Division
from gloam_shared.appearance import TRANSPARENT, WALKABLE, Terrain
from gloam_shared.geometry import chebyshev
from gloam_shared.level_numbers import depth_of_level

_HANDLES = 65_535
_PLAIN = (Terrain.FLOOR, Terrain.GRASS)
_SEES_THROUGH = np.array([terrain in TRANSPARENT for terrain in range(256)])


@dataclass(slots=True)
class Level:
    """One floor. `place` is its depth, from 1; `kind` the key of its kind of level. Everything that `freeze` keeps changes only in `apply`.

    `dark` has one byte a cell, 1 where no light of its own falls; by default everything is lit. `traps` are the spells that
    lie in wait, by cell; a trap that nobody found yet looks like the ground around it, a found one is Terrain.TRAP.
    `trodden` are the bodies that came onto traps in the action under way.
    `links` are the cells of the other level that staircases lead to, by their own cell; without one it is the same cell.
    `arrival` is where new lives of a round begin, -1 on all levels but its first. `difficulty` is the tracker's, in
    hundredths of a level, `share` how many creatures came with it and its guests, and `quiet` how many turns ago the last one
    came. `memory` is what each life remembers of the terrain, by creature number. `sequence` counts the inputs applied.
    `guests` are the accounts that have ever come, the first one first. `prize` is the cell where the campaign's prize
    lies at first, and again when it was won; -1 for any.
    `heard` is the last output taken from each other place, so that none is taken twice.
    """

    campaign: Campaign
    realm_seed: int
    place: int
    kind: str
    width: int
    height: int
    terrain: bytearray
    sequence: int = 0
    minted: int = 0
    links: dict[int, int] = field(default_factory=dict)
    arrival: int = -1
    difficulty: int = 100
    share: int = 0
    quiet: int = 0
    creatures: dict[int, Creature] = field(default_factory=dict)
    piles: dict[int, list[Item]] = field(default_factory=dict)
    handles: dict[int, int] = field(default_factory=dict)
    memory: dict[int, bytearray] = field(default_factory=dict)
    wild_turns: dict[int, int] = field(default_factory=dict)
    wild_due: bool = False
    rules_version: int = 0
    libraries: str = ""
    heard: dict[int, tuple[int, int]] = field(default_factory=dict)
    dark: bytes = b""
    traps: dict[int, str] = field(default_factory=dict)
    guests: list[int] = field(default_factory=list)
    prize: int = -1
    # Below: derived, rebuilt at will, never frozen.
    occupied: dict[int, int] = field(default_factory=dict)
    taken_handles: dict[int, int] = field(default_factory=dict)
    pending_traps: list[int] = field(default_factory=list)
    _transparent: NDArray[np.bool_] | None = None
    _players: list[Creature] | None = None
    written_memory: dict[int, bytes] = field(default_factory=dict)
    turn_groups: "tuple[int, Division] | None" = None
    _light: LightField | None = None
    _is_lit: bool = True
    _fields_of_view: dict[int, tuple[int, int, Cells | None, bytes]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Rebuild what is derived from what was thawed."""
        self.dark = self.dark or bytes(self.width * self.height)
        self._is_lit = not any(self.dark)
        self.occupied = {creature.cell: creature.number for creature in self.creatures.values()}
        self.taken_handles = {handle: number for number, handle in self.handles.items()}

    @property
    def level_kind(self) -> LevelKind:
        """What its kind of level says."""
        return self.campaign.levels[self.kind]

    @property
    def depth(self) -> int:
        """How deep it is within its round, from 1."""
        return depth_of_level(self.place)

    def players(self) -> list[Creature]:
        """Return the players' bodies that stand here, by number."""
        if self._players is None:
            bodies = [creature for creature in self.creatures.values() if creature.account]
            self._players = sorted(bodies, key=lambda body: body.number)
        return list(self._players)

    def at(self, cell: int) -> Creature | None:
        """Return the creature on a cell, if any."""
        number = self.occupied.get(cell)
        return None if number is None else self.creatures[number]

    def is_walkable(self, cell: int) -> bool:
        """Return whether any body could stand on a cell, were nobody there."""
        return self.terrain[cell] in WALKABLE

    def can_hold(self, creature: Creature, cell: int) -> bool:
        """Return whether this body could stand on a cell, were nobody there."""
        return self.can_hold_kind(creature.kind, cell)

    def can_hold_kind(self, kind: str, cell: int) -> bool:
        """Return whether a kind could stand on a cell, were nobody there: deep water bears those who swim."""
        terrain = self.terrain[cell]
        if terrain == Terrain.WATER:
            return self.campaign.creatures[kind].swims
        return terrain in WALKABLE

    def could_swap(self, one: Creature, other: Creature) -> bool:
        """Return whether each of two bodies could stand where the other does."""
        return self.can_hold(one, other.cell) and self.can_hold(other, one.cell)

    def is_free(self, cell: int) -> bool:
        """Return whether any body could step onto a cell now."""
        return self.terrain[cell] in WALKABLE and cell not in self.occupied

    def is_passable(self, creature: Creature, cell: int) -> bool:
        """Return whether a body's way may lead over a cell: nobody is there, and who opens doors may open this one."""
        if cell in self.occupied:
            return False
        if self.terrain[cell] == Terrain.DOOR_CLOSED:
            return self.can_open(creature)
        return self.can_hold(creature, cell)

    def can_open(self, creature: Creature) -> bool:
        """Return whether a body opens and closes doors."""
        kind = self.campaign.creatures[creature.kind]
        return kind.opens or kind.picks_points

    def is_on_border(self, cell: int) -> bool:
        """Return whether a cell is on the edge of the level."""
        y, x = divmod(cell, self.width)
        return x in (0, self.width - 1) or y in (0, self.height - 1)

    def is_diggable(self, cell: int) -> bool:
        """Return whether a cell is rock that can be dug: that of the edge only where the campaign says so (rule J7.9)."""
        return self.terrain[cell] == Terrain.WALL and (
            self.campaign.digs_border or not self.is_on_border(cell)
        )

    def is_empty_floor(self, cell: int) -> bool:
        """Return whether a cell is plain ground with nobody on it: stairs never count as empty floor."""
        return self.terrain[cell] in _PLAIN and cell not in self.occupied

    def distance(self, a: Creature, b: Creature) -> int:
        """Return the Chebyshev distance between two bodies."""
        return chebyshev(a.cell, b.cell, self.width)

    def new_id(self) -> int:
        """Return a new realm-wide number."""
        self.minted += 1
        return new_id(self.place, self.minted)

    def add(self, creature: Creature, cell: int, dice: Dice) -> None:
        """Stand a creature on a free cell and give it a handle: the one that it had here last, if that is free."""
        if cell in self.occupied or not self.can_hold(creature, cell):
            raise ValueError(f"cell {cell} of level {self.place} is not free for creature {creature.number}")
        creature.cell = cell
        self.creatures[creature.number] = creature
        self.occupied[cell] = creature.number
        self._players = None
        if creature.handle_place == self.place and creature.handle not in self.taken_handles:
            self._assign_handle(creature.number, creature.handle)
        else:
            self.give_handle(creature.number, dice)

    def remove(self, creature: Creature) -> None:
        """Take a creature off the level; who parts fights no duel any more."""
        del self.creatures[creature.number]
        self._players = None
        self.written_memory.pop(creature.number, None)
        creature.consents.clear()
        for other in self.creatures.values():
            if creature.number in other.consents:
                other.consents.remove(creature.number)
        del self.occupied[creature.cell]
        if creature.account:
            creature.handle, creature.handle_place = self.handles[creature.number], self.place
        self.drop_handle(creature.number)
        self._fields_of_view.pop(creature.number, None)
        self.wild_turns.pop(creature.number, None)

    def remove_for_good(self, creature: Creature) -> None:
        """Take a creature off the level for good: nobody has to do with it any more."""
        self.remove(creature)
        self.memory.pop(creature.number, None)
        for other in self.creatures.values():
            other.contacts.pop(creature.number, None)

    def move(self, creature: Creature, cell: int) -> None:
        """Move a creature to a free cell."""
        del self.occupied[creature.cell]
        creature.cell = cell
        self.occupied[cell] = creature.number
        self._note_trap(creature)

    def swap(self, one: Creature, other: Creature) -> None:
        """Let two creatures change places."""
        one.cell, other.cell = other.cell, one.cell
        self.occupied[one.cell] = one.number
        self.occupied[other.cell] = other.number
        self._note_trap(one)
        self._note_trap(other)

    def _note_trap(self, creature: Creature) -> None:
        if creature.cell in self.traps:
            self.pending_traps.append(creature.number)

    def give_handle(self, number: int, dice: Dice) -> None:
        """Draw an opaque 16-bit handle by a keyed roll, again if it is taken: it tells nothing of who else is here."""
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
        """Lay a thing on top of the pile on a cell."""
        self.piles.setdefault(cell, []).append(item)
        self.give_handle(item.number, dice)

    def take_item(self, item: Item, cell: int) -> None:
        """Take a thing from the pile on a cell."""
        pile = self.piles[cell]
        pile.remove(item)
        if not pile:
            del self.piles[cell]
        self.drop_handle(item.number)

    def items_at(self) -> Iterator[tuple[int, Item]]:
        """Yield every thing that lies on the level, with its cell."""
        for cell in sorted(self.piles):
            for item in self.piles[cell]:
                yield cell, item

    def count_floor_items(self) -> int:
        """Return how many things lie on the level: whatever has a handle is a creature or lies."""
        return len(self.handles) - len(self.creatures)

    def dig(self, cell: int, terrain: int) -> None:
        """Change the terrain of a cell; what anybody sees is looked at anew."""
        self.terrain[cell] = terrain
        self._transparent = None
        self._clear_sight()

    def make_bright(self, cells: Iterable[int]) -> None:
        """Light up cells for good; what anybody sees is looked at anew."""
        dark = bytearray(self.dark)
        for cell in cells:
            dark[cell] = 0
        self.dark = bytes(dark)
        self._is_lit = not any(dark)
        self._clear_sight()

    def _clear_sight(self) -> None:
        self._light = None
        self._fields_of_view.clear()

    def field_of_view(self, creature: Creature) -> bytes:
        """Return what a creature sees now: one byte a cell, 1 where it sees. How light bears on it, `light` tells."""
        cell, radius = creature.cell, sight_with_status(self.campaign, creature)
        falls = None if self._is_lit else self.light().is_lit(self.creatures.values())
        known = self._fields_of_view.get(creature.number)
        if known is not None and known[0] == cell and known[1] == radius and known[2] is falls:
            return known[3]
        if falls is None:
            seen = field_of_view(self.transparent(), cell, radius)
        else:
            seen = self.light().visible(cell, radius, falls)
        self._fields_of_view[creature.number] = (cell, radius, falls, seen)
        return seen

    def light(self) -> LightField:
        """Return the light on a level that is not lit everywhere."""
        if self._light is None:
            self._light = LightField(self.campaign, bytes(self.terrain), self.dark, self.transparent())
        return self._light

    def transparent(self) -> NDArray[np.bool_]:
        """Return which cells light passes, as rows and columns."""
        if self._transparent is None:
            cells = np.frombuffer(bytes(self.terrain), dtype=np.uint8)
            self._transparent = _SEES_THROUGH[cells].reshape(self.height, self.width)
        return self._transparent

    def observers(self, cell: int) -> Iterator[Creature]:
        """Yield the players who are told of what happens on a cell: who is near, where the campaign says how near, else who sees it."""
        radius = self.campaign.message_radius
        if not radius:
            yield from self.witnesses(cell)
            return
        for body in self.players():
            if chebyshev(body.cell, cell, self.width) <= radius:
                yield body

    def witnesses(self, cell: int) -> Iterator[Creature]:
        """Yield the players who see a cell now."""
        for body in self.players():
            if self.field_of_view(body)[cell]:
                yield body
