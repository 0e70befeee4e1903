"""The records of a level that all viewers share: each is built once for a state, not once for each viewer."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from operator import attrgetter
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from msgspec.structs import replace

from gloam_server.views.display_numbers import in_points
from gloam_server.views.inventory import LOOK, InventoryCache
from gloam_server.views.menace import kinds_using_pack, menace_of
from gloam_server.views.own_body import place_of
from gloam_server.views.party_view import down_marks
from gloam_server.world.combat.hostility import holds, is_hostile
from gloam_server.world.items.equipment import total_attack, total_defense
from gloam_server.world.model.creature import APPEARANCE, Creature, Item
from gloam_server.world.model.identification import item_color
from gloam_server.world.model.level import Level
from gloam_server.world.model.modifiers import detects, has_status
from gloam_shared.kept import KeptTable
from gloam_shared.view import view as seen
from gloam_shared.view.view import CreatureFlag

# Plain numbers: flags cost ten times as much, and this runs for every creature in sight.
_PLAYER, _SELF, _HOSTILE = int(CreatureFlag.PLAYER), int(CreatureFlag.SELF), int(CreatureFlag.HOSTILE)
_HOLDS_YOU, _ASLEEP = int(CreatureFlag.HOLDS_YOU), int(CreatureFlag.ASLEEP)
_GROWN, _NAMED, _ALLY = int(CreatureFlag.GROWN), int(CreatureFlag.NAMED), int(CreatureFlag.ALLY)

_CELL: Final = attrgetter("cell")
_HANDLE: Final = attrgetter("handle")
_OWNER: Final = attrgetter("owner")
_FIELDS: Final = attrgetter(*APPEARANCE)
"""A record is as before if these and the status effects of its body are."""
_MOVED: Final = 2
"""The number of leading fields that decide nothing else."""


Cells: TypeAlias = "np.ndarray[Any, np.dtype[np.intp]]"

KnownItems: TypeAlias = dict[int, tuple["Pile", seen.Item]]
"""The piles as a viewer with one inventory sees them, by cell."""


@dataclass(slots=True)
class _Row:
    """One creature: its body, what every viewer sees of it, and the same with the marks that some viewers see."""

    body: Creature = field(compare=False)
    fields: tuple[object, ...] | None = field(compare=False)
    """`_FIELDS` of the body when the record was made; None if more than these decides it."""
    mark: int
    record: seen.Creature
    can_harm: bool
    marked: dict[int, seen.Creature] = field(compare=False)
    usual: seen.Creature | None = field(default=None, compare=False)
    """The creature as a usual viewer sees it in sight; None if none has seen this record yet."""

    def with_marks(self, marks: int) -> seen.Creature:
        """Return the record with these marks instead: the same object for each viewer who sees them."""
        known = self.marked.get(marks)
        if known is None:
            known = self.marked[marks] = replace(self.record, marks=marks)
        return known


class Pile(NamedTuple):
    """A pile: its uppermost item, and what every viewer sees of it. It is the same object while nothing of it changes."""

    top: Item
    look: object
    """`LOOK` of the uppermost item."""
    handle: int
    height: int
    glyph: str
    colour: str
    shown: dict[tuple[str, int], seen.Item]
    """The pile as viewers see it, by the name that they know and its traits for them."""


class LevelRecords:
    """The records of one level's creatures and piles.

    Each is built when a viewer sees it; equal ones stay the same objects.

    The difference between two views compares objects first, so creatures that did not change cost next to nothing
    there.

    Nearly all viewers are usual ones: without a consent to a duel, a summoned creature, or a sense for creatures out of
    sight. They see the same of each creature in their sight, except for their own mark on themselves.
    """

    def __init__(self, level: Level) -> None:
        self.level: Final = level
        self.place = place_of(level)
        self._carriers = kinds_using_pack(level.campaign)
        self._beacons = level.state.beacons
        self._sequence = -1
        self._marks: Mapping[int, CreatureFlag] = {}
        self._players: tuple[Creature, ...] | None = None
        self._monsters: tuple[Creature, ...] | None = None
        self._bodies: list[Creature] = []
        """All creatures of the level, by handle."""
        self._owners: set[int] = set()
        """The numbers of all who summoned a creature of the level."""
        self._present: list[Creature] = []
        """The same without those that were found hidden since the last change, with the cell of each, and what usual viewers
        see of it: None if none has looked since the last change."""
        self._cells = _cells_of(())
        self._usual = _nothing_seen(0)
        self._rows = KeptTable[int, _Row]("the record of a creature")
        self._handles: tuple[list[int], list[int], list[int]] = ([], [], [])
        self._lying: tuple[list[int], list[int], list[Item], list[int]] = ([], [], [], [])
        self._piles: list[tuple[int, int]] = []
        self._pile_cells = _cells_of(())
        self._known_piles: dict[int, Pile] = {}
        self.pile_changes = 0
        """The number of times that the level's piles changed: what follows from them is as before while this is."""

    def refresh(self, marks: Mapping[int, CreatureFlag]) -> None:
        """Follow the level's present state. `marks` are the players' marks from the connections."""
        level, sequence = self.level, self.level.state.sequence
        if self._sequence == sequence and (marks is self._marks or marks == self._marks):
            return
        if level.state.beacons != self._beacons:  # its name says how many burn
            self.place, self._beacons = place_of(level), level.state.beacons
        players, monsters = level.players(), level.monsters()
        if players is not self._players or monsters is not self._monsters:
            self._sort_bodies(players, monsters)
        self._present, self._cells = self._bodies, _cells_of(map(_CELL, self._bodies))
        self._usual = _nothing_seen(len(self._bodies))
        if self._sequence != sequence:
            self._note_piles()
        self._sequence, self._marks = sequence, marks

    def _sort_bodies(self, players: tuple[Creature, ...], monsters: tuple[Creature, ...]) -> None:
        """Order the bodies by handle after one arrived or left."""
        handles, bodies = self.level.handles, self.level.creatures
        self._players, self._monsters = players, monsters
        self._bodies = sorted([*players, *monsters], key=lambda body: handles[body.number])
        self._owners = set(map(_OWNER, self._bodies)) - {0}
        # One that returned in the meantime may have another handle, or be another object.
        for number, kept in list(self._rows.items()):
            row = kept.value
            if row is None or row.record.handle != handles.get(number) or row.body is not bodies[number]:
                del self._rows[number]

    def _note_piles(self) -> None:
        """Order the piles by the handle of their uppermost item, if any item arrived or left: items do not change."""
        piles = self.level.piles
        handles = self.level.handles
        known = list(handles), list(handles.values()), list(piles)
        if known == self._handles:
            return  # an item that arrives, leaves or changes its place gets or loses a handle
        self._handles = known
        lying = (
            list(piles),
            list(map(len, piles.values())),
            list(chain.from_iterable(piles.values())),
            [handles[pile[-1].number] for pile in piles.values() if pile],
        )
        if lying != self._lying:
            self._lying = lying
            self._piles = sorted([(handles[pile[-1].number], cell) for cell, pile in piles.items() if pile])
            self._pile_cells = _cells_of(cell for _, cell in self._piles)
            self._known_piles = {
                cell: pile for cell, pile in self._known_piles.items() if self._is_there(pile, cell)
            }
            self.pile_changes += 1

    def _is_there(self, pile: Pile, cell: int) -> bool:
        """Return whether a pile is as before. An item that was away in the meantime has another handle."""
        items = self.level.piles.get(cell)
        if not items or items[-1] is not pile.top or len(items) != pile.height:
            return False
        return self.level.handles[pile.top.number] == pile.handle

    def _row(self, body: Creature) -> _Row:
        """Return the row of a creature for the present state."""
        level, marked = self.level, self._marks.get(body.number)
        mark = 0 if marked is None else int(marked)
        fields = None if body.lasting or body.kind in self._carriers else _FIELDS(body)
        inputs = None if fields is None else (fields, mark)
        return self._rows[body.number].get(
            (), inputs, lambda before: _next_row(level, body, fields, mark, before)
        )

    def creatures_shown_to(self, viewer: Creature, sight: bytes, own_mark: int) -> tuple[seen.Creature, ...]:
        """Return the creatures that a viewer sees, by handle.

        `own_mark` is the viewer's mark, known to them immediately.
        """
        if (
            viewer.consents
            or viewer.owner
            or viewer.number in self._owners
            or has_status(self.level.campaign, viewer, "detect")
        ):
            return tuple(self._shown(self._bodies, viewer, sight, own_mark))
        shown = self._usual_in(viewer, sight)
        kept = self._rows.get(viewer.number)
        row = None if kept is None else kept.value
        if row is None:
            return tuple(shown)
        at = bisect_left(shown, row.record.handle, key=_HANDLE)
        if at < len(shown) and shown[at] is row.record:
            shown[at] = row.with_marks(_PLAYER | _SELF | own_mark)
        return tuple(shown)

    def _usual_in(self, viewer: Creature, sight: bytes) -> list[seen.Creature]:
        """Return what any usual viewer sees within a field of view. This one is the first to look at some."""
        positions = _in_sight(self._cells, sight)
        records: list[Any] = self._usual[positions].tolist()
        if all(records):
            return records
        new = [at for at, record in zip(positions.tolist(), records, strict=True) if record is None]
        some_hidden = self._look_at(new, viewer)
        return self._usual_in(viewer, sight) if some_hidden else self._usual[positions].tolist()

    def _look_at(self, positions: list[int], viewer: Creature) -> bool:
        """Note what any usual viewer sees of bodies in this one's sight, by their positions. Return whether some were hidden.

        Hidden ones have no position from now on, so others have another one.
        """
        hidden = []
        for at in positions:
            body = self._present[at]
            if body.ai.hidden:
                hidden.append(at)
                continue
            row = self._row(body)
            row.usual = row.usual or self._usual_look(row, viewer)
            self._usual[at] = row.usual
        if hidden:
            self._present = [body for at, body in enumerate(self._present) if at not in hidden]
            self._cells, self._usual = np.delete(self._cells, hidden), np.delete(self._usual, hidden)
        return bool(hidden)

    def _usual_look(self, row: _Row, viewer: Creature) -> seen.Creature:
        """Return what any usual viewer sees of a body in sight, as this one does."""
        marks = 0 if row.body.account else _relation(self.level, viewer, row, in_sight=True)
        return row.with_marks(row.record.marks | marks)

    def _shown(
        self, bodies: Iterable[Creature], viewer: Creature, sight: bytes, own_mark: int
    ) -> Iterator[seen.Creature]:
        """Yield the creatures, of the given ones, that a viewer sees, with the marks that this viewer sees on them."""
        level = self.level
        detecting = has_status(level.campaign, viewer, "detect")
        for body in bodies:
            in_sight = sight[body.cell] and not body.hidden
            if not in_sight and not (
                detecting and detects(level.campaign, viewer, level.distance(viewer, body))
            ):
                continue
            row = self._row(body)
            if body is viewer:
                yield row.with_marks(_PLAYER | _SELF | own_mark)
            elif body.account and body.number not in viewer.consents:
                yield row.record
            else:
                yield row.with_marks(
                    row.record.marks | _relation(level, viewer, row, in_sight=bool(in_sight))
                )

    def items_shown_to(
        self, viewer: Creature, sight: bytes, known: KnownItems, inventory: InventoryCache
    ) -> tuple[seen.Item, ...]:
        """Return the uppermost items of the piles that a viewer sees, by handle.

        `known` are those that the viewer has seen since their inventory changed, and `inventory` is their present one.
        """
        shown = []
        for at in _in_sight(self._pile_cells, sight).tolist():
            handle, cell = self._piles[at]
            pile = self._known_piles.get(cell)
            if pile is None:
                pile = self._known_piles[cell] = _pile(self.level, handle, self.level.piles[cell])
            seen_before = known.get(cell)
            if seen_before is None or seen_before[0] is not pile:
                seen_before = known[cell] = pile, self._item(pile, cell, viewer, inventory)
            shown.append(seen_before[1])
        return tuple(shown)

    def _item(self, pile: Pile, cell: int, viewer: Creature, inventory: InventoryCache) -> seen.Item:
        name, traits = inventory.on_ground(self.level, pile.top, pile.look, viewer)
        shown = pile.shown.get((name, traits))
        if shown is None:
            shown = seen.Item(pile.handle, cell, pile.height, pile.glyph, pile.colour, name, traits)
            pile.shown[name, traits] = shown
        return shown


def _cells_of(cells: Iterable[int]) -> Cells:
    return np.fromiter(cells, np.intp)


def _in_sight(cells: Cells, sight: bytes) -> Cells:
    """Return the positions of the cells that are in a field of view. Hundreds of cells are looked up in one operation."""
    return np.frombuffer(sight, np.uint8)[cells].nonzero()[0]


def _nothing_seen(bodies: int) -> "np.ndarray[Any, np.dtype[np.object_]]":
    return np.full(bodies, None, np.object_)


def _pile(level: Level, handle: int, items: Sequence[Item]) -> Pile:
    top = items[-1]
    kind = level.campaign.items[top.kind]
    return Pile(top, LOOK(top), handle, len(items), kind.glyph, item_color(level, kind, top.colour), {})


def _relation(level: Level, viewer: Creature, row: _Row, *, in_sight: bool) -> int:
    """Return the marks of a creature that may be the viewer's enemy."""
    body = row.body
    marks = _HOSTILE if is_hostile(level, body, viewer) else 0
    if in_sight:  # an enemy in sight holds the viewer: `hostility.holds` without the search
        return marks | _HOLDS_YOU if marks and row.can_harm and not body.asleep else marks
    return marks | _HOLDS_YOU if holds(level, body, viewer) else marks


def _fame(level: Level, body: Creature) -> tuple[str, ...]:
    """Return the fame of a grown monster: its last victim or a deed that it learned, and one more trait."""
    traits = [level.campaign.traits[key] for key in body.learned if key in level.campaign.traits]
    told = [trait.name for trait in sorted(traits, key=lambda trait: trait.is_deed)]
    slew = (f"killed {body.victims[-1].name}",) if body.victims else ()
    learned = f"learned {' and '.join(reversed(told[-1:] if slew else told[-2:]))}" if told else ""
    return (*slew, learned) if learned else slew


def _next_row(
    level: Level, body: Creature, fields: tuple[object, ...] | None, mark: int, before: _Row | None
) -> _Row:
    """Return the row of a creature; an equal record from before stays the same object."""
    if (
        before
        and before.fields
        and fields
        and before.mark == mark
        and before.fields[_MOVED:] == fields[_MOVED:]
    ):
        return _moved_row(before, fields)
    record, can_harm = _public_record(level, body, mark)
    if before is not None and record == before.record:
        return _Row(body, fields, mark, before.record, can_harm, before.marked)
    return _Row(body, fields, mark, record, can_harm, {record.marks: record})


def _moved_row(before: _Row, fields: tuple[object, ...]) -> _Row:
    """Return the row after a step or a wound, which is most of what happens: all else is as before."""
    body = before.body
    record = replace(before.record, cell=body.cell, hp=body.hp)
    row = _Row(body, fields, before.mark, record, before.can_harm, {record.marks: record})
    if before.usual is not None:
        row.usual = row.with_marks(before.usual.marks)
    return row


def _public_record(level: Level, body: Creature, mark: int) -> tuple[seen.Creature, bool]:
    """Return what every viewer sees of a creature, and whether it can harm anyone."""
    campaign = level.campaign
    kind = campaign.creatures[body.kind]
    attack = total_attack(level, body)
    marks = mark | (_PLAYER | down_marks(body) if body.account else _ALLY if body.ally else 0)
    if body.asleep:
        marks |= _ASLEEP
    grown = body.levels_grown
    if grown:
        marks |= _GROWN
    if body.title:
        marks |= _NAMED
    record = seen.Creature(
        handle=level.handles[body.number],
        cell=body.cell,
        hp=body.hp,
        hp_max=body.hp_max,
        level=body.level,
        marks=marks,
        glyph=kind.glyph,
        colour=kind.colour,
        name=body.name,
        attack=in_points(campaign, attack),
        defence=in_points(campaign, total_defense(level, body)),
        grown=grown,
        menace=None if body.account else menace_of(level, body),
        fame=_fame(level, body) if grown else (),
    )
    return record, attack > 0
