"""The list of seen items, exits, shrines and devices, to travel to one of them; typing searches."""

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from gloam_client.input import keymap
from gloam_client.render.descriptions import describe_item, describe_terrain, terrain_at
from gloam_client.render.layout import layout
from gloam_client.screens.common.command_effects import command_effect, early_notice, message
from gloam_client.screens.common.keyed_screen import KeyedScreen
from gloam_client.screens.common.text_field import EMPTY, TextField
from gloam_client.screens.common.window import draw_window, move_selection
from gloam_client.screens.map.exploration import MAY_BAR, is_barred, is_explored
from gloam_client.state.guidance.key_words import with_keys
from gloam_client.state.map.landmarks import PLACES, WAYS_DOWN, WAYS_UP, known_landmarks, nearest_first, where
from gloam_client.state.model import Model, Pop, Push, Replace, Update
from gloam_client.terminal.canvas import Canvas
from gloam_shared.level_numbers import round_of_level
from gloam_shared.narration.rendering import capital, depth_text, with_article
from gloam_shared.protocol.commands import Travel
from gloam_shared.text import clean, pad
from gloam_shared.view.surfaces import DEVICES
from gloam_shared.view.view import View

_SEARCH_MAX: Final = 20
_AWAY_WIDTH: Final = 20
"""The width of the distance, which comes first so that the window's edge cuts off only names."""


class Known(NamedTuple):
    """One seen item or place: its distance, name and cell."""

    away: str
    words: str
    depth: int
    cell: int


@dataclass(frozen=True, slots=True)
class Find(KeyedScreen):
    """The list as known now; `search` is the typed text, `marked` the line that Enter chooses.

    The first match is marked from the start. Of the piles that are listed where nothing matches none is, so that Enter leads
    nowhere by mistake.
    """

    search: TextField = EMPTY
    marked: int | None = None
    state: str = "find"

    def on_key(self, model: Model, key: str) -> Update:
        """Search by typing, travel to the marked one, or go back."""
        listed, at, _ = self._listed(model)
        marked = -1 if at is None else at
        page = max(layout(*model.surface.size).overlay.height - 4, 1)
        match keymap.intent(model.options.keys, self.state, key):
            case "back":
                return Update(Pop())
            case "take":
                return (
                    message("Nothing is marked: Backspace shows more.", "quiet")
                    if at is None
                    else _towards(model, listed[at])
                )
            case "up" | "down" as intent:
                return Update(Replace(replace(self, marked=move_selection(marked, len(listed), intent))))
            case "page up" | "page down" as intent:
                to = marked + (page if intent == "page down" else -page)
                return Update(Replace(replace(self, marked=max(0, min(to, len(listed) - 1)))))
            case intent if (search := self.search.edited(intent)) is not None:
                return Update(Replace(replace(self, search=search, marked=None)))
            case _ if len(key) == 1:
                return Update(Replace(replace(self, search=self.search.typed(key, _SEARCH_MAX), marked=None)))
            case other:
                return self.answer(model, other, key)

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the list, with the distance before each name."""
        listed, marked, matches = self._listed(model)
        lines = [f"{pad(one.away, _AWAY_WIDTH)} {one.words}" for one in listed]
        typed = self.search.with_cursor(_SEARCH_MAX + 1)
        title = f"Find: {typed}" if self.search.text else "Find (type to search)"
        if not lines:
            draw_window(canvas, model, title, ["Nothing that you know of matches. Backspace erases."])
            return
        head = [] if matches else ["Nothing that you know of matches; it may lie in a pile:"]
        draw_window(canvas, model, title, lines, marked, head=head)

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of the list."""
        return [*keymap.hints(model.options.keys, self.state), ("a-z", "search")]

    def _listed(self, model: Model) -> tuple[list[Known], int | None, bool]:
        """Return the lines, the place of the marked one, and whether they match the search.

        Where nothing does they are the piles: the view names only their top items.
        """
        sought = self.search.text.casefold()
        found = [one for one in open_find_result(model) if sought in f"{one.away} {one.words}".casefold()]
        listed = found or _piles(model)
        if not listed or (self.marked is None and not found):
            return listed, None, bool(found)
        return listed, min(self.marked or 0, len(listed) - 1), bool(found)


def open_find(model: Model) -> Update:
    """Return the list, or why there is none."""
    if not model.in_dungeon:
        return early_notice()
    if not open_find_result(model):
        return message(
            with_keys(model, "You know of no items and no stairs on this level; {explore} explores."), "quiet"
        )
    return Update(Push(Find()))


def open_find_result(model: Model) -> list[Known]:
    """Return all items and places to find: on this level, the nearest first, then on other levels."""
    grid = model.view.place.grid
    here = [*_things(model), *_places(model), *_devices(model)]
    here.sort(key=lambda one: grid.distance(model.view.cell, one.cell))
    return [*here, *_underfoot(model), *_elsewhere(model)]


def _here(view: View, cell: int, words: str) -> Known:
    return Known(where(view, cell)[:-1], words, view.place.depth, cell)


def _things(model: Model) -> list[Known]:
    view = model.view
    cells = [cell for cell in model.known_things if cell != view.cell]
    return [
        _here(view, cell, describe_item(model.known_things[cell])) for cell in nearest_first(model, cells)
    ]


def _underfoot(model: Model) -> list[Known]:
    """Return the items of the pile under the player's feet, the uppermost first."""
    view = model.view
    return [_here(view, view.cell, describe_item(item)) for item in reversed(view.pile)]


def _piles(model: Model) -> list[Known]:
    """Return the known piles of several items on this level, the nearest first, by what lies on top."""
    view = model.view
    piles = {cell: item for cell, item in model.known_things.items() if item.count > 1 and cell != view.cell}
    return [
        _here(view, cell, f"{piles[cell].count - 1} more under {with_article(clean(piles[cell].name))}.")
        for cell in nearest_first(model, list(piles))
    ]


def _places(model: Model) -> list[Known]:
    view = model.view
    cells = [cell for kinds in PLACES for cell in known_landmarks(model, kinds) if cell != view.cell]
    return [
        _here(view, cell, f"{capital(describe_terrain(terrain_at(view, cell), model.world.terrain_words))}.")
        for cell in cells
    ]


def _devices(model: Model) -> list[Known]:
    """Return the devices in view or remembered: levers, plates, altars, locks."""
    view = model.view
    devices = {number for number, look in enumerate(view.surface_looks, start=1) if look.marks & DEVICES}
    return [
        _here(view, cell, f"{capital(with_article(view.surface_looks[number - 1].name))}.")
        for cell, number in enumerate(view.surfaces)
        if number in devices and cell != view.cell
    ]


def _elsewhere(model: Model) -> list[Known]:
    """Return the items on the other levels of this round, the nearest level first."""
    here = model.view.place.depth
    depths = [
        depth
        for depth in model.memory.recall
        if depth != here and round_of_level(depth) == round_of_level(here)
    ]
    return [
        Known(f"Depth {depth_text(depth)}", describe_item(item), depth, cell)
        for depth in sorted(depths, key=lambda depth: (abs(depth - here), depth))
        for cell, item in model.memory.recall[depth].items()
    ]


def _towards(model: Model, one: Known) -> Update:
    """Travel to a place here, or to the nearest known stairs towards its level, without taking them."""
    here = model.view.place.depth
    if one.depth == here and one.cell == model.view.cell:
        return message(with_keys(model, "It lies here: {pick_up} picks it up."), "note")._replace(
            change=Pop()
        )
    if one.depth == here:
        return command_effect(model, Travel(one.cell))._replace(change=Pop())
    intent, ways = ("descend", WAYS_DOWN) if one.depth > here else ("ascend", WAYS_UP)
    cells = known_landmarks(model, ways)
    if not cells:
        advice = MAY_BAR if is_explored(model) or is_barred(model) else "{explore} explores"
        text = f"You do not know a way to depth {depth_text(one.depth)} on this level; {advice}."
        return message(with_keys(model, text))
    if cells[0] == model.view.cell:
        key = keymap.key_for(model.options.keys, "play", intent)
        return message(f"The way to depth {depth_text(one.depth)} is here: {key} takes it.", "note")._replace(
            change=Pop()
        )
    return command_effect(model, Travel(cells[0]))._replace(change=Pop())
