"""Beside the map of a wide terminal: who is in the dungeon with you, and what is in sight."""

from gloam_client.model import Model
from gloam_client.render.canvas import PLAIN, QUIET, TITLE, Canvas, Rect
from gloam_client.render.map_panel import creature_cell
from gloam_client.render.status_panel import friend_words
from gloam_shared.geometry import chebyshev, compass
from gloam_shared.text import clean
from gloam_shared.view import Creature, Mark


def draw_side(canvas: Canvas, area: Rect, model: Model) -> None:
    """Draw the party and the creatures in sight, the nearest first, as many as fit."""
    right, bottom = area.x + area.width, area.y + area.height
    y = area.y
    if model.friends:
        canvas.put(area.x, y, "In the dungeon", TITLE, right)
        for friend in model.friends[: max(area.height // 2 - 1, 1)]:
            y += 1
            canvas.put(area.x, y, friend_words(friend), PLAIN, right)
        y += 1
    if y >= bottom:
        return
    near = in_sight(model)
    canvas.put(area.x, y, "In sight" if near else "Nothing in sight", TITLE if near else QUIET, right)
    for creature in near[: bottom - y - 1]:
        y += 1
        char, style = creature_cell(creature)
        canvas.put(area.x, y, char, style)
        canvas.put(area.x + 2, y, _neighbour_words(model, creature), PLAIN, right)


def in_sight(model: Model) -> list[Creature]:
    """Return the other creatures in sight, the nearest first."""
    view = model.view
    others = [creature for creature in view.creatures if not creature.marks & Mark.SELF]
    return sorted(others, key=lambda one: (chebyshev(view.cell, one.cell, view.place.width), one.handle))


def _neighbour_words(model: Model, creature: Creature) -> str:
    view = model.view
    distance = chebyshev(view.cell, creature.cell, view.place.width)
    mark = "!" if creature.marks & Mark.HOLDS_YOU else " (asleep)" if creature.marks & Mark.ASLEEP else ""
    way = compass(view.cell, creature.cell, view.place.width)
    return f"{clean(creature.name)}{mark} {creature.hp}/{creature.hp_max} L{creature.level}, {distance} {way}"
