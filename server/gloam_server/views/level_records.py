"""The records of a level that all viewers share: each is built once for a state, not once for each viewer.

`projection` without these records is the definition of a view; with them it returns the same, faster.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import compress
from operator import attrgetter
from typing import Final, NamedTuple

from msgspec.structs import replace

from gloam_server.views.display_numbers import in_points
from gloam_server.views.inventory import InventoryCache, traits_on_ground
from gloam_server.world.combat.hostility import holds, is_hostile
from gloam_server.world.items.equipment import total_attack, total_defense
from gloam_server.world.model.creature import Creature, Item
from gloam_server.world.model.identification import item_color
from gloam_server.world.model.item_names import item_name
from gloam_server.world.model.level import Level
from gloam_server.world.model.modifiers import detects, has_status
from gloam_shared.view import view as seen
from gloam_shared.view.view import CreatureFlag

# Plain numbers: flags cost ten times as much, and this runs for every creature in sight.
_PLAYER, _SELF, _HOSTILE = int(CreatureFlag.PLAYER), int(CreatureFlag.SELF), int(CreatureFlag.HOSTILE)
_HOLDS_YOU, _ASLEEP = int(CreatureFlag.HOLDS_YOU), int(CreatureFlag.ASLEEP)
_GROWN, _NAMED = int(CreatureFlag.GROWN), int(CreatureFlag.NAMED)

_HANDLE: Final = attrgetter("handle")


_FIELDS: Final = attrgetter(
    "cell", "hp", "hp_max", "level", "name", "asleep", "attack", "defence", "wielded", "worn", "ring", "title"
)
"""What of a body decides its record, but for its status effects: if these are as before, the record is, too."""


class _Row(NamedTuple):
    """One creature: its body, what every viewer sees of it, and the same with the marks that some viewers see."""

    body: Creature
    fields: tuple[object, ...]
    """`_FIELDS` of the body when the record was made; () if a status effect was on it."""
    mark: int
    record: seen.Creature
    can_harm: bool
    marked: dict[int, seen.Creature]

    def with_marks(self, marks: int) -> seen.Creature:
        """Return the record with these marks instead: the same object for each viewer who sees them."""
        if marks == self.record.marks:
            return self.record
        known = self.marked.get(marks)
        if known is None:
            known = self.marked[marks] = replace(self.record, marks=marks)
        return known


class _Pile(NamedTuple):
    """A pile: its uppermost item, and what every viewer sees of it."""

    top: Item
    height: int
    glyph: str
    colour: str
    shown: dict[tuple[str, int], seen.Item]
    """What viewers see, by the name that they know and its traits for them."""


class LevelRecords:
    """The records of one level's creatures and piles. Each is built when a viewer sees it; equal ones stay the same objects.

    The difference between two views compares objects first, so creatures that did not change cost next to nothing there.
    """

    def __init__(self, level: Level) -> None:
        self.level: Final = level
        self._sequence = -1
        self._marks: Mapping[int, CreatureFlag] = {}
        self._players: tuple[Creature, ...] | None = None
        self._monsters: tuple[Creature, ...] | None = None
        self._friends: list[Creature] = []
        self._friend_cells: list[int] = []
        self._friend_records: list[seen.Creature | None] = []
        """What every viewer sees of each friend; None for one that was not seen since the last change."""
        self._others: list[Creature] = []
        self._rows: dict[int, _Row] = {}
        self._fresh: dict[int, _Row] = {}
        """The rows since the last change; `_rows` also holds the older ones."""
        self._piles: list[tuple[int, int]] = []
        self._known_piles: dict[int, _Pile] = {}

    def refresh(self, marks: Mapping[int, CreatureFlag]) -> None:
        """Follow the level's present state. `marks` are the players' marks from the connections."""
        level = self.level
        if self._sequence == level.sequence and (marks is self._marks or marks == self._marks):
            return
        players, monsters = level.players(), level.monsters()
        if players is not self._players or monsters is not self._monsters:
            self._sort_bodies(players, monsters)
        self._friend_cells = [body.cell for body in self._friends]
        self._friend_records = [None] * len(self._friends)
        self._fresh = {}
        if self._sequence != level.sequence:
            handles = level.handles
            self._piles = sorted(
                [(handles[pile[-1].number], cell) for cell, pile in level.piles.items() if pile]
            )
            self._known_piles = {}
        self._sequence, self._marks = level.sequence, marks

    def _sort_bodies(self, players: tuple[Creature, ...], monsters: tuple[Creature, ...]) -> None:
        """Order the bodies by handle after one came or left."""
        handles = self.level.handles
        self._players, self._monsters = players, monsters
        self._friends = sorted(players, key=lambda body: handles[body.number])
        self._others = sorted(monsters, key=lambda body: handles[body.number])
        self._rows = {number: row for number, row in self._rows.items() if number in handles}

    def _row(self, body: Creature) -> _Row:
        """Return the row of a creature for the present state; an equal one from before stays the same object."""
        row = self._fresh.get(body.number)
        if row is None:
            row = self._rows.get(body.number)
            fields = () if body.lasting else _FIELDS(body)
            mark = int(self._marks.get(body.number, 0))
            if not fields or row is None or row.body is not body or (row.fields, row.mark) != (fields, mark):
                row = self._new_row(body, row, fields, mark)
            self._rows[body.number] = self._fresh[body.number] = row
        return row

    def _new_row(self, body: Creature, before: _Row | None, fields: tuple[object, ...], mark: int) -> _Row:
        record, can_harm = _public_record(self.level, body, mark)
        if before is None or before.body is not body or before.record != record:
            return _Row(body, fields, mark, record, can_harm, {})
        return before._replace(fields=fields, mark=mark, can_harm=can_harm)

    def creatures_shown_to(self, viewer: Creature, sight: bytes, own_mark: int) -> tuple[seen.Creature, ...]:
        """Return the creatures that a viewer sees, by handle. `own_mark` is the viewer's mark, known to them at once."""
        if viewer.consents or has_status(self.level.campaign, viewer, "detect"):
            everyone = [*self._friends, *self._others]
            return tuple(sorted(self._shown(everyone, viewer, sight, own_mark), key=_HANDLE))
        row = self._row(viewer)
        own, looks = row.record, row.with_marks(_PLAYER | _SELF | own_mark)
        # Friends look the same to all, and there may be many.
        friends = [looks if record is own else record for record in self._friends_in(sight)]
        near = [body for body in self._others if sight[body.cell]]
        others = list(self._shown(near, viewer, sight, own_mark)) if near else []
        return tuple(sorted(friends + others, key=_HANDLE) if others else friends)

    def _friends_in(self, sight: bytes) -> list[seen.Creature]:
        """Return what every viewer sees of the friends within a field of view."""
        records = list(compress(self._friend_records, map(sight.__getitem__, self._friend_cells)))
        known = [record for record in records if record is not None]
        if len(known) < len(records):
            for at, body in enumerate(self._friends):
                if self._friend_records[at] is None and sight[body.cell]:
                    self._friend_records[at] = self._row(body).record
            return self._friends_in(sight)
        return known

    def _shown(
        self, bodies: Iterable[Creature], viewer: Creature, sight: bytes, own_mark: int
    ) -> Iterator[seen.Creature]:
        """Yield those of some creatures that a viewer sees, with the marks that this viewer sees on them."""
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
        self, viewer: Creature, sight: bytes, cache: InventoryCache | None = None
    ) -> tuple[seen.Item, ...]:
        """Return the uppermost items of the piles that a viewer sees, by handle. `cache` has the viewer's present inventory."""
        return tuple([self._item(handle, cell, viewer, cache) for handle, cell in self._piles if sight[cell]])

    def _item(self, handle: int, cell: int, viewer: Creature, cache: InventoryCache | None) -> seen.Item:
        level = self.level
        pile = self._known_piles.get(cell)
        if pile is None:
            pile = self._known_piles[cell] = _pile(level, level.piles[cell])
        if cache is not None:
            name, traits = cache.on_ground(level, pile.top, viewer)
        else:
            name, traits = item_name(level, pile.top, viewer), traits_on_ground(level, pile.top, viewer)
        shown = pile.shown.get((name, traits))
        if shown is None:
            shown = seen.Item(handle, cell, pile.height, pile.glyph, pile.colour, name, traits)
            pile.shown[name, traits] = shown
        return shown


def _pile(level: Level, items: Sequence[Item]) -> _Pile:
    top = items[-1]
    kind = level.campaign.items[top.kind]
    return _Pile(top, len(items), kind.glyph, item_color(level, kind, top.colour), {})


def _relation(level: Level, viewer: Creature, row: _Row, *, in_sight: bool) -> int:
    """Return the marks of a creature that may be the viewer's enemy."""
    body = row.body
    marks = _HOSTILE if is_hostile(level, body, viewer) else 0
    if in_sight:  # an enemy in sight holds the viewer: `hostility.holds` without the search
        return marks | _HOLDS_YOU if marks and row.can_harm and not body.asleep else marks
    return marks | _HOLDS_YOU if holds(level, body, viewer) else marks


def _public_record(level: Level, body: Creature, mark: int) -> tuple[seen.Creature, bool]:
    """Return what every viewer sees of a creature, and whether it can harm anyone."""
    campaign = level.campaign
    kind = campaign.creatures[body.kind]
    attack = total_attack(level, body)
    marks = mark | (_PLAYER if body.account else 0)
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
    )
    return record, attack > 0
