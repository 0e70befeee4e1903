"""The records of a level that all viewers share: each is built once for a state, not once for each viewer.

`projection` without these records is the definition of a view; with them it returns the same, faster.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Final, NamedTuple

from msgspec.structs import replace

from gloam_server.views.display_numbers import in_points
from gloam_server.views.inventory import traits_on_ground
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


class _Row(NamedTuple):
    """One creature: its body, what every viewer sees of it, and the same with the marks that some viewers see."""

    body: Creature
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
    """A pile: its uppermost item, and what every viewer sees of it. `name` is None where it depends on the viewer."""

    cell: int
    top: Item
    handle: int
    height: int
    glyph: str
    colour: str
    name: str | None


class LevelRecords:
    """The records of one level's creatures and piles. `refresh` builds them; equal creatures stay the same objects.

    The difference between two views compares objects first, so creatures that did not change cost next to nothing there.
    """

    def __init__(self, level: Level) -> None:
        self.level: Final = level
        self._sequence = -1
        self._marks: Mapping[int, CreatureFlag] = {}
        self._rows: list[_Row] = []
        self._row_of: dict[int, _Row] = {}
        self._friends: list[tuple[int, seen.Creature]] = []
        self._others: list[_Row] = []
        self._piles: list[_Pile] = []

    def refresh(self, marks: Mapping[int, CreatureFlag]) -> None:
        """Build the records for the level's present state. `marks` are the players' marks from the connections."""
        level = self.level
        if self._sequence == level.sequence and self._marks == marks:
            return
        before = self._row_of
        rows = []
        for body in level.creatures.values():
            record, can_harm = _public_record(level, body, int(marks.get(body.number, 0)))
            known = before.get(body.number)
            if known is not None and known.body is body and known.record == record:
                rows.append(known if known.can_harm == can_harm else known._replace(can_harm=can_harm))
            else:
                rows.append(_Row(body, record, can_harm, {}))
        self._rows = sorted(rows, key=lambda row: row.record.handle)
        self._row_of = {row.body.number: row for row in rows}
        friends = [row for row in self._rows if row.body.account and not row.body.hidden]
        self._friends = [(row.body.cell, row.record) for row in friends]
        self._others = [row for row in self._rows if not row.body.account or row.body.hidden]
        if self._sequence != level.sequence:
            piles = [_pile(level, cell, items) for cell, items in level.piles.items() if items]
            self._piles = sorted(piles, key=lambda pile: pile.handle)
        self._sequence, self._marks = level.sequence, marks

    def creatures_shown_to(self, viewer: Creature, sight: bytes, own_mark: int) -> tuple[seen.Creature, ...]:
        """Return the creatures that a viewer sees, by handle. `own_mark` is the viewer's mark, known to them at once."""
        if viewer.consents or has_status(self.level.campaign, viewer, "detect"):
            return tuple(self._shown(self._rows, viewer, sight, own_mark))
        row = self._row_of[viewer.number]
        own, looks = row.record, row.with_marks(_PLAYER | _SELF | own_mark)
        # Friends look the same to all, and there may be many.
        friends = [looks if record is own else record for cell, record in self._friends if sight[cell]]
        others = list(self._shown(self._others, viewer, sight, own_mark))
        return tuple(sorted(friends + others, key=_HANDLE) if others else friends)

    def _shown(
        self, rows: Iterable[_Row], viewer: Creature, sight: bytes, own_mark: int
    ) -> Iterator[seen.Creature]:
        """Yield those of some creatures that a viewer sees, with the marks that this viewer sees on them."""
        level = self.level
        detecting = has_status(level.campaign, viewer, "detect")
        for row in rows:
            body = row.body
            in_sight = sight[body.cell] and not body.hidden
            if not in_sight and not (
                detecting and detects(level.campaign, viewer, level.distance(viewer, body))
            ):
                continue
            if body is viewer:
                yield row.with_marks(_PLAYER | _SELF | own_mark)
            elif body.account and body.number not in viewer.consents:
                yield row.record
            else:
                yield row.with_marks(
                    row.record.marks | _relation(level, viewer, row, in_sight=bool(in_sight))
                )

    def items_shown_to(self, viewer: Creature, sight: bytes) -> tuple[seen.Item, ...]:
        """Return the uppermost items of the piles that a viewer sees, by handle."""
        level = self.level
        return tuple(
            [
                seen.Item(
                    pile.handle,
                    pile.cell,
                    pile.height,
                    pile.glyph,
                    pile.colour,
                    item_name(level, pile.top, viewer) if pile.name is None else pile.name,
                    traits_on_ground(level, pile.top, viewer),
                )
                for pile in self._piles
                if sight[pile.cell]
            ]
        )


def _pile(level: Level, cell: int, items: Sequence[Item]) -> _Pile:
    top = items[-1]
    kind = level.campaign.items[top.kind]
    name = None if kind.looks else item_name(level, top, None)
    colour = item_color(level, kind, top.colour)
    return _Pile(cell, top, level.handles[top.number], len(items), kind.glyph, colour, name)


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
