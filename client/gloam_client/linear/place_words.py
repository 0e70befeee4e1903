"""Positions seen from the player, in words: "goblin, 3 north-east", and the ways that are open. Pure."""

from collections.abc import Iterable
from typing import Final

from gloam_client.render.descriptions import peaceful_words, terrain_at
from gloam_client.state.model import Model
from gloam_shared.appearance import WALKABLE, Terrain
from gloam_shared.text import clean
from gloam_shared.view.danger import danger_of_fight
from gloam_shared.view.downed import turns_down, turns_left_words
from gloam_shared.view.view import Creature, CreatureFlag, Item, ItemFlag, View

PLACES: Final = {
    Terrain.STAIRS_DOWN: "stairs down",
    Terrain.STAIRS_UP: "stairs up",
    Terrain.HOLE: "hole",
    Terrain.EXIT: "way out",
    Terrain.SHRINE: "shrine",
    Terrain.DOOR_CLOSED: "closed door",
    Terrain.DOOR_OPEN: "open door",
    Terrain.TRAP: "trap",
}
"""The terrain that is said besides walls and floor, and its words."""


def way_words(view: View, cell: int) -> str:
    """Return how far a cell is and in which direction, such as "3 north-east"; "here" for the player's own."""
    grid = view.place.grid
    distance = grid.distance(view.cell, cell)
    return f"{distance} {grid.compass(view.cell, cell)}" if distance else "here"


def thing_words(view: View, name: str, cell: int, *facts: str) -> str:
    """Return a thing with its place and more facts: "goblin, 3 north-east, level 2"."""
    return ", ".join([clean(name), way_words(view, cell), *filter(None, facts)])


def creature_words(model: Model, creature: Creature) -> str:
    """Return a creature with its place, its strength, and what it is to the player."""
    view, marks = model.view, creature.marks
    hostile = bool(marks & CreatureFlag.HOSTILE)
    facts = [
        f"level {creature.level}",
        danger_of_fight(creature, view, model.world.damage).word if hostile else "",
        "" if hostile else peaceful_words(marks),
        "asleep" if marks & CreatureFlag.ASLEEP else "",
        f"down: {turns_left_words(left)}" if (left := turns_down(marks)) else "",
        "hurt" if creature.hp < creature.hp_max else "",
    ]
    return thing_words(view, creature.name, creature.cell, *facts)


def item_words(view: View, item: Item) -> str:
    """Return a pile of items with its place, by its top one."""
    more = f"and {item.count - 1} more" if item.count > 1 else ""
    worth = "worth picking up" if item.traits & ItemFlag.WORTH else ""
    return thing_words(view, item.name, item.cell, more, worth)


def others_in_sight(view: View) -> list[Creature]:
    """Return the other creatures in sight, the nearest first."""
    others = [one for one in view.creatures if not one.marks & CreatureFlag.SELF]
    return sorted(others, key=lambda one: (view.place.grid.distance(view.cell, one.cell), one.handle))


def by_distance(view: View, cells: Iterable[int]) -> list[int]:
    """Return cells, the nearest first."""
    return sorted(cells, key=lambda cell: (view.place.grid.distance(view.cell, cell), cell))


def openings(view: View) -> tuple[str, ...]:
    """Return the directions of the cells beside the player that can be entered, clockwise from the north."""
    grid = view.place.grid
    beside = grid.neighbors(view.cell, view.place.directions)
    return tuple(
        grid.compass(view.cell, cell)
        for cell in beside
        if terrain_at(view, cell) in WALKABLE or terrain_at(view, cell) is Terrain.DOOR_CLOSED
    )


def openings_words(view: View) -> str:
    """Return the open ways as a sentence: "Open: north, east."."""
    return f"Open: {', '.join(openings(view)) or 'nothing'}."
