"""What stands on a cell, in words and numbers: for the look cursor and the list of neighbours. Pure."""

from gloam_client.render.map_panel import glyph
from gloam_shared.appearance import TERRAIN_LOOKS, Terrain
from gloam_shared.geometry import chebyshev, compass
from gloam_shared.narration import with_article
from gloam_shared.text import clean
from gloam_shared.view import Creature, Item, Mark, Thing, View


def cell_words(view: View, cell: int) -> list[str]:
    """Return what the player knows of a cell, the most important first; the last tells where it lies."""
    terrain = Terrain(view.terrain[cell]) if view.terrain[cell] in list(Terrain) else Terrain.UNKNOWN
    told = [creature_words(creature) for creature in view.creatures if creature.cell == cell]
    if cell == view.cell and view.pile:
        told.append(pile_words(view.pile))
    else:
        told += [item_words(item) for item in view.items if item.cell == cell]
    if terrain is Terrain.UNKNOWN:
        told.append("You have not seen this place.")
    else:
        seen = "" if view.sight[cell] else " (remembered)"
        told.append(f"{TERRAIN_LOOKS[terrain].words.capitalize()}{seen}.")
    return [*told, where(view, cell)]


def creature_words(creature: Creature) -> str:
    """Return a creature in words: what it is, how strong, how hurt, and what it means to you."""
    marks = creature.marks
    name = clean(creature.name)
    told = f"Level {creature.level}, health {creature.hp} of {creature.hp_max}"
    if marks & Mark.SELF:
        return f"You, {name}. {told}."
    if marks & Mark.PLAYER:
        return f"{name}, a player. {told}{_absence(marks)}."
    temper = ["hostile" if marks & Mark.HOSTILE else "peaceful"]
    if marks & Mark.ASLEEP:
        temper.append("asleep")
    if marks & Mark.HOLDS_YOU:
        temper.append("after you")
    first = with_article(name)
    return f"{first[:1].upper()}{first[1:]} ({glyph(creature.glyph)}), {', '.join(temper)}. {told}."


def item_words(item: Item) -> str:
    """Return a pile of items in words."""
    more = f", and {item.count - 1} more" if item.count > 1 else ""
    first = with_article(clean(item.name))
    return f"{first[:1].upper()}{first[1:]}{more}."


def pile_words(pile: tuple[Thing, ...]) -> str:
    """Return all that lies under one's feet in words, the uppermost first."""
    told = ", ".join(with_article(clean(thing.name)) for thing in reversed(pile))
    return f"{told[:1].upper()}{told[1:]}."


def where(view: View, cell: int) -> str:
    """Return how far a cell is and in which direction."""
    distance = chebyshev(view.cell, cell, view.place.width)
    if not distance:
        return "Here."
    return f"{distance} step{'s' if distance > 1 else ''} {compass(view.cell, cell, view.place.width)}."


def _absence(marks: int) -> str:
    if marks & Mark.CUT_OFF:
        return ", cut off"
    return ", away" if marks & Mark.AWAY else ""
