"""The newest view of one viewer, whose parts are built again only when something changed on which they depend.

Most updates show a player what others did: their own body, its inventory, and what it sees of the ground are as before.
So each part is compared by what it is made from, not by notes of what a turn has touched: no rule can forget a note.
"""

from operator import attrgetter
from typing import Final, TypeAlias

from gloam_server.views.inventory import InventoryCache, Shown
from gloam_server.views.level_records import KnownItems, LevelRecords
from gloam_server.views.odds import OwnOdds, as_met, own_odds
from gloam_server.views.own_body import (
    choices,
    choosing,
    gains,
    hunger_numbers,
    sheet,
    skill_list,
    status_list,
)
from gloam_server.views.surface_looks import surface_looks, surfaces_in_sight
from gloam_server.world.combat.noise import noise_state
from gloam_server.world.effects.map_memory import remembered_terrain
from gloam_server.world.model.creature import SHEET, Creature
from gloam_server.world.model.level import Level
from gloam_shared.kept import Kept
from gloam_shared.view.choices import Choosing, LevelGain
from gloam_shared.view.view import NOWHERE, FloorItem, Friend, Item, Log, Skill, StatusEffect, View

_SHEET: Final = attrgetter(*SHEET)
"""The sheet also shows inventory, equipment, status effects and hunger. Food changes with each action, but few changes are
shown."""

_ITEMS_KEPT: Final = 256
"""The most items that are kept for a viewer; the next look beyond that forgets them."""


_Own: TypeAlias = tuple[
    tuple[StatusEffect, ...],
    tuple[int, ...],
    tuple[str, ...],
    tuple[LevelGain, ...],
    Choosing,
    tuple[Skill, ...],
    OwnOdds,
]
"""A viewer's own states, sheet, choices and gains, which choice that is, the skills, and the odds against foes."""
_Ground: TypeAlias = tuple[tuple[Item, ...], tuple[FloorItem, ...]]
"""The items in sight, and the items underfoot."""


class ViewCache:
    """The newest view of one viewer, and its parts."""

    __slots__ = ("_on_ground", "_own", "_things", "_view", "inventory")

    def __init__(self) -> None:
        self.inventory: Final = InventoryCache()
        self._own = Kept[_Own]("the own body of a player")
        self._on_ground = Kept[_Ground]("the items on the ground for a player")
        self._things: KnownItems = {}
        """The items in sight lately, by cell, while the inventory does not change."""
        self._view: View = NOWHERE

    def view(
        self, records: LevelRecords, viewer: Creature, own_mark: int, *, party: tuple[Friend, ...], log: Log
    ) -> View:
        """Return the viewer's present view: the same object if nothing changed.

        `records` belong to the present state.
        """
        level, known = records.level, self._view
        sight, memory = level.field_of_view(viewer), remembered_terrain(level, viewer.number)
        shown = carried, spells = self.inventory.inventory_and_spells(level, viewer)
        states, own_sheet, options, gained, choosing, skills, odds = self._own_body(level, viewer, shown)
        items, pile = self._ground(records, viewer, sight, shown)
        has_surfaces = level.state.surfaces or level.state.devices
        creatures = as_met(level, viewer, odds, records.creatures_shown_to(viewer, sight, own_mark))
        view = View(
            records.place,
            known.terrain if known.terrain == memory else bytes(memory),
            sight,
            known.creatures if creatures == known.creatures else creatures,
            items,
            pile,
            carried,
            spells,
            states,
            own_sheet,
            options,
            party,
            log,
            gained,
            choosing,
            skills,
            surfaces_in_sight(level, sight, memory) if has_surfaces else b"",
            surface_looks(level) if has_surfaces else (),
        )
        if view != known:
            self._view = view
        return self._view

    def _own_body(self, level: Level, viewer: Creature, shown: Shown) -> _Own:
        """Return what the viewer sees of their own body. A status effect may change it without a change of a field."""
        fields = None
        if not viewer.lasting:
            fields = (
                level.handles[viewer.number],
                _SHEET(viewer),
                hunger_numbers(level, viewer),
                noise_state(level, viewer),
                viewer.kit,
                tuple(viewer.learned),
                tuple(viewer.statistics.trophies),
            )
        return self._own.get(
            (level, shown),
            fields,
            lambda _: (
                status_list(level, viewer),
                sheet(level, viewer),
                choices(level, viewer),
                gains(level, viewer),
                choosing(level, viewer),
                skill_list(level, viewer),
                own_odds(level, viewer),
            ),
        )

    def _ground(self, records: LevelRecords, viewer: Creature, sight: bytes, shown: Shown) -> _Ground:
        """Return the items in sight and underfoot: as they were, while the inventory and the piles are."""

        def look(before: _Ground | None) -> _Ground:
            if before is None or len(self._things) >= _ITEMS_KEPT:
                self._things.clear()
            items = records.items_shown_to(viewer, sight, self._things, self.inventory)
            return items, self.inventory.pile(records.level, viewer)

        return self._on_ground.get((records, shown), (sight, viewer.cell, records.pile_changes), look)
