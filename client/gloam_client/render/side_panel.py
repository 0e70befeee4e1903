"""Next to the map of a wide terminal: the player's sheet (rule RG.28), the party, and creatures and items in sight."""

from gloam_client.render.map_panel import creature_cell
from gloam_client.render.status_panel import friend_words
from gloam_client.state.model import Model
from gloam_client.terminal.canvas import PLAIN, QUIET, TITLE, Canvas, Rect
from gloam_shared.text import clean
from gloam_shared.view.danger import danger_of_fight
from gloam_shared.view.view import Creature, CreatureFlag, ItemFlag, Stat

_SHEET_FROM = 12
"""The number of rows from which a panel shows the sheet, too."""


def draw_side(canvas: Canvas, area: Rect, model: Model) -> None:
    """Draw the sheet where there is room, the party, and the creatures in sight, the nearest first, as many as fit."""
    right, bottom = area.x + area.width, area.y + area.height
    y = area.y
    if area.height >= _SHEET_FROM:
        for text in sheet_words(model):
            canvas.put(area.x, y, text, PLAIN, right)
            y += 1
    if model.friends and y < bottom:
        canvas.put(area.x, y, "In the dungeon", TITLE, right)
        for friend in model.friends[: max((bottom - y) // 2 - 1, 1)]:
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
        canvas.put(area.x + 2, y, _neighbour_words(model, creature, area.width - 2), PLAIN, right)


def sheet_words(model: Model) -> list[str]:
    """Return the player's own sheet in lines: numbers, equipment, inventory, and status effects."""
    view = model.view
    reach = f"  Reach {view.fact(Stat.REACH)}" if view.fact(Stat.REACH) else ""
    lines = [f"Attack {view.fact(Stat.ATTACK)}  Defense {view.fact(Stat.DEFENCE)}{reach}"]
    for word, trait in (("Wielding", ItemFlag.WIELDED), ("Wearing", ItemFlag.WORN)):
        gear = [clean(thing.name) for thing in view.inventory if thing.traits & trait]
        lines.append(f"{word} {', '.join(gear) or 'nothing'}")
    lines += [f"Ring {clean(thing.name)}" for thing in view.inventory if thing.traits & ItemFlag.PUT_ON]
    counts = [("Items", len(view.inventory)), ("Spells", len(view.spells)), ("Kills", view.fact(Stat.KILLS))]
    lines.append("  ".join(f"{word} {n}" for word, n in counts if n or word != "Spells"))
    if view.states:
        lines.append(", ".join(state_words(state.word, fading=state.fading) for state in view.states))
    return lines


def state_words(word: str, *, fading: bool) -> str:
    """Return a status effect in words, marked if it will soon end."""
    return f"{clean(word)} (fading)" if fading else clean(word)


def in_sight(model: Model) -> list[Creature]:
    """Return the other creatures in sight, the nearest first."""
    view = model.view
    others = [creature for creature in view.creatures if not creature.marks & CreatureFlag.SELF]
    return sorted(others, key=lambda one: (view.place.grid.distance(view.cell, one.cell), one.handle))


def _neighbour_words(model: Model, creature: Creature, cells: int) -> str:
    """Return a creature in words of at most `cells` cells. Level and danger stay whole; the name is cut last."""
    view = model.view
    name, level = clean(creature.name), f"L{creature.level}"
    mark = "!" if creature.marks & CreatureFlag.HOLDS_YOU else ""
    state = " (asleep)" if creature.marks & CreatureFlag.ASLEEP and not mark else ""
    hp = f" {creature.hp}/{creature.hp_max}"
    grown = f" (+{creature.grown})" if creature.grown > 0 else ""
    hostile = bool(creature.marks & CreatureFlag.HOSTILE)
    threat = f" {danger_of_fight(creature, view, model.damage).word}" if hostile else ""
    distance = view.place.grid.distance(view.cell, creature.cell)
    way = f", {distance} {view.place.grid.compass(view.cell, creature.cell)}"
    choices = (
        f"{name}{mark}{state}{hp} {level}{grown}{threat}{way}",
        f"{name}{mark}{state} {level}{grown}{threat}{way}",
        f"{name}{mark} {level}{grown}{threat}{way}",
        f"{name}{mark} {level}{grown}{threat}",
    )
    for words in choices:
        if len(words) <= cells:
            return words
    rest = f"{mark} {level}{grown}{threat}"
    return name[: max(1, cells - len(rest))] + rest
