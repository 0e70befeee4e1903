"""Field of view and light on levels that are not lit everywhere.

This is the only place of the rule; all results are derived.

Whether light passes between two cells is the same from both ends (`rules.sight`). Whether a cell is then seen depends
on the light on it, not on the viewer:

- what is in a lit place is visible within the viewer's own radius;
- what is in the dark is visible from adjacent cells, and within their own radius to those with dark sight;
- what is in the dark and in the light of a carried lamp is visible from SIGHT_MAX cells. So a light carrier sees and is
  seen, and so are all creatures in that light. A creature in the dark sees them without being seen.

A light falls on the cells that its carrier could see within its radius. In a lit place it adds nothing. A creature
with radius 0 sees only its own cell, with or without light.
"""

from collections.abc import Iterable, Mapping
from itertools import compress
from operator import attrgetter, is_not
from typing import Final, NamedTuple

import numpy as np
from msgspec import UNSET, UnsetType

from gloam_server.content.campaign import Campaign
from gloam_server.content.field_types import SIGHT_MAX
from gloam_server.rules.line_of_sight import field_of_view
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.modifiers import has_sight_effect, sees_in_dark, sight_with_status
from gloam_server.world.model.sight.light_field import Cells, LightField
from gloam_server.world.model.surfaces.surface_state import Surfaces, hidden_cells, sources_of_light
from gloam_shared.appearance import TRANSPARENT
from gloam_shared.geometry import Grid

_LIT_VIEWS_BYTES: Final = 4 << 20
_PER_PLAYER_BYTES: Final = 16 << 10
"""Hundreds of players walk over more cells than the least memory holds."""
"""The most bytes of kept fields of view of a lit level: enough for nearly all cells on which players of a usual level walk."""
_EFFECTS: Final = attrgetter("ring", "lasting")
_SEES_THROUGH: Final = np.array([terrain in TRANSPARENT for terrain in range(256)])


class _KnownSight(NamedTuple):
    """A creature's field of view, and what it was computed for: cell, radius, dark sight, and the lights."""

    plain: tuple[int, int, int]
    """The cell, own sight radius and ring of a body without status effects: they decide all but the lights."""
    circumstances: tuple[int, int, bool]
    falls: Cells | None
    seen: bytes


_UNSURE: Final = (-1, -1, -1)
"""Stands for the plain state of a body with a status effect: the effect may end at any time."""


class FieldsOfView:
    """The fields of view on one level, each kept until something changes on which it depends."""

    def __init__(
        self,
        campaign: Campaign,
        grid: Grid,
        terrain: bytearray,
        dark: bytes,
        surfaces: Surfaces | UnsetType = UNSET,
    ) -> None:
        self._campaign = campaign
        self._grid = grid
        self._terrain = terrain
        self.dark = dark or bytes(len(terrain))
        """One byte for each cell, 1 for a cell without light."""
        self._is_lit = not any(dark)
        self._surfaces = surfaces
        self._hidden = hidden_cells(campaign, surfaces)
        """The cells whose surfaces stop sight."""
        self._light: LightField | None = None
        self._transparent: Cells | None = None
        self._known: dict[int, _KnownSight] = {}
        self._lit_views: dict[tuple[int, int], bytes] = {}
        self._players: tuple[Creature, ...] = ()
        self._positions: dict[int, int] = {}
        self._changed: set[int] = set()
        self._affected: dict[int, Creature] = {}
        """The players with an effect on their sight: it may end without a note."""
        self._effects: list[tuple[object, ...]] = []
        """The rings and status effects of these players."""
        self._players_falls: Cells | None = None
        self._players_see: tuple[bytes, ...] | None = None
        self._renewed: tuple[tuple[bytes, ...] | None, list[int]] = None, []
        """The result of `of_players` before the newest, if it was for the same players, and the indices that differ."""

    def of(self, creature: Creature, bodies: Mapping[int, Creature]) -> bytes:
        """Return the field of view of a creature among all `bodies` of the level; the module has the rules of light."""
        return self._see(creature, None if self._is_lit else self.light().lit_cells(bodies))

    def note_change(self, number: int) -> None:
        """Look again at a player's field of view: their sight radius, a status effect or a ring changed."""
        self._changed.add(number)

    def note_move(self, creature: Creature) -> None:
        """Look again at the field of view of a player that moved, and at the light that a creature carries."""
        if creature.account:
            self._changed.add(creature.number)
        if self._light is not None:
            self._light.note_move(creature.number)

    def note_gear(self, number: int) -> None:
        """Look again at the light of a creature: it arrived or left, or its items or traits changed."""
        if self._light is not None:
            self._light.note_gear(number)

    def of_players(self, players: tuple[Creature, ...], bodies: Mapping[int, Creature]) -> tuple[bytes, ...]:
        """Return the field of view of each of the level's players: the same object until one of them changes.

        A crowd is asked for several times in a turn, and few of it have changed.
        """
        falls = None if self._is_lit else self.light().lit_cells(bodies)
        if self._affected and self._effects != self._present_effects():
            self._changed.update(self._affected)
        if self._players_see is None or falls is not self._players_falls:
            self._players_see = self._seen_by(players, falls, {})
        elif players is not self._players:  # one joined or left: all others see what they saw
            known = dict(zip(self._positions, self._players_see, strict=True))
            for number in self._changed:
                known.pop(number, None)
            self._players_see = self._seen_by(players, falls, known)
        elif self._changed:
            self._players_see = self._seen_after_changes(self._players_see)
        self._changed.clear()
        return self._players_see

    def renewed_since(self, before: tuple[bytes, ...]) -> list[int]:
        """Return where the newest result of `of_players` differs from one before, for the same players.

        A field of view is another object for a player on another cell, so these are also the places of all who moved.
        """
        now = self._players_see
        assert now is not None, "of_players was called before"
        if now is before:
            return []
        renewed_from, indices = self._renewed
        if before is renewed_from:
            return indices
        return list(compress(range(len(now)), map(is_not, now, before)))

    def _seen_by(
        self, players: tuple[Creature, ...], falls: Cells | None, known: dict[int, bytes]
    ) -> tuple[bytes, ...]:
        """Note the players, and return what each of them sees.

        `known` are fields of view that are true now, by player.
        """
        self._players, self._players_falls = players, falls
        self._positions = {body.number: at for at, body in enumerate(players)}
        if not players:  # the level falls asleep
            self._lit_views.clear()
            if self._light is not None:
                self._light.fall_asleep()
        self._renewed = None, []
        self._affected = {number: body for number, body in self._affected.items() if number in known}
        self._note_effects([body for body in players if body.number not in known])
        return tuple([known.get(body.number) or self._see(body, falls) for body in players])

    def _seen_after_changes(self, before: tuple[bytes, ...]) -> tuple[bytes, ...]:
        """Return the players' fields of view: those noted are looked at again."""
        indices = sorted([self._positions[number] for number in self._changed if number in self._positions])
        bodies = [self._players[at] for at in indices]
        self._note_effects(bodies)
        seen = [self._see(body, self._players_falls) for body in bodies]
        renewed = [at for at, sight in zip(indices, seen, strict=True) if sight is not before[at]]
        if not renewed:
            return before
        now = list(before)
        for at, sight in zip(indices, seen, strict=True):
            now[at] = sight
        self._renewed = before, renewed
        return tuple(now)

    def _note_effects(self, bodies: list[Creature]) -> None:
        """Note which of some players have an effect on their sight."""
        for body in bodies:
            if has_sight_effect(self._campaign, body):
                self._affected[body.number] = body
            else:
                self._affected.pop(body.number, None)
        self._effects = self._present_effects()

    def _present_effects(self) -> list[tuple[object, ...]]:
        """Return the ring and the status effects of each affected player. Their list is replaced when one ends."""
        return list(map(_EFFECTS, self._affected.values()))

    def reach(self, creature: Creature) -> int:
        """Return the distance beyond which a creature sees nothing now."""
        return sight_with_status(self._campaign, creature) if self._is_lit else SIGHT_MAX

    def forget(self, number: int) -> None:
        """Forget a creature that has left the level."""
        self._known.pop(number, None)
        self._changed.add(number)
        self.note_gear(number)

    def terrain_changed(self, cell: int) -> None:
        """Compute fields of view again after the terrain of a cell has changed: on a lit level those that reach it.

        They become other objects in any case, because their viewers see another terrain.
        """
        if self._is_lit and self._transparent is not None:
            x, y = self._grid.point(cell)
            was_clear = self._transparent[y, x]
            is_clear = _SEES_THROUGH[self._terrain[cell]] and cell not in self._hidden
            self._transparent[y, x] = is_clear
            self._forget_around(cell, closes=bool(was_clear and not is_clear))
        else:
            self._transparent = None
            self._clear()

    def follow_surfaces(self, surfaces: Surfaces | UnsetType, changed: frozenset[int]) -> None:
        """Follow surfaces that changed, which may stop sight or give light, and the `changed` terrain below them.

        Viewers of changed terrain get another object, as in `terrain_changed`.
        """
        self._surfaces = surfaces
        hidden, before = hidden_cells(self._campaign, surfaces), self._hidden
        self._hidden = hidden
        turned = hidden ^ before | changed
        if self._transparent is not None and turned:
            turned = self._turn_transparent(sorted(turned))
        if not self._is_lit:
            shining = () if self._light is None else sources_of_light(self._campaign, surfaces)
            if turned:
                self._clear()
            elif (self._light is not None and self._light.follow_surfaces(shining)) or changed:
                self._known.clear()
                self._players_see = None
        elif turned or changed:
            self._forget_near(turned | changed)

    def _turn_transparent(self, cells: list[int]) -> frozenset[int]:
        """Note whether light passes cells now; return the cells for which it has changed."""
        assert self._transparent is not None
        flat = self._transparent.reshape(-1)
        terrain = np.frombuffer(bytes(map(self._terrain.__getitem__, cells)), dtype=np.uint8)
        clear = _SEES_THROUGH[terrain] & [cell not in self._hidden for cell in cells]
        turned = np.array(cells)[clear != flat[cells]].tolist()
        flat[cells] = clear
        return frozenset(turned)

    def _forget_near(self, cells: frozenset[int]) -> None:
        """Forget the fields of view on a lit level whose viewers are near enough to cells that they may depend on them."""
        columns = [cell % self._grid.width for cell in cells]
        rows = [cell // self._grid.width for cell in cells]
        left, right, top, bottom = min(columns), max(columns), min(rows), max(rows)

        def is_near(at: int, radius: int) -> bool:
            y, x = divmod(at, self._grid.width)
            return left - radius <= x <= right + radius and top - radius <= y <= bottom + radius

        near = [number for number, (_, (at, radius, _), _, _) in self._known.items() if is_near(at, radius)]
        for number in near:
            del self._known[number]
        self._changed.update(near)
        for view in [view for view in self._lit_views if is_near(*view)]:
            del self._lit_views[view]

    def _forget_around(self, cell: int, *, closes: bool) -> None:
        """Forget the fields of view that depend on a cell: those that have it.

        If the cell `closes`, also those with it in the square around the viewer: light may pass a cell beside which
        the viewer looks. A wall that is not seen lies behind others, so whether it opens does not matter.
        """
        distance = self._grid.distance
        near = [
            number
            for number, (_, (at, radius, _), _, seen) in self._known.items()
            if seen[cell] or (closes and distance(at, cell) <= radius)
        ]
        for number in near:
            del self._known[number]
        self._changed.update(near)
        stale = [
            view
            for view, seen in self._lit_views.items()
            if seen[cell] or (closes and distance(view[0], cell) <= view[1])
        ]
        for view in stale:
            del self._lit_views[view]

    def make_bright(self, cells: Iterable[int]) -> bytes:
        """Light up cells permanently; return one byte for each cell, 1 for a dark one, empty without any."""
        dark = bytearray(self.dark)
        for cell in cells:
            dark[cell] = 0
        self.dark = bytes(dark)
        self._is_lit = not any(dark)
        self._clear()
        return b"" if self._is_lit else self.dark

    def light(self) -> LightField:
        """Return the light on a level that is not lit everywhere."""
        if self._light is None:
            self._light = LightField(
                self._campaign, bytes(self._terrain), self.dark, self.transparent(), self._surfaces
            )
        return self._light

    def transparent(self) -> Cells:
        """Return which cells light passes, as rows and columns."""
        if self._transparent is None:
            cells = np.frombuffer(bytes(self._terrain), dtype=np.uint8)
            clear = _SEES_THROUGH[cells]
            clear[list(self._hidden)] = False
            self._transparent = clear.reshape(self._grid.height, self._grid.width)
        return self._transparent

    def _see(self, creature: Creature, falls: Cells | None) -> bytes:
        known = self._known.get(creature.number)
        plain = creature.cell, creature.sight, creature.ring
        if known is not None and known.falls is falls and known.plain == plain and not creature.lasting:
            return known.seen
        cell, radius, in_dark = creature.cell, creature.sight, False
        if creature.lasting or creature.ring:  # most bodies have neither
            radius = sight_with_status(self._campaign, creature)
            in_dark = falls is not None and sees_in_dark(self._campaign, creature)
        circumstances = cell, radius, in_dark
        if known is not None and known.circumstances == circumstances and known.falls is falls:
            seen = known.seen
        elif falls is None:
            seen = self._lit_view(cell, radius)
        else:
            seen = self.light().visible(cell, radius, falls, in_dark=in_dark)
        self._known[creature.number] = _KnownSight(
            _UNSURE if creature.lasting else plain, circumstances, falls, seen
        )
        return seen

    def _lit_view(self, cell: int, radius: int) -> bytes:
        """Return the cached field of view from a cell of a lit level: bodies return to the same cells."""
        seen = self._lit_views.get((cell, radius))
        if seen is None:
            allowed = max(_LIT_VIEWS_BYTES, _PER_PLAYER_BYTES * len(self._players))
            if len(self._lit_views) * self._grid.size >= allowed:
                self._lit_views.clear()
            seen = self._lit_views[cell, radius] = field_of_view(self.transparent(), cell, radius)
        return seen

    def _clear(self) -> None:
        self._light = None
        self._players_see = None
        self._known.clear()
        self._lit_views.clear()
