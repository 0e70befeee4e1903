"""The newest view of one viewer, whose parts are built again only when something changed on which they depend.

Most updates show a player what others did: their own body, its inventory, and what it sees of the ground are as before.
So each part is compared by what it is made from, not by notes of what a turn has touched: no rule can forget a note.
`project` without records is the definition.
"""

from operator import attrgetter
from typing import Final

from gloam_server.views.inventory import InventoryCache
from gloam_server.views.level_records import KnownItems, LevelRecords
from gloam_server.views.own_body import choices, gains, hunger_numbers, place_of, sheet, status_list
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_shared.view.view import NOWHERE, Friend, Log, View

_BODY: Final = attrgetter(
    "hp",
    "mana",
    "experience",
    "kills",
    "points",
    "level",
    "hp_max",
    "mana_max",
    "attack",
    "defence",
    "sight",
    "speed",
    "asleep",
)
"""The fields of a body that its sheet shows, besides its inventory, equipment, hunger and status effects.

Food changes with each action, but few changes are shown.
"""

_ITEMS_KEPT: Final = 256
"""The most items that are kept for a viewer; a change of the piles beyond that forgets them."""


class ViewCache:
    """The newest view of one viewer, and what its parts were made from."""

    __slots__ = (
        "_body",
        "_cell",
        "_level",
        "_pile_changes",
        "_place",
        "_revision",
        "_things",
        "_view",
        "inventory",
    )

    def __init__(self) -> None:
        self.inventory: Final = InventoryCache()
        self._view: View = NOWHERE
        self._level: Level | None = None
        self._place = NOWHERE.place
        self._revision = -1
        self._pile_changes = -1
        self._cell = -1
        self._body: object = None
        self._things: KnownItems = {}
        """The items in sight lately, by cell, while the inventory does not change."""

    def view(
        self, records: LevelRecords, viewer: Creature, own_mark: int, *, party: tuple[Friend, ...], log: Log
    ) -> View:
        """Return the viewer's present view: the same object if nothing changed.

        `records` belong to the present state.
        """
        level = records.level
        if level is not self._level:  # on another level, or in the place of one that had a fault
            self._level, self._view, self._pile_changes, self._body = level, NOWHERE, -1, None
            self._place = place_of(level)
            self._things.clear()
        known = self._view
        sight, memory = level.field_of_view(viewer), level.memory[viewer.number]
        carried, spells = self.inventory.inventory_and_spells(level, viewer)
        same_inventory = self._note_inventory()
        same_body = self._note_body(level, viewer) and same_inventory
        same_things = self._note_piles(records) and same_inventory
        same_cell, self._cell = same_things and viewer.cell == self._cell, viewer.cell
        creatures = records.creatures_shown_to(viewer, sight, own_mark)
        view = View(
            self._place,
            known.terrain if known.terrain == memory else bytes(memory),
            sight,
            known.creatures if creatures == known.creatures else creatures,
            known.items
            if same_things and sight is known.sight
            else records.items_shown_to(viewer, sight, self._things, self.inventory),
            known.pile if same_cell else self.inventory.pile(level, viewer),
            carried,
            spells,
            known.states if same_body else status_list(level, viewer),
            known.sheet if same_body else sheet(level, viewer),
            known.choices if same_body else choices(level, viewer),
            party,
            log,
            known.gains if same_body else gains(level, viewer),
        )
        if view != known:
            self._view = view
        return self._view

    def _note_inventory(self) -> bool:
        """Return whether the inventory is the same as in the newest view."""
        if self._revision == self.inventory.revision:
            return True
        self._revision = self.inventory.revision
        self._things.clear()
        return False

    def _note_piles(self, records: LevelRecords) -> bool:
        """Return whether the level's piles are the same as in the newest view."""
        if self._pile_changes == records.pile_changes:
            return True
        self._pile_changes = records.pile_changes
        if len(self._things) >= _ITEMS_KEPT:
            self._things.clear()
        return False

    def _note_body(self, level: Level, viewer: Creature) -> bool:
        """Return whether the viewer's body is as in the newest view, and has no status effect that may have changed."""
        body = None
        if not viewer.lasting:
            body = level.handles[viewer.number], _BODY(viewer), hunger_numbers(level, viewer)
        same = body is not None and body == self._body
        self._body = body
        return same
